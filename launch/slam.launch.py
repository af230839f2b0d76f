# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Map a floor: the simulator, slam_toolbox, and RViz if wanted.

    ros2 launch mvsim_ros2 slam.launch.py
    ros2 run teleop_twist_keyboard teleop_twist_keyboard
    ros2 run nav2_map_server map_saver_cli -f my_map

It needs the package slam_toolbox, and takes all arguments of mvsim.launch.py as well,
except `namespace`.
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration
from launch.substitutions import PathJoinSubstitution
from launch_ros.substitutions import FindPackageShare


def generate_launch_description() -> LaunchDescription:
    """Return the simulator without `map` and map -> odom, and slam_toolbox."""
    share = FindPackageShare('mvsim_ros2')
    return LaunchDescription([
        DeclareLaunchArgument(
            'world', default_value=PathJoinSubstitution([share, 'worlds', 'demo.world.xml']),
            description='World file, or the name of a world of this package'),
        DeclareLaunchArgument(
            'slam_params_file',
            default_value=PathJoinSubstitution([share, 'config', 'slam_toolbox.yaml']),
            description='Parameters of slam_toolbox'),
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(
                PathJoinSubstitution([share, 'launch', 'mvsim.launch.py'])),
            launch_arguments=[('world', LaunchConfiguration('world')), ('publish_map', 'false'),
                              ('publish_map_odom', 'false')]),
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(PathJoinSubstitution(
                [FindPackageShare('slam_toolbox'), 'launch', 'online_async_launch.py'])),
            launch_arguments=[('slam_params_file', LaunchConfiguration('slam_params_file')),
                              ('use_sim_time', 'true')]),
    ])
