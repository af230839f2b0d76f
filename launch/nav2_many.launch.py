# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Navigate with several robots: the simulator, and for each robot a Nav2 in its namespace.

    ros2 launch mvsim_ros2 nav2_many.launch.py
    ros2 launch mvsim_ros2 nav2_many.launch.py world:=my.world.xml robots:=r1,r2 map_height:=0.2

Every robot has its `tf`, and the action `r1/navigate_to_pose`. All plan on the one `map` that the
simulator publishes, which knows where they are. A `params_file` of your own is taken as it is; it
needs `map_topic: /map` in its static layers. It needs the package nav2_bringup.
"""

from launch import LaunchContext, LaunchDescription
from launch.actions import DeclareLaunchArgument

from mvsim_ros2.ros.launching.arguments import namespace_of
from mvsim_ros2.ros.launching.nav2 import (
    LINGER, nav2_arguments, nav2_parameters, nav2_rviz, passed_on, robots_of)
from mvsim_ros2.ros.launching.simulation import Companions, included, need, simulation


def _nav2(context: LaunchContext) -> Companions:
    """Return a Nav2 for each robot."""
    need('nav2_bringup')
    outer = namespace_of(context)
    names = {f'{outer}/{name}'.strip('/'): robot for name, robot in robots_of(context).items()}
    return Companions(
        [included('nav2_bringup', 'bringup_launch.py', namespace=name, use_namespace='True',
                  slam='False', use_localization='False',
                  params_file=nav2_parameters(context, robot), **passed_on(context))
         for name, robot in names.items()],
        {'publish_map': True, 'publish_map_odom': True, 'frame_prefix': False,
         'force_vehicle_namespace': True, 'clock_linger': LINGER},
        rviz=[nav2_rviz(name) for name in names])


def generate_launch_description() -> LaunchDescription:
    """Return the simulator, and Nav2 and RViz for each robot."""
    return simulation('two_robots', companions=_nav2, map_height=0.2, arguments=[
        DeclareLaunchArgument(
            'robots', default_value='',
            description='Names of robots of the world, with commas; empty: all'),
        *nav2_arguments()])
