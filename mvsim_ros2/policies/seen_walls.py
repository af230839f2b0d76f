# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
What robots remember: where they were, and maps that they draw of what their scans showed.

A map is a window of cells that moves with the robot. Cell (row, column) of the plane is at (row %
size, column % size). Unseen space counts as free.
"""

from collections.abc import Sequence
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled

Array = NDArray[np.floating[Any]]
Bytes = NDArray[np.uint8]
Offsets = NDArray[np.int8]
Numbers = NDArray[np.int64]

FREE, NARROW, SHUT = 0, 1, 2  # of cells: by how far what is solid is from their middle
SURE, MOST = 4, 20  # a ray that ends in a cell counts so much; with all of them at most
BEFORE = 0.6  # m before its end from where on a ray says nothing of what it passes
_MIDDLE = 0.3  # of a cell: rays that pass farther from its middle say nothing of it
_PARTS = 250  # of a cell, in which ends of rays are kept
_APART = 60  # parts, between the ends of two rays that are drawn both


@compiled
def _mark(hits: Bytes, offsets: Offsets, kinds: Bytes, row: int, column: int, cell: float,
          least: float, ease: float) -> None:
    """Raise what the cells are around the end of a ray."""
    size = len(hits)
    up = offsets[row % size, column % size, 0] / _PARTS
    aside = offsets[row % size, column % size, 1] / _PARTS
    shut, narrow = (least / cell) * (least / cell), (ease / cell) * (ease / cell)
    reach = int(math.ceil(ease / cell + 0.5))
    first = (column - reach) % size
    for i in range(-reach, reach + 1):
        at_row, at_column = (row + i) % size, first
        for j in range(-reach, reach + 1):
            away = (i - up) * (i - up) + (j - aside) * (j - aside)
            if away < narrow:
                if away < shut:
                    kinds[at_row, at_column] = SHUT
                elif kinds[at_row, at_column] == FREE:
                    kinds[at_row, at_column] = NARROW
            at_column += 1
            if at_column == size:
                at_column = 0


@compiled
def _clear(hits: Bytes, offsets: Offsets, kinds: Bytes, row: int, column: int, cell: float,
           least: float, ease: float) -> None:
    """Write anew what the cells are around one in which no ray ends any more."""
    size = len(hits)
    reach = int(math.ceil(ease / cell + 0.5))
    for i in range(row - reach, row + reach + 1):
        for j in range(column - reach, column + reach + 1):
            kinds[i % size, j % size] = FREE
    for i in range(row - 2 * reach, row + 2 * reach + 1):
        for j in range(column - 2 * reach, column + 2 * reach + 1):
            if hits[i % size, j % size] > 0:
                _mark(hits, offsets, kinds, i, j, cell, least, ease)


@compiled
def _follow_robot(hits: Bytes, kinds: Bytes, corner: Numbers, x: float, y: float, cell: float,
                  ) -> None:
    """Move a window until the robot is in its middle; cells that come into it are empty."""
    size = len(hits)
    for axis in range(2):
        new = int(math.floor((x if axis == 1 else y) / cell)) - size // 2
        old = corner[axis]
        first = old + size if new > old else new
        last = new + size if new > old else old
        for at in range(first, min(last, first + size)):
            if axis == 0:
                hits[at % size, :] = 0
                kinds[at % size, :] = FREE
            else:
                hits[:, at % size] = 0
                kinds[:, at % size] = FREE
        corner[axis] = new


@compiled
def draw(rows: Numbers, hits: Bytes, offsets: Offsets, kinds: Bytes, corners: Numbers,
         freed: Numbers, places: Array, ranges: Array, bearings: Array, farthest: Array,
         cell: float, least: float, ease: float) -> None:
    """
    Draw what scans show into the maps of some robots.

    :param rows: of these robots.
    :param hits: how sure it is that something solid is in a cell, shape (n, size, size).
    :param offsets: of what is solid from the middle of the cell, shape (n, size, size, 2).
    :param kinds: `FREE`, `NARROW` or `SHUT`, shape (n, size, size).
    :param corners: row and column of the first cell of the windows, shape (n, 2).
    :param freed: becomes 1 where something is not there any more, shape (n,).
    :param places: of the LiDARs: x, y [m], yaw [rad], shape (n, 3).
    :param ranges: shape (n, rays) [m].
    :param bearings: of the rays, shape (rays,) [rad].
    :param farthest: ranges of this length mean no echo, shape (n,) [m].
    :param cell: size of a cell [m].
    :param least: nearer to what is solid than this, cells are `SHUT` [m].
    :param ease: nearer than this they are `NARROW` [m].
    """
    size = hits.shape[1]
    for row in rows:
        hit, offset, kind, corner = hits[row], offsets[row], kinds[row], corners[row]
        x, y = places[row, 0], places[row, 1]
        _follow_robot(hit, kind, corner, x, y, cell)
        first_row, first_column = corner[0] % size, corner[1] % size
        up_row, up_column = y / cell - corner[0], x / cell - corner[1]  # in the window
        for k in range(len(bearings)):
            length = ranges[row, k]
            cosine = math.cos(places[row, 2] + bearings[k])
            sine = math.sin(places[row, 2] + bearings[k])
            passed = min((length - BEFORE) / cell, 0.5 * (size - 2))
            for part in range(int(2.0 * max(passed, 0.0))):
                along, across = up_column + 0.5 * part * cosine, up_row + 0.5 * part * sine
                j, i = int(along), int(across)
                at_row, at_column = i + first_row, j + first_column
                if at_row >= size:
                    at_row -= size
                if at_column >= size:
                    at_column -= size
                if hit[at_row, at_column] > 0 and abs(along - j - 0.5) < _MIDDLE and abs(
                        across - i - 0.5) < _MIDDLE:
                    hit[at_row, at_column] -= 1
                    if hit[at_row, at_column] == 0:
                        _clear(hit, offset, kind, at_row, at_column, cell, least, ease)
                        freed[row] = 1
            if not 0.0 < length < farthest[row]:
                continue
            along, across = (x + length * cosine) / cell, (y + length * sine) / cell
            j, i = int(math.floor(along)), int(math.floor(across))
            if not (0 <= i - corner[0] < size and 0 <= j - corner[1] < size):
                continue
            up = int(_PARTS * (across - i)) - _PARTS // 2
            aside = int(_PARTS * (along - j)) - _PARTS // 2
            before = hit[i % size, j % size]
            hit[i % size, j % size] = min(before + SURE, MOST)
            if before == 0 or abs(up - offset[i % size, j % size, 0]) > _APART or abs(
                    aside - offset[i % size, j % size, 1]) > _APART:
                offset[i % size, j % size, 0], offset[i % size, j % size, 1] = up, aside
                _mark(hit, offset, kind, i, j, cell, least, ease)


class Trail:
    """Places where robots were some times ago; before the first one known, that one."""

    def __init__(self, ages: Sequence[float], period: float, count: int = 1) -> None:
        """Begin at the origin, with ages of places and a period from `note` to `note` [s]."""
        self._steps = np.array([max(1, round(age / period)) for age in ages], int)
        self._places = np.zeros((count, int(self._steps.max(initial=0)) + 1, 2))
        self._now = 0

    def begin(self, row: int, x: float, y: float) -> None:
        """Forget where a robot has been; it is at (x, y) [m]."""
        self._places[row] = x, y

    def note(self, pose: Array) -> None:
        """Take note of where all robots are: x, y [m], yaw [rad], shape (count, 3)."""
        self._now = (self._now + 1) % self._places.shape[1]
        self._places[:, self._now] = pose[:, :2]

    def seen_from(self, pose: Array) -> Array:
        """Return x, y of the places on robots at poses (count, 3), (count, 2 * ages) [m]."""
        places = self._places[:, (self._now - self._steps) % self._places.shape[1]]
        away = places - pose[:, None, :2]
        cosine, sine = np.cos(pose[:, 2, None]), np.sin(pose[:, 2, None])
        return np.stack([cosine * away[..., 0] + sine * away[..., 1],
                         cosine * away[..., 1] - sine * away[..., 0]], axis=-1).reshape(
                             len(pose), -1)
