# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Maps of where people can walk: distances from walls, and lengths of the ways to goals.

Both solve the eikonal equation by the fast sweeping method (H. Zhao, Mathematics of Computation
74, 603, 2005). Near walls ways cost more, so that people keep away from them where they can.
"""

from collections.abc import Sequence
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled, use_machine_code
from mvsim_ros2.world.spec.outlines import StaticOutline

CELL, MOST_CELLS = 0.1, 20_000  # smallest [m]; larger areas have larger cells
LOW, HIGH = 0.1, 1.7  # m; what covers no height between these stops nobody
MARGIN = 2.0  # m; of the map around starts, goals and walls
_NEAR, _DEAR = 0.4, 4.0  # m; nearer to walls a way counts as so many times as long
NEVER = 1e6  # m; ways to what cannot be reached are as long


class WalkableMap:
    """
    Where people can walk around what stands.

    :ivar origin: centre of the first cell [m].
    :ivar cell: size of a cell [m].
    :ivar clearance: distance of the middle of each cell from what stands, (rows, columns) [m].
    """

    def __init__(self, outlines: Sequence[StaticOutline], places: Array) -> None:
        """
        Draw the map.

        :param outlines: of all that stands.
        :param places: that it has to contain, shape (n, 2) [m].
        """
        pieces = [np.array(each.polygon) for each in outlines
                  if each.zmin < HIGH and each.zmax > LOW]
        low, high = places.min(axis=0) - MARGIN, places.max(axis=0) + MARGIN
        for piece in pieces:
            low = np.minimum(low, piece.min(axis=0) - MARGIN)
            high = np.maximum(high, piece.max(axis=0) + MARGIN)
        self.cell = max(CELL, math.sqrt(float(np.prod(high - low)) / MOST_CELLS))
        self.origin = low + 0.5 * self.cell
        columns, rows = np.ceil((high - low) / self.cell).astype(int).tolist()
        self._solid = np.zeros((rows, columns), bool)
        for piece in pieces:
            self._fill(piece)
        self.clearance = np.where(self._solid, 0.0, NEVER)
        use_machine_code()
        sweep(np.ones((rows, columns)), self.cell, self.clearance)
        self.clearance = np.maximum(0.0, self.clearance - 0.5 * self.cell)
        self._cost = np.where(self.clearance < _NEAR, _DEAR, 1.0)
        self._cost[self._solid] = math.inf

    def _fill(self, corners: Array) -> None:
        """Mark the cells whose middles a convex outline has, or nearly so."""
        cells = (corners - self.origin) / self.cell
        first = np.maximum(0, np.floor(cells.min(axis=0)).astype(int))
        last = np.ceil(cells.max(axis=0)).astype(int) + 1
        part = self._solid[first[1]:last[1], first[0]:last[0]]
        rows, columns = np.indices(part.shape)
        x = self.origin[0] + self.cell * (first[0] + columns)
        y = self.origin[1] + self.cell * (first[1] + rows)
        outside = np.full(part.shape, -math.inf)
        for (ax, ay), (bx, by) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            length = math.hypot(bx - ax, by - ay)
            outside = np.maximum(outside, ((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / length)
        part |= outside <= 0.5 * self.cell

    def ways_to(self, x: float, y: float) -> NDArray[np.float32]:
        """Return the lengths of the ways from all cells to a place, near walls more [m]."""
        lengths = np.full(self._solid.shape, NEVER)
        rows, columns = self._solid.shape
        column, row = ((np.array([x, y]) - self.origin) / self.cell).round().astype(int).tolist()
        for i in range(max(0, row - 1), min(rows, row + 2)):
            for j in range(max(0, column - 1), min(columns, column + 2)):
                lengths[i, j] = math.hypot(self.origin[0] + self.cell * j - x,
                                           self.origin[1] + self.cell * i - y)
        sweep(self._cost, self.cell, lengths)
        return lengths.astype(np.float32)

    def places(self, low: Array, high: Array, clearance: float) -> Array:
        """
        Return the middles of cells in a rectangle that keep a distance from walls, shape (n, 2).

        :param low: corner of the rectangle [m], as `high`.
        :param clearance: that distance [m].
        """
        rows, columns = np.nonzero(self.clearance >= clearance)
        found = self.origin + self.cell * np.stack([columns, rows], axis=1)
        kept: Array = found[((found >= low) & (found <= high)).all(axis=1)]
        return kept

    def at(self, values: NDArray[Any], places: Array) -> NDArray[Any]:
        """Return what a map has at the middles of cells, shape (n,)."""
        cells = ((places - self.origin) / self.cell).round().astype(int)
        found: NDArray[Any] = values[cells[:, 1], cells[:, 0]]
        return found


@compiled
def sweep(cost: Array, cell: float, lengths: Array) -> None:
    """
    Complete lengths of ways, by sweeps in all four directions until nothing changes.

    :param cost: length that counts for a metre, inf where no way leads; shape (rows, columns).
    :param cell: size of a cell [m].
    :param lengths: known ones, all others too large; updated, same shape [m].
    """
    rows, columns = cost.shape
    changed = True
    while changed:
        changed = False
        for direction in range(4):
            for k in range(rows):
                i = k if direction < 2 else rows - 1 - k
                for n in range(columns):
                    j = n if direction % 2 == 0 else columns - 1 - n
                    step = cost[i, j] * cell
                    if step == math.inf:
                        continue
                    a = min(lengths[i - 1, j] if i > 0 else NEVER,
                            lengths[i + 1, j] if i < rows - 1 else NEVER)
                    b = min(lengths[i, j - 1] if j > 0 else NEVER,
                            lengths[i, j + 1] if j < columns - 1 else NEVER)
                    if abs(a - b) >= step:
                        length = min(a, b) + step
                    else:
                        length = 0.5 * (a + b + math.sqrt(2.0 * step * step - (a - b) * (a - b)))
                    if length < lengths[i, j] - 1e-9:
                        lengths[i, j] = length
                        changed = True


@compiled
def slope_at(values: Array, origin_x: float, origin_y: float, cell: float, x: float, y: float,
             slope: Array) -> None:
    """
    Fill in the value of a map at a place and its gradient, linear between the middles of cells.

    :param values: shape (rows, columns).
    :param slope: filled in, shape (3,).
    """
    rows, columns = values.shape
    u, v = (x - origin_x) / cell, (y - origin_y) / cell
    j = min(max(int(u), 0), columns - 2)
    i = min(max(int(v), 0), rows - 2)
    u, v = min(max(u - j, 0.0), 1.0), min(max(v - i, 0.0), 1.0)
    a, b = float(values[i, j]), float(values[i, j + 1])
    c, d = float(values[i + 1, j]), float(values[i + 1, j + 1])
    slope[0] = (1.0 - v) * ((1.0 - u) * a + u * b) + v * ((1.0 - u) * c + u * d)
    slope[1] = ((1.0 - v) * (b - a) + v * (d - c)) / cell
    slope[2] = ((1.0 - u) * (c - a) + u * (d - b)) / cell
