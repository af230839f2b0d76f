# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Write a bag in another format: KITTI, nuScenes, EuRoC, COCO.

Write a bag in the format of KITTI odometry, KITTI objects, EuRoC, TUM RGB-D, nuScenes, or COCO
with boxes and masks. docs/formats.md describes the files.
"""

import argparse

from mvsim_ros2.cli.terminal import working


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.add_argument('bag', metavar='BAG', help='folder of the bag')
    command.add_argument(
        '--to', dest='form', required=True,
        choices=('kitti', 'kitti-object', 'euroc', 'coco', 'tum', 'nuscenes'), help='format')
    command.add_argument(
        '-o', '--output', metavar='FOLDER', required=True,
        help='folder to write; must not exist yet')
    command.add_argument(
        '--vehicle', metavar='NAME', help='vehicle to convert, if the bag has several')
    command.add_argument(
        '--topic', metavar='TOPIC',
        help='point cloud for KITTI and nuScenes, IMU for EuRoC (default: the first)')
    command.add_argument(
        '--camera', dest='cameras', metavar='NAME', action='append',
        help='camera, such as camera or stereo/left; may be repeated (default: all suitable ones)')


def run(options: argparse.Namespace) -> int:
    """Convert a bag."""
    from mvsim_ros2.recording.export.convert import convert

    with working('converting'):
        counts = convert(options.bag, options.form, options.output, options.vehicle,
                         options.topic, options.cameras)
    print(f'{options.output}: ' + ', '.join(f'{count} {what}' for what, count in counts.items()))
    return 0
