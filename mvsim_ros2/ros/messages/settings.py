# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The settings of the node and of recordings, as parameters."""

from dataclasses import dataclass, field, fields
import textwrap
from typing import Any

from mvsim_ros2.errors import MvsimError

# environment variables by which launch files tell the node: the process that it ends with, and
# parameters as JSON, which go before all others
PARENT, PARAMETERS = 'MVSIM_PARENT', 'MVSIM_PARAMETERS'
TYPE_NAMES = {bool: 'bool', float: 'double', int: 'integer', list: 'string_array', str: 'string'}


class ParameterError(MvsimError):
    """Raised when a parameter has an invalid value."""


def option(default: Any, doc: str, minimum: float | None = None, maximum: float | None = None,
           choices: tuple[str, ...] = (), changeable: bool = False) -> Any:
    """Return a dataclass field that is a parameter."""
    metadata = {'doc': doc, 'minimum': minimum, 'maximum': maximum, 'choices': choices,
                'changeable': changeable}
    return field(default=default, metadata=metadata)


@dataclass(frozen=True)
class Settings:
    """All parameters with their defaults; docs/ros-parameters.md has the same table."""

    world: str = option(
        '', 'World file: a path, or the name of a world that comes with this package')
    variables: tuple[str, ...] = option(
        ('',), 'Values of variables ${NAME} in the world file, each as NAME=VALUE')
    strict: bool = option(False, 'Treat warnings about the world file as errors')
    allow_xacro: bool = option(
        False, 'Evaluate robot descriptions in xacro, which are programs')
    allow_shell: bool = option(False, 'Run the shell commands $(...) of the world file')
    offline: bool = option(False, 'Do not use the network for meshes and textures')
    seed: int = option(
        0, 'Seed of all random numbers; a change takes effect at the next reset', 0, 2 ** 63 - 1,
        changeable=True)
    physics: str = option(
        '', 'Physics mode; empty: the mode in the world file', choices=('', 'mvsim', 'physical'))
    realtime_factor: float = option(
        1.0, 'Simulated seconds per second; 0 is as fast as possible', 0.0, 1000.0,
        changeable=True)
    max_simul_catchup_time: float = option(
        0.25, 'Longest delay that the simulation catches up, in seconds of the wall clock; 0: any',
        0.0, 3600.0, changeable=True)
    start_paused: bool = option(False, 'Start paused; call ~/resume or ~/step to continue')
    paused: bool = option(
        False, 'Whether the simulation is paused, by this parameter or a service', changeable=True)
    managed: bool = option(
        False, 'Run as a lifecycle node: configure loads the world, activate starts time')
    steps_per_request: int = option(
        1, 'Physics steps per call of the service ~/step', 1, 1_000_000, changeable=True)
    cmd_vel_timeout: float = option(
        1.0, 'Stop a vehicle after this time without a command, in simulated seconds; 0: never',
        0.0, 1e6, changeable=True)
    initialpose_teleports: bool = option(
        False, 'Move the vehicle to the pose on initialpose; false leaves that topic to a '
        'localization')
    lockstep: float = option(
        0.0, 'Wait at this period, in simulated seconds, until every vehicle has a command with '
        'the current stamp; 0: never', 0.0, 1e6, changeable=True)
    lockstep_timeout: float = option(
        5.0, 'Warn of missing commands after this time, in seconds of the wall clock', 0.1, 1e6,
        changeable=True)
    cmd_vel_type: str = option(
        'auto', 'Type of cmd_vel; auto accepts both and announces that of the ROS distribution '
        'until another node publishes the other', choices=('auto', 'twist', 'twist_stamped'))
    odom_rate: float = option(
        50.0, 'Rate of odometry, transforms, ground truth and collision, in Hz of simulated time',
        0.1, 1000.0)
    clock_rate: float = option(
        100.0, 'Highest rate of /clock on the wall clock, in Hz', 1.0, 1000.0)
    disable_sim_time_clock: bool = option(
        False, 'Publish no /clock and stamp all messages with the wall clock, for nodes without '
        'use_sim_time; not with lockstep')
    clock_linger: float = option(
        0.0, 'Keep running after SIGINT for up to this time, in seconds of the wall clock, while '
        '/clock has subscribers that need it to end', 0.0, 60.0)
    sensor_qos: str = option(
        'reliable', 'Reliability of the sensor topics', choices=('reliable', 'best_effort'))
    measure_unsubscribed: bool = option(
        False, 'Also simulate sensors without subscribers; this does not change the noise of the '
        'others', changeable=True)
    sensor_noise: bool = option(
        True, 'Add random errors to all sensors; false leaves only systematic errors, such as '
        'biases', changeable=True)
    friction: float = option(
        0.0, 'Friction coefficient of the ground outside property regions; 0: that of the world '
        'file', 0.0, 10.0, changeable=True)
    objects_ground_truth_rate: float = option(
        0.0, 'Rate of objects_ground_truth, the true poses of all objects, in Hz of simulated '
        'time; at most odom_rate; 0: off', 0.0, 1000.0)
    diagnostics_rate: float = option(
        1.0, 'Rate of /diagnostics on the wall clock, in Hz; 0: off', 0.0, 100.0)
    compat: str = option('', 'Use the names and frames of this simulator', choices=('', 'mvsim'))
    map_frame: str = option('map', 'Frame of the world')
    odom_frame: str = option('odom', 'Frame of the odometry')
    base_frame: str = option('base_link', 'Frame of the vehicle')
    footprint_frame: str = option(
        'base_footprint', 'Frame on the ground below the vehicle, its parent; empty: none')
    frame_prefix: bool = option(
        False, 'Prefix frame names with <vehicle>/ and publish all on one tf topic')
    force_vehicle_namespace: bool = option(
        False, 'Put the topics into the namespace of the vehicle even if there is only one')
    publish_odom_tf: bool = option(True, 'Publish the transform from odometry to vehicle')
    publish_map_odom: bool = option(
        False, 'Publish the transform from map to odometry of a perfect localization')
    publish_robot_description: bool = option(
        True, 'Publish robot_description and the transforms of its links; false leaves both to a '
        'robot_state_publisher')
    publish_sensor_tf: bool = option(
        True, 'Publish the transforms of the sensors; false leaves them to a '
        'robot_state_publisher')
    publish_map: bool = option(True, 'Publish the first occupancy map of the world on map')
    map_height: float = option(
        0.0, 'Publish on map a section through the world at this height, in m; 0: the occupancy '
        'map of the world', 0.0, 1000.0)
    viewer: str = option(
        '', 'Open a window in the browser on this port; true: the first free port from 8080; '
        'empty or false: no window')
    viewer_paths: tuple[str, ...] = option(
        ('plan',), 'Topics of type nav_msgs/Path that the window shows')
    record_folder: str = option(
        '', 'Folder for bags of ~/start_bag and films of ~/film; empty: the working directory of '
        'the node')
    film_seconds: float = option(
        10.0, 'Length of a film of ~/film, in simulated seconds', 0.04, 120.0, changeable=True)
    map_resolution: float = option(0.05, 'Cell size of the map of map_height, in m', 0.005, 10.0)

    def __post_init__(self) -> None:
        """Raise `ParameterError` for frames of one name, or lock step without its stamps."""
        if self.disable_sim_time_clock and self.lockstep:
            raise ParameterError('parameters disable_sim_time_clock and lockstep: lock step '
                                 'needs timestamps in simulated time: use one of them')
        frames: dict[str, str] = {}
        for name in ('map_frame', 'odom_frame', 'base_frame', 'footprint_frame'):
            other = frames.setdefault(getattr(self, name), name)
            if other != name:
                raise ParameterError(f'parameters {other} and {name}: both are '
                                     f'{getattr(self, name)!r}, each frame needs its own name')


