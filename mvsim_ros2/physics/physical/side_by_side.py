# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Eight vehicles at once, side by side in the registers of the processor: see `jit.lanes`.

Divisions and roots of one vehicle wait for each other; those of eight that are alike do so
together, so that eight take little longer than one. What they come to is the same to the last
bit. The equations are those of `step`, by the same functions; here is how they go for eight
vehicles on level ground that have motors and tyres and nothing else, which `side_sorts` finds.
Others, and what is rare, as a wheel that lifts, go one by one.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lane_functions import sine_cosine
from mvsim_ros2.jit.lane_memory import gather, give_fields, scatter, take_fields
from mvsim_ros2.jit.lanes import either, lane, LANES, some, spread, WORD
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.mvsim.step import obey, STRONGEST
from mvsim_ros2.physics.physical.free_body import lean
from mvsim_ros2.physics.physical.side_layout import (
    AN_EIGHT, BY_DRIVETRAIN, BY_SIDES, CONSTANT, Eight, KINDS, MOTIONS, PID_AFTER, PID_BEFORE,
    PID_KEPT, pid_of, pid_place, PIDS_AT, pids_of, place_of, PLACES, pose_of, POSES, records_of,
    SIDES, VEHICLE_BYTES, vehicle_of, VEHICLES, WHEEL_BYTES, wheel_place, WHEELS, WRENCHES)
from mvsim_ros2.physics.physical.side_solve import solve_beside
from mvsim_ros2.physics.physical.side_torques import hold_beside, share_beside, told_beside
from mvsim_ros2.physics.physical.side_wheels import leave_beside, load_beside, prepare_beside
from mvsim_ros2.physics.state.example_arguments import A_ROOM, SOME_KNOWN
from mvsim_ros2.physics.state.record_layout import (
    COS, DERIVATIVE, FILTER_1, FILTER_2, INTEGRAL, LAST_ERROR, MOTION, OMEGA, PID, PIDS, RUNNING,
    SIN, TORQUE, VEHICLE, VX, VY, WHEEL)
from mvsim_ros2.physics.vehicle.holding import told_to_move
from mvsim_ros2.physics.vehicle.steering import steer_wheels

Array = NDArray[np.float64]
Records = NDArray[np.void]

FEWEST = 2  # fewer go one by one

# in whole runs of eight numbers, as the records have them, which takes a third of the time
_take_vehicles = take_fields(
    VEHICLE, 'mass', 'turn_inertia', 'com_x', 'com_y', 'com_height', 'load_keep', 'tow_down',
    'tow_along', 'tow_across', 'track', 'turn_gain', 'command_v', 'command_w', 'filter_keep',
    'filter_order', 'zero_command', 'stopped', 'kp', 'ki', 'kd', 'derivative_filter', 'max_torque',
    'antiwindup', 'most_integral', 'slope_torque', 'derived', 'pull_along', 'pull_across',
    'slope_x', 'slope_y', 'stands', 'loose')
_take_drivetrains = take_fields(
    VEHICLE, 'drivetrain', 'front_rear_split', 'front_split', 'rear_split')
_take_torques = take_fields(VEHICLE, 'torque_inverse', 'torque_change')
_give_torques = give_fields(VEHICLE, 'torque_change')
_give_vehicles = give_fields(
    VEHICLE, 'pull_along', 'pull_across', 'slope_x', 'slope_y', 'stands')
_take_wheels = take_fields(
    WHEEL, 'x', 'y', 'toe', 'steer', 'roller', 'swivels', 'free', 'radius', 'inertia', 'damping',
    'rolling', 'relaxation', 'side_relaxation', 'standing_root', 'load_share', 'load_along',
    'load_across', 'tyres', 'side', 'drive', 'brake', 'torque', 'omega', 'slip_x', 'slip_y',
    'omega_change', 'slip_x_change', 'slip_y_change', 'directed', 'sine', 'cosine', 'normal_load',
    'resists')
_give_wheels = give_fields(
    WHEEL, 'steer', 'torque', 'omega', 'slip_x', 'slip_y', 'omega_change', 'slip_x_change',
    'slip_y_change', 'directed', 'sine', 'cosine', 'normal_load', 'force_long', 'force_lat',
    'force_x', 'force_y', 'taken', 'velocity_x', 'velocity_y')
_take_pids, _give_pids = take_fields(np.dtype((np.float64, PID))), give_fields(
    np.dtype((np.float64, PID)))


class Side(NamedTuple):
    """
    What a step needs to let vehicles go side by side.

    :ivar sorts: of each vehicle, 0 for one that goes alone: see `side_sorts`.
    :ivar at: room for addresses, shape (PLACES, LANES).
    :ivar memory: shape (NUMBERS,).
    """

    sorts: NDArray[np.int64]
    at: NDArray[np.int64]
    memory: Array


A_SIDE = Side(np.zeros(1, np.int64), np.zeros((PLACES, LANES), np.int64), np.zeros(1))


