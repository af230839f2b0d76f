# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Draw a world, or write a video of a run.

Draw a world in 3D or from above, or write a video of a run.
"""

import argparse
from pathlib import Path
import sys
from typing import TYPE_CHECKING

from mvsim_ros2.base.progress import tell
from mvsim_ros2.cli.options import add_world, check_output, FILMS, load, number, PICTURES
from mvsim_ros2.cli.terminal import clear_line, working
from mvsim_ros2.errors import RecordingError

if TYPE_CHECKING:
    from PIL.Image import Image

    from mvsim_ros2.pictures.perspective import PosedObservation
    from mvsim_ros2.simulation import Simulation
    from mvsim_ros2.world.spec.world import WorldSpec


_STEPS = 100  # between two looks at the progress


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    add_world(command)
    command.add_argument(
        '-o', '--output', metavar='FILE',
        help='file to write; its ending sets the format (default: world.png, world.mp4)')
    command.add_argument(
        '--top', action='store_true', help='draw a plan from above, with axes and a scale')
    command.add_argument(
        '--pixels-per-metre', type=number(0.0, 1e4), metavar='N',
        help='scale of a plan (default: 1280 pixels for the longer side)')
    command.add_argument(
        '--from', dest='eye', nargs=3, type=number(), metavar=('X', 'Y', 'Z'),
        help='position of the camera [m] (default: automatic)')
    command.add_argument(
        '--at', nargs=3, type=number(), metavar=('X', 'Y', 'Z'),
        help='point that the camera looks at [m] (default: automatic)')
    command.add_argument(
        '--size', type=_size, metavar='WxH', help='size in pixels (default: 1280x720)')
    command.add_argument(
        '--sensors', action='store_true', help='draw the measurements of the sensors')
    command.add_argument(
        '--after', type=_seconds, metavar='S',
        help='simulated time before the picture [s] (default: 1)')
    command.add_argument(
        '--drive', nargs=2, type=number(), metavar=('V', 'W'),
        help='drive all vehicles at this speed [m/s] and yaw rate [rad/s]')
    command.add_argument('--video', action='store_true', help='write a video of a run, as MP4')
    command.add_argument(
        '--duration', type=_seconds, metavar='S',
        help='simulated time of the video [s] (default: 10)')


def run(options: argparse.Namespace) -> int:
    """Draw a world, or write a video of it."""
    from mvsim_ros2.pictures.top_view import draw_top_view, save_picture

    _check_together(options)
    output = options.output or ('world.mp4' if options.video else 'world.png')
    check_output(output, FILMS if options.video else PICTURES)
    with working('filming' if options.video else 'drawing'):
        world = load(options)
        image = draw_top_view(
            world, pixels_per_metre=options.pixels_per_metre, title=Path(world.path).name,
            ) if options.top else _draw(world, options, output)
    if image is not None:
        save_picture(image, output)
        print(f'{output}: {image.width} x {image.height} pixels')
    return 0


def _draw(world: 'WorldSpec', options: argparse.Namespace, output: str) -> 'Image | None':
    """Return a picture in three dimensions; or write a video to `output` and return None."""
    from mvsim_ros2.pictures.perspective import draw_view, measure_all
    from mvsim_ros2.pictures.video import write_video
    from mvsim_ros2.pictures.viewpoint import automatic_view
    from mvsim_ros2.simulation import Simulation

    simulation = Simulation(world, sensors=options.sensors)
    for vehicle in simulation.vehicles.values() if options.drive else ():
        vehicle.set_twist(*options.drive)
    _pass_time(simulation, 1.0 if options.after is None else options.after)
    width, height = options.size or (1280, 720)
    view = automatic_view(simulation, width, height, options.eye, options.at)

    def draw(observations: list['PosedObservation']) -> 'Image':
        return draw_view(simulation, view, observations)

    if not options.video:
        return draw(measure_all(simulation))
    duration = 10.0 if options.duration is None else options.duration
    count = write_video(simulation, output, duration, draw)
    clear_line(sys.stdout)
    print(f'{output}: {count} frames of {width} x {height} pixels')
    return None


def _pass_time(simulation: 'Simulation', duration: float) -> None:
    """Let simulated time go by [s], as `Simulation.run` does."""
    remaining = round(duration / simulation.dt)
    while remaining > 0:
        tell(duration - remaining * simulation.dt, duration, 's')
        count = min(remaining, _STEPS)
        simulation.step(count)
        remaining -= count


def _check_together(options: argparse.Namespace) -> None:
    """Raise for options without effect."""
    given = [name for name in (
        'pixels_per_metre', 'eye', 'at', 'size', 'sensors', 'after', 'drive', 'video', 'duration')
        if getattr(options, name) is not None and getattr(options, name) is not False]
    useless = ([name for name in given if name != 'pixels_per_metre'] if options.top
               else [name for name in given if name == 'pixels_per_metre'
                     or name == 'duration' and not options.video])
    if useless:
        names = ', '.join('--' + {'eye': 'from'}.get(name, name.replace('_', '-'))
                          for name in useless)
        raise RecordingError(
            f'{names}: no effect with --top, a plan of the world in its file. Leave one out'
            if options.top else f'{names}: no effect without '
            f'{"--video" if useless == ["duration"] else "--top"}. Leave it out or give both')


def _seconds(text: str) -> float:
    value = number()(text)
    if not 0 <= value < 1e5:
        raise argparse.ArgumentTypeError(f'{text!r} is not a time from 0 to 100000 s')
    return value


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition('x')
    if not (text.isascii() and width.isdecimal() and height.isdecimal()
            and 16 <= int(width) <= 8192 and 16 <= int(height) <= 8192):
        raise argparse.ArgumentTypeError(
            f'{text!r} is not of the form 1280x720, each from 16 to 8192')
    return int(width), int(height)
