# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Where a vehicle can stand and get to, for starts and goals that are drawn at random."""

from dataclasses import dataclass
from functools import cached_property
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import LearningError
from mvsim_ros2.frames import Array
from mvsim_ros2.gym.clearance import distance_at, Distances, distances
from mvsim_ros2.gym.path_lengths import length_from, Lengths, path_lengths
from mvsim_ros2.gym.starts import reach as reach_of
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.world.spec import ElevationMapSpec, HorizontalPlaneSpec

RESOLUTION = 0.05  # m; size of a cell
_AROUND = 5.0  # m of free ground around a vehicle and all that stands in an open world
_TRIES = 100  # starts that are drawn until a goal is in range
_DIAGONAL = 2.0 ** 0.5  # cells: as far as places in two cells can be nearer than their middles
_SPACING = 0.5  # of a cell, between two points of an outline that is drawn


@compiled
def connected(free: NDArray[np.bool_], row: int, column: int) -> NDArray[np.bool_]:
    """Return the free cells reached from one over their sides, shape (rows, columns)."""
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


def _middle(cell: Any, columns: int, x_min: float, y_min: float) -> tuple[Any, Any]:
    """Return the middle of a cell or of several, counted row by row [m]."""
    row, column = cell // columns, cell % columns
    return (column + 0.5) * RESOLUTION + x_min, (row + 0.5) * RESOLUTION + y_min


@compiled
def count_in_range(free: NDArray[np.int32], starts: NDArray[np.int64], columns: int, x_min: float,
                   y_min: float, x: float, y: float, nearest: float, farthest: float,
                   ) -> NDArray[np.int64]:
    """
    Return how many cells of each row have middles in a range of distances from (x, y).

    :param free: cells in ascending order, counted row by row, shape (n,).
    :param starts: first of each row in `free`, and their end, shape (rows + 1,).
    :param columns: in a row.
    :param x_min: left edge of column 0 [m].
    :param y_min: lower edge of row 0 [m].
    """
    counts = np.zeros(len(starts) - 1, np.int64)
    for row in range(len(counts)):
        away_y = (row + 0.5) * RESOLUTION + y_min - y
        if abs(away_y) <= farthest:
            for k in range(starts[row], starts[row + 1]):
                away_x = (free[k] - row * columns + 0.5) * RESOLUTION + x_min - x
                distance = math.sqrt(away_x * away_x + away_y * away_y)
                counts[row] += (nearest <= distance) & (distance <= farthest)
    return counts


@dataclass(frozen=True, eq=False)
class FreeSpace:
    """
    Cells that a vehicle can reach, and in which it fits in any direction.

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
        """Return the free space of a vehicle and a margin [m], or raise where it overlaps."""
        handle = simulation.vehicles[vehicle]
        footprint, pose = handle.footprint, handle.pose
        height = pose.z + 0.5 * (footprint.zmin + footprint.zmax)
        plan = simulation.floor_plan(height, RESOLUTION)
        blocks = [block.pose.transform(np.column_stack(
            [block.footprint.polygon, np.zeros(len(block.footprint.polygon))]))[:, :2]
            for block in simulation.blocks.values() if not block.spec.intangible]
        corner, place = np.array([plan.x_min, plan.y_min]), np.array([pose.x, pose.y])
        standing = (np.argwhere(plan.solid)[:, ::-1] + 0.5) * RESOLUTION + corner
        solids = np.concatenate([standing, *(_drawn(outline) for outline in blocks)])
        reach = margin + reach_of(handle)
        ends = [corner, corner + np.array(plan.values.shape[::-1]) * RESOLUTION]
        extent = np.array([place, *(ends if len(standing) else ()), *solids[len(standing):]])
        low, high = _box(extent, RESOLUTION)
        solid = _cells(solids, low, high)
        cells = _around(solid, reach, (place - low) / RESOLUTION)
        if _is_open(cells):
            low, high = _box(extent, _AROUND)
            solid = _cells(solids, low, high)
            cells = _around(solid | _off_ground(simulation, low, solid.shape, height),
                            reach, (place - low) / RESOLUTION)
        if not cells.any():
            raise LearningError(
                f'{simulation.world.path}: {vehicle} has no room of {reach:.2f} m around its '
                f'place ({pose.x:.2f}, {pose.y:.2f}): put it where it can turn')
        return cls(cells, float(low[0]), float(low[1]), np.flatnonzero(cells).astype(np.int32),
                   distances(~solid))

    @cached_property
    def _starts(self) -> NDArray[np.int64]:
        """Return the first free cell of each row, and the number of all, shape (rows + 1,)."""
        rows, columns = self.cells.shape
        return np.asarray(np.searchsorted(self.free, columns * np.arange(rows + 1)))

    @property
    def middles(self) -> Array:
        """Return the middles of the free cells, shape (n, 2) [m]."""
        return np.stack(_middle(self.free, self.cells.shape[1], self.x_min, self.y_min), axis=1)

    def sample(self, random: np.random.Generator) -> tuple[float, float]:
        """Return a place, any of the free ones with the same probability [m]."""
        cell = int(self.free[random.integers(len(self.free))])
        x, y = _middle(cell, self.cells.shape[1], self.x_min, self.y_min)
        aside, ahead = (RESOLUTION * (random.random(2) - 0.5)).tolist()
        return x + aside, y + ahead

    def sample_around(self, x: float, y: float, nearest: float, farthest: float,
                      random: np.random.Generator) -> tuple[float, float]:
        """Return a place in a range of straight distances [m] of another, or raise."""
        columns = self.cells.shape[1]
        counts = count_in_range(self.free, self._starts, columns, self.x_min, self.y_min, x, y,
                                nearest, farthest)
        ends = np.cumsum(counts)
        if not ends[-1]:
            raise LearningError(
                f'no free place is {nearest:g} to {farthest:g} m from ({x:.2f}, {y:.2f}): the '
                f'free space covers {len(self.free) * RESOLUTION ** 2:.2f} m^2. '
                'Choose a smaller range or a larger world')
        number = random.integers(0, ends[-1])
        row = int(np.searchsorted(ends, number, 'right'))
        cells = self.free[self._starts[row]:self._starts[row + 1]]
        middles, y_middle = _middle(cells, columns, self.x_min, self.y_min)
        away = np.sqrt((middles - x) ** 2 + (y_middle - y) ** 2)
        found = middles[(nearest <= away) & (away <= farthest)]
        return float(found[number - ends[row] + counts[row]]), float(y_middle[0])

    def sample_pair(self, nearest: float, farthest: float, random: np.random.Generator,
                    ) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return two places in a range of straight distances [m], or raise for none."""
        for _ in range(_TRIES):
            place = self.sample(random)
            try:
                return place, self.sample_around(*place, nearest, farthest, random)
            except LearningError as error:
                missing = error
        raise missing

    def lengths_to(self, x: float, y: float) -> Lengths:
        """Return the shortest paths to a place of it, as `path_length` takes them."""
        row, column = self._cell(x, y)
        return path_lengths(self.cells, row, column)

    def path_length(self, lengths: Lengths, x: float, y: float) -> float:
        """Return the length of a path from a place by `lengths_to` [m], at most 8 % too long."""
        found = RESOLUTION * length_from(
            lengths, (x - self.x_min) / RESOLUTION, (y - self.y_min) / RESOLUTION)
        return found if found >= 0.0 else math.inf

    def clearance(self, x: float, y: float) -> float:
        """Return the distance from solids [m], up to 1.59, 8 % and a cell off; 0 outside."""
        return RESOLUTION * distance_at(
            self.around, (x - self.x_min) / RESOLUTION, (y - self.y_min) / RESOLUTION)

    def touches(self, x: float, y: float, reach: float) -> bool:
        """Return whether something solid is a cell nearer than a reach [m]; unknown: no."""
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
        row, column = self._cell(*place)
        return (0 <= row < self.cells.shape[0] and 0 <= column < self.cells.shape[1]
                and bool(self.cells[row, column]))