@compiled(inlined=True)
def leave_pids(eight: Eight, held: Any) -> None:
    """Write the states of the PIDs; those of vehicles that hold are at rest."""
    for side in range(SIDES):
        before, after = pid_of(eight, PID_BEFORE, side), pid_of(eight, PID_AFTER, side)
        kept = pid_of(eight, PID_KEPT, side)
        kept[INTEGRAL] = either(held, 0.0, kept[INTEGRAL])
        kept[DERIVATIVE] = either(held, 0.0, kept[DERIVATIVE])
        kept[LAST_ERROR] = either(held, 0.0, kept[LAST_ERROR])
        kept[RUNNING] = either(held, 0.0, spread(1.0))
        kept[FILTER_1] = either(held, 0.0, after[FILTER_1])
        kept[FILTER_2] = either(held, 0.0, after[FILTER_2])
        kept[TORQUE] = before[TORQUE]
        _give_pids(pid_place(eight, PID_KEPT, side), place_of(eight, PIDS_AT), WORD * PID * side)


@compiled(inlined=True)
def obey_beside(dt: float, eight: Eight) -> Any:
    """
    Do what `step.obey` does, and take over the vehicles and the states of their PIDs.

    :returns: which of the vehicles stand by themselves.
    """
    vehicle, own = vehicle_of(eight), place_of(eight, VEHICLES)
    driven = eight.kind != CONSTANT
    if driven:
        take_pids(eight, PID_BEFORE)
    if eight.kind != BY_SIDES:
        for j in range(eight.vehicles):
            vehicles, wheels = records_of(eight, j)
            pids = pids_of(eight, j)
            if driven and told_to_move(vehicles[0], wheels):
                pids[0, RUNNING] = 1.0
                if vehicles[0]['steered'] != 0.0:
                    steer_wheels(vehicles[0], wheels)
            else:
                obey(vehicles[0], wheels, 0.0, pids, dt)
    _take_vehicles(eight.memory, own, 0)
    for k in range(eight.wheels):
        _take_wheels(wheel_place(eight, k), place_of(eight, WHEELS), WHEEL_BYTES * k)
    if not driven:
        return vehicle['mass'] < 0.0
    _take_torques(eight.memory, own, 0)
    if eight.kind == BY_SIDES:
        return hold_beside(eight)
    if eight.kind == BY_DRIVETRAIN:
        _take_drivetrains(eight.memory, own, 0)
        share_beside(eight)
    take_pids(eight, PID_AFTER)
    return told_beside(eight)


@compiled(inlined=True)
def take_pids(eight: Eight, state: int) -> None:
    """Take over the states of the PIDs."""
    for side in range(SIDES):
        _take_pids(pid_place(eight, state, side), place_of(eight, PIDS_AT), WORD * PID * side)


@lazy_kernel(0.0, 0.0, AN_EIGHT, A_ROOM, SOME_KNOWN, counted=False)
def drive_eight(dt: float, gravity: float, eight: Eight, scratch: np.void, known: Records) -> int:
    """
    Do what `step.drive_physical` does for vehicles that go side by side.

    :param scratch: for one vehicle; so known.
    :returns: the first of them whose forces are not finite numbers, or -1.
    """
    vehicle, own = vehicle_of(eight), place_of(eight, VEHICLES)
    held = obey_beside(dt, eight)
    motion = place_of(eight, MOTIONS)
    heading_x, heading_y = gather(motion, WORD * COS), gather(motion, WORD * SIN)
    was_x, was_y = gather(motion, WORD * VX), gather(motion, WORD * VY)
    w = gather(motion, WORD * OMEGA)
    vehicle['slope_x'], vehicle['slope_y'], vehicle['stands'] = 0.0, 0.0, 1.0
    vy = heading_x * was_y - heading_y * was_x
    vx = heading_x * was_x + heading_y * was_y - 0.0 * vy
    lifts = load_beside(eight, gravity)
    mass, half = vehicle['mass'], min(max(0.5 * w * dt, -1.0), 1.0)
    sine, cosine = sine_cosine(half)
    prepare_beside(dt, eight, vx, vy, w, 2.0 * sine * cosine, 1.0 - 2.0 * sine * sine)
    pull = mass * gravity * 0.0
    solve_beside(
        dt, eight, held, cosine, sine, mass * (cosine * vx + sine * vy) + dt * pull,
        mass * (cosine * vy - sine * vx) + dt * pull, vehicle['turn_inertia'] * w, scratch, known)
    force_x, force_y, turn = leave_beside(dt, eight)
    keep = vehicle['load_keep']
    vehicle['pull_along'] = keep * vehicle['pull_along'] + (1.0 - keep) * force_x / mass
    vehicle['pull_across'] = keep * vehicle['pull_across'] + (1.0 - keep) * force_y / mass
    force_x += pull
    force_y += pull
    level_x = force_x + 0.0 * force_y
    middle_x = heading_x * cosine - heading_y * sine
    middle_y = heading_y * cosine + heading_x * sine
    wrench = place_of(eight, WRENCHES)
    scatter(wrench, 0, middle_x * level_x - middle_y * force_y + 0.0)
    scatter(wrench, WORD, middle_y * level_x + middle_x * force_y + 0.0)
    scatter(wrench, 2 * WORD, turn + 0.0)
    _give_vehicles(eight.memory, own, 0)
    for k in range(eight.wheels):
        _give_wheels(wheel_place(eight, k), place_of(eight, WHEELS), WHEEL_BYTES * k)
    if eight.kind != CONSTANT:
        leave_pids(eight, held)
        _give_torques(eight.memory, own, 0)
    if lifts:
        for j in range(eight.vehicles):
            vehicles, wheels = records_of(eight, j)
            if vehicles[0]['loose'] != 0.0:
                lean(dt, vehicles[0], wheels, pose_of(eight, j))
    size = abs(force_x) + abs(force_y) + abs(turn)
    if some(~(size < STRONGEST)):
        for j in range(eight.vehicles):
            if not lane(size, j) < STRONGEST:
                return j
    return -1


