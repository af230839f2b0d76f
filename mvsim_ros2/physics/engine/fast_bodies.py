# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Which bodies are fast in the next step, for compiled code: see `continuous`.

Their skins are wide during it, and those that others may pass are bullets.
"""

import numpy as np

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.memory import (
    read_double, read_float, read_short, read_word, write_float, write_short)
from mvsim_ros2.physics.engine.body_access import BASE, BULLET, FLAGS, INVERSE_MASS
from mvsim_ros2.physics.engine.body_addresses import BodyAddresses, FORCE, VELOCITY
from mvsim_ros2.physics.engine.contact_memory import (
    FIXTURE_NEXT, FIXTURE_SHAPE, FIXTURES, SHAPE_RADIUS)
from mvsim_ros2.physics.engine.continuous import (
    cell_of, displacement, DRIVEN, has_cell, may_pass, nearing, parts_of, SHARE, STANDING, WIDE)
from mvsim_ros2.world.spec.shapes.outlines import SKIN


@compiled(inlined=True)
def _way(body: int, reach: float, dt: float) -> float:
    return displacement(
        read_float(body + VELOCITY), read_float(body + VELOCITY + 4),
        read_float(body + VELOCITY + 8), read_float(body + FORCE), read_float(body + FORCE + 4),
        read_float(body + INVERSE_MASS), reach, dt)


@compiled(inlined=True)
def change_skin(body: int, skin: float, other: float) -> None:
    """Give all parts of a body that have one skin another one [m]."""
    fixture = read_word(body + FIXTURES)
    while fixture != 0:
        radius = read_word(fixture + FIXTURE_SHAPE) + SHAPE_RADIUS
        if read_float(radius) == np.float32(skin):
            write_float(radius, np.float32(other))
        fixture = read_word(fixture + FIXTURE_NEXT)


@compiled(inlined=True)
def _parts_for(body: int, reach: float, way: float, table: int) -> int:
    """Return in how many parts a body needs a step, 0 where it is not fast: see `continuous`."""
    told = read_float(table + 4 * DRIVEN)
    if not way > SHARE * min(read_float(table + 4 * STANDING), told):
        return 0
    x, y = read_float(body + BASE), read_float(body + BASE + 4)
    if has_cell(x, y, reach, way) and not (
            way > SHARE * min(read_float(table + 4 * cell_of(x, y)), told)):
        return 0
    change_skin(body, SKIN, WIDE)
    return parts_of(way)


@compiled(inlined=True)
def pushed(bodies: BodyAddresses, i: int) -> int:
    """Return one of the bodies that forces move: vehicles, then blocks."""
    address: int = (read_word(bodies.vehicles + 8 * i) if i < bodies.vehicle_count
                    else read_word(bodies.blocks + 8 * (i - bodies.vehicle_count)))
    return address


@compiled(inlined=True)
def _speed(body: int, axis: int, dt: float) -> float:
    """Return the speed of a body along x (0) or y (4) once its forces have acted [m/s]."""
    return (read_float(body + VELOCITY + axis)  # type: ignore[no-any-return]
            + dt * read_float(body + INVERSE_MASS) * read_float(body + FORCE + axis))


@compiled(inner=True)
def _parts_among(bodies: BodyAddresses, i: int, dt: float) -> int:
    """
    Return in how many parts a body needs a step for others that forces move, 0 for none of them.

    It becomes a bullet where it does: see `continuous`.
    """
    count, body, parts = bodies.vehicle_count + bodies.block_count, pushed(bodies, i), 0
    thick = bodies.reaches + 8 * (count + bodies.driven_count)
    x, y = read_float(body + BASE), read_float(body + BASE + 4)
    vx, vy, own = _speed(body, 0, dt), _speed(body, 4, dt), read_double(bodies.reaches + 8 * i)
    turn = own * abs(read_float(body + VELOCITY + 8))
    for k in range(count):
        if k == i:
            continue
        other = pushed(bodies, k)
        reach = read_double(bodies.reaches + 8 * k)
        both = nearing(vx - _speed(other, 0, dt), vy - _speed(other, 4, dt),
                       turn + reach * abs(read_float(other + VELOCITY + 8)), dt)
        if may_pass(x - read_float(other + BASE), y - read_float(other + BASE + 4),
                    own + reach, both,
                    max(read_double(thick + 8 * i), read_double(thick + 8 * k))):
            parts = max(parts, parts_of(both))
    if parts > 0:
        write_short(body + FLAGS, read_short(body + FLAGS) | BULLET)
        change_skin(body, SKIN, WIDE)
    return parts


@compiled(inlined=True)
def prepare_fast(bodies: BodyAddresses, dt: float) -> int:
    """
    Widen the skins of fast bodies, and mark those as bullets that others may pass.

    :returns: in how many parts to make the next step, 0 where it need not be continuous.
    """
    reaches, table, driven, parts = bodies.reaches, bodies.thicknesses, 0.0, 0
    first_driven = reaches + 8 * (bodies.vehicle_count + bodies.block_count)
    for i in range(bodies.driven_count):
        driven = max(driven, _way(
            read_word(bodies.driven + 8 * i), read_double(first_driven + 8 * i), dt))
    thick = first_driven + 8 * bodies.driven_count
    for i in range(bodies.vehicle_count + bodies.block_count):
        body, reach = pushed(bodies, i), read_double(reaches + 8 * i)
        way = _way(body, reach, dt)
        parts = max(parts, _parts_for(body, reach, driven + way, table))
        if way > 0.5 * SHARE * read_double(thick + 8 * i):  # else the other one is the faster
            parts = max(parts, _parts_among(bodies, i, dt))
    return parts
