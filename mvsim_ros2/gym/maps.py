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
from mvsim_ros2.trajectories.route import Route
from mvsim_ros2.world_file.load import load_world

Cells = NDArray[np.bool_]
MakeWorld = Callable[[np.random.Generator], WorldSpec]

_CELL = 0.1  # m
_TRIALS = 200  # of drawing a map in which one can get about
BARN_WORLDS = 300
_BARN_SIDE, _BARN_STRIP, _BARN_START = 30, 24, 5  # cells
_BARN_CELL = 0.15  # m


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


def mazes(size: float = 9.0, corridor: float = 1.4, loops: float = 0.1,
          base: str | PathLike[str] = 'empty') -> MakeWorld:
    """
    Return worlds of corridors, all places of which hang together: depth-first search with walls.

    :param size: side of the square, about [m].
    :param corridor: width of the corridors [m].
    :param loops: share of the walls that are left out beside those that a maze has to.
    :param base: world that the vehicle is from.
    """
    step = round(corridor / _CELL) + 1
    count = max(2, round(size / (_CELL * step)))

    def cells(random: np.random.Generator) -> Cells:
        solid = np.zeros((count * step + 1,) * 2, bool)
        solid[::step] = solid[:, ::step] = True
        visited = np.zeros((count, count), bool)
        trail = [(0, 0)]
        visited[0, 0] = True
        while trail:
            row, column = trail[-1]
            ways = [(i, j) for i, j in ((0, 1), (1, 0), (0, -1), (-1, 0))
                    if 0 <= row + i < count and 0 <= column + j < count
                    and not visited[row + i, column + j]]
            if not ways:
                trail.pop()
                continue
            i, j = ways[int(random.integers(len(ways)))]
            _open(solid, row, column, i, j, step)
            visited[row + i, column + j] = True
            trail.append((row + i, column + j))
        for row, column in np.ndindex(count, count):
            for i, j in ((0, 1), (1, 0)):
                if random.random() < loops and row + i < count and column + j < count:
                    _open(solid, row, column, i, j, step)
        return solid

    return _worlds(cells, base)


def _open(solid: Cells, row: int, column: int, i: int, j: int, step: int) -> None:
    """Take out the wall between a place of a maze and the next one at (i, j)."""
    y, x = row * step, column * step
    if i:
        solid[y + step * (i > 0), x + 1:x + step] = False
    else:
        solid[y + 1:y + step, x + step * (j > 0)] = False


def forests(size: float = 10.0, trees: int = 40, gap: float = 0.9, thinnest: float = 0.1,
            thickest: float = 0.3, base: str | PathLike[str] = 'empty') -> MakeWorld:
    """
    Return worlds with round trunks, drawn one after the other where there is room.

    :param size: side of the square [m].
    :param trees: how many are tried.
    :param gap: between two trunks, at least [m].
    :param thinnest: radius of a trunk, at least [m].
    :param thickest: the same, at most.
    :param base: world that the vehicle is from.
    """
    count = round(size / _CELL)
    middles = _CELL * (np.arange(count) + 0.5)

    def cells(random: np.random.Generator) -> Cells:
        solid = np.zeros((count, count), bool)
        solid[[0, -1]] = solid[:, [0, -1]] = True
        known: list[tuple[float, float, float]] = []
        for _ in range(trees):
            x, y = (size * random.random(2)).tolist()
            radius = float(random.uniform(thinnest, thickest))
            if all(np.hypot(x - a, y - b) >= radius + r + gap for a, b, r in known):
                known.append((x, y, radius))
                solid |= np.hypot(middles[:, None] - y, middles - x) <= max(radius, 0.5 * _CELL)
        return solid

    return _worlds(cells, base)


