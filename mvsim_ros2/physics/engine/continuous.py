# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
In which steps the engine looks for collisions on the way, not at the end of the step only.

This search, continuous collision, keeps fast bodies from passing through thin ones, and costs up
to ten times a step without it. A body that moves by much less than the thickness of its neighbours
ends a step a little inside, and contacts push it back. So a step is continuous where a body moves
by more than `SHARE` of the thinnest solid near it that no force moves. Between two dynamic bodies
the engine searches if one of them is a bullet. A body is one if two bodies approach in a step by
more than this share of the thicker one. So thin bodies stay on their side of thick ones.

The search ends if bodies are within 5 +- 1.25 mm of each other (`b2_linearSlop`). It fails if
their skins, 3.5 to 5 mm together, do not touch there. So the skin of a fast body is `WIDE` in such
a step. It also fails after 8 contacts, which a corner that hits a wall and turns has soon. So the
engine makes a continuous step in equal parts of at most `PART`.

A table of square cells, onto which the plane is folded, has the thinnest body near a place. A
distant place with the same row may make a step continuous without need, never the reverse.
"""

from collections.abc import Sequence
from functools import lru_cache
import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.engine.bodies import thickness
from mvsim_ros2.physics.state.record_layout import ROW, TABLE
from mvsim_ros2.world.spec.common import Polygon
from mvsim_ros2.world.spec.outlines import SKIN

SHARE = 0.25  # of a thickness
WIDE = 3.0 * SKIN  # m; the skin of a fast body in a continuous step, see above
PART = 0.1  # m; a body goes no farther in a part of a continuous step
MOST_PARTS = 100
CELL, SIDE = 4.0, 32  # m, width of a cell; cells on each side of the table
REACH = 4.0  # m; a cell knows what is so far around it
FAR = 1e9  # m; no place is so far off
AT_X, AT_Y, AT_VX, AT_VY, TURN, FORCE_X, FORCE_Y, EASE = range(8)  # columns of `find_fast`
DYNAMICS = 8
STANDING, DRIVEN = SIDE * SIDE, SIDE * SIDE + 1  # rows: thinnest of all, of kinematic ones


@compiled(inlined=True)
def parts_of(way: float) -> int:
    """Return in how many parts to make a continuous step in which a body goes that far."""
    return int(math.ceil(way / PART)) if way < MOST_PARTS * PART else MOST_PARTS


@compiled(inlined=True)
def all_slow(way: float, thinnest: float, table: NDArray[np.float32]) -> bool:
    """
    Return whether no body needs a continuous step, whatever is near it: see `find_fast`.

    :param way: at least as far as two bodies come nearer to each other in a step [m].
    :param thinnest: of all bodies [m]; table: of `Thicknesses`.
    """
    return way < 0.999 * SHARE * min(0.5 * thinnest, float(table[STANDING]), float(table[DRIVEN]))


@lazy_kernel(TABLE, ROW, ROW, 0, np.zeros(1, np.float32), 0.0, *np.zeros((2, 1), bool))
def find_fast(bodies: Array, reach: Array, thick: Array, pushed: int,
              table: NDArray[np.float32], dt: float, fast: NDArray[np.bool_],
              bullets: NDArray[np.bool_]) -> int:
    """
    Find which bodies need a continuous step.

    :param bodies: those that forces move, then kinematic ones, shape (n, 8):
        x, y, velocity, yaw rate, force along x and y, 1 / mass.
    :param reach: how far they reach from their origins, shape (n,) [m].
    :param thick: how thick they are, shape (n,) [m].
    :param pushed: how many of them forces move.
    :param table: of `Thicknesses`.
    :param fast: filled in, shape (pushed,).
    :param bullets: filled in: which of them need it for others that forces move, too.
    :returns: in how many parts to make the step, 0 where it need not be continuous.
    """
    driven, parts = 0.0, 0
    for i in range(pushed, len(bodies)):
        driven = max(driven, _way(bodies, i, reach, dt))
    thinnest_driven = float(table[DRIVEN])
    thinnest = min(float(table[STANDING]), thinnest_driven)
    for i in range(pushed):
        fast[i] = bullets[i] = False
        own = _way(bodies, i, reach, dt)
        way, x, y = driven + own, bodies[i, AT_X], bodies[i, AT_Y]
        if way > SHARE * thinnest:
            near = 0.0  # where the cell does not list everything that the body can meet
            if reach[i] + way < REACH and abs(x) < FAR and abs(y) < FAR:
                across, along = int(math.floor(x / CELL)) % SIDE, int(math.floor(y / CELL)) % SIDE
                near = min(float(table[along * SIDE + across]), thinnest_driven)
            if way > SHARE * near:
                fast[i] = True
                parts = max(parts, parts_of(way))
        if own > 0.5 * SHARE * thick[i]:  # else another one is the faster of both
            some = _parts_among(bodies, i, reach, thick, pushed, dt)
            if some > 0:
                fast[i] = bullets[i] = True
                parts = max(parts, some)
    return parts


@compiled(inlined=True)
def _way(bodies: Array, i: int, reach: Array, dt: float) -> float:
    """Return how far a point of a body moves in a step at most [m], contacts left out."""
    vx, vy = _pushed_speed(bodies, i, 0, dt), _pushed_speed(bodies, i, 1, dt)
    # no point is farther from the centre of mass than twice the reach from the origin
    return float(dt * (math.sqrt(vx * vx + vy * vy) + 2.0 * reach[i] * abs(bodies[i, TURN])))


@compiled
def _parts_among(bodies: Array, i: int, reach: Array, thick: Array, pushed: int, dt: float) -> int:
    """Return in how many parts body `i` needs a step for others that forces move, or 0."""
    parts = 0
    for k in range(pushed):
        vx = _pushed_speed(bodies, i, 0, dt) - _pushed_speed(bodies, k, 0, dt)
        vy = _pushed_speed(bodies, i, 1, dt) - _pushed_speed(bodies, k, 1, dt)
        turn = reach[i] * abs(bodies[i, TURN]) + reach[k] * abs(bodies[k, TURN])
        nearing = dt * (math.sqrt(vx * vx + vy * vy) + 2.0 * turn)
        x, y = bodies[i, AT_X] - bodies[k, AT_X], bodies[i, AT_Y] - bodies[k, AT_Y]
        away = reach[i] + reach[k] + nearing
        if k != i and nearing > SHARE * max(thick[i], thick[k]) and x * x + y * y < away * away:
            parts = max(parts, parts_of(nearing))
    return parts


@compiled(inlined=True)
def _pushed_speed(bodies: Array, i: int, axis: int, dt: float) -> float:
    """Return the speed of a body along x (0) or y (1) once its forces have acted [m/s]."""
    return float(bodies[i, AT_VX + axis] + dt * bodies[i, EASE] * bodies[i, FORCE_X + axis])


class Thicknesses:
    """Thickness of immovable objects, by place; entries only become thinner."""

    def __init__(self) -> None:
        self.table = np.full(SIDE * SIDE + 2, np.inf, np.float32)
        self._standing: list[tuple[float, float, float, float, float]] = []

    def add_standing(self, polygon: Polygon, skin: float, x: float = 0.0, y: float = 0.0,
                     yaw: float = 0.0) -> None:
        """Take note of a solid, whose frame stands at a place."""
        middle_x, middle_y, reach, thick = _size(polygon)
        cosine, sine = math.cos(yaw), math.sin(yaw)
        x += cosine * middle_x - sine * middle_y
        y += sine * middle_x + cosine * middle_y
        if yaw:
            reach = (math.hypot(*reach),) * 2
        self._standing.append((x, y, *reach, thick + 2.0 * skin))

    def add_driven(self, polygons: Sequence[Polygon], skin: float) -> None:
        """Take note of the parts of a kinematic body."""
        self.table[DRIVEN] = min(self.table[DRIVEN], *(
            _size(polygon)[3] + 2.0 * skin for polygon in polygons))

    def update(self) -> None:
        """Enter the solids noted since the last time."""
        if self._standing:
            known = np.array(self._standing)
            reach = known[:, 2:4] + REACH
            self._enter(known[:, :2] - reach, known[:, :2] + reach, known[:, 4])
        self._standing.clear()

    def _enter(self, low: NDArray[np.float64], high: NDArray[np.float64],
               thick: NDArray[np.float64]) -> None:
        """Enter solids by their boxes, shape (n, 2) [m], and thicknesses, shape (n,) [m]."""
        self.table[STANDING] = min(self.table[STANDING], thick.min())
        first = np.floor(low / CELL).astype(np.int64)
        count = np.minimum(np.floor(high / CELL).astype(np.int64) - first + 1, SIDE)
        cells = self.table[:STANDING].reshape(SIDE, SIDE)
        for size in np.unique(count, axis=0).tolist():
            rows = np.flatnonzero((count == size).all(axis=1))
            across = (first[rows, 0, None] + np.arange(size[0])) % SIDE
            along = (first[rows, 1, None] + np.arange(size[1])) % SIDE
            np.minimum.at(cells, (along[:, :, None], across[:, None, :]),
                          thick[rows, None, None].astype(np.float32))


@lru_cache(maxsize=4096)
def _size(polygon: Polygon) -> tuple[float, float, tuple[float, float], float]:
    """Return the middle of a polygon, half its width and depth around it, its thickness [m]."""
    xs, ys = zip(*polygon, strict=True)
    return (0.5 * (min(xs) + max(xs)), 0.5 * (min(ys) + max(ys)),
            (0.5 * (max(xs) - min(xs)), 0.5 * (max(ys) - min(ys))), thickness(polygon))
