# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Run a room with one robot that has a LiDAR of 16 rings and an IMU; RViz shows the points.

    ros2 launch mvsim_ros2 lidar3d.launch.py
    ros2 run teleop_twist_keyboard teleop_twist_keyboard

Topics are `lidar_points`, with ring and time of each point, and `imu`.

It takes all arguments of mvsim.launch.py (`ros2 launch mvsim_ros2 lidar3d.launch.py -s`).
"""

from launch import LaunchDescription

from mvsim_ros2.ros.launching.simulation import simulation


def generate_launch_description() -> LaunchDescription:
    """Return the simulator with the world of the LiDAR."""
    return simulation('lidar3d', 'lidar3d', publish_map_odom=True)
