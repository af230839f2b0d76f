# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Shortest ways to goals through what robots remember of their scans, see `seen_walls`."""

from collections.abc import Sequence
import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.policies.seen_walls import Array, Bytes, draw, NARROW, Numbers, SHUT

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
TURNS = 2  # of a way that are returned
_AROUND = 6  # cells in which the way is looked for from the robot


@compiled
def search(kind: Bytes, plan: Numbers, length: Lengths, waiting: NDArray[np.int32],
           counts: Numbers) -> None:
    """
    Find the lengths of the shortest paths to a goal, from the robot and all nearer cells.

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


@compiled
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


@compiled
def next_cell(length: Lengths, i: int, j: int) -> tuple[int, int]:
    """Return the cell that comes after one on the way to the goal."""
    size, least, row, column = len(length), length[i, j], i, j
    for side in range(9):
        k, m = i + side // 3 - 1, j + side % 3 - 1
        if 0 <= k < size and 0 <= m < size and length[k, m] < least:
            least, row, column = length[k, m], k, m
    return row, column


@compiled
def still_holds(kind: Bytes, plan: Numbers, length: Lengths, i: int, j: int) -> bool:
    """
    Return whether the way from a cell on is as long as when it was searched.

    Later scans can only have made other paths longer, except where obstacles vanished.
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


@compiled
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


@compiled
def _plan_anew(plan: Numbers, corner: Numbers, size: int, x: float, y: float, cell: float,
               ) -> None:
    """Note what is searched: from the window to a goal, or to the place in it that is nearest."""
    plan[ROW], plan[COLUMN], plan[AGE] = corner[0], corner[1], 0
    row, column = int(math.floor(y / cell)), int(math.floor(x / cell))
    plan[GOAL_ROW] = min(max(row, corner[0]), corner[0] + size - 1)
    plan[GOAL_COLUMN] = min(max(column, corner[1]), corner[1] + size - 1)


