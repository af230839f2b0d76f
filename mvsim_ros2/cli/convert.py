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
"""`mvsim_ros2 convert`: a bag in another format."""

import argparse
import logging

from mvsim_ros2.cli.options import Commands
from mvsim_ros2.cli.options import warning_printer


def add_to(commands: Commands) -> None:
    """Add the command to the parser."""
    command = commands.add_parser(
        'convert', help='write a bag in another format: KITTI, EuRoC, COCO',
        description='Write a bag as a KITTI odometry folder, a EuRoC folder, or images with '
                    'boxes and masks as in COCO. docs/formats.md says what goes where.')
    command.add_argument('bag', metavar='BAG', help='folder of the bag')
    command.add_argument(
        '--to', dest='form', choices=('kitti', 'euroc', 'coco'), required=True, help='format')
    command.add_argument(
        '-o', '--output', metavar='FOLDER', required=True, help='must not exist yet')
    command.add_argument(
        '--vehicle', metavar='NAME', default=None, help='where there are several')
    command.add_argument(
        '--topic', metavar='TOPIC', default=None,
        help='point cloud for KITTI, IMU for EuRoC (default: the first)')
    command.add_argument(
        '--camera', dest='cameras', metavar='NAME', action='append', default=None,
        help='such as camera or stereo/left; may be repeated (default: all that fit)')
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Convert a bag."""
    from mvsim_ros2.converting.convert import convert

    log, printer = logging.getLogger('mvsim_ros2'), warning_printer()
    log.addHandler(printer)
    try:
        counts = convert(options.bag, options.form, options.output, options.vehicle,
                         options.topic, options.cameras)
    finally:
        log.removeHandler(printer)
    print(f'{options.output}: ' + ', '.join(f'{count} {what}' for what, count in counts.items()))
    return 0
