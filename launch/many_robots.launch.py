# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Run a swarm: sixteen robots on a grid, each with a LiDAR.

    ros2 launch mvsim_ros2 many_robots.launch.py headless:=true
    ros2 topic echo /ground_truth_poses

Frames are robot_0_0/odom, robot_0_0/base_link, ..., all on `tf`, so that one RViz shows all.
It takes all arguments of mvsim.launch.py (`ros2 launch mvsim_ros2 many_robots.launch.py -s`).
"""

from launch import LaunchDescription

from mvsim_ros2.ros.launching.simulation import simulation


def generate_launch_description() -> LaunchDescription:
    """Return the simulator with the swarm."""
    return simulation('many_robots', 'many_robots', publish_map_odom=True, frame_prefix=True)
