# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Run the simulator with a world, and RViz if wanted.

    ros2 launch mvsim_ros2 mvsim.launch.py world:=/path/to/my.world.xml use_rviz:=false

It publishes the exact transform from map to odom; with a localization say
publish_map_odom:=false.
"""

from launch import LaunchDescription

from mvsim_ros2.ros.launching.simulation import simulation


def generate_launch_description() -> LaunchDescription:
    """Return the simulator and RViz."""
    return simulation(publish_map_odom=True)
