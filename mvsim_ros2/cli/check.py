# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""`mvsim_ros2 check`: contents and faults of a world."""

import argparse

from mvsim_ros2.cli.options import add_world
from mvsim_ros2.cli.options import Commands
from mvsim_ros2.cli.options import load


def add_to(commands: Commands) -> None:
    """Add the command to the parser."""
    command = commands.add_parser(
        'check', help='list the contents and faults of a world',
        description='Load a world, list what it contains and every warning with file and line.')
    add_world(command)
    command.add_argument(
        '--strict', action='store_true', help='unknown tags and the like are errors')
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the summary of a world."""
    from mvsim_ros2.world_file.summary import summary

    for line in summary(load(options, strict=options.strict)):
        print(line)
    return 0
