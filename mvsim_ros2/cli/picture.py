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
"""`mvsim_ros2 picture`: a world from above."""

import argparse
from pathlib import Path

from mvsim_ros2.cli.options import add_world
from mvsim_ros2.cli.options import check_folder_of
from mvsim_ros2.cli.options import Commands
from mvsim_ros2.cli.options import load
from mvsim_ros2.cli.options import number
from mvsim_ros2.viewer.topview import draw_top_view
from mvsim_ros2.viewer.topview import save_picture


def add_to(commands: Commands) -> None:
    """Add the command to the parser."""
    command = commands.add_parser(
        'picture', help='draw a world from above', description='Draw a world from above.')
    add_world(command)
    command.add_argument(
        '-o', '--output', metavar='FILE', default='world.png',
        help='picture to write; the ending says the format (default: world.png)')
    command.add_argument(
        '--pixels-per-metre', type=number(0.0, 1e4), metavar='N', default=None,
        help='scale (default: the longer side takes 1280 pixels)')
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Draw a world."""
    check_folder_of(options.output)
    world = load(options)
    image = draw_top_view(world, pixels_per_metre=options.pixels_per_metre,
                          title=Path(world.path).name)
    save_picture(image, options.output)
    print(f'{options.output}: {image.width} x {image.height} pixels')
    return 0
