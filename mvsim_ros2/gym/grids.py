# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Grids of many agents, read at their places by one call."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.gym.clearance import distance_at
from mvsim_ros2.gym.free_space import FreeSpace, RESOLUTION
from mvsim_ros2.gym.path_lengths import length_from
from mvsim_ros2.jit.kernel import compiled

Array = NDArray[np.floating[Any]]


class Grids:
    """Grids with the cells of free spaces, one behind the other."""

    def __init__(self, spaces: Sequence[FreeSpace], clearances: bool = False) -> None:
        """Begin with no path, or the clearances of `FreeSpace.around` in place of paths."""
        self._shapes = np.array([space.cells.shape for space in spaces], np.int64)
        self._starts = np.concatenate([[0], np.cumsum(self._shapes.prod(axis=1))])
        self._corners = np.array([(space.x_min, space.y_min) for space in spaces], float)
        self._clearances = clearances
        self._values: NDArray[np.integer[Any]] = (
            np.concatenate([space.around.reshape(-1) for space in spaces]) if clearances
            else np.zeros(self._starts[-1], np.int32))

    def enter(self, row: int, space: FreeSpace) -> None:
        """Take the cells of another free space for an agent."""
        self._corners[row] = space.x_min, space.y_min
        if (self._shapes[row] == space.cells.shape).all():
            return
        first, last = self._starts[row:row + 2].tolist()
        self._values = np.concatenate([
            self._values[:first], np.zeros(space.cells.size, self._values.dtype),
            self._values[last:]])
        self._shapes[row] = space.cells.shape
        self._starts[row + 1:] += space.cells.size - (last - first)

    def put(self, row: int, grid: NDArray[np.integer[Any]]) -> None:
        """Take the grid of an agent."""
        self._values[self._starts[row]:self._starts[row + 1]] = grid.reshape(-1)

    def at(self, pose: Array) -> Array:
        """Return the values at poses, shape (n, 3) [m]; inf where there is no path."""
        found = np.empty(len(pose))
        values_at(self._clearances, self._values, self._starts, self._shapes, self._corners, pose,
                  RESOLUTION, found)
        return found


@compiled
def values_at(clearances: bool, values: NDArray[np.integer[Any]], starts: NDArray[np.int64],
              shapes: NDArray[np.int64], corners: Array, pose: Array, cell: float,
              found: Array) -> None:
    """
    Fill in `found`, shape (n,) [m].

    :param values: of all grids, grid k from `starts[k]` on, with `shapes[k]` rows and columns.
    :param corners: x, y of the outer corner of the first cell, shape (n, 2) [m].
    :param cell: its size [m].
    """
    for k in range(len(pose)):
        grid = values[starts[k]:starts[k + 1]].reshape((shapes[k, 0], shapes[k, 1]))
        x, y = (pose[k, 0] - corners[k, 0]) / cell, (pose[k, 1] - corners[k, 1]) / cell
        if clearances:
            found[k] = cell * distance_at(grid, x, y)
        else:
            length = length_from(grid, x, y)
            found[k] = cell * length if length >= 0.0 else np.inf
