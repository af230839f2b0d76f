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
"""The command line: `mvsim_ros2 COMMAND ...`."""

import argparse
from collections.abc import Sequence
import logging
from logging.handlers import MemoryHandler
import math
from pathlib import Path
import sys
from typing import TYPE_CHECKING

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.errors import RecordingError
from mvsim_ros2.share import world_path
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.viewer.film import write_film
from mvsim_ros2.viewer.perspective import draw_view
from mvsim_ros2.viewer.perspective import measured
from mvsim_ros2.viewer.perspective import Seen
from mvsim_ros2.viewer.topview import draw_top_view
from mvsim_ros2.viewer.topview import save_picture
from mvsim_ros2.viewer.viewpoint import automatic_view
from mvsim_ros2.world.load import load_world
from mvsim_ros2.world.spec.world import WorldSpec
from mvsim_ros2.world.summary import summary

if TYPE_CHECKING:
    from PIL.Image import Image


def main(arguments: Sequence[str] | None = None) -> int:
    """
    Run one command and return the exit code.

    0 is success, 1 an error, which is one line on the standard error output, after the warnings
    that came before it; wrong usage ends with 2.

    :param arguments: words after the program name; those of the process by default.
    """
    options = _parser().parse_args(arguments)
    try:
        code: int = options.run(options)
        return code
    except MvsimError as error:
        print('error:', ' '.join(str(error).split()), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog='mvsim_ros2', description='Vehicle and sensor simulator.')
    commands = parser.add_subparsers(title='commands', metavar='COMMAND', required=True)
    check = commands.add_parser(
        'check', help='say what a world contains and what is wrong with it',
        description='Load a world, list what it contains and every warning with file and line.')
    _add_world(check)
    check.add_argument(
        '--strict', action='store_true', help='unknown tags and the like are errors')
    check.set_defaults(run=_check)
    picture = commands.add_parser(
        'picture', help='draw a world, or film a run of it',
        description='Draw a world in three dimensions, or from above, or film a run of it.')
    _add_world(picture)
    picture.add_argument(
        '-o', '--output', metavar='FILE', default=None,
        help='file to write; the ending says the format (default: world.png, world.mp4)')
    picture.add_argument(
        '--top', action='store_true', help='a plan from above, with axes and a scale')
    picture.add_argument(
        '--pixels-per-metre', type=_scale, metavar='N', default=None,
        help='scale of a plan (default: the longer side takes 1280 pixels)')
    picture.add_argument(
        '--from', dest='eye', nargs=3, type=_number, metavar=('X', 'Y', 'Z'),
        help='place of the camera [m] (default: chosen)')
    picture.add_argument(
        '--at', nargs=3, type=_number, metavar=('X', 'Y', 'Z'),
        help='where it looks [m] (default: chosen)')
    picture.add_argument(
        '--size', type=_size, metavar='WxH', default=(1280, 720),
        help='pixels (default: 1280x720)')
    picture.add_argument(
        '--sensors', action='store_true', help='draw what the sensors measure')
    picture.add_argument(
        '--after', type=_seconds, metavar='S', default=1.0,
        help='simulated time that goes by before (default: 1)')
    picture.add_argument(
        '--drive', nargs=2, type=_number, metavar=('V', 'W'),
        help='all vehicles drive with this speed [m/s] and turn [rad/s]')
    picture.add_argument(
        '--video', action='store_true', help='film a run, as MP4')
    picture.add_argument(
        '--duration', type=_seconds, metavar='S', default=10.0,
        help='simulated time of the film (default: 10)')
    picture.set_defaults(run=_picture)
    return parser


def _add_world(command: argparse.ArgumentParser) -> None:
    """Add what says which world a command is about."""
    command.add_argument('world', metavar='WORLD',
                         help='world file, or the name of a world of this package, such as demo')
    command.add_argument(
        '--set', dest='variables', metavar='NAME=VALUE', action='append', default=[],
        type=_assignment, help='value of a ${NAME} of the world; may be repeated')
    command.add_argument(
        '--offline', action='store_true', help='do not use the network')


def _assignment(text: str) -> tuple[str, str]:
    name, equals, value = text.partition('=')
    if not equals or not name:
        raise argparse.ArgumentTypeError(f'{text!r} is not of the form NAME=VALUE')
    return name, value


def _scale(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < 1e4:
        raise argparse.ArgumentTypeError(f'{text!r} is no number between 0 and 10000')
    return value


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f'{text!r} is no finite number')
    return value


def _seconds(text: str) -> float:
    value = _number(text)
    if not 0 <= value < 1e5:
        raise argparse.ArgumentTypeError(f'{text!r} is no time from 0 to 100000 s')
    return value


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition('x')
    if not (width.isdecimal() and height.isdecimal()
            and 16 <= int(width) <= 8192 and 16 <= int(height) <= 8192):
        raise argparse.ArgumentTypeError(
            f'{text!r} is not of the form 1280x720, each from 16 to 8192')
    return int(width), int(height)


def _check(options: argparse.Namespace) -> int:
    world = _load(options, strict=options.strict)
    for line in summary(world):
        print(line)
    return 0


def _picture(options: argparse.Namespace) -> int:
    output = options.output or ('world.mp4' if options.video else 'world.png')
    folder = Path(output).parent
    if not folder.is_dir():
        raise RecordingError(f'{output}: there is no folder {folder}: make it')
    world = _load(options)
    if options.top:
        image = draw_top_view(world, pixels_per_metre=options.pixels_per_metre,
                              title=Path(world.path).name)
    else:
        simulation = Simulation(world, sensors=options.sensors)
        for vehicle in simulation.vehicles.values() if options.drive else ():
            vehicle.set_twist(*options.drive)
        simulation.run(options.after)
        width, height = options.size
        view = automatic_view(simulation, width, height, options.eye, options.at)

        def draw(seen: list[Seen]) -> 'Image':
            return draw_view(simulation, view, seen)

        if options.video:
            count = write_film(simulation, output, options.duration, draw)
            print(f'{output}: {count} frames of {width} x {height} pixels')
            return 0
        image = draw(measured(simulation))
    save_picture(image, output)
    print(f'{output}: {image.width} x {image.height} pixels')
    return 0


def _load(options: argparse.Namespace, strict: bool = False) -> WorldSpec:
    """
    Return the world that the options name.

    :raises MvsimError: where it cannot be had; its warnings are printed first.
    """
    log = logging.getLogger('mvsim_ros2')
    errors = logging.StreamHandler()
    errors.setFormatter(logging.Formatter('warning: %(message)s'))
    warnings = MemoryHandler(10 ** 6, flushLevel=logging.CRITICAL, target=errors)
    log.addHandler(warnings)
    try:
        return load_world(world_path(options.world), dict(options.variables), strict,
                          offline=options.offline)
    except MvsimError:
        warnings.flush()
        raise
    finally:
        log.removeHandler(warnings)


if __name__ == '__main__':
    sys.exit(main())
