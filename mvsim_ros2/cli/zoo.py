# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Convert and test all robot descriptions in a folder.

Convert each robot description (URDF or xacro) in a folder and its subfolders as convert-urdf does,
drive it, measure with its sensors, and print a receipt. The exit code is 1 if a robot does not
follow its commands or a file cannot be read. Files of macros, whose <robot> has no name, are
skipped.
"""

import argparse
from pathlib import Path
import re

from mvsim_ros2.errors import MvsimError, ResourceError

_ENDINGS = ('.urdf', '.xacro')
_NAMED = re.compile(r'<robot\b[^>]*\sname\s*=')  # files of macros only have no name


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.add_argument('folder', metavar='FOLDER', help='folder with robot descriptions')


def run(options: argparse.Namespace) -> int:
    """Print a receipt for each description."""
    from mvsim_ros2.cli.receipt import receipt_of
    from mvsim_ros2.world.file.urdf_import.convert import class_text, convert

    folder = Path(options.folder)
    paths = sorted(path for path in folder.rglob('*') if path.suffix in _ENDINGS
                   and _NAMED.search(path.read_text(encoding='utf-8', errors='replace')))
    if not paths:
        raise ResourceError(f'{folder}: there is no robot description (*.urdf, *.xacro) in it')
    bad = 0
    for path in paths:
        lines: list[str] = []
        try:
            conversion = convert(str(path), {}, lambda source, text: None)
            lines += [f'{"not converted" if finding.lost else "assumed"}: {finding}'
                      for finding in conversion.findings]
            receipt = receipt_of(conversion, class_text(conversion, str(path)), str(path))
            lines += [f'receipt: {line}' for line in receipt.lines]
            faults = receipt.faults
        except MvsimError as error:
            faults = [str(error)]
        bad += bool(faults)
        print(f'{path.relative_to(folder)}: {"not good" if faults else "good"}')
        for line in (*lines, *(f'does not hold: {fault}' for fault in faults)):
            print(f'  {line}')
    print(f'{len(paths)} descriptions: {len(paths) - bad} good, {bad} not')
    return 1 if bad else 0
