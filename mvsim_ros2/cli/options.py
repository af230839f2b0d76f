# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Options that several commands share, and the worlds they name."""

import argparse
from collections.abc import Callable
import math
import os
from pathlib import Path
from typing import TYPE_CHECKING

from mvsim_ros2.errors import RecordingError, WorldFileError

if TYPE_CHECKING:
    from mvsim_ros2.world.spec.world import WorldSpec

# endings of pictures (of Pillow), figures (of matplotlib) and films
PICTURES = '.bmp', '.jpeg', '.jpg', '.pdf', '.png', '.tif', '.tiff', '.webp'
FIGURES = '.jpeg', '.jpg', '.pdf', '.png', '.svg', '.webp'
FILMS = '.mp4',
LONGEST = 4.6e9  # s of simulated time, 146 years: what the clock of a simulation can count


def add_world(command: argparse.ArgumentParser, online: bool = True) -> None:
    """Add the options that select a world."""
    command.add_argument('world', metavar='WORLD', help=(
        'world file, SDF, or the name of a world of this package, such as demo'))
    add_variables(command, online)


def add_variables(command: argparse.ArgumentParser, online: bool = True) -> None:
    """Add the options of loading a world; `online` as in `add_world`."""
    command.add_argument(
        '--set', dest='variables', metavar='NAME=VALUE', action='append', default=[],
        type=assignment, help='value of a variable ${NAME} of the world; may be repeated')
    default = '' if online else ' (this is the default)'
    command.add_argument(
        '--offline', action='store_true', default=not online,
        help=f'do not use the network{default}')
    if not online:
        command.add_argument(
            '--online', dest='offline', action='store_false',
            help='download missing files that the world names by https')
    command.add_argument(
        '--strict', action='store_true', help='treat warnings about the world file as errors')
    command.add_argument(
        '--allow-xacro', action='store_true',
        help='evaluate robot descriptions in xacro, which are programs: see docs/security.md')
    command.add_argument(
        '--allow-shell', action='store_true',
        help='run the shell commands $(...) of the world: see docs/security.md')


def add_run(command: argparse.ArgumentParser) -> None:
    """Add the options of a simulation run."""
    command.add_argument(
        '--physics', metavar='MODE', choices=('mvsim', 'physical'),
        help='physics mode, mvsim or physical (default: as in the world)')
    command.add_argument('--seed', type=seed, default=0, metavar='N',
                         help='seed of the random numbers (default: 0)')


def seconds(text: str) -> float:
    """Return a simulated time above 0 that the clock of a simulation can count [s]."""
    return number(0.0, LONGEST)(text)


def assignment(text: str) -> tuple[str, str]:
    """Return both sides of `NAME=VALUE`."""
    name, equals, value = text.partition('=')
    if not equals or not name:
        raise argparse.ArgumentTypeError(f'{text!r} is not of the form NAME=VALUE')
    return name, value


def number(low: float = -math.inf, high: float = math.inf) -> Callable[[str], float]:
    """Return a parser of numbers between two bounds, exclusive."""
    def read(text: str) -> float:
        try:
            value = float(text) if text.isascii() and '_' not in text else math.nan
        except ValueError:
            value = math.nan
        if not low < value < high:
            kind = 'finite number' if math.isinf(low) else (
                f'number above {low:g}' if math.isinf(high) else
                f'number between {low:g} and {high:g}')
            raise argparse.ArgumentTypeError(f'{text!r} is not a {kind}')
        return value
    return read


def seed(text: str) -> int:
    """Return the seed in a text."""
    from mvsim_ros2.base.random_streams import LARGEST_SEED
    return whole(0, LARGEST_SEED)(text)


def whole(low: int, high: int) -> Callable[[str], int]:
    """Return a parser of whole numbers between two bounds, inclusive."""
    def read(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and low <= int(text[:20]) <= high):
            raise argparse.ArgumentTypeError(
                f'{text[:40]!r} is not a whole number from {low} to {high}')
        return int(text)
    return read


def check_output(file: str, endings: tuple[str, ...] = ()) -> None:
    """Check the name of an output file before the work begins."""
    path = Path(file)
    if not path.parent.is_dir():
        raise RecordingError(f'{file}: there is no folder {path.parent}: create it')
    if endings and path.suffix.lower() not in endings:
        raise RecordingError(f'{file}: the ending sets the format: choose one of '
                             f'{", ".join(endings)}')


def write_new(file: str, text: str) -> None:
    """Write a file that must not exist yet."""
    try:
        with open(file, 'x', encoding='utf-8') as new:
            try:
                new.write(text)
                new.flush()
            except OSError:
                os.unlink(file)
                raise
    except FileExistsError:
        raise RecordingError(f'{file} exists already: choose another name, or remove it'
                             ) from None
    except OSError as error:
        raise RecordingError(f'{file}: it cannot be written: {error.strerror}') from error


def load(options: argparse.Namespace) -> 'WorldSpec':
    """Return the world selected by the options."""
    from mvsim_ros2.world.file.load import load_world, unused_variable

    variables = dict(options.variables)
    world = load_world(options.world, variables, options.strict,
                       seed=getattr(options, 'seed', 0), offline=options.offline,
                       allow_shell=options.allow_shell, allow_xacro=options.allow_xacro)
    unused = unused_variable(world, variables)
    if unused:
        raise WorldFileError(f'{world.path}: --set: {unused}')
    return world
