# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""Options that several commands share, and the worlds they name."""

import argparse
from collections.abc import Callable
import logging
from logging.handlers import MemoryHandler
import math
from pathlib import Path
from typing import Any
from typing import TYPE_CHECKING

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.errors import RecordingError
from mvsim_ros2.share import world_path

if TYPE_CHECKING:
    from mvsim_ros2.world.spec.world import WorldSpec

    Commands = argparse._SubParsersAction[argparse.ArgumentParser]
else:
    Commands = Any


def add_world(command: argparse.ArgumentParser) -> None:
    """Add what says which world a command is about."""
    command.add_argument('world', metavar='WORLD',
                         help='world file, or the name of a world of this package, such as demo')
    command.add_argument(
        '--set', dest='variables', metavar='NAME=VALUE', action='append', default=[],
        type=assignment, help='value of a ${NAME} of the world; may be repeated')
    command.add_argument(
        '--offline', action='store_true', help='do not use the network')


def add_run(command: argparse.ArgumentParser) -> None:
    """Add what says how a simulation is run."""
    command.add_argument(
        '--physics', metavar='MODE', choices=('mvsim', 'physical'), default=None,
        help='physics mode, mvsim or physical (default: what the world says)')
    command.add_argument('--seed', type=int, default=0, help='seed of the random numbers')


def assignment(text: str) -> tuple[str, str]:
    """Return both sides of `NAME=VALUE`."""
    name, equals, value = text.partition('=')
    if not equals or not name:
        raise argparse.ArgumentTypeError(f'{text!r} is not of the form NAME=VALUE')
    return name, value


def number(low: float = -math.inf, high: float = math.inf) -> Callable[[str], float]:
    """Return a reader of numbers between two others, which do not count."""
    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not low < value < high:
            kind = 'finite number' if math.isinf(low) else (
                f'number above {low:g}' if math.isinf(high) else
                f'number between {low:g} and {high:g}')
            raise argparse.ArgumentTypeError(f'{text!r} is no {kind}')
        return value
    return read


def check_folder_of(file: str) -> None:
    """
    Make sure that a file can be put where it is asked for, before any work is done.

    :raises RecordingError: where there is no such folder.
    """
    folder = Path(file).parent
    if not folder.is_dir():
        raise RecordingError(f'{file}: there is no folder {folder}: make it')


def warning_printer() -> logging.Handler:
    """Return a handler that prints warnings as lines on the standard error output."""
    printer = logging.StreamHandler()
    printer.setFormatter(logging.Formatter('warning: %(message)s'))
    return printer


def load(options: argparse.Namespace, strict: bool = False) -> 'WorldSpec':
    """
    Return the world that the options name.

    :raises MvsimError: where it cannot be had; its warnings are printed first.
    """
    from mvsim_ros2.world.load import load_world

    log = logging.getLogger('mvsim_ros2')
    warnings = MemoryHandler(10 ** 6, flushLevel=logging.CRITICAL, target=warning_printer())
    log.addHandler(warnings)
    try:
        return load_world(world_path(options.world), dict(options.variables), strict,
                          seed=getattr(options, 'seed', 0), offline=options.offline)
    except MvsimError:
        warnings.flush()
        raise
    finally:
        log.removeHandler(warnings)
