# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Write a commented world to start from.

Write a world with a hall, obstacles and a robot with sensors. Comments in it explain what you can
change.
"""

import argparse
import difflib

from mvsim_ros2.base.package_files import share_directory
from mvsim_ros2.cli.options import check_output, write_new
from mvsim_ros2.errors import RecordingError

SENSOR = ('        <include file="package://mvsim_ros2/worlds/sensors/@NAME@.sensor.xml" '
          'sensor_name="@NAME@"/>')


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.add_argument('file', metavar='FILE', nargs='?', default=None,
                         help='world file to write, such as my.world.xml; must not exist yet')
    command.add_argument('--vehicle', metavar='NAME', default='small_robot',
                         help='vehicle class of this package (default: small_robot)')
    command.add_argument('--sensors', metavar='NAME', nargs='*', default=['lidar2d', 'imu'],
                         help='sensors of this package (default: lidar2d imu)')
    command.add_argument('--list', dest='only_list', action='store_true',
                         help='list the available vehicles and sensors')


def run(options: argparse.Namespace) -> int:
    """Write the world, or list what it can hold."""
    if options.only_list:
        for what in ('vehicle', 'sensor'):
            print(f'{what}s:', *shipped(what))
        return 0
    if options.file is None:
        raise RecordingError('say which file to write, such as my.world.xml')
    text = world_text(options.file, options.vehicle, options.sensors)
    check_output(options.file)
    write_new(options.file, text)
    print(f'{options.file}: look at it with mvsim_ros2 view {options.file}')
    return 0


def world_text(file: str, vehicle: str, sensors: list[str]) -> str:
    """Return a world."""
    for what, names in (('vehicle', [vehicle]), ('sensor', sensors)):
        for name in names:
            _check_is_shipped(what, name)
    if len(set(sensors)) < len(sensors):
        raise RecordingError('two sensors with one name: leave one out, and add it by hand under '
                             'a sensor_name of its own')
    world = (share_directory() / 'worlds' / 'templates' / 'start.xml').read_text(encoding='utf-8')
    included = [SENSOR.replace('@NAME@', name) for name in sensors]
    return (world.replace('@FILE@', file).replace('@VEHICLE@', vehicle)
            .replace('@SENSORS@', '\n'.join(included) or '        <!-- no sensors yet -->'))


def shipped(what: str) -> list[str]:
    """Return the names of the vehicles or sensors of this package."""
    ending = f'.{what}.xml'
    return sorted(path.name.removesuffix(ending)
                  for path in (share_directory() / 'worlds' / f'{what}s').glob(f'*{ending}'))


def _check_is_shipped(what: str, name: str) -> None:
    known = shipped(what)
    if name not in known:
        near = difflib.get_close_matches(name, known, 1)
        raise RecordingError(f'there is no {what} {name!r}' + (
            f': did you mean {near[0]!r}?' if near else f', only {", ".join(known)}'))
