# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Run a world or replay recordings in the browser.

Run a world in a browser window: look at it, drive, change it. Or replay bags or CSV logs; if there
are several, all but the first appear as ghosts.
"""

import argparse
from contextlib import ExitStack
from functools import partial
from importlib.util import find_spec
import math
from pathlib import Path

from mvsim_ros2.cli.options import (
    add_run, add_variables, check_output, load, number, seconds, whole)
from mvsim_ros2.cli.terminal import working
from mvsim_ros2.errors import WindowError
from mvsim_ros2.window.view import need_viser, open_browser, recordings, replay

_EXPORTED = 10.0  # s


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.add_argument(
        'what', metavar='WHAT', nargs='+',
        help='world file or name; or bags, and folders that `mvsim_ros2 log` wrote')
    command.add_argument(
        '--world', metavar='WORLD', help='world of the recordings, if they do not name it')
    add_variables(command)
    add_run(command)
    command.add_argument(
        '--port', type=whole(0, 65535), metavar='N',
        help='port of the window (default: the first free one from 8080)')
    command.add_argument(
        '--host', default='127.0.0.1', metavar='ADDRESS',
        help='address of the window; 0.0.0.0 admits other machines (default: 127.0.0.1)')
    command.add_argument(
        '--no-browser', action='store_true', help='print the link, but open no browser')
    command.add_argument(
        '--record-folder', metavar='FOLDER', default='.',
        help='folder for bags and films from the window (default: the current folder)')
    command.add_argument('--dark', action='store_true', help='use dark colours')
    command.add_argument('--paused', action='store_true', help='start paused')
    command.add_argument(
        '--speed', type=_speed, default=1.0, metavar='X',
        help='simulated seconds per second, or "max" (default: 1)')
    command.add_argument(
        '--duration', type=seconds, metavar='S',
        help='end after this simulated time [s] (default: at Ctrl-C; 10 with --export)')
    command.add_argument(
        '--drive', nargs=2, type=number(), metavar=('V', 'W'),
        help='all vehicles of a world drive with this speed [m/s] and turn [rad/s]')
    command.add_argument(
        '--export', metavar='FILE',
        help='write a page that shows the run in any browser without a server, then end')


def run(options: argparse.Namespace) -> int:
    """Open the window and run until Ctrl-C, or write a page."""
    if options.export:
        check_output(options.export)
    if is_recording(options.what[0]):
        return _play(options)
    if len(options.what) > 1 or options.world:
        raise WindowError(f'{options.what[0]} is not a recording, so '
                          f'{"--world" if options.world else options.what[1]} has no effect: give '
                          'one world, or recordings')
    return _simulate(options)


def _simulate(options: argparse.Namespace) -> int:
    """Run a world."""
    (options.world,) = options.what
    need_viser()
    world = load(options)
    with ExitStack() as opened:
        if not options.export:
            from mvsim_ros2.window.page import Page
            page = Page(options.world, options.port, options.host, options.dark)
            opened.callback(page.close)
            _tell(options, page.link)
            if find_spec('numba') is None:
                print('this may run slower than real time: pip install "mvsim_ros2[fast]" to '
                      'compile it', flush=True)
        from mvsim_ros2.simulation import Simulation
        simulation = Simulation(world, options.seed, options.physics)
        for vehicle in simulation.vehicles.values() if options.drive else ():
            vehicle.set_twist(*options.drive)
        if options.export:
            from mvsim_ros2.window.export import export_simulation
            with working('exporting'):
                frames = export_simulation(
                    simulation, options.export, options.duration or _EXPORTED, options.dark)
            return _exported(options, frames)
        from mvsim_ros2.window.live_run import LiveRun
        live = opened.enter_context(LiveRun(
            simulation, page, not options.paused, options.speed, options.record_folder))
        live.recorders.listeners.append(partial(print, flush=True))
        live.run(options.duration or math.inf)
    return 0


def _play(options: argparse.Namespace) -> int:
    """Play recordings."""
    if options.export:
        if options.duration:
            raise WindowError('a page of recordings shows all of them: leave out --duration')
        playback = recordings(options.what, options.world, dict(options.variables))
        from mvsim_ros2.window.export import export_recordings
        with working('exporting'):
            frames = export_recordings(playback, options.export, options.dark)
        return _exported(options, frames)
    with replay(options.what, options.world, dict(options.variables), options.port,
                options.host, options.dark) as playing:
        _tell(options, playing.link)
        playing.running = not options.paused
        playing.run(options.duration or math.inf, options.speed)
    return 0


def is_recording(path: str) -> bool:
    """Return whether a path is a bag, or logs, and no world."""
    return Path(path).is_dir() or path.endswith('.csv')


def _exported(options: argparse.Namespace, frames: int) -> int:
    size = Path(options.export).stat().st_size / 1e6
    print(f'{options.export}: {frames} frames, {size:.1f} MB; open it in any browser')
    return 0


def _tell(options: argparse.Namespace, link: str) -> None:
    """Print the link, and open it where someone would see it."""
    print(f'{" ".join(options.what)}: open {link} in a browser; Ctrl-C ends it', flush=True)
    if not options.no_browser:
        open_browser(link)


def _speed(text: str) -> float:
    return math.inf if text == 'max' else number(0.0, 1e6)(text)
