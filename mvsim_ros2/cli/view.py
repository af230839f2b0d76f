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
"""`mvsim_ros2 view`: a window in the browser."""

import argparse
import logging
import math
import os
import webbrowser

from mvsim_ros2.cli.options import add_run
from mvsim_ros2.cli.options import add_world
from mvsim_ros2.cli.options import Commands
from mvsim_ros2.cli.options import load
from mvsim_ros2.cli.options import number
from mvsim_ros2.cli.options import warning_printer
from mvsim_ros2.live.view import live_run
from mvsim_ros2.simulation import Simulation


def add_to(commands: Commands) -> None:
    """Add the command to the parser."""
    command = commands.add_parser(
        'view', help='run a world in a window of the browser',
        description='Run a world in a window of the browser: look at it, drive, change it.')
    add_world(command)
    add_run(command)
    command.add_argument(
        '--port', type=int, default=None, metavar='N',
        help='where the window listens (default: the first free one from 8080 on)')
    command.add_argument(
        '--host', default='127.0.0.1', metavar='ADDRESS',
        help='address that it listens on; 0.0.0.0 lets other machines in (default: 127.0.0.1)')
    command.add_argument(
        '--no-browser', action='store_true', help='print the link, open no browser')
    command.add_argument('--dark', action='store_true', help='dark colours')
    command.add_argument('--paused', action='store_true', help='stand still at first')
    command.add_argument(
        '--speed', type=_speed, default=1.0, metavar='X',
        help='simulated seconds a second, or "max" (default: 1)')
    command.add_argument(
        '--duration', type=number(0.0), default=math.inf, metavar='S',
        help='simulated seconds after which it ends (default: Ctrl-C ends it)')
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Open the window and run until Ctrl-C."""
    logging.getLogger('mvsim_ros2').addHandler(warning_printer())
    simulation = Simulation(load(options), options.seed, options.physics)
    live = live_run(simulation, options.port, options.host, not options.paused, options.speed,
                    options.dark)
    with live:
        print(f'{options.world}: open {live.link} in a browser; Ctrl-C ends it', flush=True)
        if not options.no_browser and has_display():
            webbrowser.open(live.link)
        live.run(options.duration)
    return 0


def has_display() -> bool:
    """Return whether a browser that is opened here would be seen."""
    return any(os.environ.get(name) for name in ('DISPLAY', 'WAYLAND_DISPLAY'))


def _speed(text: str) -> float:
    return math.inf if text == 'max' else number(0.0, 1e6)(text)
