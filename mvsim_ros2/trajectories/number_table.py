# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Text files with columns of numbers, read with their line numbers."""

from dataclasses import dataclass
import math
from pathlib import Path
import re

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.base.files import read_text
from mvsim_ros2.errors import TrajectoryError

_SEPARATORS = re.compile('[,;]')


@dataclass(frozen=True)
class Table:
    """Rows of finite numbers of equal length."""

    path: Path
    names: tuple[str, ...]  # of the columns in the header; empty without one
    rows: tuple[tuple[float, ...], ...]
    lines: tuple[int, ...]  # line number of each row, from 1

    def error(self, row: int, message: str) -> TrajectoryError:
        """Return an error about a row."""
        return TrajectoryError(f'{self.path}:{self.lines[row]}: {message}')

    def poses(self) -> NDArray[np.float64]:
        """
        Return the rows of a TUM trajectory: time, x, y, z, quaternion x, y, z, w; shape (n, 8).

        :raises TrajectoryError: where times do not grow, or a quaternion has not the length 1.
        """
        rows = np.array(self.rows)
        for row in np.flatnonzero(~(np.diff(rows[:, 0]) > 0.0))[:1].tolist():
            raise self.error(row + 1, f'time {rows[row + 1, 0]:.9g} s does not come after '
                                      f'{rows[row, 0]:.9g} s')
        lengths = np.linalg.norm(rows[:, 4:], axis=1)
        for row in np.flatnonzero(abs(lengths - 1.0) > 1e-2)[:1].tolist():
            raise self.error(row, 'the quaternion qx qy qz qw is not of length 1')
        return rows


def read_table(path: str | Path, widths: tuple[int, ...], what: str,
               by_name: bool = False) -> Table:
    """
    Return the numbers of a file, separated by commas, semicolons or blanks.

    `#` starts a comment. The first line may be a header, or the last comment before the numbers,
    where it names all columns.

    :param widths: allowed numbers of columns.
    :param what: description of the columns, for messages.
    :param by_name: allow any number of columns that have names.
    :raises TrajectoryError: where it cannot be read, or a line is not valid; names the line.
    """
    path = Path(path)
    try:
        text = read_text(path)
    except (OSError, ValueError) as error:
        raise TrajectoryError(f'{path}: cannot be read: {error}') from error
    names: tuple[str, ...] = ()
    rows: list[tuple[float, ...]] = []
    lines: list[int] = []
    comment: tuple[str, ...] = ()  # names in the last comment that holds nothing else
    for number, line in enumerate(text.splitlines(), 1):
        content, _, remark = line.partition('#')
        cells = _SEPARATORS.sub(' ', content).split()
        if not cells:
            words = tuple(_SEPARATORS.sub(' ', remark).lower().split())
            if not rows and words and all(map(str.isidentifier, words)):
                comment = words
            continue
        if not rows and not names and all(cell.isidentifier() for cell in cells):
            names = tuple(cell.lower() for cell in cells)
            continue
        if not (rows or names) and len(comment) == len(cells):
            names = comment
        rows.append(_numbers(cells, f'{path}:{number}'))
        lines.append(number)
        width = len(names or rows[0])
        if len(cells) != width:
            raise TrajectoryError(f'{path}:{number}: {len(cells)} columns, where there should '
                                  f'be {width} as above: {what}')
        if width not in widths and not (by_name and names):
            raise TrajectoryError(f'{path}:{number}: {width} columns: there should be {what}')
    if not rows:
        raise TrajectoryError(f'{path}: there are no numbers in it: there should be {what}')
    return Table(path, names, tuple(rows), tuple(lines))


def _numbers(cells: list[str], where: str) -> tuple[float, ...]:
    values = []
    for cell in cells:
        try:
            value = float(cell)
        except ValueError:
            raise TrajectoryError(f'{where}: {cell!r} is not a number') from None
        if not math.isfinite(value):
            raise TrajectoryError(f'{where}: {cell!r} is not finite')
        values.append(value)
    return tuple(values)
