# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Record a live run: the simulator, and `ros2 bag record` (MCAP, simulated time).

    ros2 launch mvsim_ros2 record.launch.py world:=my.world.xml bag:=run1
    ros2 run teleop_twist_keyboard teleop_twist_keyboard

The bag ends with Ctrl-C. It takes all arguments of mvsim.launch.py as well. Without other ROS
nodes, `mvsim_ros2 record` is faster, and loses no message.
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.actions import ExecuteProcess
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration
from launch.substitutions import PathJoinSubstitution
from launch_ros.substitutions import FindPackageShare


def generate_launch_description() -> LaunchDescription:
    """Return the recorder, and the simulator."""
    share = FindPackageShare('mvsim_ros2')
    return LaunchDescription([
        DeclareLaunchArgument(
            'world', default_value=PathJoinSubstitution([share, 'worlds', 'demo.world.xml']),
            description='World file, or the name of a world of this package'),
        DeclareLaunchArgument(
            'bag', default_value='bag', description='Folder of the bag; must not exist yet'),
        DeclareLaunchArgument(
            'topics', default_value='.*',
            description='Regular expression for the names of the topics to record'),
        ExecuteProcess(
            cmd=['ros2', 'bag', 'record', '--storage', 'mcap', '--use-sim-time',
                 '--output', LaunchConfiguration('bag'),
                 '--regex', LaunchConfiguration('topics')],
            output='screen'),
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(
                PathJoinSubstitution([share, 'launch', 'mvsim.launch.py'])),
            launch_arguments=[('world', LaunchConfiguration('world'))]),
    ])
