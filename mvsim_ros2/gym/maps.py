# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Worlds with a map that is drawn at random, one for each copy of an environment.

Each function returns what `world` of an environment takes::

    envs = VehicleVectorEnv(8, Navigate(), maps.rooms())

The vehicle with its sensors comes from a world of this package or your own file, in which it
should be near the origin.
"""

from dataclasses import replace
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import LearningError
from mvsim_ros2.gym.checks import number as a_number, whole
from mvsim_ros2.gym.free_space import connected
from mvsim_ros2.gym.map_worlds import (
    Cells, check_generator, drawn, furnished, MakeWorld, TRIALS, with_vehicle, worlds_of)
from mvsim_ros2.trajectories.route import Route
from mvsim_ros2.world.spec.world import WorldSpec

_CELL = 0.1  # m
_LEAST, _MOST = 1.0, 100.0  # m; sides of maps
_LONGEST = 500.0  # m; of tracks
_BOXES, _TREES = 1000, 10_000  # at most
BARN_WORLDS = 300
_BARN_SIDE, _BARN_STRIP, _BARN_START = 30, 24, 5  # cells
_BARN_CELL = 0.15  # m


@drawn
def rooms(size: float = 10.0, smallest: float = 2.0, door: float = 1.3, clutter: int = 4,
          base: str | PathLike[str] = 'empty') -> MakeWorld:
    """
    Return worlds of rooms: a square cut by walls again and again, each with a door, and boxes.

    :param size: side of the square, 1 to 100 [m].
    :param smallest: side of a room, at least [m]; 0.5 or more.
    :param door: width of a door [m].
    :param clutter: boxes in the whole square.
    :param base: world that the vehicle is from.
    :raises LearningError: if an argument is out of range, or none of 200 maps has room for the
        vehicle.
    """
    size = a_number('maps.rooms: size', size, _LEAST, _MOST)
    smallest = a_number('maps.rooms: smallest', smallest, 0.5, _MOST)
    door = a_number('maps.rooms: door', door, _CELL, _MOST)
    clutter = whole('maps.rooms: clutter', clutter, 0, _BOXES)
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

    called = (f'maps.rooms(size={size:g}, smallest={smallest:g}, door={door:g}, '
              f'clutter={clutter})')
    return worlds_of(cells, _CELL, base, called, 'make size larger, or clutter smaller')


@drawn
def mazes(size: float = 9.0, corridor: float = 1.4, loops: float = 0.1,
          base: str | PathLike[str] = 'empty') -> MakeWorld:
    """
    Return worlds of corridors, all places of which hang together: depth-first search with walls.

    :param size: side of the square, about, 1 to 100 [m]; two corridors at least.
    :param corridor: width of the corridors [m].
    :param loops: share of further walls that are left out of the maze, 0 to 1.
    :param base: world that the vehicle is from.
    :raises LearningError: see `rooms`.
    """
    size = a_number('maps.mazes: size', size, _LEAST, _MOST)
    corridor = a_number('maps.mazes: corridor', corridor, _CELL, 0.5 * _MOST)
    loops = a_number('maps.mazes: loops', loops, 0.0, 1.0)
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

    called = f'maps.mazes(size={size:g}, corridor={corridor:g}, loops={loops:g})'
    return worlds_of(cells, _CELL, base, called, 'make corridor larger')


def _open(solid: Cells, row: int, column: int, i: int, j: int, step: int) -> None:
    """Take out the wall between a place of a maze and the next one at (i, j)."""
    y, x = row * step, column * step
    if i:
        solid[y + step * (i > 0), x + 1:x + step] = False
    else:
        solid[y + 1:y + step, x + step * (j > 0)] = False


@drawn
def forests(size: float = 10.0, trees: int = 40, gap: float = 0.9, thinnest: float = 0.1,
            thickest: float = 0.3, base: str | PathLike[str] = 'empty') -> MakeWorld:
    """
    Return worlds with round trunks, drawn one after the other where there is room.

    :param size: side of the square, 1 to 100 [m].
    :param trees: how many are tried.
    :param gap: between two trunks, at least [m].
    :param thinnest: radius of a trunk, at least [m].
    :param thickest: the same, at most.
    :param base: world that the vehicle is from.
    :raises LearningError: see `rooms`.
    """
    size = a_number('maps.forests: size', size, _LEAST, _MOST)
    trees = whole('maps.forests: trees', trees, 0, _TREES)
    gap = a_number('maps.forests: gap', gap, 0.0, _MOST)
    thinnest = a_number('maps.forests: thinnest', thinnest, 0.0, _MOST)
    thickest = a_number('maps.forests: thickest', thickest, 0.0, _MOST)
    if thinnest > thickest:
        raise LearningError(f'maps.forests: thinnest is {thinnest:g}, and thickest {thickest:g}: '
                            'give thinnest no more than thickest')
    count = round(size / _CELL)
    middles = _CELL * (np.arange(count) + 0.5)

    def cells(random: np.random.Generator) -> Cells:
        solid = np.zeros((count, count), bool)
        solid[[0, -1]] = solid[:, [0, -1]] = True
        known, standing = np.empty((trees, 3)), 0  # x, y, radius
        for _ in range(trees):
            x, y = (size * random.random(2)).tolist()
            radius = float(random.uniform(thinnest, thickest))
            a, b, r = known[:standing].T
            if (np.hypot(x - a, y - b) >= radius + r + gap).all():
                known[standing] = x, y, radius
                standing += 1
                drawn = max(radius, 0.5 * _CELL)
                rows, columns = (_around(middles, at, drawn) for at in (y, x))
                solid[rows, columns] |= np.hypot(
                    middles[rows, None] - y, middles[columns] - x) <= drawn
        return solid

    called = (f'maps.forests(size={size:g}, trees={trees}, gap={gap:g}, thinnest={thinnest:g}, '
              f'thickest={thickest:g})')
    return worlds_of(cells, _CELL, base, called,
                     'make size or gap larger, or trees or thickest smaller')


@drawn
def field(size: float = 6.0, fill: float = 0.2, smoothing: int = 2,
          base: str | PathLike[str] = 'empty') -> MakeWorld:
    """
    Return worlds with scattered obstacles, from the cellular automaton of `barn`, in a square.

    :param size: side of the square, 1 to 100 [m].
    :param fill: share of the cells that is solid at first, 0 to 1.
    :param smoothing: rounds, at most 100.
    :param base: world that the vehicle is from.
    :raises LearningError: see `rooms`.
    """
    size = a_number('maps.field: size', size, _LEAST, _MOST)
    fill = a_number('maps.field: fill', fill, 0.0, 1.0)
    smoothing = whole('maps.field: smoothing', smoothing, 0, 100)
    count = round(size / _CELL)

    def cells(random: np.random.Generator) -> Cells:
        coarse = smoothed(random.random((-(-count // 2),) * 2) < fill, smoothing)
        solid = np.kron(coarse, np.ones((2, 2), bool))[:count, :count].astype(bool)
        solid[[0, -1]] = solid[:, [0, -1]] = True
        return solid

    called = f'maps.field(size={size:g}, fill={fill:g}, smoothing={smoothing})'
    return worlds_of(cells, _CELL, base, called, 'make size larger, or fill smaller')


@drawn
def barn(number: int | None = None, base: str | PathLike[str] = 'empty') -> MakeWorld:
    """
    Return worlds in which a field of obstacles lies between the vehicle and the other end.

    The procedure is that of the BARN data set (see `smoothed`, and its program
    jackal-map-creation): 30 x 30 cells of 0.15 m with solid first and last rows. Twelve kinds have
    shares of solid cells from 0.15 to 0.3 and two to four rounds, 25 worlds each. If there is no
    way for a robot that takes two cells to each side, one is cleared. It is straight, between the
    areas that can be reached from both sides. A strip of 3.6 m before and behind the field makes
    the distance to the goal of the task `Cross` 10 m. Walls are around.

    :param number: of a world, 0 to 299, which says its kind; None draws that too.
    :param base: world that the vehicle is from.
    :raises LearningError: where there is no such world; when a world is made, where the vehicle
        is too large.
    """
    world = with_vehicle(base)
    if number is not None:
        number = whole('maps.barn: number', number, 0, BARN_WORLDS - 1)

    def make(random: np.random.Generator) -> WorldSpec:
        check_generator(random)
        kind = (int(random.integers(BARN_WORLDS)) if number is None else number) // 25
        cells = random.random((_BARN_SIDE, _BARN_SIDE)) < 0.15 + 0.05 * (kind // 3)
        cells[[0, -1]] = True
        cells = smoothed(cells, 2 + kind % 3, walls=True)
        solid = np.zeros((_BARN_SIDE, _BARN_SIDE + 2 * _BARN_STRIP), bool)
        solid[:, _BARN_STRIP:-_BARN_STRIP] = cells
        solid[[0, -1]] = solid[:, [0, -1]] = True
        start = _BARN_SIDE // 2, _BARN_START
        _make_way(solid, start, (start[0], solid.shape[1] - 1 - _BARN_START))
        return furnished(world, solid, _BARN_CELL, start, f'maps.barn({number})',
                         'take a base with a smaller vehicle')

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
          base: str | PathLike[str] = 'empty', vehicles: int = 1) -> tuple[WorldSpec, Route]:
    """
    Return a closed race track between walls, and the route in its middle, for the task `Race`.

    Its radius is that of a circle times a few cosines of the angle.

    :param seed: of the track.
    :param length: of the route, about, 1 to 500 [m].
    :param width: from wall to wall [m].
    :param base: world that the vehicle is from.
    :param vehicles: how many of it there are, 2 m apart, 1 to 20.
    :raises LearningError: where an argument is out of its range, so wide a track would meet
        itself, or it has no room for the vehicle.
    """
    seed = whole('maps.track: seed', seed, 0)
    length = a_number('maps.track: length', length, _LEAST, _LONGEST)
    width = a_number('maps.track: width', width, _CELL, _LONGEST)
    world, random = with_vehicle(base), np.random.default_rng(seed)
    angles = np.linspace(0.0, 2.0 * np.pi, max(200, round(4.0 * length)) + 1)
    for _ in range(TRIALS):
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
        raise LearningError(f'maps.track: a track of length {length:g} m cannot be {width:g} m '
                            'wide: make length larger, or width smaller')
    outside = 0.5 * width + 3 * _CELL
    half = np.abs(line).max() + outside
    middles = np.arange(-half, half, _CELL) + 0.5 * _CELL
    away = np.full((len(middles), len(middles)), np.inf)
    for x, y in line.tolist():
        rows, columns = (_around(middles, at, outside) for at in (y, x))
        near = away[rows, columns]
        np.minimum(near, np.hypot(middles[rows, None] - y, middles[columns] - x), out=near)
    solid = (away > 0.5 * width) & (away < outside)
    column, row = np.round((line[0] - middles[0]) / _CELL).astype(int).tolist()
    route = Route.through(line, name=f'track {seed}')
    made = furnished(world, solid, _CELL, (row, column),
                     f'maps.track({seed}, length={length:g}, width={width:g})',
                     'make width larger')
    (first, *_), others = made.vehicles, []
    for k in range(1, whole('maps.track: vehicles', vehicles, 1, 20)):
        x, y = (float(np.interp(route.length - 2.0 * k, route.stations, axis))
                for axis in route.points.T)
        others.append(replace(first, name=f'{first.name}_{k + 1}', init_pose=replace(
            first.init_pose, x=x, y=y)))
    return replace(made, vehicles=(*made.vehicles, *others)), route


def _around(middles: NDArray[np.floating[Any]], at: float, reach: float) -> slice:
    """Return the cells whose middles are within a distance of a place, on one axis [m]."""
    return slice(int(np.searchsorted(middles, at - reach)),
                 int(np.searchsorted(middles, at + reach, 'right')))


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
