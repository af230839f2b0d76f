# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Fuse odometry and IMU: the simulator, and robot_localization instead of its odometry transform.

    ros2 launch mvsim_ros2 ekf.launch.py
    ros2 topic echo /odometry/filtered

It needs the package robot_localization, and takes all arguments of mvsim.launch.py as well.
The transform from map to odom is that of the start: it does not correct the filter.
"""

from launch import LaunchContext, LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch_ros.actions import Node

from mvsim_ros2.base.package_files import share_directory
from mvsim_ros2.ros.launching.arguments import file_of, is_true, namespace_of
from mvsim_ros2.ros.launching.simulation import Companions, in_namespace, need, simulation


def _filter(context: LaunchContext) -> Companions:
    """Return the filter, which publishes odom -> base_footprint."""
    need('robot_localization')
    return Companions(
        [in_namespace(namespace_of(context), Node(
            package='robot_localization', executable='ekf_node', name='ekf_filter_node',
            output='screen', respawn=is_true(context, 'use_respawn'),
            parameters=[file_of(context, 'ekf_params_file'), {'use_sim_time': True}]))],
        {'publish_odom_tf': False})


def generate_launch_description() -> LaunchDescription:
    """Return the simulator without odom -> base_footprint, and the filter."""
    return simulation('demo', companions=_filter, publish_map_odom=True, arguments=[
        DeclareLaunchArgument(
            'ekf_params_file', default_value=str(share_directory() / 'config/ekf.yaml'),
            description='Parameters of robot_localization')])
