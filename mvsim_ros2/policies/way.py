# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Ways to goals through what robots remember of their scans."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.policies.seen_walls import draw
from mvsim_ros2.policies.way_search import NONE, TURNS, turns, UNREACHED

Array = NDArray[np.floating[Any]]

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
