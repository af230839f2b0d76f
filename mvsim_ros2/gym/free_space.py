# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Where a vehicle can stand and get to, for starts and goals that are drawn at random."""

from dataclasses import dataclass
import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import LearningError
from mvsim_ros2.gym.clearance import distance_at, Distances, distances
from mvsim_ros2.gym.path_lengths import length_from, Lengths, path_lengths
from mvsim_ros2.gym.starts import reach as reach_of
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.simulation import Simulation

Array = NDArray[np.float64]

RESOLUTION = 0.05  # m; size of a cell
_AROUND = 5.0  # m of free ground around a vehicle where nothing stands
_DIAGONAL = 2.0 ** 0.5  # cells: as far as places in two cells can be nearer than their middles
_SPACING = 0.5  # of a cell, between two points of an outline that is drawn


@compiled
def connected(free: NDArray[np.bool_], row: int, column: int) -> NDArray[np.bool_]:
    """
    Return the free cells that can be reached from one over their sides, shape (rows, columns).

    :param free: shape (rows, columns).
    """
    reached = np.zeros(free.shape, np.bool_)
    if not free[row, column]:
        return reached
    waiting = np.empty((free.size, 2), np.int64)
    waiting[0, 0], waiting[0, 1] = row, column
    reached[row, column] = True
    first, last = 0, 1
    while first < last:
        i, j = waiting[first, 0], waiting[first, 1]
        first += 1
        for side in range(4):
            k = i + (side == 0) - (side == 1)
            m = j + (side == 2) - (side == 3)
            if 0 <= k < free.shape[0] and 0 <= m < free.shape[1] and free[k, m] \
                    and not reached[k, m]:
                reached[k, m] = True
                waiting[last, 0], waiting[last, 1] = k, m
                last += 1
    return reached


@compiled(inner=True)
def _off(x: float, y: float, nearest: float, farthest: float) -> float:
    distance = math.sqrt(x * x + y * y)
    return max(nearest - distance, 0.0) + max(distance - farthest, 0.0)


@compiled
def _middle(cell: int, columns: int, x_min: float, y_min: float) -> tuple[float, float]:
    """Return the middle of a cell, counted row by row [m]."""
    row, column = cell // columns, cell % columns
    return (column + 0.5) * RESOLUTION + x_min, (row + 0.5) * RESOLUTION + y_min


@compiled
def fitting(free: NDArray[np.int32], columns: int, x_min: float, y_min: float, x: float, y: float,
            nearest: float, farthest: float) -> tuple[int, float]:
    """
    Return how many cells are least off a range of distances from (x, y), and by how much [m].

    :param free: cells, counted row by row, shape (n,).
    :param columns: in a row.
    :param x_min: left edge of column 0 [m].
    :param y_min: lower edge of row 0 [m].
    """
    count, least = 0, math.inf
    for cell in free:
        place_x, place_y = _middle(cell, columns, x_min, y_min)
        off = _off(place_x - x, place_y - y, nearest, farthest)
        if off < least:
            count, least = 1, off
        elif off == least:
            count += 1
    return count, least


@compiled
def nth_fitting(free: NDArray[np.int32], columns: int, x_min: float, y_min: float, x: float,
                y: float, nearest: float, farthest: float, least: float, n: int) -> int:
    """Return one of the cells that `fitting` counted, from 0 on."""
    for cell in free:
        place_x, place_y = _middle(cell, columns, x_min, y_min)
        if _off(place_x - x, place_y - y, nearest, farthest) == least:
            if n == 0:
                return int(cell)
            n -= 1
    return -1


