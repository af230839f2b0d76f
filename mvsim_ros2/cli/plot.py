# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Draw CSV logs.

Draw pose, speeds, wheel torques, loads, slip and friction of a vehicle from its CSV logs.
"""

import argparse
from pathlib import Path

from mvsim_ros2.cli.options import check_output, FIGURES
from mvsim_ros2.cli.terminal import working


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.add_argument(
        'log', metavar='LOG', help='folder that `mvsim_ros2 log` wrote, or one file of a vehicle')
    command.add_argument(
        '-o', '--output', metavar='FILE', default='log.png',
        help='figure to write; its ending sets the format (default: log.png). With several '
        'vehicles their names are added before the ending')


def run(options: argparse.Namespace) -> int:
    """Draw the logs of each vehicle."""
    from mvsim_ros2.pictures.figures import log_figure, save_figure
    from mvsim_ros2.recording.read_log import read_vehicle_logs

    check_output(options.output, FIGURES)
    with working('reading'):
        logs = read_vehicle_logs(options.log)
    for log in logs:
        path = Path(options.output)
        if len(logs) > 1:
            path = path.with_name(f'{path.stem}_{log.name}{path.suffix}')
        with working('drawing'):
            save_figure(log_figure(log), path)
        print(path)
    return 0
