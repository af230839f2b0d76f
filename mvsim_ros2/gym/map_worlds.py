# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Worlds with a map of cells in which the first vehicle stands where it can get about."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial, wraps
import math
from os import PathLike
from typing import Any, ParamSpec

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.base.package_files import world_path
from mvsim_ros2.errors import LearningError
from mvsim_ros2.frames import Pose
from mvsim_ros2.gym.checks import refused
from mvsim_ros2.gym.free_space import connected
from mvsim_ros2.gym.starts import wheel_outline
from mvsim_ros2.world.file.load import load_world
from mvsim_ros2.world.spec.elements.occupancy_grid import OccupancyGridSpec
from mvsim_ros2.world.spec.grid import OccupancyMap
from mvsim_ros2.world.spec.solids import vehicle_footprint
from mvsim_ros2.world.spec.world import WorldSpec

Cells = NDArray[np.bool_]
MakeWorld = Callable[[np.random.Generator], WorldSpec]
Arguments = ParamSpec('Arguments')

TRIALS = 200  # of drawing a map in which one can get about
# m around a vehicle that turns: with less there is surely no `FreeSpace`, with more surely one
_LITTLE, _ENOUGH = 0.05, 0.2


class DrawnWorlds:
    """Makes worlds of random numbers; it prints, and is pickled, as its call."""

    def __init__(self, make: MakeWorld, function: Callable[..., Any], given: tuple[Any, ...],
                 named: dict[str, Any]) -> None:
        """Hold what makes worlds, and the named function and arguments it comes from."""
        self._make, self._function, self._given, self._named = make, function, given, named

    def __call__(self, random: np.random.Generator) -> WorldSpec:
        """Return a world."""
        return self._make(random)

    def __repr__(self) -> str:
        named = (f'{name}={value!r}' for name, value in self._named.items())
        return f'{self._function.__name__}({", ".join((*map(repr, self._given), *named))})'

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(self._function, **self._named), self._given


def drawn(function: Callable[Arguments, MakeWorld]) -> Callable[Arguments, DrawnWorlds]:
    """Let a function return `DrawnWorlds`."""
    @wraps(function)
    def made(*given: Arguments.args, **named: Arguments.kwargs) -> DrawnWorlds:
        return DrawnWorlds(function(*given, **named), made, given, named)

    return made


def worlds_of(cells: Callable[[np.random.Generator], Cells], size: float,
              base: str | PathLike[str], called: str, remedy: str) -> MakeWorld:
    """Return worlds with maps of cells [m] in which the vehicle of a base gets about."""
    world = with_vehicle(base)

    def make(random: np.random.Generator) -> WorldSpec:
        check_generator(random)
        for _ in range(TRIALS):
            solid = cells(random)
            place = _widest(solid)
            if place is not None and _turns(solid, size, place, _room(world, _ENOUGH)):
                return furnished(world, solid, size, place, called, remedy)
        raise LearningError(f'{called} has no room of {_room(world, _ENOUGH):.2f} m around '
                            f'{world.vehicles[0].name} in any of {TRIALS} maps: {remedy}')

    return make


def check_generator(random: object) -> None:
    """Check what a world is made with; raise `LearningError` for no generator of numbers."""
    if not isinstance(random, np.random.Generator):
        raise refused('random', random, 'give a generator of random numbers, such as '
                                        'np.random.default_rng(1)')


def with_vehicle(base: str | PathLike[str]) -> WorldSpec:
    """Load a world; raise `LearningError` where it has no vehicle."""
    if not isinstance(base, str | PathLike):
        raise refused('base', base, 'give a world file, or the name of a world of this package')
    world = load_world(world_path(base))
    if not world.vehicles:
        raise LearningError(f'{world.path} has no vehicle that could learn: take another base')
    return world


def _room(world: WorldSpec, beside: float) -> float:
    """Return how far from solids a vehicle with so much room around it can turn [m]."""
    vehicle = world.vehicles[0]
    corners = np.concatenate([np.asarray(vehicle_footprint(vehicle).polygon), *(
        wheel_outline(*wheel.pos[:2], 0.5 * wheel.diameter, wheel.width)
        for wheel in vehicle.dynamics.wheels)])
    return float(np.linalg.norm(corners, axis=1).max()) + beside


def _turns(solid: Cells, size: float, place: tuple[int, int], room: float) -> bool:
    """Return whether the middle of a cell has more room than this to solids [m]."""
    reach = math.ceil(room / size + 0.5)
    low = [max(0, at - reach) for at in place]
    near = np.argwhere(solid[low[0]:place[0] + reach + 1, low[1]:place[1] + reach + 1])
    away = np.maximum(np.abs(near + low - place) - 0.5, 0.0)  # of the nearest edges
    return bool((size * np.linalg.norm(away, axis=1) > room).all())


def furnished(world: WorldSpec, solid: Cells, size: float, place: tuple[int, int], called: str,
              remedy: str) -> WorldSpec:
    """Return a world with a map around it, its vehicle in a cell; raise if it cannot turn."""
    room = _room(world, _LITTLE)
    if not _turns(solid, size, place, room):
        raise LearningError(f'{called} has no room of {room:.2f} m around '
                            f'{world.vehicles[0].name} at its start: {remedy}')
    rows, columns = solid.shape
    low = -0.5 * size * np.array([columns, rows])
    x, y = (low + size * (np.array(place[::-1]) + 0.5)).tolist()
    grid = OccupancyGridSpec(name='map', occupancy=OccupancyMap(
        np.where(solid, 100, 0).astype(np.int8), size, float(low[0]), float(low[1])))
    first, *others = world.vehicles
    return replace(
        world, path=f'{world.path} with {called}', elements=(*world.elements, grid),
        vehicles=(replace(first, init_pose=Pose(x, y, first.init_pose.z)), *others))


def _widest(solid: Cells) -> tuple[int, int] | None:
    """Return the cell farthest from solids, None without half of the cells in reach."""
    grown, depth, last = solid.copy(), 0, solid
    if solid.all():
        return None
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
