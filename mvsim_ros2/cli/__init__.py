# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The command line: `mvsim_ros2 COMMAND ...`, one module for each command.

A command imports what it needs when it runs, so that `--help` need not wait for that.
"""

import argparse
from collections.abc import Sequence
import os
import sys

from mvsim_ros2 import __version__
from mvsim_ros2.cli import benchmark
from mvsim_ros2.cli import check
from mvsim_ros2.cli import convert
from mvsim_ros2.cli import convert_urdf
from mvsim_ros2.cli import log
from mvsim_ros2.cli import picture
from mvsim_ros2.cli import plot
from mvsim_ros2.cli import record
from mvsim_ros2.cli import sweep
from mvsim_ros2.cli import tune
from mvsim_ros2.cli import view
from mvsim_ros2.errors import MvsimError


COMMANDS = (check, view, picture, log, plot, tune, record, convert, sweep, benchmark,
            convert_urdf)


def make_parser() -> argparse.ArgumentParser:
    """Return what reads the words of the command line, and prints their help."""
    parser = argparse.ArgumentParser(
        prog='mvsim_ros2', description='Vehicle and sensor simulator.')
    parser.add_argument('--version', action='version', version=f'%(prog)s {__version__}')
    commands = parser.add_subparsers(title='commands', metavar='COMMAND', required=True)
    for command in COMMANDS:
        command.add_to(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """
    Run one command and return the exit code.

    0 is success, 1 an error, which is one line on the standard error output, after the warnings
    that came before it; wrong usage ends with 2.

    :param arguments: words after the program name; those of the process by default.
    """
    options = make_parser().parse_args(arguments)
    try:
        code: int = options.run(options)
        sys.stdout.flush()
        return code
    except MvsimError as error:
        print('error:', ' '.join(str(error).split()), file=sys.stderr)
        return 1
    except BrokenPipeError:  # who reads the output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130
