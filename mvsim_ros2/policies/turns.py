# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The next turns of the ways of robots."""

import math

import numpy as np

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.policies.seen_walls import Array, Bytes, Numbers
from mvsim_ros2.policies.way_search import (
    AGE, BUCKETS, COLUMN, GOAL_COLUMN, GOAL_ROW, is_clear, Lengths, next_cell, NONE, onto_way, ROW,
    search, still_holds)

TURNS = 2  # of a way that are told


@compiled(inner=True)
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
    :param wait: calls after which it is searched anew where nothing asks for it at once.
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
