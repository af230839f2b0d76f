# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Convert a robot description (URDF or xacro) to a vehicle class.

Convert a robot description to a <vehicle:class>, and list with file and line what is lost. Then
drive the robot in an empty world, measure with each sensor, and print a receipt. The exit code is
1 if the robot does not follow its commands. A world can also use the description directly:
<vehicle urdf="FILE">.
"""

import argparse
import sys
from typing import TYPE_CHECKING

from mvsim_ros2.base.progress import LOGGER
from mvsim_ros2.cli.options import assignment, check_output, write_new
from mvsim_ros2.errors import WorldFileError

if TYPE_CHECKING:
    from mvsim_ros2.cli.receipt import Receipt
    from mvsim_ros2.world.spec import Source


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    add_files(command, 'URDF, SDF of one model, or xacro of them')
    command.add_argument(
        '--dynamics', metavar='CLASS', default='', help='class of dynamics for these wheels, '
        'such as skid_steer (default: the class that fits)')
    command.add_argument(
        '--check', metavar='XML', default='',
        help='write nothing; compare wheels and sensors with the vehicle class in this file. The '
        'exit code is 1 if they differ by more than 1 mm or 0.1 degrees')


def add_files(command: argparse.ArgumentParser, what: str) -> None:
    """Add the options of a conversion; `what` says which files it reads."""
    command.add_argument('file', metavar='FILE', help=what)
    command.add_argument('-o', '--output', metavar='OUT.xml',
                         help='file to write; must not exist yet (default: standard output)')
    command.add_argument('--set', dest='arguments', metavar='ARG=VALUE', action='append',
                         default=[], type=assignment, help='argument of xacro; may be repeated')
    command.add_argument(
        '--no-drive', action='store_true', help='only convert; do not drive or measure')


def run(options: argparse.Namespace) -> int:
    """Write the class, and the findings on the standard error output."""
    from mvsim_ros2.base.registry import with_plugins
    from mvsim_ros2.cli.receipt import receipt_of
    from mvsim_ros2.world.file.urdf_import.convert import class_text, convert
    from mvsim_ros2.world.spec.vehicle.classes import DYNAMICS

    if options.output:
        check_output(options.output)
    if options.dynamics:
        classes = [spec.XML_CLASS for spec in with_plugins(DYNAMICS, 'mvsim_ros2.vehicles')]
        if options.dynamics not in classes:
            raise WorldFileError(f'{options.file}: there is no class of dynamics '
                                 f'{options.dynamics!r}, only {", ".join(classes)}')
    conversion = convert(options.file, dict(options.arguments), _warn, options.dynamics)
    if conversion.unused:
        raise WorldFileError(f'{options.file}: --set: {conversion.unused}')
    for finding in conversion.findings:
        print('not converted:' if finding.lost else 'assumed:', finding, file=sys.stderr)
    text = class_text(conversion, options.file)
    if options.check:
        return _compare(text, options.file, options.check)
    write(text, options.output)
    return 0 if options.no_drive else print_receipt(receipt_of(conversion, text, options.file))


def write(text: str, output: str | None) -> None:
    """Write a text to a new file, or to the standard output where none is given."""
    if not output:
        print(text, end='')
        return
    write_new(output, text)
    print(output)


def print_receipt(receipt: 'Receipt') -> int:
    """Print what the robot does on the standard error output; return 1 where that is wrong."""
    for line in receipt.lines:
        print('receipt:', line, file=sys.stderr)
    for fault in receipt.faults:
        print('does not hold:', fault, file=sys.stderr)
    return 1 if receipt.faults else 0


def _compare(text: str, description: str, path: str) -> int:
    """Print what differs between a description and the class in a file; return 1 where it does."""
    from mvsim_ros2.world.file.urdf_import.convert import class_of_file, mismatches, only_class

    found = list(mismatches(only_class(text, description), class_of_file(path)))
    for line in found:
        print(line)
    print(f'{path}: {len(found)} differences from {description}' if found
          else f'{path}: wheels and sensors are those of {description}')
    return 1 if found else 0


def _warn(source: 'Source', message: str) -> None:
    LOGGER.warning('%s: %s', source, message)
