# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Measure the speed of the node as fast as possible: the demo world, and a fleet.

    python benchmarks/node.py [--rounds N] [--seconds S]

Starts the node and subscribes from this process to more and more topics. Prints medians
of the real-time factor, of the CPU time of the node for a simulated second, and of that of a
simulation without ROS that measures the same; the difference for each message, and as a share of
the simulated time, which is what the ROS side adds to a step at real time. The fleet is 50
robots, each with a LiDAR of 360 rays at 10 Hz, scan, odometry and tf of each subscribed.

:claim: how many times faster than real time the node runs, and what ROS costs of it
:reference: the same simulation without ROS, in one run
"""

import argparse
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
from mvsim_ros2.ros.rclpy_runtime import EventsExecutor

World = tuple[str, dict[str, str]]  # name, values of its variables

SCAN = {'odom': Odometry, '/tf': TFMessage, 'scan': LaserScan}
COLUMNS, ROWS = 10, 5  # of the fleet
FLEET = {f'robot_{i}_{j}/{name.strip("/")}': kind for i in range(COLUMNS) for j in range(ROWS)
         for name, kind in SCAN.items()}
DEMO: World = 'demo', {}
MANY: World = 'many_robots', {'COLUMNS': str(COLUMNS), 'ROWS': str(ROWS)}
CASES: dict[str, tuple[World, dict[str, Any]]] = {
    'clock': (DEMO, {}),
    'clock, scan, odom, tf': (DEMO, SCAN),
    'clock, scan, odom, tf, imu': (DEMO, {**SCAN, 'imu': Imu}),
    '50 x (scan, odom, tf)': (MANY, FLEET),
}
TICK = 1.0 / os.sysconf('SC_CLK_TCK')  # s


class Listener:
    """Counts messages on some topics, and follows the clock."""

    def __init__(self, topics: dict[str, Any]) -> None:
        """Subscribe."""
        self.time = 0.0  # simulated [s]
        self._context = Context()
        rclpy.init(context=self._context)
        self._node = Node('benchmark', context=self._context)
        self._node.create_subscription(Clock, '/clock', self._take, 1)
        self._counts = dict.fromkeys(topics, 0)
        for name, message_type in topics.items():
            self._node.create_subscription(
                message_type, name, lambda data, name=name: self._count(name), 10, raw=True)
        self._executor = EventsExecutor(context=self._context)
        self._executor.add_node(self._node)

    def _take(self, message: Clock) -> None:
        self.time = message.clock.sec + message.clock.nanosec * 1e-9

    def _count(self, name: str) -> None:
        self._counts[name] += 1

    def serve(self, seconds: float) -> None:
        """Serve callbacks for some wall time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._executor.spin_once(timeout_sec=0.01)

    @property
    def count(self) -> int:
        """Return the number of messages, without the clock."""
        return sum(self._counts.values())

    def serve_until_all_come(self) -> None:
        """Serve callbacks until each topic has a message."""
        while not (self.time and all(self._counts.values())):
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


def bare_cost(world: World, topics: dict[str, Any]) -> float:
    """Return the CPU time [s] of a simulated second without ROS, measuring the same."""
    name, variables = world
    simulation = Simulation(load_world(world_path(name), variables))
    for sensor in simulation.sensors:
        simulation.set_enabled(sensor, sensor.rpartition('/')[2] in {
            topic.rpartition('/')[2] for topic in topics})
    simulation.warm_up()
    steps = round(1.0 / 50.0 / simulation.dt)  # to a tick of the node
    costs = []
    for _ in range(6):
        start = time.process_time()
        for _ in range(50):
            simulation.step(steps)
        costs.append(time.process_time() - start)
    return statistics.median(costs[1:])


def main() -> None:
    """Run all cases and print a table."""
    parser = argparse.ArgumentParser(description='Speed of the node.')
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--seconds', type=float, default=3.0, help='wall time of a round')
    options = parser.parse_args()
    os.environ.setdefault('ROS_DOMAIN_ID', '99')
    os.environ['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'LOCALHOST'
    print(f'{"":28s} {"real-time":>9s} {"CPU ms per simulated s":>23s} {"ROS: us":>11s} '
          f'{"% of":>9s}')
    print(f'{"subscribed":28s} {"factor":>9s} {"node":>11s} {"without ROS":>11s} '
          f'{"a message":>11s} {"real time":>9s}')
    for case, (world, topics) in CASES.items():
        bare = bare_cost(world, topics)
        values = [f'{name}={value}' for name, value in world[1].items()] or ['']
        node = subprocess.Popen(
            [sys.executable, '-m', 'mvsim_ros2.ros.node', '--ros-args', '--log-level', 'warn',
             '-p', f'world:={world[0]}', '-p', f'variables:={values}',
             '-p', 'realtime_factor:=0.0'])
        listener = Listener(topics)
        try:
            listener.serve_until_all_come()
            listener.serve(options.seconds)  # warm up
            factors, costs, prices = [], [], []
            for _ in range(options.rounds):
                wall, simulated, cpu = time.monotonic(), listener.time, cpu_time(node.pid)
                heard = listener.count
                listener.serve(options.seconds)
                passed = listener.time - simulated
                factors.append(passed / (time.monotonic() - wall))
                costs.append((cpu_time(node.pid) - cpu) / passed)
                prices.append((costs[-1] - bare) * passed / max(1, listener.count - heard))
        finally:
            node.terminate()
            node.wait()
            listener.close()
        cost = statistics.median(costs)
        price = f'{statistics.median(prices) * 1e6:11.0f}' if topics else ' ' * 11
        print(f'{case:28s} {statistics.median(factors):9.1f} {cost * 1e3:11.1f} '
              f'{bare * 1e3:11.1f} {price} {(cost - bare) * 100:9.1f}', flush=True)


if __name__ == '__main__':
    main()
