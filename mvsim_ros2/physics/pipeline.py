# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The stages of a step, in their order; compiled as a whole, or run in plain Python as it is."""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.engine.collision_heights import Heights, lift, NO_HEIGHTS, pass_edges
from mvsim_ros2.physics.engine.engine_step import (
    advance, Engine, mark_collisions, move_joined, move_vehicle, NO_ENGINE, push, read,
    set_velocities, stay_awake)
from mvsim_ros2.physics.engine.far_places import carry
from mvsim_ros2.physics.ground.relief import NO_RELIEF, Relief
from mvsim_ros2.physics.ground.terrain_walls import stop_ideal
from mvsim_ros2.physics.ground.vehicle_attitude import settle
from mvsim_ros2.physics.mvsim_step import drive, impose, observe, roll, turn_along
from mvsim_ros2.physics.physical.movers import movers_after_forces, movers_before_step
from mvsim_ros2.physics.physical.outside_forces import notice, tow
from mvsim_ros2.physics.physical.rigid_body import place_in_space
from mvsim_ros2.physics.physical.step import drive_physical, roll_along
from mvsim_ros2.physics.state.record_layout import (
    SOME_HITCHES, SOME_ODOMETERS, SOME_PIDS, SOME_VEHICLE_WORK, SOME_VEHICLES, SOME_WHEEL_WORK,
    SOME_WHEELS, STARTS, TABLE, TABLES)
from mvsim_ros2.physics.state.spatial_motion import observe_in_space


@compiled(inlined=True)
def move(
        column: int, relief: Relief, engine: Engine, physical: bool, ideal: bool, told: bool,
        dt: float, gravity: float, vehicles: Records, wheel_start: NDArray[np.int64],
        wheels: Records, pose: Array, twist: Array, velocity: Array, acceleration: Array,
        odometers: Records, before: Array, noise: Array, collided: NDArray[np.bool_],
        motion: Array, places: Array, wrench: Array, threshold: float, hitches: Records) -> int:
    """
    Let the engine make a step with the forces that there are, and look at what comes of it.

    :param column: of the noise of the odometers.
    :param ideal: whether some vehicles have ideal motion; told: also some wheels.
    :returns: a vehicle without a finite position, or -1.
    """
    if ideal and physical:
        impose(vehicles, pose, motion)
        if relief.active:
            stop_ideal(dt, relief, vehicles, wheel_start, wheels, pose, motion)
        set_velocities(engine, vehicles, motion)
    if len(hitches) > 0:
        tow(dt, gravity, hitches, vehicles, pose, motion, wrench)
    stay_awake(engine)
    if physical:
        for i in range(len(vehicles)):
            if vehicles[i]['moved'] != 0.0:
                vehicles[i]['moved'] = 0.0
                move_vehicle(engine, i, motion)
    push(engine, wrench)
    advance(engine, dt)
    read(engine, motion)
    if physical:
        notice(dt, vehicles, motion, wrench)
    for i in range(len(vehicles)):
        if carry(dt, vehicles[i]['com_x'], vehicles[i]['com_y'], motion[i], places[i]):
            move_vehicle(engine, i, motion)
    move_joined(engine, dt, vehicles, motion, places)
    if ideal:
        if physical:
            turn_along(vehicles, pose, motion)
        else:
            impose(vehicles, pose, motion)
        set_velocities(engine, vehicles, motion)
    wrong = observe(dt, vehicles, pose, twist, velocity, acceleration, motion)
    if physical:
        for i in range(len(vehicles)):
            if vehicles[i]['spatial'] != 0.0 and place_in_space(
                    dt, vehicles[i], motion[i], pose[i], twist[i], velocity[i], acceleration[i]):
                move_vehicle(engine, i, motion)
    if told:
        roll_along(vehicles, wheel_start, wheels, twist)
    roll(dt, vehicles, wheel_start, wheels, pose, odometers, before, noise, column)
    if wrong >= 0:
        return wrong
    mark_collisions(engine, collided, threshold)
    if physical and relief.active:
        for i in range(len(vehicles)):
            collided[i] = collided[i] or vehicles[i]['walled'] != 0.0
    return -1


@lazy_kernel(
    0, 0, NO_RELIEF, NO_HEIGHTS, NO_ENGINE, False, 0.0, 0.0, SOME_VEHICLES, STARTS, SOME_WHEELS,
    SOME_PIDS, TABLE, TABLE, TABLE, TABLE, SOME_ODOMETERS, TABLE, TABLES, np.zeros(1, np.bool_),
    TABLE, TABLE, TABLE, 0.0, TABLE, SOME_HITCHES, SOME_WHEEL_WORK,
    SOME_VEHICLE_WORK, counted=False)
def steps(
        count: int, column: int, relief: Relief, heights: Heights, engine: Engine, physical: bool,
        dt: float, gravity: float, vehicles: Records, wheel_start: NDArray[np.int64],
        wheels: Records, pids: Records, pose: Array, twist: Array, velocity: Array,
        acceleration: Array, odometers: Records, before: Array, noise: Array,
        collided: NDArray[np.bool_], motion: Array, places: Array, wrench: Array,
        threshold: float, regions: Array, hitches: Records, work: Records, bodies: Records,
        ) -> tuple[int, int]:
    """
    Make `count` steps; stop early where a vehicle has gone wrong.

    :param column: of the noise of the odometers in the first step.
    :param relief: the ground that the vehicles can come upon.
    :param heights: what is apart in height, empty where all bodies overlap.
    :param engine: with the bodies.
    :param physical: in mode `physical`.
    :param places: of what is far from the origin: see `far_places`.
    :param threshold: how near another body is a collision [m].
    :param regions: of the ground; for the others see `kernel`.
    :param hitches: through which vehicles load each other: see `hitch_records`.
    :param work: for the others see `drive_physical`.
    :returns: steps made; number of a vehicle without finite forces or position, or -1.
    """
    # each a bool from the start: for the constant `False` numba would compile `move` once more
    ideal = told = stands = len(vehicles) < 0
    for i in range(len(vehicles)):
        ideal = ideal or vehicles[i]['is_ideal'] != 0.0
        told = physical and (told or ideal or vehicles[i]['mass'] == 0.0)
        stands = stands or ideal or vehicles[i]['rolls'] == 0.0
    for step in range(count):
        movers_before_step(dt, relief, engine, vehicles, pose, motion)
        if relief.active and stands:
            settle(relief, vehicles, wheel_start, wheels, pose, False)
        if len(heights.table) > 0:
            lift(heights, relief, vehicles, wheels, pose)
        if physical:
            wrong = drive_physical(
                dt, gravity, relief, vehicles, wheel_start, wheels, pids, pose, twist, motion,
                wrench, regions, work, bodies)
            movers_after_forces(dt, relief.movers, vehicles)
            pass_edges(heights, vehicles, wheels)
        else:
            wrong = drive(
                dt, gravity, vehicles, wheel_start, wheels, pids, pose, twist, motion, wrench,
                regions)
        if wrong >= 0:
            return step, wrong
        wrong = move(
            column + step, relief, engine, physical, ideal, told, dt, gravity, vehicles,
            wheel_start, wheels, pose, twist, velocity, acceleration, odometers, before, noise,
            collided, motion, places, wrench, threshold, hitches)
        observe_in_space(dt, vehicles, pose, twist, acceleration)
        if wrong >= 0:
            return step + 1, wrong
    return count, -1
