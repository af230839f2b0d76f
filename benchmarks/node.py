# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Measure the speed of the node as fast as possible: the demo world, and a fleet.

    python benchmarks/node.py [--rounds N] [--seconds S]

Starts the node and subscribes from this process to more and more topics. Prints medians, and the
least and the most, of the real-time factor and of the CPU time of the node for a simulated second.
Beside them are those of a simulation without ROS that measures the same, and the floor: those of
a bare publisher of rclpy, which sends prepared bytes of the same number and size to the same
subscriber, no faster than the node. The fleet is 50 robots, each with a LiDAR of 360 rays at 10
Hz, scan, odometry and tf of each subscribed; with `frame_prefix` one topic has all the transforms.

:claim: Real-time factor of the node, and the share of ROS in it
:reference: the same simulation without ROS, and a bare publisher, in one run
"""

import argparse
from collections.abc import Mapping
from functools import partial
import json
import os
from pathlib import Path
import statistics
import subprocess
import sys
import time
from typing import Any

from nav_msgs.msg import Odometry
import rclpy
from rclpy.context import Context
from rclpy.node import Node
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import Imu, LaserScan
from tf2_msgs.msg import TFMessage

from mvsim_ros2 import load_world, Simulation
from mvsim_ros2.base.package_files import world_path
from mvsim_ros2.ros.rclpy_runtime import new_executor, use_fast_dds_profile

World = tuple[str, dict[str, str]]  # name, values of its variables

SCAN = {'odom': Odometry, '/tf': TFMessage, 'scan': LaserScan}
COLUMNS, ROWS = 10, 5  # of the fleet
ODOM_RATE = 50  # Hz, of the node
FLEET = {f'robot_{i}_{j}/{name.strip("/")}': kind for i in range(COLUMNS) for j in range(ROWS)
         for name, kind in SCAN.items()}
ONE_TF = {'/tf': TFMessage, **{name: kind for name, kind in FLEET.items() if kind != TFMessage}}
DEMO: World = 'demo', {}
MANY: World = 'many_robots', {'COLUMNS': str(COLUMNS), 'ROWS': str(ROWS)}
CASES: dict[str, tuple[World, dict[str, Any]]] = {
    'clock': (DEMO, {}),
    'clock, scan, odom, tf': (DEMO, SCAN),
    'clock, scan, odom, tf, imu': (DEMO, {**SCAN, 'imu': Imu}),
    '50 x (scan, odom, tf)': (MANY, FLEET),
    '50 x (scan, odom), one tf': (MANY, ONE_TF),
}
TICK = 1.0 / os.sysconf('SC_CLK_TCK')  # s


class Listener:
    """Counts messages on some topics, and follows the clock."""

    def __init__(self, topics: Mapping[str, Any]) -> None:
        """Subscribe."""
        self.time = 0.0  # simulated [s]
        self._context = Context()
        rclpy.init(context=self._context)
        self._node = Node('benchmark', context=self._context)
        self._node.create_subscription(Clock, '/clock', self._take, 1)
        self.sizes = dict.fromkeys(topics, 0)  # of their messages [bytes]
        for name, message_type in topics.items():
            self._node.create_subscription(
                message_type, name, partial(self._measure, name), 10, raw=True)
        self._executor = new_executor(self._context)
        self._executor.add_node(self._node)

    def _take(self, message: Clock) -> None:
        self.time = message.clock.sec + message.clock.nanosec * 1e-9

    def _measure(self, name: str, data: bytes) -> None:
        self.sizes[name] = len(data)

    def serve(self, seconds: float) -> None:
        """Serve callbacks for some wall time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._executor.spin_once(timeout_sec=0.01)

    def serve_until_all_come(self) -> None:
        """Serve callbacks until each topic has a message."""
        while not (self.time and all(self.sizes.values())):
            self.serve(0.1)

    def close(self) -> None:
        """Destroy the node."""
        self._executor.shutdown()
        self._node.destroy_node()
        rclpy.try_shutdown(context=self._context)


def cpu_time(pid: int) -> float:
    """Return the CPU time [s] that a process has used."""
    fields = Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()
    return (int(fields[11]) + int(fields[12])) * TICK


def bare_cost(world: World, topics: Mapping[str, Any]) -> tuple[float, dict[str, float]]:
    """
    Run the same without ROS.

    :returns: CPU time [s] of a simulated second, and the rates of the sensors [Hz] by topic.
    """
    name, variables = world
    simulation = Simulation(load_world(world_path(name), variables))
    heard = {topic.rpartition('/')[2] for topic in topics}
    rates = {}
    for sensor, handle in simulation.sensors.items():
        short = sensor.rpartition('/')[2]
        simulation.set_enabled(sensor, short in heard)
        rates[short] = 1.0 / handle.spec.sensor_period
    simulation.warm_up()
    steps = round(1.0 / ODOM_RATE / simulation.dt)  # to a tick of the node
    costs = []
    for _ in range(6):
        start = time.process_time()
        for _ in range(ODOM_RATE):
            simulation.step(steps)
        costs.append(time.process_time() - start)
    return statistics.median(costs[1:]), rates


