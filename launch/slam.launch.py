# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Map a floor: the simulator, slam_toolbox, and RViz if wanted.

    ros2 launch mvsim_ros2 slam.launch.py
    ros2 run teleop_twist_keyboard teleop_twist_keyboard
    ros2 run nav2_map_server map_saver_cli -f my_map

It needs the package slam_toolbox, and takes all arguments of mvsim.launch.py as well.
"""

from launch import LaunchContext, LaunchDescription
from launch.actions import DeclareLaunchArgument

from mvsim_ros2.base.package_files import share_directory
from mvsim_ros2.ros.launching.arguments import file_of, namespace_of
from mvsim_ros2.ros.launching.simulation import (
    Companions, in_namespace, included, need, simulation)


def _slam(context: LaunchContext) -> Companions:
    """Return slam_toolbox, which publishes `map` and map -> odom."""
    need('slam_toolbox')
    file = file_of(context, 'slam_params_file')
    return Companions(
        [in_namespace(namespace_of(context), included(
            'slam_toolbox', 'online_async_launch.py', slam_params_file=file,
            use_sim_time='true'))],
        {'publish_map': False, 'publish_map_odom': False})


def generate_launch_description() -> LaunchDescription:
    """Return the simulator without `map` and map -> odom, and slam_toolbox."""
    return simulation('demo', companions=_slam, arguments=[DeclareLaunchArgument(
        'slam_params_file', default_value=str(share_directory() / 'config/slam_toolbox.yaml'),
        description='Parameters of slam_toolbox')])