def field(size: float = 6.0, fill: float = 0.2, smoothing: int = 2,
          base: str | PathLike[str] = 'empty') -> MakeWorld:
    """
    Return worlds with scattered obstacles, from the cellular automaton of `barn`, in a square.

    :param size: side of the square [m].
    :param fill: share of the cells that is solid at first.
    :param smoothing: rounds.
    :param base: world that the vehicle is from.
    """
    count = round(size / _CELL)

    def cells(random: np.random.Generator) -> Cells:
        coarse = smoothed(random.random((-(-count // 2),) * 2) < fill, smoothing)
        solid = np.kron(coarse, np.ones((2, 2), bool))[:count, :count].astype(bool)
        solid[[0, -1]] = solid[:, [0, -1]] = True
        return solid

    return _worlds(cells, base)


def barn(number: int | None = None, base: str | PathLike[str] = 'empty') -> MakeWorld:
    """
    Return worlds in which a field of obstacles lies between the vehicle and the other end.

    By the published procedure of the BARN data set (see `smoothed`, and the authors' program
    jackal-map-creation): 30 x 30 cells of 0.15 m with solid first and last rows, twelve kinds
    with a share of solid cells of 0.15 to 0.3 and two to four rounds, 25 of each. Where no way
    leads through for a robot that takes two cells to each side, one is cleared: from the end
    of what can be reached from one side straight to what can be reached from the other. Here a
    strip of 3.6 m lies before the field and behind it, so that from the vehicle to the place
    opposite, which the task `Cross` wants, it is 10 m, and walls are around.

    :param number: of a world, 0 to 299, which says its kind; None draws that too.
    :param base: world that the vehicle is from.
    """
    world = _with_vehicle(base)
    if number is not None and not 0 <= number < BARN_WORLDS:
        raise LearningError(f'there is no BARN world {number}: give a number below {BARN_WORLDS}')

    def make(random: np.random.Generator) -> WorldSpec:
        kind = (int(random.integers(BARN_WORLDS)) if number is None else number) // 25
        cells = random.random((_BARN_SIDE, _BARN_SIDE)) < 0.15 + 0.05 * (kind // 3)
        cells[[0, -1]] = True
        cells = smoothed(cells, 2 + kind % 3, walls=True)
        solid = np.zeros((_BARN_SIDE, _BARN_SIDE + 2 * _BARN_STRIP), bool)
        solid[:, _BARN_STRIP:-_BARN_STRIP] = cells
        solid[[0, -1]] = solid[:, [0, -1]] = True
        start = _BARN_SIDE // 2, _BARN_START
        _make_way(solid, start, (start[0], solid.shape[1] - 1 - _BARN_START))
        return _furnished(world, solid, _BARN_CELL, start)

    return make


def _make_way(solid: Cells, start: tuple[int, int], end: tuple[int, int]) -> None:
    """Clear a way through cells, two to each side of it, where none leads from start to end."""
    ringed = np.pad(solid, 2, constant_values=True)
    rows, columns = solid.shape
    wide = ~np.any([ringed[i:i + rows, j:j + columns] for i in range(5) for j in range(5)], axis=0)
    here, there = (np.argwhere(connected(wide, *place)) for place in (start, end))
    if (here == end).all(axis=1).any():
        return
    row, column = here[here[:, 1].argmax()].tolist()
    to_row, to_column = there[there[:, 1].argmin()].tolist()
    left, right = min(column, to_column), max(column, to_column)
    solid[row - 2:row + 3, left - 2:right + 3] = False
    top, bottom = min(row, to_row), max(row, to_row)
    solid[top - 2:bottom + 3, to_column - 2:to_column + 3] = False


def track(seed: int, length: float = 40.0, width: float = 3.0,
          base: str | PathLike[str] = 'empty') -> tuple[WorldSpec, Route]:
    """
    Return a closed race track between walls, and the route in its middle, for the task `Race`.

    Its radius is that of a circle times a few cosines of the angle.

    :param length: of the route, about [m].
    :param width: from wall to wall [m].
    :raises LearningError: where so wide a track would meet itself.
    """
    world, random = _with_vehicle(base), np.random.default_rng(seed)
    angles = np.linspace(0.0, 2.0 * np.pi, max(200, round(4.0 * length)) + 1)
    for _ in range(_TRIALS):
        waves = np.sum([random.uniform(-0.5, 0.5) / k * np.cos(
            k * angles + random.uniform(0.0, 2.0 * np.pi)) for k in range(2, 6)], axis=0)
        line = (1.0 + waves)[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
        line *= length / np.linalg.norm(np.diff(line, axis=0), axis=1).sum()
        line[-1] = line[0]
        turn = np.unwrap(np.arctan2(*np.diff(line, axis=0).T[::-1]))
        curvature = np.abs(np.diff(turn)) / np.linalg.norm(np.diff(line, axis=0), axis=1)[1:]
        if curvature.max() * width < 1.0 and (1.0 + waves).min() > 0.3:
            break
    else:
        raise LearningError(
            f'a track {length:g} m long cannot be {width:g} m wide: make it longer')
    half = np.abs(line).max() + 0.5 * width + 3 * _CELL
    middles = np.arange(-half, half, _CELL) + 0.5 * _CELL
    away = np.full((len(middles), len(middles)), np.inf)
    for x, y in line.tolist():
        np.minimum(away, np.hypot(middles[:, None] - y, middles - x), out=away)
    solid = (away > 0.5 * width) & (away < 0.5 * width + 3 * _CELL)
    column, row = np.round((line[0] - middles[0]) / _CELL).astype(int).tolist()
    route = Route.through(line, name=f'track {seed}')
    return _furnished(world, solid, _CELL, (row, column)), route


def smoothed(solid: Cells, rounds: int, walls: bool = False) -> Cells:
    """
    Return what some rounds of a cellular automaton make of cells.

    A cell becomes solid where more than four of its eight neighbours are, and free where fewer
    than two are: D. Perille, A. Truong, X. Xiao, P. Stone: Benchmarking Metric Ground Navigation,
    SSRR 2020.

    :param walls: whether what lies beyond the first and the last row counts as solid.
    """
    for _ in range(rounds):
        ringed = np.pad(solid, 1).astype(int)
        if walls:
            ringed[[0, -1]] = 1
        rows, columns = solid.shape
        around = np.sum([ringed[i:i + rows, j:j + columns] for i in range(3) for j in range(3)
                         if (i, j) != (1, 1)], axis=0)
        solid = np.where(around > 4, True, np.where(around < 2, False, solid))
    return solid


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
    world = _with_vehicle(base)

    def make(random: np.random.Generator) -> WorldSpec:
        for _ in range(_TRIALS):
            solid = cells(random)
            place = _widest(solid)
            if place is not None:
                return _furnished(world, solid, _CELL, place)
        raise LearningError(f'{_TRIALS} maps left no room to get about: make them larger, or '
                            'with fewer obstacles')

    return make


def _with_vehicle(base: str | PathLike[str]) -> WorldSpec:
    """
    Load a world.

    :raises LearningError: where it has no vehicle.
    """
    world = load_world(world_path(str(base)))
    if not world.vehicles:
        raise LearningError(f'{world.path} has no vehicle that could learn')
    return world


def _furnished(world: WorldSpec, solid: Cells, size: float, place: tuple[int, int]) -> WorldSpec:
    """
    Return a world with a map around its origin.

    :param size: of a cell [m].
    :param place: row and column where the first vehicle stands.
    """
    rows, columns = solid.shape
    low = -0.5 * size * np.array([columns, rows])
    x, y = (low + size * (np.array(place[::-1]) + 0.5)).tolist()
    grid = OccupancyGridSpec(name='map', occupancy=OccupancyMap(
        np.where(solid, 100, 0).astype(np.int8), size, float(low[0]), float(low[1])))
    first, *others = world.vehicles
    return replace(
        world, elements=(*world.elements, grid),
        vehicles=(replace(first, init_pose=Pose(x, y, first.init_pose.z)), *others))


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
