# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Which surfaces are near a place, without a look at all of them."""

import math

CELL = 4.0  # m
_COLUMN = 2 ** 32  # cells of one, for their numbers
LARGE = 6.0 * CELL  # m; what reaches farther is near every place


class SurfaceIndex:
    """
    Rows of surfaces by the square cells that they may reach into.

    They are entered there when somebody looks for some, which nobody does on level ground.
    """

    def __init__(self) -> None:
        self._cells: dict[int, tuple[int, ...]] = {}  # which take less than lists and sets
        self._large: set[int] = set()
        self._waiting: set[int] = set()  # rows that are not in cells yet
        self._where: dict[int, tuple[float, float, float, float, float]] = {}

    def put(self, row: int, x: float, y: float, radius: float, low: float, high: float) -> None:
        """Let a surface be within `radius` of a place, from `low` to `high`, nowhere else [m]."""
        before, self._where[row] = self._where.get(row), (x, y, radius, low, high)
        if before is not None:
            if before[:3] == (x, y, radius):
                return
            self._leave(row, *before[:3])
        self._waiting.add(row)

    def _enter(self, row: int, x: float, y: float, radius: float) -> None:
        if radius > LARGE or not math.isfinite(x + y):
            self._large.add(row)
        else:
            for cell in self._around(x, y, radius):
                self._cells[cell] = (*self._cells.get(cell, ()), row)

    def remove(self, row: int) -> None:
        """Let a surface that was put somewhere be nowhere."""
        self._leave(row, *self._where.pop(row)[:3])

    def _leave(self, row: int, x: float, y: float, radius: float) -> None:
        if row in self._waiting:
            self._waiting.remove(row)
            return
        for cell in self._around(x, y, radius):
            rest = [*self._cells.pop(cell)]
            rest.remove(row)
            if rest:
                self._cells[cell] = *rest,
        self._large.discard(row)

    def near(self, x: float, y: float, reach: float = 0.0) -> list[int]:
        """Return in order the rows of all surfaces that are within `reach` of a place."""
        if reach > LARGE or not math.isfinite(x + y):
            return sorted(self._where)
        for row in self._waiting:
            self._enter(row, *self._where[row][:3])
        self._waiting.clear()
        return sorted(self._large.union(*(
            self._cells.get(cell, ()) for cell in self._around(x, y, reach))))

    def place(self, row: int) -> tuple[float, float, float, float, float]:
        """Return where a surface was put: x, y, radius, smallest and largest height."""
        return self._where[row]

    def _around(self, x: float, y: float, radius: float) -> list[int]:
        """Return the numbers of the cells within a radius; none of what is near every place."""
        if radius > LARGE or not math.isfinite(x + y):
            return []
        return [column * _COLUMN + row for column in range(
                    math.floor((x - radius) / CELL), math.floor((x + radius) / CELL) + 1)
                for row in range(
                    math.floor((y - radius) / CELL), math.floor((y + radius) / CELL) + 1)]
