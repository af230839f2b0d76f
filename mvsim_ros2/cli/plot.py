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
"""`mvsim_ros2 plot`: CSV logs as a figure."""

import argparse
from pathlib import Path

from mvsim_ros2.cli.options import check_folder_of
from mvsim_ros2.cli.options import Commands


def add_to(commands: Commands) -> None:
    """Add the command to the parser."""
    command = commands.add_parser(
        'plot', help='draw CSV logs',
        description='Draw pose, speeds, wheel torques, loads, slip and friction of a vehicle from '
                    'its CSV logs.')
    command.add_argument(
        'log', metavar='LOG', help='folder that `mvsim_ros2 log` wrote, or one file of a vehicle')
    command.add_argument(
        '-o', '--output', metavar='FILE', default='log.png',
        help='figure to write, the ending says the format (default: log.png); with several '
             'vehicles their names are put before the ending')
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Draw the logs of each vehicle."""
    from mvsim_ros2.recording.read_log import read_vehicle_logs
    from mvsim_ros2.viewer.figures import save_figure
    from mvsim_ros2.viewer.log_figure import log_figure

    check_folder_of(options.output)
    logs = read_vehicle_logs(options.log)
    for log in logs:
        path = Path(options.output)
        if len(logs) > 1:
            path = path.with_name(f'{path.stem}_{log.name}{path.suffix}')
        save_figure(log_figure(log), path)
        print(path)
    return 0
