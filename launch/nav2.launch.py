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

import math
import os

from launch import Action
from launch import LaunchContext
from launch import LaunchDescription
from launch import SomeSubstitutionsType
from launch.actions import DeclareLaunchArgument
from launch.actions import GroupAction
from launch.actions import IncludeLaunchDescription
from launch.actions import OpaqueFunction
from launch.conditions import IfCondition
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration
from launch.substitutions import PathJoinSubstitution
from launch.substitutions import PythonExpression
from launch_ros.substitutions import FindPackageShare

from mvsim_ros2 import load_world
from mvsim_ros2 import MvsimError
from mvsim_ros2.package_files import world_path
from mvsim_ros2.scene.footprint import world_footprints
from mvsim_ros2.spec.shapes.body_outlines import vehicle_footprint

BOOLEAN = ['true', 'false', 'True', 'False']
PASSED_ON = 'autostart', 'use_composition', 'use_respawn', 'log_level', 'map'
MARGIN = 0.02  # m, added to the radius of the robot
FREE = 0.27  # m beyond the radius of the robot in which its costs fall off


def _parameters(context: LaunchContext) -> SomeSubstitutionsType:
    """Return the parameters of Nav2: a given file, or the default with the robot's radius."""
    given = LaunchConfiguration('params_file').perform(context)
    if given:
        return given
    share = FindPackageShare('mvsim_ros2')
    if os.environ.get('ROS_DISTRO', '') in ('humble', 'iron', 'jazzy'):
        file = PathJoinSubstitution([share, 'config', 'nav2_jazzy.yaml'])
    else:
        file = PathJoinSubstitution([share, 'config', 'nav2_kilted.yaml'])
    radius = _radius(LaunchConfiguration('world').perform(context))
    if radius is None:
        return file
    from nav2_common.launch import RewrittenYaml  # it comes with Nav2
    return RewrittenYaml(
        source_file=file, convert_types=True, param_rewrites={
            'robot_radius': f'{radius:.3f}', 'inflation_radius': f'{radius + FREE:.3f}'})


def _radius(world: str) -> float | None:
    """Return the radius of the first robot of a world, None where there is none."""
    try:
        spec = load_world(world_path(world))
        corners = [corner for robot in spec.vehicles[:1] for corner in vehicle_footprint(
            robot, world_footprints(spec).get(robot.name)).polygon]
    except MvsimError:  # reported by the simulator
        return None
    return max(math.hypot(x, y) for x, y in corners) + MARGIN if corners else None


def _parts(context: LaunchContext) -> list[Action]:
    """Return the simulator and Nav2, configured by `localization`."""
    localization = LaunchConfiguration('localization').perform(context)
    truth = str(localization == 'truth').lower()
    return [
        GroupAction([IncludeLaunchDescription(  # a group keeps its arguments to itself
            PythonLaunchDescriptionSource(PathJoinSubstitution(
                [FindPackageShare('mvsim_ros2'), 'launch', 'mvsim.launch.py'])),
            launch_arguments=[
                ('world', LaunchConfiguration('world')), ('publish_map', truth),
                ('map_height', LaunchConfiguration('map_height')),
                ('publish_map_odom', truth), ('use_rviz', 'false'),
                ('params_file', PathJoinSubstitution(
                    [FindPackageShare('mvsim_ros2'), 'config', 'mvsim.yaml']))])]),
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(PathJoinSubstitution(
                [FindPackageShare('nav2_bringup'), 'launch', 'bringup_launch.py'])),
            launch_arguments=[
                ('use_sim_time', 'true'), ('params_file', _parameters(context)),
                ('slam', str(localization == 'slam')),
                ('use_localization', str(localization != 'truth')),
                ('use_keepout_zones', 'False'), ('use_speed_zones', 'False'),  # none are known
                *((name, LaunchConfiguration(name)) for name in PASSED_ON)]),
    ]


def generate_launch_description() -> LaunchDescription:
    """Return the arguments, simulator, Nav2 and RViz."""
    share, nav2 = FindPackageShare('mvsim_ros2'), FindPackageShare('nav2_bringup')
    return LaunchDescription([
        DeclareLaunchArgument(
            'world',
            default_value=PathJoinSubstitution([share, 'worlds', 'occupancy_map.world.xml']),
            description='World file, or the name of a world of this package'),
        DeclareLaunchArgument(
            'localization', default_value='truth', choices=['truth', 'amcl', 'slam'],
            description='Who publishes `map` and map -> odom'),
        DeclareLaunchArgument(
            'map', default_value=PathJoinSubstitution([share, 'worlds', 'maps', 'apartment.yaml']),
            description='Map for amcl'),
        DeclareLaunchArgument(
            'map_height', default_value='',
            description='Height in m at which the world is drawn as the map, for worlds without '
            'an occupancy map; that of the LiDAR'),
        DeclareLaunchArgument(
            'params_file', default_value='',
            description='Parameters of Nav2; empty: those that come with the simulator'),
        DeclareLaunchArgument(
            'autostart', default_value='true', choices=BOOLEAN, description='Activate Nav2'),
        DeclareLaunchArgument(
            'use_composition', default_value='True', choices=BOOLEAN,
            description='Run Nav2 in one process'),
        DeclareLaunchArgument(
            'use_respawn', default_value='False', choices=BOOLEAN,
            description='Start nodes again when they die'),
        DeclareLaunchArgument('log_level', default_value='info', description='Log level'),
        DeclareLaunchArgument(
            'headless', default_value='false', choices=BOOLEAN,
            description='No window at all, whatever use_rviz says'),
        DeclareLaunchArgument(
            'use_rviz', default_value='true', choices=BOOLEAN, description='Start RViz'),
        OpaqueFunction(function=_parts),
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(
                PathJoinSubstitution([nav2, 'launch', 'rviz_launch.py'])),
            launch_arguments=[('use_sim_time', 'true'), ('namespace', '')],
            condition=IfCondition(PythonExpression([
                '"', LaunchConfiguration('use_rviz'), '".lower() == "true" and "',
                LaunchConfiguration('headless'), '".lower() != "true"']))),
    ])
