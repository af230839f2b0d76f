# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Outlines of the solid cells of an occupancy map: rectangles that fill them, and their border."""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.spec.grid import OccupancyMap

Array = NDArray[np.float64]


def _runs(mask: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return row, first column and column after the last of every run of True in the rows."""
    change = np.empty((mask.shape[0], mask.shape[1] + 1), bool)
    change[:, 0], change[:, -1] = mask[:, 0], mask[:, -1]
    np.not_equal(mask[:, 1:], mask[:, :-1], out=change[:, 1:-1])
    row, column = np.divmod(np.flatnonzero(change), change.shape[1])
    return np.stack([row[::2], column[::2], column[1::2]], axis=1)


def _row_rectangles(solid: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return x0 y0 x1 y1 [cells] of the runs of `solid`, equal runs of adjacent rows in one."""
    row, begin, end = _runs(solid).T
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
    solid = grid.solid
    by_row = _row_rectangles(solid)
    by_column = _row_rectangles(np.ascontiguousarray(solid.T))[:, [1, 0, 3, 2]]
    return _in_metres(by_row if len(by_row) <= len(by_column) else by_column, grid)


def grid_segments(grid: OccupancyMap) -> Array:
    """
    Return x0 y0 x1 y1 [m] of the outline of the solid area, shape (n, 4).

    Edges between a solid cell and one that is not, merged into the longest straight runs.
    """
    solid = np.pad(grid.solid, 1)
    row, begin, end = _runs((solid[1:] != solid[:-1])[:, 1:-1]).T
    horizontal = np.stack([begin, row, end, row], axis=1)
    column, begin, end = _runs((solid[:, 1:] != solid[:, :-1])[1:-1].T).T
    vertical = np.stack([column, begin, column, end], axis=1)
    return _in_metres(np.vstack([horizontal, vertical]), grid)
