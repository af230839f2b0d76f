# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Records of the surfaces that make up the ground, and an index of where they are."""

from collections.abc import Mapping, Sequence
import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.world.spec.block import BlockSpec
from mvsim_ros2.world.spec.common import Footprint
from mvsim_ros2.world.spec.elements.horizontal_plane import HorizontalPlaneSpec
from mvsim_ros2.world.spec.grid import HeightMap
from mvsim_ros2.world.spec.outlines import shape_of

Records = NDArray[np.void]

CELL = 4.0  # m, of the index
LARGE = 6.0 * CELL  # m; what reaches farther is near every place

FLAT, RAMP, BUMP, MAP = range(4)  # values of `kind`
SURFACE = np.dtype([(name, np.int64) for name in (
    'kind',
    'present',  # 0: does not count
    'first', 'count',  # where its outline starts, and its vertices: 0 is the rectangle itself
    'start', 'rows', 'columns',  # of a map: where its heights start, and how many there are
    'mover',  # 1 + row in `Relief.movers` of what it is the top of; 0: no force moves it
    'group',  # of the vehicle that it is the top of, whose vehicles do not stand on it; 0: of none
)] + [(name, np.float64) for name in (
    'x', 'y', 'z', 'cos', 'sin',  # pose of its frame in the world; tilt does not count
    'rise',  # how fast that rises by itself, in the last step
    'move_x', 'move_y', 'turn',  # so in plan, world frame, and around
    'roll_x', 'roll_y',  # angular velocity about axes of the world
    'x_min', 'x_max', 'y_min', 'y_max',  # rectangle around it, in its frame
    'top',  # height of a flat surface, and of a bump in its middle
    'bottom',  # of the body that it is the top of
    'slope', 'bank',  # of a flat surface or a ramp: rise over run along x and y
    'half_width',  # of a bump
    'resolution', 'steepest',  # of a map: size of a cell, bound of its slopes
    'low', 'high',  # smallest and largest height in its frame
)])


# what forces move and vehicles may stand on: the top of a vehicle, or of a pushed block
MOVER = np.dtype([(name, np.int64) for name in (
    'vehicle', 'block',  # number, and that among blocks that forces move; -1: it is none
    'body',  # of the engine
    'surface',  # row in `Relief.surfaces`
)] + [(name, np.float64) for name in (
    'x', 'y', 'z', 'cos', 'sin',  # centre of mass in the world, and axes of its surface
    'ease', 'ease_up',  # 1 / mass, in plan and in height: 0 for a block, which the ground holds
    'ease_roll', 'ease_pitch', 'ease_turn',  # 1 / inertia about the axes of its surface
    'riders',  # sum of the masses on it, over the mass that each finds there
    'rests',  # 1 for a block that does not move, on which nothing stands
)] + [(name, np.float64, (6,)) for name in (
    # impulses and their moments about the centre of mass, world frame [N s, N m s]: of what stands
    # on it, in this step, and those that it gets for them; of impacts that it has not got yet
    'pressed', 'load', 'struck')] + [
    # velocity of its surface, and by how much that changed in the last step: x, y, turn, z
    (name, np.float64, (4,)) for name in ('velocity', 'change')])
A_MOVER, A_SURFACE = np.zeros(1, MOVER)[0], np.zeros(1, SURFACE)[0]


def plane_row(plane: HorizontalPlaneSpec) -> dict[str, float]:
    """Return the values of a horizontal plane."""
    return {'kind': FLAT, 'x_min': plane.x_min, 'x_max': plane.x_max, 'y_min': plane.y_min,
            'y_max': plane.y_max}


def map_row(grid: HeightMap) -> dict[str, float]:
    """Return the values of an elevation map."""
    rows, columns = grid.values.shape
    changes = [np.diff(grid.values, axis=axis) for axis in (0, 1)]
    steepest = math.hypot(*(
        max(change.max(initial=0.0), -change.min(initial=0.0)) for change in changes))
    return {'kind': MAP, 'present': 1, 'rows': rows, 'columns': columns, 'cos': 1.0,
            'resolution': grid.resolution, 'steepest': steepest / grid.resolution,
            'x_min': grid.x_min, 'y_min': grid.y_min,
            'x_max': grid.x_min + rows * grid.resolution,
            'y_max': grid.y_min + columns * grid.resolution,
            'low': float(grid.values.min()), 'high': float(grid.values.max())}


