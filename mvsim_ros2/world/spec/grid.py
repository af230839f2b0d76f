# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Occupancy maps and height maps as data, and the outlines of solid cells.

Maps are looked at in strips: what is found on the way takes no more memory than a strip.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.base.short_repr import ShortRepr
from mvsim_ros2.frames import Array

FINEST, COARSEST = 1e-3, 100.0  # m; sizes of cells of occupancy maps
SOLID = 50  # values of an occupancy map above it stop bodies and rays


@dataclass(frozen=True, eq=False)
class OccupancyMap(ShortRepr):
    """
    Cells of an occupancy map, row 0 at the lowest y.

    `values` has shape (rows, columns), int8, ROS convention: 0 free .. 100 occupied, -1
    unknown. A cell is solid where its value is above `SOLID`.
    """

    values: NDArray[np.int8]
    resolution: float  # m per cell
    x_min: float  # m, left edge of column 0
    y_min: float  # m, lower edge of row 0

    @property
    def solid(self) -> NDArray[np.bool_]:
        """Cells that stop bodies and rays, shape (rows, columns)."""
        return self.values > SOLID

    @property
    def decided(self) -> 'OccupancyMap':
        """
        Return the same map in the three values that navigation distinguishes.

        Occupied (100) is what is `solid`, free (0) what is occupied with less than 25 %, the
        default of the map server of Nav2; the rest is unknown (-1). For amcl and the static
        layer of Nav2 a wall of 99 would be none.
        """
        free = (self.values >= 0) & (self.values < 25)
        return replace(self, values=np.select(
            [self.solid, free], [100, 0], default=-1).astype(np.int8))


@dataclass(frozen=True, eq=False)
class HeightMap(ShortRepr):
    """
    Heights at the corners of a grid of square cells.

    `values` has shape (rows, columns), float64 [m]; rows run along x, columns along y. Each
    cell is two triangles, cut along the diagonal from its corner of smallest x and y.
    """

    values: NDArray[np.float64]
    resolution: float  # m per cell
    x_min: float  # m, of row 0
    y_min: float  # m, of column 0
    colours: NDArray[np.uint8] | None = None  # (rows, columns, 3): sRGB of the nodes


STRIP = 64  # rows


def _solid_strips(values: NDArray[np.int8]) -> Iterator[NDArray[np.bool_]]:
    """Yield the rows of a map, True where a cell is solid."""
    for first in range(0, len(values), STRIP):
        yield values[first:first + STRIP] > SOLID


def _edge_strips(values: NDArray[np.int8]) -> Iterator[NDArray[np.bool_]]:
    """Yield the lines below, between and above rows: True between a solid cell and another."""
    below = np.zeros((1, values.shape[1]), bool)
    for solid in _solid_strips(values):
        rows = np.concatenate([below, solid])
        yield rows[1:] != rows[:-1]
        below = rows[-1:]
    yield below


def _runs(strips: Iterable[NDArray[np.bool_]]) -> NDArray[np.int64]:
    """Return row, first column and column after the last of every run of True in the rows."""
    runs, rows = [np.empty((0, 3), np.int64)], 0
    for mask in strips:
        change = np.empty((mask.shape[0], mask.shape[1] + 1), bool)
        change[:, 0], change[:, -1] = mask[:, 0], mask[:, -1]
        np.not_equal(mask[:, 1:], mask[:, :-1], out=change[:, 1:-1])
        row, column = np.divmod(np.flatnonzero(change), change.shape[1])
        runs.append(np.stack([row[::2] + rows, column[::2], column[1::2]], axis=1))
        rows += len(mask)
    return np.concatenate(runs)


def _row_rectangles(values: NDArray[np.int8]) -> NDArray[np.int64]:
    """Return x0 y0 x1 y1 [cells] of the solid runs, equal runs of adjacent rows in one."""
    row, begin, end = _runs(_solid_strips(values)).T
    order = np.lexsort((row, end, begin))
    row, begin, end = row[order], begin[order], end[order]
    new = np.ones(len(row), bool)
    new[1:] = (np.diff(row) != 1) | (np.diff(begin) != 0) | (np.diff(end) != 0)
    first = np.flatnonzero(new)
    last = np.append(first[1:], len(row)) - 1 if len(first) else first
    return np.stack([begin[first], row[first], end[first], row[last] + 1], axis=1)


def _in_metres(cells: NDArray[np.int64], grid: OccupancyMap) -> Array:
    origin = np.array([grid.x_min, grid.y_min, grid.x_min, grid.y_min])
    return np.asarray(cells * grid.resolution + origin, float)


def grid_rectangles(grid: OccupancyMap) -> Array:
    """
    Return x0 y0 x1 y1 [m] of rectangles that cover the solid cells exactly, shape (n, 4).

    Runs of cells are merged across rows, or across columns where that gives fewer.
    """
    by_row = _row_rectangles(grid.values)
    by_column = _row_rectangles(grid.values.T)[:, [1, 0, 3, 2]]
    return _in_metres(by_row if len(by_row) <= len(by_column) else by_column, grid)


def grid_segments(grid: OccupancyMap) -> Array:
    """
    Return x0 y0 x1 y1 [m] of the outline of the solid area, shape (n, 4).

    Edges between a solid cell and one that is not, merged into the longest straight runs.
    """
    row, begin, end = _runs(_edge_strips(grid.values)).T
    horizontal = np.stack([begin, row, end, row], axis=1)
    column, begin, end = _runs(_edge_strips(grid.values.T)).T
    vertical = np.stack([column, begin, column, end], axis=1)
    return _in_metres(np.vstack([horizontal, vertical]), grid)


def corner_count(grid: OccupancyMap) -> int:
    """Return how many corners the outline of the solid area has."""
    return 2 * len(_runs(_edge_strips(grid.values)))
