# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Shortest ways through the maps of robots, see `seen_walls`."""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.policies.seen_walls import Bytes, NARROW, Numbers, SHUT

Lengths = NDArray[np.int32]

# From a cell to the next one, and aslant: the chamfer metric of G. Borgefors: Distance
# Transformations in Digital Images, CVGIP 34, 1986, in fifths of a cell.
STRAIGHT, ASLANT = 5, 7
DEAR = 3  # times as long a narrow cell counts
UNREACHED = 2 ** 31 - 1
ROW, COLUMN, GOAL_ROW, GOAL_COLUMN, AGE = range(5)  # of a plan
NONE = -1  # age of a plan that there is not yet
BUCKETS = DEAR * ASLANT + 1
_BEYOND = 60  # fifths of a cell that are searched behind the robot, which moves on
_AROUND = 6  # cells in which the way is looked for from the robot


@compiled(inner=True)
def search(kind: Bytes, plan: Numbers, length: Lengths, waiting: NDArray[np.int32],
           counts: Numbers) -> None:
    """
    Find the lengths of the shortest ways to a goal, from the robot and from all that is nearer.

    By R. Dial: Algorithm 360, Shortest-path forest with topological ordering, CACM 12, 1969.

    :param plan: row and column of the first cell of the window, then of the goal, which is in it.
    :param length: becomes that from each cell of the window, in fifths of a cell, shape
        (size, size); `UNREACHED` where there is none.
    :param waiting: room for what waits, shape (BUCKETS, size ** 2).
    :param counts: the same, shape (BUCKETS,).
    """
    size = len(kind)
    length[:] = UNREACHED
    counts[:] = 0
    begin_row, begin_column = plan[GOAL_ROW] - plan[ROW], plan[GOAL_COLUMN] - plan[COLUMN]
    length[begin_row, begin_column] = 0
    waiting[0, 0] = begin_row * size + begin_column
    counts[0] = total = 1
    now, enough = 0, UNREACHED
    shift_row, shift_column = plan[ROW] % size, plan[COLUMN] % size
    while total > 0 and now <= enough:
        bucket = now % BUCKETS
        if counts[bucket] == 0:
            now += 1
            continue
        counts[bucket] -= 1
        total -= 1
        i, j = waiting[bucket, counts[bucket]] // size, waiting[bucket, counts[bucket]] % size
        if length[i, j] < now:
            continue  # a shorter way was found since
        if enough == UNREACHED and abs(i - size // 2) <= 1 and abs(j - size // 2) <= 1:
            enough = now + _BEYOND
        for side in range(9):
            k, m = i + side // 3 - 1, j + side % 3 - 1
            if side == 4 or not (0 <= k < size and 0 <= m < size):
                continue
            at_row, at_column = k + shift_row, m + shift_column
            if at_row >= size:
                at_row -= size
            if at_column >= size:
                at_column -= size
            found = kind[at_row, at_column]
            if found >= SHUT:
                continue
            after = now + (ASLANT if side % 2 == 0 else STRAIGHT) * (
                DEAR if found == NARROW else 1)
            if after < length[k, m]:
                length[k, m] = after
                into = after % BUCKETS
                waiting[into, counts[into]] = k * size + m
                counts[into] += 1
                total += 1


@compiled(inner=True)
def onto_way(length: Lengths, plan: Numbers, x: float, y: float, cell: float,
             ) -> tuple[float, int, int]:
    """Return how long the way is [m], and the cell where it begins; -1 where there is none."""
    size = len(length)
    row = int(math.floor(y / cell)) - plan[ROW]
    column = int(math.floor(x / cell)) - plan[COLUMN]
    left, begin_row, begin_column = math.inf, -1, -1
    for reach in range(1, _AROUND):
        for k in range(max(0, row - reach), min(size, row + reach + 1)):
            for m in range(max(0, column - reach), min(size, column + reach + 1)):
                if length[k, m] != UNREACHED:
                    there = length[k, m] * cell / STRAIGHT + DEAR * math.sqrt(
                        ((m + plan[COLUMN] + 0.5) * cell - x) ** 2
                        + ((k + plan[ROW] + 0.5) * cell - y) ** 2)
                    if there < left:
                        left, begin_row, begin_column = there, k, m
        if begin_row >= 0:
            break
    return left, begin_row, begin_column


@compiled(inner=True)
def next_cell(length: Lengths, i: int, j: int) -> tuple[int, int]:
    """Return the cell that comes after one on the way to the goal."""
    size, least, row, column = len(length), length[i, j], i, j
    for side in range(9):
        k, m = i + side // 3 - 1, j + side % 3 - 1
        if 0 <= k < size and 0 <= m < size and length[k, m] < least:
            least, row, column = length[k, m], k, m
    return row, column


@compiled(inner=True)
def still_holds(kind: Bytes, plan: Numbers, length: Lengths, i: int, j: int) -> bool:
    """
    Return whether the way from a cell on is as long as when it was searched.

    What else has been seen since can only have made other ways longer, but for what is gone.
    """
    size = len(kind)
    while length[i, j] > 0:
        k, m = next_cell(length, i, j)
        found = kind[(i + plan[ROW]) % size, (j + plan[COLUMN]) % size]
        step = STRAIGHT if k == i or m == j else ASLANT
        if found >= SHUT or length[i, j] < length[k, m] + step * (
                DEAR if found == NARROW else 1):
            return False
        i, j = k, m
    return True


@compiled(inner=True)
def is_clear(kind: Bytes, x: float, y: float, to_x: float, to_y: float, cell: float,
             passed: float) -> bool:
    """
    Return whether no cell on a straight line is shut.

    :param passed: but for so much of its begin, where that is in shut cells [m].
    """
    size = len(kind)
    away = math.sqrt((to_x - x) ** 2 + (to_y - y) ** 2)
    parts = int(2.0 * away / cell) + 1
    inside = True
    for part in range(1, parts):
        share = part / parts
        i = int(math.floor((y + share * (to_y - y)) / cell))
        j = int(math.floor((x + share * (to_x - x)) / cell))
        shut = kind[i % size, j % size] >= SHUT
        inside = inside and shut and share * away < passed
        if shut and not inside:
            return False
    return True
