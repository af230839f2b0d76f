# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reading of CSV logs."""

from dataclasses import dataclass
import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import RecordingError

Columns = dict[str, NDArray[np.float64]]

POSE_END = '_pose.csv'


@dataclass(frozen=True)
class VehicleLog:
    """The logs of one vehicle."""

    name: str  # common prefix of the files
    title: str  # first line of the pose log
    pose: Columns
    wheels: tuple[Columns, ...]


def read_columns(path: str | Path) -> tuple[str, Columns]:
    """
    Return the first comment of a CSV log, '' where it has none, and its columns by name.

    Logs of the original can be read as well. An incomplete last row is left out.

    :raises RecordingError: where there is no such file, or it is not a log.
    """
    try:
        lines = Path(path).read_text(encoding='utf-8').splitlines()
    except (OSError, ValueError) as error:
        raise RecordingError(f'{path}: the log cannot be read: {error}') from error
    comments = [line[1:].strip() for line in lines if line.startswith('#')]
    kept = [(number, line) for number, line in enumerate(lines, 1)
            if line.strip() and not line.startswith('#')]
    rows = [[cell.strip() for cell in line.split(',')] for _, line in kept]
    if not rows or 'Timestamp' not in rows[0]:
        raise RecordingError(
            f'{path}: this is not a CSV log, it has no column Timestamp: give a file that '
            '`mvsim_ros2 log` wrote')
    names = [name for name in rows[0] if name]
    if len(rows) > 1 and len(rows[-1]) < len(names):
        rows.pop()
    values = np.array([_numbers(row, names, f'{path}:{number}') for row, (number, _) in zip(
        rows[1:], kept[1:], strict=False)], float).reshape(-1, len(names))
    return comments[0] if comments else '', dict(zip(names, values.T, strict=True))


def _numbers(row: list[str], names: list[str], where: str) -> list[float]:
    """Return the numbers of a row, which may end with an empty cell."""
    if len(row) < len(names) or any(row[len(names):]):
        raise RecordingError(f'{where}: {len(row)} columns, where the header has {len(names)}')
    try:
        values = [float(cell) for cell in row[:len(names)]]
    except ValueError as error:
        raise RecordingError(f'{where}: a row of this log is not all numbers: {error}') from None
    if not all(map(math.isfinite, values)):
        raise RecordingError(f'{where}: a number of this row is not finite')
    return values


def read_vehicle_logs(path: str | Path) -> tuple[VehicleLog, ...]:
    """
    Return the logs of one vehicle, or of all vehicles in a folder.

    :param path: a folder, or any one file of a vehicle.
    :raises RecordingError: where there are none.
    """
    path = Path(path)
    if path.is_dir():
        starts = sorted(file.name[:-len(POSE_END)] for file in path.glob(f'*{POSE_END}'))
        folder = path
    else:
        starts, folder = [path.stem.removesuffix('_pose').rpartition('_wheel_')[0]
                          or path.stem.removesuffix('_pose')], path.parent
    if not starts:
        raise RecordingError(f'{path}: there is no log *{POSE_END} in this folder')
    logs = []
    for start in starts:
        title, pose = read_columns(folder / f'{start}{POSE_END}')
        wheels: list[Columns] = []
        while (file := folder / f'{start}_wheel_{len(wheels) + 1}.csv').is_file():
            wheels.append(read_columns(file)[1])
        logs.append(VehicleLog(start.removeprefix('mvsim_'), title, pose, tuple(wheels)))
    return tuple(logs)
