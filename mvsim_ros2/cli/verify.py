# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Check a recording for damage.

Check the hashes of all files of a recording, and name damaged topics and times. For other rosbag2
bags check checksums, indices and counts, and say what remains unknown. The exit code is 1 if
something is damaged.
"""

import argparse
from pathlib import Path
import sys

from mvsim_ros2.cli.terminal import working
from mvsim_ros2.errors import needed_for, RecordingError


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.add_argument(
        'folder', metavar='FOLDER', help='folder that `mvsim_ros2 record` wrote, or any bag')
    command.add_argument(
        '--repair', action='store_true', help='write the readable part of a damaged or '
        'interrupted recording to FOLDER_repaired as a complete recording, and list what was lost')
    command.add_argument(
        '-o', '--output', metavar='FOLDER', help='with --repair: folder to write instead')
    command.add_argument(
        '--in-place', action='store_true', help='with --repair: replace the recording')


def run(options: argparse.Namespace) -> int:
    """Print what is damaged."""
    with needed_for('recordings', 'record', RecordingError):
        from mvsim_ros2.recording.bags.foreign import verify_bag
        from mvsim_ros2.recording.verify import is_foreign, repair, verify
    if not options.repair and (options.output or options.in_place):
        raise RecordingError('--output and --in-place need --repair: add it')
    if options.output and options.in_place:
        raise RecordingError('--output and --in-place exclude each other: choose one')
    if options.repair:
        with working('repairing'):
            sentences = repair(options.folder, options.output, options.in_place)
        for sentence in sentences:
            print(sentence)
        if sentences and not options.in_place:
            options.folder = options.output or f'{options.folder}_repaired'
    with working('verifying'):
        if is_foreign(options.folder):
            verdict = verify_bag(Path(options.folder))
            found = verdict.damages
            print(*(f'not judged: {each}' for each in verdict.unjudged), sep='\n', file=sys.stderr)
        else:
            found = verify(options.folder)
    for sentence in found:
        print(sentence)
    if not found:
        print(f'{options.folder}: whole')
    return 1 if found else 0
