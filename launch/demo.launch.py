# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Run the demo world: an office floor and a warehouse with one robot.

    ros2 launch mvsim_ros2 demo.launch.py
    ros2 run teleop_twist_keyboard teleop_twist_keyboard

It takes all arguments of mvsim.launch.py (`ros2 launch mvsim_ros2 demo.launch.py -s`).
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration
from launch.substitutions import PathJoinSubstitution
from launch_ros.substitutions import FindPackageShare


def generate_launch_description() -> LaunchDescription:
    """Return the simulator with the demo world."""
    share = FindPackageShare('mvsim_ros2')
    return LaunchDescription([
        DeclareLaunchArgument(
            'world', default_value=PathJoinSubstitution([share, 'worlds', 'demo.world.xml']),
            description='World file, or the name of a world of this package'),
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(
                PathJoinSubstitution([share, 'launch', 'mvsim.launch.py'])),
            launch_arguments=[('world', LaunchConfiguration('world'))]),
    ])
