# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Lengths of the shortest paths through cells to one of them."""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled

Lengths = NDArray[np.int32]

# From a cell to the next one, and aslant: the chamfer metric of G. Borgefors: Distance
# Transformations in Digital Images, CVGIP 34, 1986, in fifths of a cell.
STRAIGHT, ASLANT = 5, 7
UNREACHED = 2 ** 31 - 1
_SEARCHED = 12  # cells around a place that is in none of them


@compiled
def path_lengths(free: NDArray[np.bool_], row: int, column: int) -> Lengths:
    """
    Return the lengths of the shortest paths to a cell, in fifths of a cell.

    By R. Dial: Algorithm 360, Shortest-path forest with topological ordering, CACM 12, 1969.

    :param free: cells that paths go through, shape (rows, columns).
    :returns: shape (rows, columns); `UNREACHED` where there is no path.
    """
    rows, columns = free.shape
    lengths = np.full((rows, columns), UNREACHED, np.int32)
    # cells that wait, by the remainder of their length: of those that wait none is longer by more
    waiting = np.empty((ASLANT + 1, rows * columns), np.int32)
    counts = np.zeros(ASLANT + 1, np.int64)
    lengths[row, column] = 0
    waiting[0, 0] = row * columns + column
    counts[0] = total = 1
    now = 0
    while total > 0:
        bucket = now % (ASLANT + 1)
        if counts[bucket] == 0:
            now += 1
            continue
        counts[bucket] -= 1
        total -= 1
        cell = waiting[bucket, counts[bucket]]
        i, j = cell // columns, cell % columns
        if lengths[i, j] < now:
            continue  # a shorter path was found since
        for side in range(9):
            k, m = i + side // 3 - 1, j + side % 3 - 1
            if side == 4 or not (0 <= k < rows and 0 <= m < columns) or not free[k, m]:
                continue
            length = now + (ASLANT if side % 2 == 0 else STRAIGHT)
            if length < lengths[k, m]:
                lengths[k, m] = length
                into = length % (ASLANT + 1)
                waiting[into, counts[into]] = k * columns + m
                counts[into] += 1
                total += 1
    return lengths


@compiled
def length_from(lengths: Lengths, x: float, y: float) -> float:
    """Return the shortest path from x, y (from the corner) in cells; -1: none near."""
    rows, columns = lengths.shape
    row, column = math.floor(y), math.floor(x)
    best = -1.0
    for reach in range(1, _SEARCHED):
        for i in range(max(0, row - reach), min(rows, row + reach + 1)):
            for j in range(max(0, column - reach), min(columns, column + reach + 1)):
                if lengths[i, j] != UNREACHED:
                    aside = math.hypot(j + 0.5 - x, i + 0.5 - y)
                    length = lengths[i, j] / STRAIGHT + aside
                    if best < 0.0 or length < best:
                        best = length
        if best >= 0.0:
            break
    return best