def surfaces_of(rows: Sequence[Mapping[str, float]]) -> Records:
    """Return surfaces with these values."""
    surfaces = np.zeros(len(rows), SURFACE)
    for name in set().union(*rows):
        surfaces[name] = [row.get(name, 0) for row in rows]
    return surfaces


def sizes_of(surfaces: Records) -> list[float]:
    """Return how far from their origins surfaces reach [m]."""
    return np.hypot(*(  # type: ignore[no-any-return]
        np.maximum(np.abs(surfaces[low]), np.abs(surfaces[high]))
        for low, high in (('x_min', 'x_max'), ('y_min', 'y_max')))).tolist()


def carries(block: BlockSpec) -> bool:
    """Return whether wheels can stand on a block."""
    return block.static or block.intangible or block.animation is not None


def block_row(block: BlockSpec, footprint: Footprint) -> dict[str, float]:
    """Return the values of the top of a block; a ramp or bump has the shape of its geometry."""
    x, y = zip(*footprint.polygon, strict=True)
    row = {'bottom': footprint.zmin, 'count': len(footprint.polygon), 'x_min': min(x),
           'x_max': max(x), 'y_min': min(y), 'y_max': max(y)}
    solid = block.geometry
    if solid is None or shape_of(solid).profile is None:
        top = footprint.zmax
        return {**row, 'kind': FLAT, 'top': top, 'low': top, 'high': top}
    if solid.kind == 'ramp':
        slope = solid.lz / solid.lx
        return {**row, 'kind': RAMP, 'slope': slope, 'low': slope * min(x), 'high': slope * max(x)}
    return {**row, 'kind': BUMP, 'top': solid.lz, 'half_width': 0.5 * solid.ly, 'high': solid.lz}


class SurfaceIndex:
    """
    Rows of surfaces by the square cells that they may reach into.

    They are entered when `near` first needs them, which level ground never does.
    """

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], tuple[int, ...]] = {}  # smaller than lists and sets
        self._large: set[int] = set()
        self._waiting: set[int] = set()  # rows that are not in cells yet
        self._where: dict[int, tuple[float, float, float, float, float]] = {}

    def put(self, row: int, x: float, y: float, radius: float, low: float, high: float) -> None:
        """Let a surface be within `radius` of a place, from `low` to `high`, nowhere else [m]."""
        before, self._where[row] = self._where.get(row), (x, y, radius, low, high)
        if before is None or before[:3] != (x, y, radius):
            if before is not None:
                self._leave(row, *before[:3])
            self._waiting.add(row)

    def remove(self, row: int) -> None:
        """Remove a surface."""
        self._leave(row, *self._where.pop(row)[:3])

    def _leave(self, row: int, x: float, y: float, radius: float) -> None:
        if row in self._waiting:
            self._waiting.remove(row)
            return
        for cell in _cells(x, y, radius):
            rest = tuple(filter(row.__ne__, self._cells.pop(cell)))
            if rest:
                self._cells[cell] = rest
        self._large.discard(row)

    def near(self, x: float, y: float, reach: float = 0.0) -> list[int]:
        """Return in order the rows of all surfaces that are within `reach` of a place."""
        if _is_large(x, y, reach):
            return sorted(self._where)
        for row in self._waiting:
            place = self._where[row][:3]
            if _is_large(*place):
                self._large.add(row)
            for cell in _cells(*place):
                self._cells[cell] = (*self._cells.get(cell, ()), row)
        self._waiting.clear()
        return sorted(self._large.union(*(
            self._cells.get(cell, ()) for cell in _cells(x, y, reach))))

    def place(self, row: int) -> tuple[float, float, float, float, float]:
        """Return where a surface was put: x, y, radius, smallest and largest height."""
        return self._where[row]


def _is_large(x: float, y: float, radius: float) -> bool:
    """Return whether something is near every place, by its size or without a finite place."""
    return radius > LARGE or not math.isfinite(x + y)


def _cells(x: float, y: float, radius: float) -> list[tuple[int, int]]:
    """Return the cells within a radius; none of what is near every place."""
    if _is_large(x, y, radius):
        return []
    return [(column, row)
            for column in range(math.floor((x - radius) / CELL),
                                math.floor((x + radius) / CELL) + 1)
            for row in range(math.floor((y - radius) / CELL), math.floor((y + radius) / CELL) + 1)]
