# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""How far cells are from those that are not free."""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled

Distances = NDArray[np.uint8]

STEPS = 8  # to a cell
FARTHEST = 255  # in steps: farther away reads as this
_STRAIGHT, _ASLANT = STEPS, 11  # of the chamfer metric, see `path_lengths`


@compiled
def distances(free: NDArray[np.bool_]) -> Distances:
    """
    Return how far cells are from the nearest that is not free, in `STEPS` to a cell.

    By two passes of the chamfer metric, at most 8 % off: G. Borgefors: Distance Transformations
    in Digital Images, CVGIP 34, 1986. What lies outside counts as not free.

    :param free: shape (rows, columns).
    :returns: the same shape; 0 where a cell is not free, `FARTHEST` from there on.
    """
    rows, columns = free.shape
    found = np.zeros((rows, columns), np.uint8)
    for forward in (True, False):
        for i in range(rows):
            row = i if forward else rows - 1 - i
            behind = row - 1 if forward else row + 1
            for j in range(columns):
                column = j if forward else columns - 1 - j
                if not free[row, column]:
                    continue
                least = FARTHEST if forward else int(found[row, column])
                side = column - 1 if forward else column + 1
                least = min(least, _STRAIGHT + (
                    int(found[row, side]) if 0 <= side < columns else 0))
                for k in range(column - 1, column + 2):
                    step = _STRAIGHT if k == column else _ASLANT
                    least = min(least, step + (
                        int(found[behind, k]) if 0 <= behind < rows and 0 <= k < columns else 0))
                found[row, column] = least
    return found


@compiled
def distance_at(found: Distances, x: float, y: float) -> float:
    """Return what `distances` says at x, y from its outer corner, in cells; 0 outside."""
    row, column = math.floor(y), math.floor(x)
    if not (0 <= row < found.shape[0] and 0 <= column < found.shape[1]):
        return 0.0
    return float(found[row, column]) / STEPS
