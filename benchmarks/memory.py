# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Measure whether the memory of the node grows over a long run, as fast as possible.

    python benchmarks/memory.py [--seconds S] [--world WORLD]

Starts the node with a small world, subscribes to odometry, transforms and scans, sends commands,
and samples the resident memory of the node. Prints it over simulated time, and the linear trend of
the second half of the samples for 24 simulated hours with its standard error: smaller trends are
not significant.

:claim: Growth of the node's memory in a day of simulated time
:reference: the trend of its samples, and its standard error
"""

import argparse
from pathlib import Path
import subprocess
import sys
import time

from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
import numpy as np
import rclpy
from rclpy.context import Context
from rclpy.node import Node
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import LaserScan
from tf2_msgs.msg import TFMessage

from mvsim_ros2.ros.rclpy_runtime import new_executor

SAMPLE_PERIOD = 2.0  # s


class Listener:
    """Subscribes to one robot and drives it in circles."""

    def __init__(self) -> None:
        """Create the node."""
        self.hours = 0.0  # simulated
        self._context = Context()
        rclpy.init(context=self._context)
        node = Node('benchmark', context=self._context)
        node.create_subscription(Clock, '/clock', self._take, 1)
        for kind, topic in ((Odometry, 'odom'), (TFMessage, '/tf'), (LaserScan, 'scan')):
            node.create_subscription(kind, topic, lambda data: None, 10, raw=True)
        self._commands = node.create_publisher(Twist, 'cmd_vel', 1)
        self._node = node
        self._executor = new_executor(self._context)
        self._executor.add_node(node)

    def _take(self, message: Clock) -> None:
        self.hours = (message.clock.sec + message.clock.nanosec * 1e-9) / 3600

    def serve(self, seconds: float) -> None:
        """Serve callbacks for some wall time, and command periodically."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            command = Twist()
            command.linear.x, command.angular.z = 0.2, 0.4
            self._commands.publish(command)
            until = min(end, time.monotonic() + 0.1)
            while time.monotonic() < until:
                self._executor.spin_once(timeout_sec=0.01)

    def close(self) -> None:
        """Destroy the node."""
        self._executor.shutdown()
        self._node.destroy_node()
        self._context.try_shutdown()


def resident(pid: int) -> float:
    """Return the resident memory of a process [MB]."""
    for line in Path(f'/proc/{pid}/status').read_text().splitlines():
        if line.startswith('VmRSS:'):
            return int(line.split()[1]) / 1024
    return float('nan')


def main() -> None:
    """Run the node, sample, and print."""
    parser = argparse.ArgumentParser(description='Memory of the node over simulated time.')
    parser.add_argument('--seconds', type=float, default=300.0, help='of the wall clock, 300')
    parser.add_argument('--world', default='empty', help='world file or name, empty')
    options = parser.parse_args()
    process = subprocess.Popen([
        sys.executable, '-m', 'mvsim_ros2.ros.node', '--ros-args', '--log-level', 'warn',
        '-p', f'world:={options.world}', '-p', 'realtime_factor:=0.0',
        '-p', 'cmd_vel_timeout:=0.0'])
    listener = Listener()
    samples: list[tuple[float, float]] = []
    try:
        while not listener.hours:
            listener.serve(0.5)
        end = time.monotonic() + options.seconds
        while time.monotonic() < end:
            listener.serve(SAMPLE_PERIOD)
            samples.append((listener.hours, resident(process.pid)))
            if len(samples) % 15 == 0:
                print(f'{samples[-1][0]:8.2f} h  {samples[-1][1]:8.1f} MB', flush=True)
    finally:
        listener.close()
        process.terminate()
        process.wait()
    half = np.array(samples[len(samples) // 2:])
    hours = half[:, 0] - half[:, 0].mean()
    slope = (hours * half[:, 1]).sum() / (hours ** 2).sum()
    rest = half[:, 1] - half[:, 1].mean() - slope * hours
    error = 2 * np.sqrt(rest.var(ddof=2) / (hours ** 2).sum())
    print(f'{samples[-1][0]:.2f} simulated hours; first {samples[0][1]:.1f} MB, '
          f'last {samples[-1][1]:.1f} MB')
    print(f'second half: {24 * slope:+.2f} MB in 24 simulated hours, '
          f'+-{24 * error:.2f} MB (two standard errors)')


if __name__ == '__main__':
    main()
