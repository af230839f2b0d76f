# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Run the simulator with a world, and RViz if wanted.

    ros2 launch mvsim_ros2 mvsim.launch.py world:=/path/to/my.world.xml use_rviz:=false
"""

from launch import LaunchContext
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.actions import GroupAction
from launch.actions import OpaqueFunction
from launch.conditions import IfCondition
from launch.substitutions import LaunchConfiguration
from launch.substitutions import PathJoinSubstitution
from launch.substitutions import PythonExpression
from launch_ros.actions import Node
from launch_ros.actions import PushRosNamespace
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare

PACKAGE = 'mvsim_ros2'
BOOLEAN = ['true', 'false', 'True', 'False']
# launch arguments that are parameters, and the parsers of their text
PARAMETERS = {'world': str, 'viewer': str, 'realtime_factor': float, 'seed': int,
              'map_height': float,
              'publish_map': lambda text: text.lower() == 'true',
              'publish_map_odom': lambda text: text.lower() == 'true',
              'publish_odom_tf': lambda text: text.lower() == 'true'}


def _simulator(context: LaunchContext) -> list[Node]:
    """Return the simulator; given arguments have precedence over the parameter file."""
    texts = {name: LaunchConfiguration(name).perform(context) for name in PARAMETERS}
    given = {name: PARAMETERS[name](text) for name, text in texts.items() if text}
    return [Node(
        package=PACKAGE, executable='mvsim_node', name='mvsim', output='screen',
        respawn=LaunchConfiguration('use_respawn'), respawn_delay=2.0,
        parameters=[LaunchConfiguration('params_file'), given],
        arguments=['--ros-args', '--log-level', LaunchConfiguration('log_level')])]


def generate_launch_description() -> LaunchDescription:
    """Return the arguments, the simulator and RViz."""
    share = FindPackageShare(PACKAGE)
    arguments = [
        DeclareLaunchArgument(
            'world', description='World file, or the name of a world of this package'),
        DeclareLaunchArgument(
            'namespace', default_value='', description='Namespace of the simulator'),
        DeclareLaunchArgument(
            'realtime_factor', default_value='',
            description='Simulated seconds per second; 0 is as fast as possible; '
            'empty: that of the parameter file'),
        DeclareLaunchArgument(
            'seed', default_value='',
            description='Seed of all random numbers; empty: that of the parameter file'),
        DeclareLaunchArgument(
            'publish_map', default_value='', choices=['', *BOOLEAN],
            description='Publish the occupancy map of the world on `map`; empty: as the '
            'parameter file says'),
        DeclareLaunchArgument(
            'map_height', default_value='',
            description='Height in m at which the world is drawn as the map on `map`, for '
            'worlds without an occupancy map; empty: that of the parameter file'),
        DeclareLaunchArgument(
            'publish_odom_tf', default_value='', choices=['', *BOOLEAN],
            description='Publish odom -> robot; false where a filter does; empty: as the '
            'parameter file says'),
        DeclareLaunchArgument(
            'publish_map_odom', default_value='', choices=['', *BOOLEAN],
            description='Publish map -> odom from the ground truth, in place of a '
            'localization; empty: that of the parameter file'),
        DeclareLaunchArgument(
            'viewer', default_value='',
            description='Window in the browser: true, or a port; empty: as the parameter file '
            'says'),
        DeclareLaunchArgument(
            'params_file', default_value=PathJoinSubstitution([share, 'config', 'mvsim.yaml']),
            description='Parameters of the simulator; arguments that are given override it'),
        DeclareLaunchArgument(
            'headless', default_value='false', choices=BOOLEAN,
            description='No window at all, whatever use_rviz says'),
        DeclareLaunchArgument(
            'use_rviz', default_value='true', choices=BOOLEAN, description='Start RViz'),
        DeclareLaunchArgument(
            'rviz_config_file',
            default_value=PathJoinSubstitution([share, 'config', 'mvsim.rviz']),
            description='RViz set-up'),
        DeclareLaunchArgument(
            'use_sim_time', default_value='true', choices=BOOLEAN,
            description='Let RViz use the simulated time; the simulator makes it'),
        DeclareLaunchArgument(
            'use_respawn', default_value='false', choices=BOOLEAN,
            description='Start the simulator again when it dies'),
        DeclareLaunchArgument('log_level', default_value='info', description='Log level'),
    ]
    simulator = OpaqueFunction(function=_simulator)
    rviz = Node(
        package='rviz2', executable='rviz2', name='rviz2', output='screen',
        condition=IfCondition(PythonExpression([
            '"', LaunchConfiguration('use_rviz'), '".lower() == "true" and "',
            LaunchConfiguration('headless'), '".lower() != "true"'])),
        arguments=['-d', LaunchConfiguration('rviz_config_file')],
        parameters=[{'use_sim_time': ParameterValue(
            LaunchConfiguration('use_sim_time'), value_type=bool)}],
        # RViz subscribes to /tf, which is remapped inside a namespace
        remappings=[('/tf', 'tf'), ('/tf_static', 'tf_static')])
    return LaunchDescription([
        *arguments,
        GroupAction([PushRosNamespace(LaunchConfiguration('namespace')), simulator, rviz]),
    ])
