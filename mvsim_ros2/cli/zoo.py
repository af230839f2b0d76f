# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Convert and test all robots and worlds of Gazebo in a folder.

Convert each robot description (URDF, xacro) as convert-urdf does, and each model or world of SDF
as convert-sdf does, in a folder and its subfolders. Drive each robot, measure with its sensors,
and print a receipt. The exit code is 1 if a robot does not follow its commands or a file cannot
be read. Files of macros, whose <robot> has no name, are skipped.
"""

import argparse
from pathlib import Path
import re

from mvsim_ros2.cli.receipt import Receipt
from mvsim_ros2.errors import MvsimError, ResourceError

_ENDINGS = ('.urdf', '.xacro', '.sdf', '.world')
_SDF = re.compile(r'<sdf\b')
_NAMED = re.compile(r'<robot\b[^>]*\sname\s*=')  # files of macros only have no name
_FAILED = re.compile('does not drive, and is a block: (?!.* has no wheels: )')


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.add_argument('folder', metavar='FOLDER', help='folder with descriptions or SDF')


def run(options: argparse.Namespace) -> int:
    """Print a receipt for each description, model and world."""
    folder = Path(options.folder)
    texts = {path: path.read_text(encoding='utf-8', errors='replace')
             for path in sorted(folder.rglob('*')) if path.suffix in _ENDINGS and path.is_file()}
    texts = {path: text for path, text in texts.items() if _SDF.search(text)
             or path.suffix != '.world' and _NAMED.search(text)}
    if not texts:
        raise ResourceError(f'{folder} contains no robot description (*.urdf, *.xacro) and no '
                            'SDF (*.sdf, *.world)')
    bad = 0
    for path, text in texts.items():
        lines: list[str] = []
        try:
            receipt = _receipt(str(path), bool(_SDF.search(text)), lines)
            lines += [f'receipt: {line}' for line in receipt.lines]
            faults = receipt.faults
        except MvsimError as error:
            faults = [str(error)]
        bad += bool(faults)
        print(f'{path.relative_to(folder)}: {"not good" if faults else "good"}')
        for line in (*lines, *(f'does not hold: {fault}' for fault in faults)):
            print(f'  {line}')
    print(f'{len(texts)} descriptions: {len(texts) - bad} good, {bad} not')
    return 1 if bad else 0


def _receipt(path: str, is_sdf: bool, lines: list[str]) -> Receipt:
    """Return the receipt of a file; add to the lines what is lost or assumed."""
    from mvsim_ros2.cli.convert_sdf import world_text
    from mvsim_ros2.cli.receipt import receipt_of, receipt_of_world
    from mvsim_ros2.world.file.report import Report
    from mvsim_ros2.world.file.urdf_import.convert import class_text, convert

    if is_sdf:
        report = Report()
        text, vehicles = world_text(path, {}, report)
        if text:
            lines += [f'not converted: {warning}' for warning in report.warnings]
            receipt = receipt_of_world(text, path, vehicles)
            receipt.faults += [str(each) for each in report.warnings
                               if _FAILED.search(each.message)]
            return receipt
    conversion = convert(path, {}, lambda source, text: None)
    lines += [f'{"not converted" if finding.lost else "assumed"}: {finding}'
              for finding in conversion.findings]
    return receipt_of(conversion, class_text(conversion, path), path)