@dataclass(frozen=True, eq=False)
class FreeSpace:
    """
    Cells in which a vehicle may stand in any direction, and which it can reach.

    Row 0 is at the lowest y. What moves by itself is not in it; blocks are where they stand when
    it is made.
    """

    cells: NDArray[np.bool_]  # (rows, columns)
    x_min: float  # m, left edge of column 0
    y_min: float  # m, lower edge of row 0
    free: NDArray[np.int32]  # (n,): cells to stand in, counted row by row
    around: Distances  # (rows, columns): distance of middles from what is solid, see `clearance`

    @classmethod
    def of(cls, simulation: Simulation, vehicle: str, margin: float = 0.05) -> 'FreeSpace':
        """
        Return the free space around the place of a vehicle.

        :param margin: beside the vehicle [m].
        :raises LearningError: where the vehicle stands in something.
        """
        handle = simulation.vehicles[vehicle]
        footprint, pose = handle.footprint, handle.pose
        height = pose.z + 0.5 * (footprint.zmin + footprint.zmax)
        plan = simulation.floor_plan(height, RESOLUTION)
        blocks = [block.pose.transform(np.column_stack(
            [block.footprint.polygon, np.zeros(len(block.footprint.polygon))]))[:, :2]
            for block in simulation.blocks.values()]
        rows, columns = plan.values.shape
        low, high = (np.array(corner) for corner in (
            (plan.x_min, plan.y_min),
            (plan.x_min + columns * RESOLUTION, plan.y_min + rows * RESOLUTION)))
        if not plan.solid.any():
            low, high = (np.array([pose.x, pose.y]) + side * _AROUND for side in (-1, 1))
        low = np.min([low, *(outline.min(axis=0) for outline in blocks)], axis=0) - RESOLUTION
        high = np.max([high, *(outline.max(axis=0) for outline in blocks)], axis=0) + RESOLUTION
        size = np.ceil((high - low) / RESOLUTION).astype(int)
        solid = np.zeros((size[1], size[0]), bool)
        at = np.argwhere(plan.solid)[:, ::-1] * RESOLUTION + (
            plan.x_min + 0.5 * RESOLUTION, plan.y_min + 0.5 * RESOLUTION)
        for points in (at, *(_drawn(outline) for outline in blocks)):
            column, row = ((points - low) / RESOLUTION).astype(int).T
            solid[row, column] = True
        reach = margin + reach_of(handle)
        free = ~_grown(solid, reach / RESOLUTION + _DIAGONAL)
        column, row = ((np.array([pose.x, pose.y]) - low) / RESOLUTION).astype(int).tolist()
        cells = connected(free, row, column)
        if not cells.any():
            raise LearningError(
                f'{simulation.world.path}: {vehicle} has no room of {reach:.2f} m around its '
                f'place ({pose.x:.2f}, {pose.y:.2f}): put it where it can turn')
        return cls(cells, float(low[0]), float(low[1]), np.flatnonzero(cells).astype(np.int32),
                   distances(~solid))

    @property
    def middles(self) -> Array:
        """Return the middles of the free cells, shape (n, 2) [m]."""
        row, column = np.divmod(self.free, self.cells.shape[1])
        return (np.stack([column, row], 1) + 0.5) * RESOLUTION + (self.x_min, self.y_min)

    def sample(self, random: np.random.Generator) -> tuple[float, float]:
        """Return a place, any of the free ones with the same probability [m]."""
        cell = int(self.free[random.integers(len(self.free))])
        middle = np.array(_middle(cell, self.cells.shape[1], self.x_min, self.y_min))
        x, y = (middle + RESOLUTION * (random.random(2) - 0.5)).tolist()
        return x, y

    def sample_around(self, x: float, y: float, nearest: float, farthest: float,
                      random: np.random.Generator) -> tuple[float, float]:
        """
        Return a place whose distance from another is in a range; else the one that fits best.

        :param nearest: distance as the crow flies [m].
        :param farthest: the same.
        """
        columns, wanted = self.cells.shape[1], (x, y, nearest, farthest)
        count, least = fitting(self.free, columns, self.x_min, self.y_min, *wanted)
        cell = nth_fitting(self.free, columns, self.x_min, self.y_min, *wanted, least,
                           int(random.integers(0, count)))
        return _middle(cell, columns, self.x_min, self.y_min)

    def lengths_to(self, x: float, y: float) -> Lengths:
        """Return the shortest paths to a place of it, as `path_length` takes them."""
        row, column = self._cell(x, y)
        return path_lengths(self.cells, row, column)

    def path_length(self, lengths: Lengths, x: float, y: float) -> float:
        """
        Return the length of the shortest path from a place [m], at most 8 % too long.

        :param lengths: what `lengths_to` returned.
        """
        found = RESOLUTION * length_from(
            lengths, (x - self.x_min) / RESOLUTION, (y - self.y_min) / RESOLUTION)
        return found if found >= 0.0 else math.inf

    def clearance(self, x: float, y: float) -> float:
        """
        Return how far a place is from what is solid [m], at most 8 % and a cell off.

        Farther than 1.5 m reads as 1.59; 0 outside.
        """
        return RESOLUTION * distance_at(
            self.around, (x - self.x_min) / RESOLUTION, (y - self.y_min) / RESOLUTION)

    def touches(self, x: float, y: float, reach: float) -> bool:
        """
        Return whether something solid is nearer to a place than a reach, by a cell or more [m].

        Beyond the cells nothing is known of, and nothing touched.
        """
        row, column = self._cell(x, y)
        cells = math.ceil(reach / RESOLUTION)
        first = max(row - cells, 0), max(column - cells, 0)
        near = self.around[first[0]:max(row + cells + 1, 0), first[1]:max(column + cells + 1, 0)]
        away = np.argwhere(near == 0) + first - (row, column)
        return bool((np.hypot(*away.T) * RESOLUTION < reach - RESOLUTION).any())

    def _cell(self, x: float, y: float) -> tuple[int, int]:
        """Return row and column of a place [m]."""
        return (math.floor((y - self.y_min) / RESOLUTION),
                math.floor((x - self.x_min) / RESOLUTION))

    def __contains__(self, place: tuple[float, float]) -> bool:
        """Return whether a place [m] is in it."""
        row, column = self._cell(*place)
        return (0 <= row < self.cells.shape[0] and 0 <= column < self.cells.shape[1]
                and bool(self.cells[row, column]))


def _drawn(outline: Array) -> Array:
    """Return points along a closed outline, shape (n, 2) [m]."""
    ends = np.roll(outline, -1, axis=0)
    return np.concatenate([np.linspace(a, b, 2 + math.ceil(
        math.dist(a, b) / (_SPACING * RESOLUTION))) for a, b in zip(outline, ends, strict=True)])


@compiled
def _grown(solid: NDArray[np.bool_], radius: float) -> NDArray[np.bool_]:
    """Return the cells within a distance of solid ones, in cells from middle to middle."""
    grown = solid.copy()
    reach = math.ceil(radius)
    rows, columns = solid.shape
    for row in range(rows):
        for column in range(columns):
            inside = 0 < row < rows - 1 and 0 < column < columns - 1 and (
                solid[row - 1, column] and solid[row + 1, column]
                and solid[row, column - 1] and solid[row, column + 1])
            if not solid[row, column] or inside:  # what is near it is near its neighbours too
                continue
            for i in range(max(-reach, -row), min(reach, rows - 1 - row) + 1):
                left = radius * radius - i * i
                width = math.floor(math.sqrt(left)) if left >= 0.0 else -1
                for j in range(max(0, column - width), min(columns, column + width + 1)):
                    grown[row + i, j] = True
    return grown