@compiled(inlined=True)
def can_go_beside(i: int, vehicles: Records, pose: Array) -> bool:
    """Return whether a vehicle goes side by side with others now, if it has a sort."""
    return bool(vehicles[i]['loose'] == 0.0 and vehicles[i]['shoved'] == 0.0
                and pose[i, 4] == 0.0 and pose[i, 5] == 0.0)


@compiled(inlined=True)
def wheels_alone(side: Side) -> int:
    """Return how many wheels the one vehicle of a world has, 0 where it has no sort."""
    return int(side.sorts[0]) // KINDS if len(side.sorts) == 1 else 0


@compiled(inlined=True)
def enter(at: NDArray[np.int64], j: int, i: int, vehicles: Records,
          wheel_start: NDArray[np.int64], wheels: Records, pids: Array, pose: Array,
          motion: Array, wrench: Array) -> None:
    """
    Let vehicle `i` be number `j` of those that go side by side.

    :param at: the table of addresses.
    """
    at[VEHICLES, j] = np.int64(vehicles.ctypes.data) + VEHICLE_BYTES * i
    at[WHEELS, j] = np.int64(wheels.ctypes.data) + WHEEL_BYTES * wheel_start[i]
    at[PIDS_AT, j] = np.int64(pids.ctypes.data) + WORD * PIDS * PID * i
    at[POSES, j] = np.int64(pose.ctypes.data) + WORD * 6 * i
    at[MOTIONS, j] = np.int64(motion.ctypes.data) + WORD * MOTION * i
    at[WRENCHES, j] = np.int64(wrench.ctypes.data) + WORD * 3 * i


@compiled(inlined=True)
def drive_entered(dt: float, gravity: float, count: int, sort: int, at: NDArray[np.int64],
                  memory: Array, known: Records, rooms: Records) -> int:
    """
    Do what `step.drive_physical` does for the vehicles in the table of addresses.

    :param count: how many there are.
    :param memory: shape (NUMBERS,).
    :returns: the first of them whose forces are not finite numbers, or -1.
    """
    for j in range(count, LANES):
        for kind in range(PLACES):
            at[kind, j] = at[kind, 0]
    eight = Eight(count, sort // KINDS, sort % KINDS, int(np.int64(at.ctypes.data)),
                  int(np.int64(memory.ctypes.data)))
    return drive_eight(dt, gravity, eight, rooms[0], known)


@compiled(inlined=True)
def alike_from(i: int, vehicles: Records, pose: Array, side: Side) -> int:
    """Return how many vehicles from `i` on, at most eight, go side by side now."""
    count, sort = 0, side.sorts[i]
    if sort == 0 or i + 1 == len(vehicles) or side.sorts[i + 1] != sort:
        return 1
    while (count < LANES and i + count < len(vehicles) and side.sorts[i + count] == sort
           and can_go_beside(i + count, vehicles, pose)):
        count += 1
    return count


@compiled(inlined=True)
def drive_beside(
        dt: float, gravity: float, first: int, beyond: int, vehicles: Records,
        wheel_start: NDArray[np.int64], wheels: Records, pids: Array, pose: Array,
        motion: Array, wrench: Array, known: Records, rooms: Records, side: Side) -> int:
    """
    Do what `step.drive_physical` does for the vehicles from `first` on that go side by side.

    :returns: the first of them whose forces are not finite numbers, or -1.
    """
    sort = side.sorts[first]
    for i in range(first, beyond):
        enter(side.at, i - first, i, vehicles, wheel_start, wheels, pids, pose, motion, wrench)
    return drive_entered(
        dt, gravity, beyond - first, sort, side.at, side.memory, known, rooms)
