# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Run two robots in one world, each with its topics below its name.

    ros2 launch mvsim_ros2 two_robots.launch.py
    ros2 topic pub /r1/cmd_vel geometry_msgs/msg/Twist "{linear: {x: 0.3}}" -r 10

It takes all arguments of mvsim.launch.py (`ros2 launch mvsim_ros2 mvsim.launch.py -s`).
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration
from launch.substitutions import PathJoinSubstitution
from launch_ros.substitutions import FindPackageShare


def generate_launch_description() -> LaunchDescription:
    """Return the simulator with this world."""
    share = FindPackageShare('mvsim_ros2')
    return LaunchDescription([
        DeclareLaunchArgument(
            'world',
            default_value=PathJoinSubstitution([share, 'worlds', 'two_robots.world.xml']),
            description='World file, or the name of a world of this package'),
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(
                PathJoinSubstitution([share, 'launch', 'mvsim.launch.py'])),
            launch_arguments=[('world', LaunchConfiguration('world'))]),
    ])