@compiled
def turns(rows: Numbers, kinds: Bytes, corners: Numbers, freed: Numbers, plans: Numbers,
          lengths: Lengths, poses: Array, goals: Array, cell: float, out: float, wait: int,
          found: Array) -> None:
    """
    Fill in the next turns of the ways of some robots, and how long these are.

    A turn is the last place of the way that is in a straight line with the one before it. It is
    searched anew where the way turns out to be longer than it seemed.

    :param freed: becomes 0 where it was searched anew, since a shorter way might be there.
    :param poses: of the robots: x, y [m], yaw [rad], shape (n, 3).
    :param goals: x, y, shape (n, 2) [m].
    :param out: a robot may go straight so far through shut cells, if it is in some [m].
    :param found: x, y of each turn in the frame of the robot, and the length [m], shape (n, 5).
    """
    size = kinds.shape[1]
    waiting = np.empty((BUCKETS, size * size), np.int32)
    counts = np.zeros(BUCKETS, np.int64)
    wanted = np.zeros(5, np.int64)
    for robot in rows:
        length, kind, plan = lengths[robot], kinds[robot], plans[robot]
        x, y, goal_x, goal_y = poses[robot, 0], poses[robot, 1], goals[robot, 0], goals[robot, 1]
        _plan_anew(wanted, plan if plan[AGE] != NONE else corners[robot], size, goal_x, goal_y,
                   cell)
        moved = max(abs(plan[ROW] - corners[robot, 0]), abs(plan[COLUMN] - corners[robot, 1]))
        left, i, j = math.inf, -1, -1
        search_now = (plan[AGE] == NONE or wanted[GOAL_ROW] != plan[GOAL_ROW]
                      or wanted[GOAL_COLUMN] != plan[GOAL_COLUMN] or moved > size // 8)
        if not search_now:
            plan[AGE] += 1
            left, i, j = onto_way(length, plan, x, y, cell)
            late = plan[AGE] >= wait
            search_now = late if i < 0 else late and freed[robot] or not still_holds(
                kind, plan, length, i, j)
        if search_now:
            freed[robot] = 0
            _plan_anew(plan, corners[robot], size, goal_x, goal_y, cell)
            search(kind, plan, length, waiting, counts)
            left, i, j = onto_way(length, plan, x, y, cell)
        end_x, end_y = goal_x, goal_y  # of the way: the goal, or where it leaves the window
        if (plan[GOAL_ROW] != int(math.floor(goal_y / cell))
                or plan[GOAL_COLUMN] != int(math.floor(goal_x / cell))):
            end_x, end_y = (plan[GOAL_COLUMN] + 0.5) * cell, (plan[GOAL_ROW] + 0.5) * cell
        if i < 0:
            left, end_x, end_y = math.sqrt((end_x - x) ** 2 + (end_y - y) ** 2), goal_x, goal_y
        found[robot, 2 * TURNS] = left + math.sqrt((goal_x - end_x) ** 2 + (goal_y - end_y) ** 2)
        cosine, sine = math.cos(poses[robot, 2]), math.sin(poses[robot, 2])
        from_x, from_y, passed = x, y, out
        for turn in range(TURNS):
            turn_x, turn_y, first = end_x, end_y, True
            while i >= 0:
                to_x, to_y = (j + plan[COLUMN] + 0.5) * cell, (i + plan[ROW] + 0.5) * cell
                if length[i, j] == 0:
                    to_x, to_y = end_x, end_y
                if not first and not is_clear(kind, from_x, from_y, to_x, to_y, cell, passed):
                    break
                turn_x, turn_y, first = to_x, to_y, False
                if length[i, j] == 0:
                    break
                i, j = next_cell(length, i, j)
            found[robot, 2 * turn] = cosine * (turn_x - x) + sine * (turn_y - y)
            found[robot, 2 * turn + 1] = cosine * (turn_y - y) - sine * (turn_x - x)
            from_x, from_y, passed = turn_x, turn_y, 0.0


NUMBERS = 2 * TURNS + 1  # that say a way
CELLS = 140  # in a row of a map
EASE = 4  # times as far from what is solid as it has to be a robot may like to be
_WAIT = 1.0  # s between two searches that nothing asks for at once
_FAR = 1e6  # m; places farther away are taken for this


class Way:
    """
    Maps of what the scans of robots showed, and the shortest ways through these to goals.

    Unseen space counts as free, so that paths lead through it; each scan shows more. Obstacles are
    erased when rays pass through them later. The robot is in the middle of its map, which is 140
    thirds of the first distance wide.
    """

    def __init__(self, room: Sequence[float], bearings: Array, farthest: Array, period: float,
                 mount: Array | None = None) -> None:
        """
        Begin with empty maps.

        :param room: required distance of the middle of the robot from solids, and preferred one,
            unless it makes the way three times as long [m].
        :param bearings: of the rays, shape (rays,) [rad].
        :param farthest: what a ray reads that meets nothing, shape (robots,) [m].
        :param period: from one call of `seen_from` to the next [s].
        :param mount: of the LiDARs on the robots: x, y [m], yaw [rad], shape (robots, 3); None:
            all are in the middle and look ahead.
        """
        count = len(farthest)
        self._least, self._ease = room
        self._cell = self._least / 3.0
        self._bearings = np.asarray(bearings, float)
        self._farthest = np.asarray(farthest, float)
        self._mount = np.zeros((count, 3)) if mount is None else np.asarray(mount, float)
        self._wait = max(1, round(_WAIT / period))
        self._hits, self._kinds = np.zeros((2, count, CELLS, CELLS), np.uint8)
        self._offsets = np.zeros((count, CELLS, CELLS, 2), np.int8)
        self._corners = np.zeros((count, 2), np.int64)
        self._freed = np.zeros(count, np.int64)
        self._plans = np.full((count, 5), NONE, np.int64)
        self._lengths = np.full((count, CELLS, CELLS), UNREACHED, np.int32)
        self._found = np.zeros((count, NUMBERS))

    def begin(self, row: int) -> None:
        """Forget what a robot has seen."""
        self._hits[row], self._kinds[row], self._plans[row] = 0, 0, NONE

    def seen_from(self, rows: Sequence[int], pose: Array, ranges: Array, goal: Array) -> Array:
        """
        Take scans of some robots; return the ways of all, in their frames, shape (robots, 5) [m].

        A way is x, y of its next turn, x, y of the turn after it, and its length. The goal
        replaces missing turns.

        :param rows: of these robots.
        :param pose: of all robots now: x, y [m], yaw [rad], shape (robots, 3).
        :param ranges: of all, shape (robots, rays) [m].
        :param goal: of all: x, y in the frame of the robot, shape (robots, 2) [m].
        """
        chosen = np.asarray(rows, np.int64)
        at = np.array(pose, float)
        at[:, :2] = at[:, :2].clip(-_FAR, _FAR)
        goals, lidars = _joined(at, np.asarray(goal, float)), at.copy()
        lidars[:, :2] = _joined(at, self._mount[:, :2])
        lidars[:, 2] += self._mount[:, 2]
        draw(chosen, self._hits, self._offsets, self._kinds, self._corners, self._freed, lidars,
             ranges, self._bearings, self._farthest, self._cell, self._least, self._ease)
        turns(chosen, self._kinds, self._corners, self._freed, self._plans, self._lengths, at,
              goals, self._cell, 0.5 * self._least, self._wait, self._found)
        return self._found


def _joined(pose: Array, place: Array) -> Array:
    """Return where places in the frames of robots are, shape (n, 2)."""
    cosine, sine = np.cos(pose[:, 2]), np.sin(pose[:, 2])
    return np.column_stack([pose[:, 0] + cosine * place[:, 0] - sine * place[:, 1],
                            pose[:, 1] + sine * place[:, 0] + cosine * place[:, 1]])