def _drawn(outline: Array) -> Array:
    """Return points along a closed outline, shape (n, 2) [m]."""
    ends = np.roll(outline, -1, axis=0)
    return np.concatenate([np.linspace(a, b, 2 + math.ceil(
        math.dist(a, b) / (_SPACING * RESOLUTION))) for a, b in zip(outline, ends, strict=True)])


def _box(points: Array, margin: float) -> tuple[Array, Array]:
    """Return the lower and the upper corner of the box around points, with a margin [m]."""
    return points.min(axis=0) - margin, points.max(axis=0) + margin


def _cells(points: Array, low: Array, high: Array) -> NDArray[np.bool_]:
    """Return the cells of a box, shape (rows, columns), that hold a point."""
    columns, rows = np.ceil((high - low) / RESOLUTION).astype(int).tolist()
    cells = np.zeros((rows, columns), bool)
    column, row = ((points - low) / RESOLUTION).astype(int).T
    cells[row, column] = True
    return cells


def _around(solid: NDArray[np.bool_], reach: float, place: Array) -> NDArray[np.bool_]:
    """Return cells in which a vehicle of a reach [m] turns, connected to its place."""
    free = ~_grown(solid, reach / RESOLUTION + _DIAGONAL)
    return connected(free, int(place[1]), int(place[0]))


def _is_open(cells: NDArray[np.bool_]) -> bool:
    """Return whether cells reach the border of their box, so that walls do not enclose them."""
    return bool(cells[[0, -1]].any() or cells[:, [0, -1]].any())


def _off_ground(simulation: Simulation, low: Array, shape: tuple[int, ...], limit: float,
                ) -> NDArray[np.bool_]:
    """Return the cells on no floor that is lower than a limit [m]; none without floors."""
    elements = simulation.world.elements
    floors = [each for each in elements if isinstance(each, HorizontalPlaneSpec)
              and each.init_pose.z + each.z < limit]
    off = np.ones(shape, bool)
    if not floors or any(isinstance(each, ElevationMapSpec) for each in elements):
        return ~off
    y, x = ((np.indices(shape) + 0.5) * RESOLUTION) + low[::-1, None, None]
    for floor in floors:
        pose = floor.init_pose
        along = (x - pose.x) * math.cos(pose.yaw) + (y - pose.y) * math.sin(pose.yaw)
        across = (y - pose.y) * math.cos(pose.yaw) - (x - pose.x) * math.sin(pose.yaw)
        off &= ((along < floor.x_min) | (along > floor.x_max)
                | (across < floor.y_min) | (across > floor.y_max))
    return off


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
