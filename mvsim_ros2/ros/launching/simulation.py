# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The launch description of the simulator, RViz, and what runs with them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
import json
import os
import subprocess
from typing import Any

from ament_index_python.packages import get_package_prefix, PackageNotFoundError
from launch import Action, LaunchContext, LaunchDescription
from launch.actions import (
    DeclareLaunchArgument, GroupAction, IncludeLaunchDescription, LogInfo, OpaqueFunction,
    Shutdown)
from launch.events.process import ProcessExited
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node, PushRosNamespace, SetRemap
from launch_ros.descriptions import Parameter
from launch_ros.substitutions import FindPackageShare

from mvsim_ros2.base.package_files import share_directory
from mvsim_ros2.ros.launching.arguments import (
    check_names, common_arguments, file_of, given_parameters, is_true, LaunchError, log_level_of,
    namespace_of, params_file, world_of)
from mvsim_ros2.ros.messages.settings import PARAMETERS, PARENT

TF = [('/tf', 'tf'), ('/tf_static', 'tf_static')]  # of nodes that have them at the root


@dataclass(frozen=True)
class Companions:
    """Nodes that run with the simulator, and the parameters that it needs for them."""

    actions: Sequence[Action] = ()
    parameters: dict[str, Any] = field(default_factory=dict)
    rviz: Sequence[Action] | None = None  # in place of RViz with `rviz_config_file`


def simulation(
        world: str = '', rviz: str = 'mvsim', arguments: Sequence[DeclareLaunchArgument] = (),
        companions: Callable[[LaunchContext], Companions] | None = None,
        **defaults: Any) -> LaunchDescription:
    """
    Return the simulator, RViz, and what runs with them.

    Everything is checked before the first process starts. The simulator starts last, so that a
    failing file leaves none running. Its end is the end of the launch; if it fails, the launch
    fails. It ends with this process, however that ends.
    """
    own = [] if any(each.name == 'params_file' for each in arguments) else [params_file()]
    every = [*common_arguments(world, rviz), *own, *arguments]
    return LaunchDescription([*every, OpaqueFunction(function=partial(
        _parts, [each.name for each in every], companions, bool(own), defaults))])


def _parts(known: list[str], companions: Callable[[LaunchContext], Companions] | None,
           has_file: bool, defaults: dict[str, Any], context: LaunchContext) -> list[Action]:
    """Return what to start; raise before anything has started."""
    check_names(context, known)
    others = companions(context) if companions else Companions()
    file = file_of(context, 'params_file') if has_file else ''
    respawn = is_true(context, 'use_respawn')
    simulator = Node(
        package='mvsim_ros2', executable='mvsim_node', name='mvsim', exec_name='mvsim_node',
        output='screen',
        prefix=_blocking(), respawn=respawn, respawn_delay=2.0,
        on_exit=None if respawn else _ended,
        parameters=[str(share_directory() / 'config' / 'mvsim.yaml'),
                    *(Parameter(name, value) for name, value in defaults.items()),
                    *([file] if file else [])],
        # not by launch_ros, which would leave a file of them
        additional_env={PARENT: str(os.getpid()), PARAMETERS: json.dumps({
            **others.parameters, 'world': str(world_of(context)), **given_parameters(context)})},
        arguments=['--ros-args', '--log-level', log_level_of(context)])
    return [GroupAction([PushRosNamespace(namespace_of(context)), *_rviz(context, others.rviz)]),
            *others.actions, GroupAction([PushRosNamespace(namespace_of(context)), simulator])]


def _blocking() -> str:
    """
    Return the command that blocks SIGINT and SIGTERM until the node handles them.

    So a signal while Python starts is not lost, and is no traceback. Not every `env` can do it.
    """
    command = 'env --block-signal=INT --block-signal=TERM'
    found = subprocess.run([*command.split(), 'true'], stderr=subprocess.DEVNULL, check=False)
    return command if found.returncode == 0 else ''


def _ended(event: ProcessExited, context: LaunchContext) -> list[Action]:
    """Return what ends the launch with its simulator."""
    if event.returncode and not context.is_shutdown:
        raise LaunchError(f'the simulator has failed, with exit code {event.returncode}: its '
                          'message is above')
    return [Shutdown(reason='the simulator has ended')]


def _rviz(context: LaunchContext, other: Sequence[Action] | None) -> Sequence[Action]:
    """Return RViz, or a line that says why it is left out."""
    if is_true(context, 'headless') or not is_true(context, 'use_rviz'):
        return []
    config = file_of(context, 'rviz_config_file')
    if not is_installed('rviz2'):
        return [LogInfo(msg='RViz is left out: the package rviz2 is not installed')]
    return other if other is not None else [Node(
        package='rviz2', executable='rviz2', name='rviz2', output='screen',
        arguments=['-d', config], remappings=TF,
        parameters=[{'use_sim_time': is_true(context, 'use_sim_time')}])]


def is_installed(package: str) -> bool:
    """Return whether there is a ROS package."""
    try:
        get_package_prefix(package)
    except PackageNotFoundError:
        return False
    return True


def need(*packages: str) -> None:
    """Check that ROS packages are installed; raise `LaunchError` where one is missing."""
    missing = [package for package in packages if not is_installed(package)]
    if missing:
        debian = ' '.join(f'ros-{os.environ.get("ROS_DISTRO", "$ROS_DISTRO")}-'
                          f'{each.replace("_", "-")}' for each in missing)
        raise LaunchError(f'not installed: {", ".join(missing)}; sudo apt install {debian}, or '
                          'source the workspace that has it')


def included(package: str, file: str, **arguments: Any) -> IncludeLaunchDescription:
    """Return the launch file of another package, with arguments."""
    return IncludeLaunchDescription(
        PythonLaunchDescriptionSource(
            PathJoinSubstitution([FindPackageShare(package), 'launch', file])),
        launch_arguments=list(arguments.items()))


def in_namespace(namespace: str, *actions: Action) -> GroupAction:
    """Return actions whose nodes, and their transforms, are in a namespace."""
    return GroupAction([PushRosNamespace(namespace), *(SetRemap(*each) for each in TF), *actions])
