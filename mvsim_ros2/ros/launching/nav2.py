# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Nav2 in launch files: its arguments, and its parameters for the robot of a world."""

import math
import os
from pathlib import Path

from launch import Action, LaunchContext
from launch.actions import DeclareLaunchArgument
from launch.some_substitutions_type import SomeSubstitutionsType

from mvsim_ros2.base.package_files import share_directory
from mvsim_ros2.errors import MvsimError
from mvsim_ros2.ros.launching.arguments import (
    file_of, is_true, LaunchError, namespace_of, switch, text_of, world_of)
from mvsim_ros2.ros.launching.simulation import included
from mvsim_ros2.ros.messages.names import graph_name
from mvsim_ros2.scene.footprint import world_footprints
from mvsim_ros2.world.file.load import load_world
from mvsim_ros2.world.spec.solids import vehicle_footprint

MARGIN = 0.02  # m, added to the radius of the robot
FREE = 0.27  # m beyond the radius of the robot in which its costs fall off
# Nav2 in one process waits for simulated time while it ends [s of the wall clock]
LINGER = 3.0


def nav2_arguments() -> list[DeclareLaunchArgument]:
    """Return the arguments that go to Nav2."""
    return [
        DeclareLaunchArgument(
            'params_file', default_value='',
            description='Parameters of Nav2; empty: those that come with the simulator'),
        switch('autostart', True, 'Activate Nav2'),
        switch('use_composition', True, 'Run Nav2 in one process'),
    ]


def passed_on(context: LaunchContext) -> dict[str, str]:
    """Return the arguments that Nav2 takes as they are."""
    switches = {name: str(is_true(context, name))
                for name in ('autostart', 'use_composition', 'use_respawn')}
    # zones are in no file of parameters
    return {**switches, 'log_level': text_of(context, 'log_level'), 'use_sim_time': 'true',
            'use_keepout_zones': 'False', 'use_speed_zones': 'False'}


def nav2_parameters(context: LaunchContext, robot: str = '') -> SomeSubstitutionsType:
    """Return the parameters of Nav2: a given file, or the default with a robot's radius."""
    given = file_of(context, 'params_file')
    if given:
        return given
    from nav2_common.launch import RewrittenYaml  # it comes with Nav2
    older = os.environ.get('ROS_DISTRO', '') in ('humble', 'iron', 'jazzy')
    file = share_directory() / 'config' / ('nav2_jazzy.yaml' if older else 'nav2_kilted.yaml')
    radius = robot_radius(world_of(context), robot)
    sizes = {} if radius is None else {
        'robot_radius': f'{radius:.3f}', 'inflation_radius': f'{radius + FREE:.3f}'}
    return RewrittenYaml(source_file=str(file), convert_types=True, param_rewrites={
        **sizes, 'map_topic': f'/{namespace_of(context)}/map'.replace('//', '/')})


def nav2_rviz(namespace: str) -> Action:
    """Return RViz with the panel of Nav2."""
    return included('nav2_bringup', 'rviz_launch.py', namespace=namespace, use_sim_time='true',
                    use_namespace=str(bool(namespace)))


def robots_of(context: LaunchContext) -> dict[str, str]:
    """Return the robots that the argument `robots` names, by their namespaces."""
    there = [each.name for each in load_world(world_of(context)).vehicles]
    text = text_of(context, 'robots')
    wanted = [name.strip() for name in text.split(',')] if text else there
    for name in wanted:
        if name not in there:
            raise LaunchError(f'robots:={text}: the world has no vehicle {name!r}, but '
                              f'{", ".join(there) or "none at all"}')
    return {graph_name(name): name for name in wanted}


def robot_radius(world: Path, robot: str = '') -> float | None:
    """Return the radius of a robot of a world [m], None where there is none."""
    try:
        spec = load_world(world)
        robots = [each for each in spec.vehicles if each.name == robot or not robot]
        corners = [corner for each in robots[:1] for corner in vehicle_footprint(
            each, world_footprints(spec).get(each.name)).polygon]
    except MvsimError:  # reported by the simulator
        return None
    return max(math.hypot(x, y) for x, y in corners) + MARGIN if corners else None
