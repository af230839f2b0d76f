# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Run a room with one robot that has a colour camera and a depth camera; RViz shows their images.

    ros2 launch mvsim_ros2 camera.launch.py
    ros2 run teleop_twist_keyboard teleop_twist_keyboard

It takes all arguments of mvsim.launch.py (`ros2 launch mvsim_ros2 camera.launch.py -s`).
"""

from launch import LaunchDescription

from mvsim_ros2.ros.launching.simulation import simulation


def generate_launch_description() -> LaunchDescription:
    """Return the simulator with the world of the cameras."""
    return simulation('camera', 'camera', publish_map_odom=True)
