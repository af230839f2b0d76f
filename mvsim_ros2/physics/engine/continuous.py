# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
In which steps the engine looks for collisions on the way, not at the end of the step only.

This search, continuous collision, keeps fast bodies from passing through thin ones, and costs up
to ten times a step without it. A body that moves by much less than the thickness of what is near
ends a step a little inside, and contacts push it back to the side that it came from. So a step is
continuous where a body moves by more than `SHARE` of the thinnest solid near it that no force
moves. The search is between two bodies that forces move where one of them is marked as a bullet,
which is done where they come nearer in a step by more than that share of the thicker one: what is
thick leaves thin things on the side that they are on.

The search ends where bodies are within 5 +- 1.25 mm of each other (`b2_linearSlop`), and is given
up where their skins, of 3.5 to 5 mm together, do not touch there. So the skin of a fast body is
`WIDE` in such a step. It is also given up after 8 contacts on the way, which a corner that hits a
wall and turns soon has: the engine makes a continuous step in equal parts of at most `PART`.

Which is the thinnest near a place is looked up in a table of square cells, onto which the plane is
folded: a place far away with the same row makes a step continuous without need, never the reverse.
"""

from collections.abc import Sequence
from functools import lru_cache
import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.engine.polygons import thickness
from mvsim_ros2.world.spec.common import Polygon
from mvsim_ros2.world.spec.shapes.outlines import SKIN

SHARE = 0.25  # of a thickness
WIDE = 3.0 * SKIN  # m; the skin of a fast body in a continuous step, see above
PART = 0.1  # m; a body goes no farther in a part of a continuous step
MOST_PARTS = 100
CELL, SIDE = 4.0, 32  # m, width of a cell; cells on each side of the table
REACH = 4.0  # m; a cell knows what is so far around it
FAR = 1e9  # m; no place is so far off
STANDING, DRIVEN = SIDE * SIDE, SIDE * SIDE + 1  # rows: thinnest of all, of what moves as told


@compiled(inlined=True)
def displacement(vx: float, vy: float, turn: float, force_x: float, force_y: float,
                 inverse_mass: float, reach: float, dt: float) -> float:
    """Return how far a point of a body moves in a step at most [m], contacts left out."""
    vx, vy = vx + dt * inverse_mass * force_x, vy + dt * inverse_mass * force_y
    # no point is farther from the centre of mass than twice the reach from the origin
    return dt * (math.sqrt(vx * vx + vy * vy) + 2.0 * reach * abs(turn))


@compiled(inlined=True)
def has_cell(x: float, y: float, reach: float, way: float) -> bool:
    """Return whether the cell of a place knows all that a body can meet in a step."""
    return reach + way < REACH and abs(x) < FAR and abs(y) < FAR


@compiled(inlined=True)
def cell_of(x: float, y: float) -> int:
    """Return the row of the cell of a place."""
    across, along = int(math.floor(x / CELL)) % SIDE, int(math.floor(y / CELL)) % SIDE
    return along * SIDE + across


@compiled(inlined=True)
def parts_of(way: float) -> int:
    """Return in how many parts to make a continuous step in which a body goes that far."""
    return int(math.ceil(way / PART)) if way < MOST_PARTS * PART else MOST_PARTS


@compiled(inlined=True)
def nearing(vx: float, vy: float, turn: float, dt: float) -> float:
    """
    Return how far points of two bodies come nearer to each other in a step at most [m].

    :param vx: of one as the other sees it, after forces [m/s], as `vy`.
    :param turn: reach times yaw rate, the sum of both [m/s].
    """
    return dt * (math.sqrt(vx * vx + vy * vy) + 2.0 * turn)


@compiled(inlined=True)
def may_pass(x: float, y: float, reach: float, way: float, thick: float) -> bool:
    """
    Return whether two bodies that forces move may pass through each other in a step.

    :param x: how far one is from the other [m], as `y`.
    :param reach: of both together [m].
    :param way: that they come nearer, see `nearing` [m].
    :param thick: the thicker of them [m].
    """
    away = reach + way
    return way > SHARE * thick and x * x + y * y < away * away


@compiled
def mark_fast(fast: NDArray[np.bool_], bullets: NDArray[np.bool_], bodies: NDArray[np.float64],
              thick: NDArray[np.float64], driven: NDArray[np.float64],
              near: NDArray[np.float32], thinnest: float, thinnest_driven: float,
              dt: float) -> int:
    """
    Find which bodies need a continuous step, as `native_step` does where it runs.

    :param fast: is set.
    :param bullets: is set: which of them need it for others that forces move, too.
    :returns: in how many parts to make the step, 0 where it need not be continuous.

    :param bodies: x, y, vx, vy, yaw rate, force along x and y, inverse mass, reach of each body
        that forces move, shape (n, 9).
    :param thick: how thick each of them is, shape (n,) [m].
    :param driven: the same of what moves as it is told.
    :param near: how thick the thinnest is near each body, as its cell knows it [m].
    :param thinnest: of all that no force moves [m].
    :param thinnest_driven: of what moves as it is told [m].
    """
    told = 0.0
    for i in range(len(driven)):
        row = driven[i]
        told = max(told, displacement(
            row[2], row[3], row[4], row[5], row[6], row[7], row[8], dt))
    parts = 0
    ways = np.array([displacement(row[2], row[3], row[4], row[5], row[6], row[7], row[8], dt)
                     for row in bodies])
    for i in range(len(bodies)):
        row = bodies[i]
        way = told + ways[i]
        if way > SHARE * thinnest:
            if not has_cell(row[0], row[1], row[8], way):
                fast[i] = True
            else:
                fast[i] = way > SHARE * min(float(near[i]), thinnest_driven)
            if fast[i]:
                parts = max(parts, parts_of(way))
        if not ways[i] > 0.5 * SHARE * thick[i]:  # another one is the faster of both
            continue
        for k in range(len(bodies)):
            other = bodies[k]
            both = nearing(
                row[2] + dt * row[7] * row[5] - other[2] - dt * other[7] * other[5],
                row[3] + dt * row[7] * row[6] - other[3] - dt * other[7] * other[6],
                row[8] * abs(row[4]) + other[8] * abs(other[4]), dt)
            if k != i and may_pass(row[0] - other[0], row[1] - other[1], row[8] + other[8], both,
                                   max(thick[i], thick[k])):
                fast[i] = bullets[i] = True
                parts = max(parts, parts_of(both))
    return parts


class Thicknesses:
    """How thick what no force moves is, by place; entries only ever become thinner."""

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
        """Take note of the parts of a body that moves as it is told."""
        self.table[DRIVEN] = min(self.table[DRIVEN], *(
            _size(polygon)[3] + 2.0 * skin for polygon in polygons))

    def update(self) -> None:
        """Enter the solids noted since the last time."""
        if self._standing:
            known = np.array(self._standing)
            reach = known[:, 2:4] + REACH
            self._enter(known[:, :2] - reach, known[:, :2] + reach, known[:, 4])
        self._standing.clear()

    def near(self, places: NDArray[np.float64]) -> NDArray[np.float32]:
        """Return how thick the thinnest near places is [m]: x, y of each, shape (n, 2) [m]."""
        cells = np.floor(np.nan_to_num(places).clip(-FAR, FAR) / CELL).astype(np.int64) % SIDE
        near: NDArray[np.float32] = self.table[cells[:, 1] * SIDE + cells[:, 0]]
        return near

    @property
    def thinnest(self) -> tuple[float, float]:
        """Return how thick the thinnest of all is, and of what moves as it is told [m]."""
        standing, driven = self.table[STANDING:].tolist()
        return min(standing, driven), driven

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
