# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Worlds with a map that is drawn at random, one for each copy of an environment.

Each function returns what `world` of an environment takes::

    envs = VehicleVectorEnv(8, Navigate(), maps.rooms())

The vehicle and its sensors are those of a world of this package or of a file of yours, in which it
should stand near the origin.
"""

from collections.abc import Callable
from dataclasses import replace
from os import PathLike

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import LearningError
from mvsim_ros2.frames import Pose
from mvsim_ros2.gym.free_space import connected
from mvsim_ros2.package_files import world_path
from mvsim_ros2.spec.elements.occupancy_grid import OccupancyGridSpec
from mvsim_ros2.spec.grid import OccupancyMap
from mvsim_ros2.spec.world import WorldSpec
from mvsim_ros2.world_file.load import load_world

Cells = NDArray[np.bool_]
MakeWorld = Callable[[np.random.Generator], WorldSpec]

_CELL = 0.1  # m
_TRIALS = 200  # of drawing a map in which one can get about


def rooms(size: float = 10.0, smallest: float = 2.0, door: float = 1.3, clutter: int = 4,
          base: str | PathLike[str] = 'empty') -> MakeWorld:
    """
    Return worlds of rooms: a square cut by walls again and again, each with a door, and boxes.

    :param size: side of the square [m].
    :param smallest: side of a room, at least [m].
    :param door: width of a door [m].
    :param clutter: boxes in the whole square.
    :param base: world that the vehicle is from.
    """
    count, least, gap = (round(length / _CELL) for length in (size, smallest, door))

    def cells(random: np.random.Generator) -> Cells:
        solid = np.zeros((count, count), bool)
        solid[[0, -1]] = solid[:, [0, -1]] = True
        _divide(solid, 0, 0, count - 1, count - 1, least, gap, random)
        for _ in range(clutter):
            height, width = random.integers(3, 8, 2)
            row, column = random.integers(1, count - 8, 2)
            solid[row:row + height, column:column + width] = True
        return solid

    return _worlds(cells, base)


def field(size: float = 6.0, fill: float = 0.2, smoothing: int = 2,
          base: str | PathLike[str] = 'empty') -> MakeWorld:
    """
    Return worlds with scattered obstacles, from a cellular automaton.

    Cells are solid with a probability; then, some times, a cell becomes solid where at least five
    of its eight neighbours are, and free where at most one is. The procedure of the BARN data set
    (D. Perille, A. Truong, X. Xiao, P. Stone: Benchmarking Metric Ground Navigation, SSRR 2020),
    with cells of 0.15 m in the original.

    :param size: side of the square [m].
    :param fill: share of the cells that is solid at first, 0.15 to 0.3 there.
    :param smoothing: rounds, 1 to 4 there.
    :param base: world that the vehicle is from.
    """
    count = round(size / _CELL)

    def cells(random: np.random.Generator) -> Cells:
        coarse = random.random((-(-count // 2),) * 2) < fill
        for _ in range(smoothing):
            ringed = np.pad(coarse, 1).astype(int)
            around = np.sum([np.roll(ringed, (i, j), (0, 1)) for i in (-1, 0, 1)
                             for j in (-1, 0, 1) if i or j], axis=0)[1:-1, 1:-1]
            coarse = np.where(around >= 5, True, np.where(around <= 1, False, coarse))
        solid = np.kron(coarse, np.ones((2, 2), bool))[:count, :count].astype(bool)
        solid[[0, -1]] = solid[:, [0, -1]] = True
        return solid

    return _worlds(cells, base)


def _divide(solid: Cells, top: int, left: int, bottom: int, right: int, least: int, gap: int,
            random: np.random.Generator) -> None:
    """Cut a room in two by a wall with a door, and its parts again; all in cells."""
    if bottom - top > right - left:  # across the longer side
        _divide(solid.T, left, top, right, bottom, least, gap, random)
        return
    ends = solid[top, left:right + 1] & solid[bottom, left:right + 1]  # no wall ends in a door
    free_of_doors = np.array([ends[max(0, i - 1):i + 2].all() for i in range(len(ends))])
    cuts = left + np.flatnonzero(free_of_doors[least:-least] if least else free_of_doors) + least
    if right - left < 2 * least + 1 or not len(cuts):
        return
    column = int(random.choice(cuts))
    begin = top + 1 + int(random.integers(0, max(1, bottom - top - gap - 1)))
    solid[top:bottom + 1, column] = True
    solid[begin:min(begin + gap, bottom), column] = False
    _divide(solid, top, left, bottom, column, least, gap, random)
    _divide(solid, top, column, bottom, right, least, gap, random)


def _worlds(cells: Callable[[np.random.Generator], Cells], base: str | PathLike[str],
            ) -> MakeWorld:
    """Return worlds with maps in which the vehicle stands where it can get about."""
    world = load_world(world_path(str(base)))
    if not world.vehicles:
        raise LearningError(f'{world.path} has no vehicle that could learn')

    def make(random: np.random.Generator) -> WorldSpec:
        for _ in range(_TRIALS):
            solid = cells(random)
            place = _widest(solid)
            if place is not None:
                break
        else:
            raise LearningError(f'{_TRIALS} maps left no room to get about: make them larger, or '
                                'with fewer obstacles')
        rows, columns = solid.shape
        low = -0.5 * _CELL * np.array([columns, rows])
        x, y = (low + _CELL * (np.array(place[::-1]) + 0.5)).tolist()
        grid = OccupancyGridSpec(name='map', occupancy=OccupancyMap(
            np.where(solid, 100, 0).astype(np.int8), _CELL, float(low[0]), float(low[1])))
        first, *others = world.vehicles
        return replace(
            world, elements=(*world.elements, grid),
            vehicles=(replace(first, init_pose=Pose(x, y, first.init_pose.z)), *others))

    return make


def _widest(solid: Cells) -> tuple[int, int] | None:
    """
    Return the cell that is farthest from what is solid, where much can be reached from it.

    None where less than half of the free cells can be, with a robot as wide as four cells.
    """
    grown, depth, last = solid.copy(), 0, solid
    while not grown.all():
        last = grown
        depth += 1
        ringed = np.pad(grown, 1, constant_values=True)
        grown = grown | ringed[:-2, 1:-1] | ringed[2:, 1:-1] | ringed[1:-1, :-2] | ringed[1:-1, 2:]
        if depth == 2:
            wide = ~grown
    row, column = np.argwhere(~last)[0].tolist()
    if depth < 4 or connected(wide, row, column).sum() < 0.5 * wide.sum():
        return None
    return row, column
