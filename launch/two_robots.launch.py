# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Run two robots in one world, each with its topics below its name.

    ros2 launch mvsim_ros2 two_robots.launch.py
    ros2 topic pub /r1/cmd_vel geometry_msgs/msg/Twist "{linear: {x: 0.3}}" -r 10

Frames are r1/odom, r1/base_link, ..., all on `tf`, so that one RViz shows both robots;
frame_prefix:=false gives each robot its own `tf`, as Nav2 expects.
It takes all arguments of mvsim.launch.py (`ros2 launch mvsim_ros2 two_robots.launch.py -s`).
"""

from launch import LaunchDescription

from mvsim_ros2.ros.launching.simulation import simulation


def generate_launch_description() -> LaunchDescription:
    """Return the simulator with two robots."""
    return simulation('two_robots', 'two_robots', publish_map_odom=True, frame_prefix=True)
