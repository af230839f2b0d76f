# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The arguments of all launch files, and what their texts mean."""

from collections.abc import Collection
from dataclasses import fields
import difflib
from pathlib import Path
import re
from typing import Any

from launch import LaunchContext
from launch.actions import DeclareLaunchArgument
from launch.substitutions import LaunchConfiguration

from mvsim_ros2.base.package_files import share_directory, world_path
from mvsim_ros2.errors import MvsimError
from mvsim_ros2.ros.messages.settings import fault, Settings

BOOLEAN = ['true', 'false', 'True', 'False']
LEVELS = 'debug', 'info', 'warn', 'error', 'fatal'
# arguments that are parameters of the simulator; without a text the parameter file decides
PARAMETERS = ('realtime_factor', 'seed', 'viewer', 'map_height', 'publish_map',
              'publish_map_odom', 'publish_odom_tf', 'frame_prefix', 'managed')
_SETTINGS = {item.name: item for item in fields(Settings)}


class LaunchError(MvsimError):
    """Raised when an argument of a launch file is wrong, or a package is missing."""


def switch(name: str, default: bool, doc: str) -> DeclareLaunchArgument:
    """Return an argument that is true or false."""
    return DeclareLaunchArgument(
        name, default_value=str(default).lower(), choices=BOOLEAN, description=doc)


def common_arguments(world: str, rviz: str) -> list[DeclareLaunchArgument]:
    """Return the arguments of all launch files; without a world `world` is required."""
    about = 'World file, or the name of a world of this package'
    return [
        DeclareLaunchArgument('world', default_value=world, description=about) if world
        else DeclareLaunchArgument('world', description=about),
        DeclareLaunchArgument(
            'namespace', default_value='', description='Namespace of all nodes'),
        *(DeclareLaunchArgument(
            name, default_value='',
            choices=['', *BOOLEAN] if isinstance(item.default, bool) else None,
            description=f'{item.metadata["doc"]}; not given: as the parameter file says')
          for name, item in _SETTINGS.items() if name in PARAMETERS),
        switch('headless', False, 'No window at all, whatever use_rviz says'),
        switch('use_rviz', True, 'Start RViz, where it is installed'),
        DeclareLaunchArgument(
            'rviz_config_file', default_value=str(share_directory() / 'config' / f'{rviz}.rviz'),
            description='RViz set-up'),
        switch('use_sim_time', True, 'Let RViz use the simulated time; the simulator makes it'),
        switch('use_respawn', False, 'Start nodes again when they die'),
        DeclareLaunchArgument('log_level', default_value='info', description='Log level'),
    ]


def params_file() -> DeclareLaunchArgument:
    """Return the argument that names a parameter file of the simulator."""
    return DeclareLaunchArgument(
        'params_file', default_value='',
        description='Parameters of the simulator, which override config/mvsim.yaml; launch '
        'arguments override both')


def check_names(context: LaunchContext, known: Collection[str]) -> None:
    """
    Check that no argument is misspelt.

    The context also has arguments of launch files that include this one, so only names that
    resemble one of its own are errors.
    """
    for name in context.launch_configurations:
        near = difflib.get_close_matches(name, known, 1, 0.8)
        if near and name not in known:
            raise LaunchError(f'{name}:={text_of(context, name)}: there is no argument {name}, '
                              f'did you mean {near[0]}?')


def text_of(context: LaunchContext, name: str) -> str:
    """Return the text of an argument."""
    return str(LaunchConfiguration(name).perform(context))


def is_true(context: LaunchContext, name: str) -> bool:
    """Return whether an argument is true."""
    return text_of(context, name).lower() == 'true'


def file_of(context: LaunchContext, name: str) -> str:
    """Return the file that an argument names, '' where it names none."""
    text = text_of(context, name)
    path = Path(text).expanduser()
    if text and not path.is_file():
        raise LaunchError(f'{name}:={text}: there is no such file')
    return str(path) if text else ''


def world_of(context: LaunchContext) -> Path:
    """Return the world file; raise `LaunchError` where there is none of that name."""
    text = text_of(context, 'world')
    try:
        return world_path(text)
    except MvsimError as error:
        raise LaunchError(f'world:={text}: {error}') from error


def namespace_of(context: LaunchContext) -> str:
    """Return the namespace of all nodes, without a slash at its ends."""
    text = text_of(context, 'namespace')
    name = text.strip('/')
    if not all(re.fullmatch('[A-Za-z_][A-Za-z0-9_]*', part) for part in name.split('/') if name):
        raise LaunchError(f'namespace:={text}: letters, digits and underscores make a namespace, '
                          'which does not begin with a digit')
    return name


def log_level_of(context: LaunchContext) -> str:
    """Return the log level; raise `LaunchError` where there is none of that name."""
    text = text_of(context, 'log_level')
    if text.rpartition(':=')[2].lower() not in LEVELS:
        raise LaunchError(f'log_level:={text}: should be one of {", ".join(LEVELS)}')
    return text


def given_parameters(context: LaunchContext) -> dict[str, Any]:
    """Return the parameters of the simulator that arguments give."""
    texts = {name: text_of(context, name) for name in PARAMETERS}
    return {name: _value(name, text) for name, text in texts.items() if text}


def _value(name: str, text: str) -> Any:
    kind: Any = type(_SETTINGS[name].default)
    value: Any
    try:
        value = text.lower() == 'true' if kind is bool else kind(text)
    except ValueError:
        value = text
    reason = fault(name, value)
    if reason:
        raise LaunchError(f'{name}:={text}: {reason}')
    return value
