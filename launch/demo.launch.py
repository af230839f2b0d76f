# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Run the demo world: an office floor and a warehouse with one robot.

    ros2 launch mvsim_ros2 demo.launch.py
    ros2 run teleop_twist_keyboard teleop_twist_keyboard

It takes all arguments of mvsim.launch.py (`ros2 launch mvsim_ros2 demo.launch.py -s`).
"""

from launch import LaunchDescription

from mvsim_ros2.ros.launching.simulation import simulation


def generate_launch_description() -> LaunchDescription:
    """Return the simulator with the demo world."""
    return simulation('demo', publish_map_odom=True)
