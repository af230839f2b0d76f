# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Run the outdoor world: a meadow with hills and trees, and a robot with a 3D LiDAR.

    ros2 launch mvsim_ros2 outdoor.launch.py
    ros2 run teleop_twist_keyboard teleop_twist_keyboard

It takes all arguments of mvsim.launch.py (`ros2 launch mvsim_ros2 outdoor.launch.py -s`).
"""

from launch import LaunchDescription

from mvsim_ros2.ros.launching.simulation import simulation


def generate_launch_description() -> LaunchDescription:
    """Return the simulator with the outdoor world."""
    return simulation('outdoor', 'outdoor', publish_map_odom=True)