def fault(name: str, value: Any) -> str:
    """Return what is wrong with the value of a parameter, '' where nothing is."""
    item = next(item for item in fields(Settings) if item.name == name)
    expected = list if isinstance(item.default, tuple) else type(item.default)
    if type(value) is not expected:
        return f'{value!r} should be of type {TYPE_NAMES[expected]}'
    if isinstance(value, list) and not all(isinstance(each, str) for each in value):
        return f'{value!r} should be of type {TYPE_NAMES[expected]}: put each into quotes'
    choices, minimum, maximum = (item.metadata[key] for key in ('choices', 'minimum', 'maximum'))
    if choices and value not in choices:
        return f'{value!r} should be one of {", ".join(map(repr, choices))}'
    if minimum is not None and not minimum <= value <= maximum:
        return f'{value!r} should be between {minimum} and {maximum}'
    text = str(value)
    if name == 'viewer' and text.lower() not in ('', 'true', 'false') and not (
            text.isdecimal() and 0 < int(text) < 2 ** 16):
        return f'{value!r} should be true, false or a port'
    if name in ('map_frame', 'odom_frame', 'base_frame') and not value:
        return 'the name of this frame cannot be empty'
    if name.endswith('_frame') and text.startswith('/'):
        return f'{value!r} should not start with a slash: frames of tf2 have none'
    return ''


USAGE = """\
usage: mvsim_node [--help] --ros-args -p world:=WORLD [-p NAME:=VALUE ...]

Simulates a world for ROS 2. WORLD is the path of a world file, or the name of a world of this
package. SIGINT and SIGTERM end it.

parameters:
"""


def node_help() -> str:
    """Return usage and parameters of the node."""
    lines = []
    for item in fields(Settings):
        default = list(item.default) if isinstance(item.default, tuple) else item.default
        kind = TYPE_NAMES[type(default)]
        about = textwrap.fill(item.metadata['doc'], 95, initial_indent='    ',
                              subsequent_indent='    ')
        lines += [f'  {item.name} ({kind}, {default!r})', about]
    return USAGE + '\n'.join(lines)
