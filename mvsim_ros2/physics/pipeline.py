# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The stages of a step, in their order.

`steps` is run as it stands, in plain Python that calls the kernels one by one, and is compiled
as a whole by `native`. The two differ in how they reach the bodies of the engine only: through
the functions of `BodyAccess`, which `steps` calls by their names.
"""

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.physics.engine.collision_heights import Heights, lift
from mvsim_ros2.physics.engine.far_places import carry
from mvsim_ros2.physics.ground.terrain import Relief
from mvsim_ros2.physics.ground.terrain_walls import stop_ideal
from mvsim_ros2.physics.ground.vehicle_attitude import settle
from mvsim_ros2.physics.mvsim.step import drive, impose, observe, roll, turn_along
from mvsim_ros2.physics.physical.hitch_loads import tow
from mvsim_ros2.physics.physical.outside_forces import notice
from mvsim_ros2.physics.physical.step import drive_physical, roll_along
from mvsim_ros2.physics.physical.tyre_springs import put_down, put_on_springs
from mvsim_ros2.physics.state.record_layout import X, Y

Array = NDArray[np.float64]
Records = NDArray[np.void]


def rouse(bodies: Any) -> None:
    """Let bodies that move count their time of rest anew: see `BodyView.rouse`."""
    bodies.rouse()


def set_velocities(bodies: Any, vehicles: Records, motion: Array) -> None:
    """Give the bodies of the vehicles with ideal controllers the velocities in `motion`."""
    bodies.set_velocities(motion)


def push(bodies: Any, wrench: Array) -> None:
    """Add forces [N] and torques [N m] to the bodies of the vehicles, shape (V, 3)."""
    bodies.push(wrench)


def advance(bodies: Any, dt: float) -> None:
    """Let the engine make a step of `dt` [s]."""
    bodies.advance(dt)


def read(bodies: Any, motion: Array) -> None:
    """Write the motion of the bodies of the vehicles into `motion`, shape (V, MOTION)."""
    bodies.read(motion)


def put(bodies: Any, i: int, x: float, y: float) -> None:
    """Put the body of vehicle `i` at a place [m]."""
    bodies.put(i, x, y)


def carry_joined(bodies: Any, dt: float, vehicles: Records, motion: Array, places: Array) -> None:
    """Carry on the places of joined vehicles: see `far_joints`."""
    bodies.carry_joined(dt, vehicles, motion, places)


def mark_collisions(
        bodies: Any, collided: NDArray[np.bool_], threshold: float, heights: Heights) -> None:
    """Set `collided`, shape (V,), of the vehicles that are nearer to another body [m]."""
    bodies.mark_collisions(collided, threshold, heights)


def steps(
        count: int, column: int, relief: Relief, heights: Heights, bodies: Any, physical: bool,
        dt: float, gravity: float, vehicles: Records, wheel_start: NDArray[np.int64],
        wheels: Records, pids: Array, pose: Array, twist: Array, velocity: Array,
        acceleration: Array, odometers: Array, before: Array, noise: Array,
        collided: NDArray[np.bool_], motion: Array, places: Array, wrench: Array,
        threshold: float, regions: Array, hitches: Records, known: Records, rooms: Records,
        ) -> tuple[int, int]:
    """
    Make `count` steps; stop early where a vehicle has gone wrong.

    :param column: of the noise of the odometers in the first step.
    :param relief: the ground that the vehicles can come upon.
    :param heights: what is apart in height, empty where all bodies overlap.
    :param bodies: of the engine, as the functions above take them.
    :param physical: in mode `physical`.
    :param places: of what is far from the origin: see `far_places`.
    :param threshold: how near another body is a collision [m].
    :param regions: of the ground; for the others see `kernel`.
    :param hitches: through which vehicles load each other: see `hitch_records`.
    :param known: for the others see `drive_physical`.
    :returns: steps made; number of a vehicle without finite forces or position, or -1.
    """
    # each a bool from the start: for the constant `False` numba would compile `move` once more
    ideal = told = sprung = len(vehicles) < 0
    for i in range(len(vehicles)):
        sprung = sprung or vehicles[i]['sprung'] != 0.0
        ideal = ideal or vehicles[i]['is_ideal'] != 0.0
        told = physical and (told or ideal or vehicles[i]['mass'] == 0.0)
    for step in range(count):
        if sprung:
            put_down(relief.active, vehicles, pose)
        if relief.active:
            settle(relief, vehicles, wheel_start, wheels, pose)
        if len(heights.table) > 0:
            lift(heights, relief, vehicles, wheels, pose)
        if physical:
            wrong = drive_physical(
                dt, gravity, relief, vehicles, wheel_start, wheels, pids, pose, twist, motion,
                wrench, regions, known, rooms)
        else:
            wrong = drive(
                dt, gravity, vehicles, wheel_start, wheels, pids, pose, twist, motion, wrench,
                regions)
        if wrong >= 0:
            return step, wrong
        wrong = move(
            column + step, relief, heights, bodies, physical, ideal, told, dt, gravity, vehicles,
            wheel_start, wheels, pose, twist, velocity, acceleration, odometers, before, noise,
            collided, motion, places, wrench, threshold, hitches)
        if sprung:
            put_on_springs(vehicles, pose)
        if wrong >= 0:
            return step + 1, wrong
    return count, -1


def move(
        column: int, relief: Relief, heights: Heights, bodies: Any, physical: bool, ideal: bool,
        told: bool, dt: float, gravity: float, vehicles: Records,
        wheel_start: NDArray[np.int64], wheels: Records, pose: Array, twist: Array,
        velocity: Array, acceleration: Array, odometers: Array, before: Array, noise: Array,
        collided: NDArray[np.bool_], motion: Array, places: Array, wrench: Array,
        threshold: float, hitches: Records) -> int:
    """
    Let the engine make a step with the forces that there are, and look at what comes of it.

    :param column: of the noise of the odometers.
    :param ideal: whether some vehicles move as told; told: whether some wheels roll as told.
    :returns: a vehicle without a finite position, or -1.
    """
    if ideal and physical:
        impose(vehicles, pose, motion)
        if relief.active:
            stop_ideal(dt, relief, vehicles, wheel_start, wheels, pose, motion)
        set_velocities(bodies, vehicles, motion)
    if len(hitches) > 0:
        tow(dt, gravity, hitches, vehicles, pose, motion, wrench)
    rouse(bodies)
    push(bodies, wrench)
    advance(bodies, dt)
    read(bodies, motion)
    if physical:
        notice(dt, vehicles, motion, wrench)
    for i in range(len(vehicles)):
        if carry(dt, vehicles[i]['com_x'], vehicles[i]['com_y'], motion[i], places[i]):
            put(bodies, i, motion[i, X], motion[i, Y])
    carry_joined(bodies, dt, vehicles, motion, places)
    if ideal:
        if physical:
            turn_along(vehicles, pose, motion)
        else:
            impose(vehicles, pose, motion)
        set_velocities(bodies, vehicles, motion)
    wrong = observe(dt, vehicles, pose, twist, velocity, acceleration, motion)
    if told:
        roll_along(vehicles, wheel_start, wheels, twist)
    roll(dt, vehicles, wheel_start, wheels, pose, odometers, before, noise, column)
    if wrong >= 0:
        return wrong
    mark_collisions(bodies, collided, threshold, heights)
    if physical and relief.active:
        for i in range(len(vehicles)):
            collided[i] = collided[i] or vehicles[i]['walled'] != 0.0
    return -1


def move_with(**access: Callable[..., None]) -> Callable[..., int]:
    """
    Return `move` with other functions in place of those that reach the bodies.

    :param access: functions by the names of those in this module.
    """
    unknown = access.keys() ^ {
        rouse.__name__, set_velocities.__name__, push.__name__, advance.__name__, read.__name__,
        put.__name__, carry_joined.__name__, mark_collisions.__name__}
    if unknown:
        raise TypeError(f'not in both: {", ".join(sorted(unknown))}')
    return FunctionType(move.__code__, {**move.__globals__, **access}, move.__name__)


def steps_with(name: str, **others: Callable[..., int]) -> Callable[..., tuple[int, int]]:
    """
    Return `steps` with other functions in place of some that it calls, by their names.

    :param name: of its own, for its machine code.
    """
    made = FunctionType(steps.__code__, {**steps.__globals__, **others}, name)
    made.__qualname__, made.__annotations__ = name, steps.__annotations__
    return made