def publish(plan: Mapping[str, tuple[str, int, float]], factor: float, seconds: float) -> float:
    """
    Publish prepared bytes as a node does that runs `factor` times as fast as time.

    :param plan: type, size [bytes] and rate [Hz of simulated time] by topic.
    :returns: CPU time [s] of a simulated second, without that between the messages.
    """
    types = {kind.__name__: kind for kind in (Clock, Imu, LaserScan, Odometry, TFMessage)}
    use_fast_dds_profile()
    rclpy.init()
    node = Node('floor')
    topics = []
    for name, (kind, size, rate) in plan.items():
        publisher = node.create_publisher(types[kind], name, 10)
        topics.append((publisher.handle.publish_raw, bytes((0, 1)) + bytes(size - 2), rate))
        while not publisher.get_subscription_count():
            time.sleep(0.1)
    spent, process, thread = 0.0, time.process_time(), time.thread_time()
    ticks, start = round(seconds * factor * ODOM_RATE), time.monotonic()
    for tick in range(ticks):
        while time.monotonic() < start + tick / (factor * ODOM_RATE):
            pass  # awake, as the node, which simulates
        before = time.thread_time()
        for send, data, rate in topics:
            for _ in range(int((tick + 1) * rate / ODOM_RATE) - int(tick * rate / ODOM_RATE)):
                send(data)
        spent += time.thread_time() - before
    others = time.process_time() - process - (time.thread_time() - thread)  # those of Fast DDS
    rclpy.shutdown()
    return (spent + others) * ODOM_RATE / ticks


def floor_cost(topics: Mapping[str, Any], sizes: Mapping[str, int], rates: Mapping[str, float],
               factor: float, seconds: float) -> float:
    """Return the CPU time [s] of a simulated second of a bare publisher, in its own process."""
    plan = {name: (kind.__name__, sizes[name], rates.get(name.rpartition('/')[2], ODOM_RATE))
            for name, kind in topics.items()}
    plan['/clock'] = 'Clock', 12, 100.0 / factor
    listener = Listener(topics)
    with subprocess.Popen(
            [sys.executable, __file__, '--floor', json.dumps([plan, factor, seconds])],
            stdout=subprocess.PIPE, text=True) as child:
        while child.poll() is None:
            listener.serve(0.1)
        listener.close()
        return float(child.stdout.read()) if child.stdout else 0.0


def spread(values: list[float], digits: int = 1) -> str:
    """Return the median of numbers, and the least and the most of them."""
    return (f'{statistics.median(values):.{digits}f} ({min(values):.{digits}f} to '
            f'{max(values):.{digits}f})')


def main() -> None:
    """Run all cases and print a table."""
    parser = argparse.ArgumentParser(description='Speed of the node.')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--seconds', type=float, default=3.0, help='wall time of a round')
    parser.add_argument('--floor', help='for the processes that this program starts')
    options = parser.parse_args()
    if options.floor:
        print(publish(*json.loads(options.floor)))
        return
    os.environ.setdefault('ROS_DOMAIN_ID', '99')
    os.environ['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'LOCALHOST'
    print(f'{"":26s} {"real-time factor":>24s}   CPU ms of a simulated second\n'
          f'{"subscribed":26s} {"median (least to most)":>24s} {"node":>24s} {"without ROS":>11s} '
          f'{"floor of rclpy":>24s}')
    for case, (world, topics) in CASES.items():
        bare, rates = bare_cost(world, topics)
        values = [f'{name}={value}' for name, value in world[1].items()] or ['']
        node = subprocess.Popen(
            [sys.executable, '-m', 'mvsim_ros2.ros.node', '--ros-args', '--log-level', 'warn',
             '-p', f'world:={world[0]}', '-p', f'variables:={values}',
             '-p', f'frame_prefix:={topics is ONE_TF}', '-p', 'realtime_factor:=0.0'])
        listener = Listener(topics)
        try:
            listener.serve_until_all_come()
            listener.serve(options.seconds)  # warm up
            factors, costs = [], []
            for _ in range(options.rounds):
                wall, simulated, cpu = time.monotonic(), listener.time, cpu_time(node.pid)
                listener.serve(options.seconds)
                passed = listener.time - simulated
                factors.append(passed / (time.monotonic() - wall))
                costs.append((cpu_time(node.pid) - cpu) / passed * 1e3)
        finally:
            node.terminate()
            node.wait()
            listener.close()
        floors = [1e3 * floor_cost(topics, listener.sizes, rates, statistics.median(factors),
                                   options.seconds) for _ in range(options.rounds)]
        print(f'{case:26s} {spread(factors):>24s} {spread(costs):>24s} {bare * 1e3:11.1f} '
              f'{spread(floors):>24s}', flush=True)


if __name__ == '__main__':
    main()
