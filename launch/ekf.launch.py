# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Fuse odometry and IMU: the simulator, and robot_localization instead of its odometry transform.

    ros2 launch mvsim_ros2 ekf.launch.py
    ros2 topic echo /odometry/filtered

It needs the package robot_localization, and takes all arguments of mvsim.launch.py as well,
except `namespace`.
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackageShare


def generate_launch_description() -> LaunchDescription:
    """Return the simulator without odom -> base_footprint, and the filter."""
    share = FindPackageShare('mvsim_ros2')
    return LaunchDescription([
        DeclareLaunchArgument(
            'world', default_value=PathJoinSubstitution([share, 'worlds', 'demo.world.xml']),
            description='World file, or the name of a world of this package'),
        DeclareLaunchArgument(
            'ekf_params_file',
            default_value=PathJoinSubstitution([share, 'config', 'ekf.yaml']),
            description='Parameters of robot_localization'),
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(
                PathJoinSubstitution([share, 'launch', 'mvsim.launch.py'])),
            launch_arguments=[('world', LaunchConfiguration('world')),
                              ('publish_odom_tf', 'false')]),
        Node(package='robot_localization', executable='ekf_node', name='ekf_filter_node',
             output='screen',
             parameters=[LaunchConfiguration('ekf_params_file'), {'use_sim_time': True}]),
    ])
