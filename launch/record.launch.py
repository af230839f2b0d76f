# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Record a live run: the simulator, and `ros2 bag record` (MCAP, simulated time).

    ros2 launch mvsim_ros2 record.launch.py world:=my.world.xml bag:=run1
    ros2 run teleop_twist_keyboard teleop_twist_keyboard

The bag ends with Ctrl-C. It needs the packages ros2bag and rosbag2_storage_mcap, and takes all
arguments of mvsim.launch.py as well. Without other ROS nodes, `mvsim_ros2 record` is faster, and
loses no message.
"""

from pathlib import Path

from launch import LaunchContext, LaunchDescription
from launch.actions import DeclareLaunchArgument, ExecuteProcess

from mvsim_ros2.ros.launching.arguments import LaunchError, text_of
from mvsim_ros2.ros.launching.simulation import Companions, need, simulation


def _recorder(context: LaunchContext) -> Companions:
    """Return the recorder."""
    need('ros2bag', 'rosbag2_storage_mcap')
    bag = text_of(context, 'bag')
    if Path(bag).exists():
        raise LaunchError(f'bag:={bag}: it is there already, and bags are not overwritten')
    return Companions([ExecuteProcess(
        cmd=['ros2', 'bag', 'record', '--storage', 'mcap', '--use-sim-time', '--output', bag,
             '--regex', text_of(context, 'topics')], output='screen')])


def generate_launch_description() -> LaunchDescription:
    """Return the recorder, and the simulator."""
    return simulation('demo', companions=_recorder, publish_map_odom=True, arguments=[
        DeclareLaunchArgument(
            'bag', default_value='bag', description='Folder of the bag; must not exist yet'),
        DeclareLaunchArgument(
            'topics', default_value='.*',
            description='Regular expression for the names of the topics to record')])
