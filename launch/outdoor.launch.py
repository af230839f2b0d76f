# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Run the outdoor world: a meadow with hills and trees, and a robot with a 3D LiDAR.

    ros2 launch mvsim_ros2 outdoor.launch.py
    ros2 run teleop_twist_keyboard teleop_twist_keyboard

It takes all arguments of mvsim.launch.py (`ros2 launch mvsim_ros2 outdoor.launch.py -s`).
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration
from launch.substitutions import PathJoinSubstitution
from launch_ros.substitutions import FindPackageShare


def generate_launch_description() -> LaunchDescription:
    """Return the simulator with the outdoor world."""
    share = FindPackageShare('mvsim_ros2')
    return LaunchDescription([
        DeclareLaunchArgument(
            'world', default_value=PathJoinSubstitution([share, 'worlds', 'outdoor.world.xml']),
            description='World file, or the name of a world of this package'),
        DeclareLaunchArgument(
            'rviz_config_file',
            default_value=PathJoinSubstitution([share, 'config', 'outdoor.rviz']),
            description='RViz set-up'),
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(
                PathJoinSubstitution([share, 'launch', 'mvsim.launch.py'])),
            launch_arguments=[('world', LaunchConfiguration('world')),
                              ('rviz_config_file', LaunchConfiguration('rviz_config_file'))]),
    ])
