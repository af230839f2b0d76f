# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Navigate: the simulator and Nav2 with its own parameters, RViz with the panel of Nav2.

    ros2 launch mvsim_ros2 nav2.launch.py
    ros2 launch mvsim_ros2 nav2.launch.py localization:=slam world:=demo
    ros2 launch mvsim_ros2 nav2.launch.py world:=demo map_height:=0.2

Set a goal in RViz ("Nav2 Goal"). `localization` says who publishes `map` and map -> odom: the
simulator, exactly (truth); amcl; or slam_toolbox. Nav2 takes config/nav2_jazzy.yaml, from Kilted
on config/nav2_kilted.yaml, with the radius of the first robot of the world in it; a
`params_file` of your own is taken as it is. It needs the package nav2_bringup.
"""

from launch import LaunchContext, LaunchDescription
from launch.actions import DeclareLaunchArgument

from mvsim_ros2.base.package_files import share_directory
from mvsim_ros2.ros.launching.arguments import file_of, namespace_of, text_of
from mvsim_ros2.ros.launching.nav2 import (
    LINGER, nav2_arguments, nav2_parameters, nav2_rviz, passed_on)
from mvsim_ros2.ros.launching.simulation import Companions, included, need, simulation


def _nav2(context: LaunchContext) -> Companions:
    """Return Nav2, configured by `localization`."""
    localization, namespace = text_of(context, 'localization'), namespace_of(context)
    truth = localization == 'truth'
    need('nav2_bringup', *(['slam_toolbox'] if localization == 'slam' else []))
    bringup = included(
        'nav2_bringup', 'bringup_launch.py', namespace=namespace,
        use_namespace=str(bool(namespace)), params_file=nav2_parameters(context),
        slam=str(localization == 'slam'), use_localization=str(not truth),
        map=file_of(context, 'map'), **passed_on(context))
    return Companions(
        [bringup], {'publish_map': truth, 'publish_map_odom': truth, 'clock_linger': LINGER},
        rviz=[nav2_rviz(namespace)])


def generate_launch_description() -> LaunchDescription:
    """Return the simulator, Nav2 and RViz."""
    return simulation('occupancy_map', companions=_nav2, arguments=[
        DeclareLaunchArgument(
            'localization', default_value='truth', choices=['truth', 'amcl', 'slam'],
            description='Who publishes `map` and map -> odom'),
        DeclareLaunchArgument(
            'map', default_value=str(share_directory() / 'worlds/maps/apartment.yaml'),
            description='Map for amcl'),
        *nav2_arguments()])
