# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Many steps in one compiled call, the engine's own included.

The binding exports `b2World::Step`; compiled code can call it by its address and read the
bodies where they lie. All of this is used only where it proves to work; `BodyView` and the
same stages in plain Python give the same numbers without it.
"""

import ctypes
from functools import cache

import Box2D
import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled, NUMBA
from mvsim_ros2.jit.lazy_kernel import lazy_kernel, part_of_caller
from mvsim_ros2.jit.memory import (
    carray, pointer, read_double, read_float, read_int, read_short, read_word, write_byte,
    write_float, write_short)
from mvsim_ros2.jit.native_call import call_method, call_step
from mvsim_ros2.physics.engine.body_access import (
    AWAKE, BASE, BLOCK_RESTS, BULLET, CONTACTS, FLAGS, layout_as_expected, MOTION_SLOTS,
    SLEEP_TIME, VEHICLE_RESTS)
from mvsim_ros2.physics.engine.body_addresses import BodyAddresses, FORCE, VELOCITY
from mvsim_ros2.physics.engine.collision_heights import Heights, NO_HEIGHTS
from mvsim_ros2.physics.engine.contact_memory import contacts_as_expected, near_another
from mvsim_ros2.physics.engine.continuous import WIDE
from mvsim_ros2.physics.engine.far_joints import carry_joined
from mvsim_ros2.physics.engine.far_places import GROUP, KEPT, put, put_turned
from mvsim_ros2.physics.engine.fast_bodies import change_skin, prepare_fast, pushed
from mvsim_ros2.physics.engine.lone_bodies import (
    can_go_alone, forget, FREE, MANAGER, move_alone, MOVED, NEAR, nearness, NODES, NOTED, rest,
    TOUCHES, wake)
from mvsim_ros2.physics.engine.sliding import glide, joint_as_expected, ROW, rub
from mvsim_ros2.physics.engine.world_memory import CLEAR_FORCES, world_flags
from mvsim_ros2.physics.ground.terrain import NO_RELIEF
from mvsim_ros2.physics.physical.step import drive_physical
from mvsim_ros2.physics.pipeline import move_with, steps_with
from mvsim_ros2.physics.state.example_arguments import (
    SOME_KNOWN, SOME_ROOMS, SOME_VEHICLES, SOME_WHEELS, STARTS, TABLE, TABLES)
from mvsim_ros2.physics.state.record_layout import ANGLE, COS, HITCH, MOTION, SIN, TIE, VX, X, Y
from mvsim_ros2.world.spec.shapes.outlines import SKIN

Array = NDArray[np.float64]
Records = NDArray[np.void]

SLOTS = tuple(MOTION_SLOTS.tolist())  # of the floats of a body: a row of `motion`


_SYMBOL = '_ZN7b2World4StepEfii'  # void b2World::Step(float, int, int)
NEW_FIXTURE = 1  # the flag of a world that looks for contacts at the beginning of a step


@compiled(inlined=True)
def _rouse_one(body: int, rest: float, sleeper: bool) -> None:
    flags = read_short(body + FLAGS)
    if (abs(read_float(body + VELOCITY)) > rest
            or abs(read_float(body + VELOCITY + 4)) > rest
            or abs(read_float(body + VELOCITY + 8)) > rest
            or sleeper and not flags & AWAKE):
        write_short(body + FLAGS, flags | AWAKE)
        write_float(body + SLEEP_TIME, 0.0)


@compiled(inlined=True)
def _rouse(bodies: BodyAddresses) -> None:
    """See `pipeline`, as for the functions below."""
    for i in range(bodies.block_count):
        _rouse_one(read_word(bodies.blocks + 8 * i), BLOCK_RESTS, False)
    for i in range(bodies.vehicle_count):
        _rouse_one(read_word(bodies.vehicles + 8 * i), VEHICLE_RESTS, True)


@compiled(inlined=True)
def _set_velocities(bodies: BodyAddresses, vehicles: Records, motion: Array) -> None:
    for i in range(bodies.vehicle_count):
        if vehicles[i]['is_ideal'] != 0.0:
            body = read_word(bodies.vehicles + 8 * i)
            for k in range(3):
                write_float(body + VELOCITY + 4 * k, motion[i, VX + k])


@compiled(inlined=True)
def _push(bodies: BodyAddresses, wrench: Array) -> None:
    for i in range(bodies.vehicle_count):
        body = read_word(bodies.vehicles + 8 * i)
        for k in range(3):
            force = body + FORCE + 4 * k
            # the engine adds in single precision too
            write_float(force, read_float(force) + np.float32(wrench[i, k]))


@compiled(inlined=True)
def _step(bodies: BodyAddresses, dt: float) -> None:
    call_step(bodies.step, bodies.world, np.float32(dt), np.int32(bodies.velocity_iterations),
              np.int32(bodies.position_iterations))


@compiled(inlined=True)
def _nearness(bodies: BodyAddresses) -> int:
    """Return how near the nearest thing to a vehicle is: see `nearness`."""
    nearest = FREE
    for i in range(bodies.vehicle_count):
        nearest = max(nearest, nearness(read_word(bodies.vehicles + 8 * i)))
    return nearest


@compiled(inlined=True)
def _passes(bodies: BodyAddresses, dt: float) -> bool:
    """
    Return whether vehicles go by what is near them in the next step, and touch nothing.

    Where they do, the engine has looked at the contacts that there are, as at the begin of a step.
    """
    if bodies.collide == 0 or _nearness(bodies) != NEAR:
        return False
    for i in range(bodies.vehicle_count):
        if not can_go_alone(read_word(bodies.vehicles + 8 * i), dt):
            return False
    call_method(bodies.collide, bodies.flags + MANAGER)
    return _nearness(bodies) != TOUCHES


@compiled(inlined=True)
def _advance(bodies: BodyAddresses, dt: float) -> None:
    if bodies.sliding != 0:
        for i in range(bodies.block_count):
            rub(read_word(bodies.blocks + 8 * i), read_word(bodies.joints + 8 * i),
                bodies.sliding + ROW * i, dt)
    parts = prepare_fast(bodies, dt)
    write_byte(bodies.continuous, 1 if parts > 0 else 0)
    if parts == 0 and bodies.synchronise != 0 and not read_short(bodies.flags) & NEW_FIXTURE:
        alone = bodies.block_count == 0 and bodies.driven_count == 0
        near = alone and _passes(bodies, dt)
        for i in range(bodies.vehicle_count):
            alone &= move_alone(
                read_word(bodies.vehicles + 8 * i), near, bodies.synchronise,
                bodies.noted + 8 * NOTED * i, read_double(bodies.reaches + 8 * i),
                bodies.flags + NODES, dt)
        moved = read_int(bodies.flags + MOVED) != 0
        if alone and not (moved and bodies.find == 0):
            if moved:
                call_method(bodies.find, bodies.flags + MANAGER)
            for i in range(bodies.vehicle_count):
                rest(read_word(bodies.vehicles + 8 * i))
        else:
            _step(bodies, dt)
        for i in range(bodies.vehicle_count):
            wake(read_word(bodies.vehicles + 8 * i))
        _glide(bodies, dt)
        return
    for i in range(bodies.vehicle_count):
        forget(bodies.noted + 8 * NOTED * i)
    if parts == 0:
        _step(bodies, dt)
        _glide(bodies, dt)
        return
    flags = read_short(bodies.flags)
    write_short(bodies.flags, flags & ~CLEAR_FORCES)
    for _ in range(parts - 1):
        _step(bodies, dt / parts)
    write_short(bodies.flags, flags)
    _step(bodies, dt / parts)
    for i in range(bodies.vehicle_count + bodies.block_count):
        body = pushed(bodies, i)
        change_skin(body, WIDE, SKIN)
        write_short(body + FLAGS, read_short(body + FLAGS) & ~BULLET)
    _glide(bodies, dt / parts)


@compiled(inlined=True)
def _glide(bodies: BodyAddresses, dt: float) -> None:
    if bodies.sliding == 0:
        return
    for i in range(bodies.block_count):
        glide(read_word(bodies.blocks + 8 * i), bodies.sliding + ROW * i, dt)


@compiled(inlined=True)
def _read(bodies: BodyAddresses, motion: Array) -> None:
    for i in range(bodies.vehicle_count):
        body = read_word(bodies.vehicles + 8 * i)
        for k in range(MOTION):
            motion[i, k] = read_float(body + BASE + 4 * SLOTS[k])


@compiled(inlined=True)
def _put(bodies: BodyAddresses, i: int, x: float, y: float) -> None:
    put(read_word(bodies.vehicles + 8 * i), x, y)


@compiled(inner=True)
def _ties(bodies: BodyAddresses) -> Records:
    return carray(pointer(bodies.ties), (bodies.tie_count,), TIE)  # type: ignore[no-any-return]


@compiled(inlined=True)
def _carry_joined(bodies: BodyAddresses, dt: float, vehicles: Records, motion: Array,
                  places: Array) -> None:
    if bodies.tie_count == 0:
        return
    carry_joined(dt, bodies.position_iterations, _ties(bodies), vehicles, motion, places)
    for i in range(bodies.vehicle_count):
        if places[i, GROUP] != 0.0 and places[i, KEPT] != 0.0:
            put_turned(read_word(bodies.vehicles + 8 * i), motion[i, X], motion[i, Y],
                       motion[i, SIN], motion[i, COS], motion[i, ANGLE])


@compiled(inlined=True)
def _mark_collisions(bodies: BodyAddresses, collided: NDArray[np.bool_], threshold: float,
                     heights: Heights) -> None:
    for i in range(bodies.vehicle_count):
        if not collided[i]:
            body = read_word(bodies.vehicles + 8 * i)
            if read_word(body + CONTACTS) != 0:
                collided[i] = near_another(body, threshold, heights)


native_move = compiled(inlined=True)(move_with(
    rouse=_rouse, set_velocities=_set_velocities, push=_push, advance=_advance, read=_read,
    put=_put, carry_joined=_carry_joined, mark_collisions=_mark_collisions))
_LIKE = (
    0, 0, NO_RELIEF, NO_HEIGHTS, BodyAddresses._make([0] * len(BodyAddresses._fields)), False, 0.0,
    0.0, SOME_VEHICLES, STARTS, SOME_WHEELS, TABLES, TABLE, TABLE, TABLE, TABLE, TABLE, TABLE,
    TABLES, np.zeros(1, np.bool_), TABLE, TABLE, TABLE, 0.0, TABLE, np.zeros(0, HITCH), SOME_KNOWN,
    SOME_ROOMS)
# In mode `physical` the forces are part of the loop: for one vehicle a call in each step takes a
# tenth of it. What runs in mode `mvsim` is compiled without them.
steps_mvsim = lazy_kernel(*_LIKE, counted=False)(steps_with('steps_mvsim', move=native_move))
steps_physical = lazy_kernel(*_LIKE, counted=False)(steps_with(
    'steps_physical', move=native_move, drive_physical=part_of_caller(drive_physical)))


@cache
def step_address() -> int:
    """Return the address of b2World::Step, or 0 where it cannot be called in compiled code."""
    if not (NUMBA and layout_as_expected() and contacts_as_expected() and joint_as_expected()
            and all(world_flags())):
        return 0
    try:
        library = ctypes.CDLL(Box2D._Box2D.__file__)
        address = ctypes.cast(getattr(library, _SYMBOL), ctypes.c_void_p).value or 0
    except (AttributeError, OSError):
        return 0
    return address if address and _agrees(address) else 0


def _agrees(address: int) -> bool:
    """Return whether a body moves the same by the address as by the binding."""
    step = ctypes.CFUNCTYPE(
        None, ctypes.c_void_p, ctypes.c_float, ctypes.c_int, ctypes.c_int)(address)
    results = []
    for direct in (True, False):
        world = Box2D.b2World(gravity=(1.0, -2.0))
        body = world.CreateDynamicBody(angularVelocity=3.0)
        body.CreatePolygonFixture(box=(0.5, 0.3), density=2)
        if direct:
            for _ in range(5):
                step(int(world.this), 0.01, 8, 3)
        else:
            for _ in range(5):
                world.Step(0.01, 8, 3)
        results.append((*body.position, body.angle, *body.linearVelocity))
    return results[0] == results[1]
