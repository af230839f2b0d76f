# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
What `controller_solve` does, for eight vehicles side by side that have a PID for each side.

Derivatives, which are seldom needed, are found for one vehicle after the other.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lane_memory import take_fields
from mvsim_ros2.jit.lanes import either, lane, LANES, some, spread, with_lane
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.controllers.front_steer import front_commands
from mvsim_ros2.physics.controllers.pid import filtered_reference, following_torque
from mvsim_ros2.physics.controllers.twist_pid import side_commands, side_speeds
from mvsim_ros2.physics.physical.controller_solve import (
    between, CLOSE, CLOSER, derive, free_spin, narrowed, ROUNDS, SLOW)
from mvsim_ros2.physics.physical.implicit_solve import planar_velocity
from mvsim_ros2.physics.physical.side_layout import (
    AN_EIGHT, BY_FRONT_PAIR, BY_SIDES, Eight, inverse_place, known_of, PID_AFTER, PID_BEFORE,
    PID_KEPT, pid_of, place_of, records_of, room_of, rows_beside, SIDES, vehicle_of, VEHICLES,
    wheel_of)
from mvsim_ros2.physics.state.example_arguments import A_ROOM, SOME_KNOWN
from mvsim_ros2.physics.state.record_layout import (
    DERIVATIVE, FILTER_1, FILTER_2, INTEGRAL, LAST_ERROR, LEFT, MEASURED, PIDS, RIGHT, RUNNING,
    TORQUE, VEHICLE)
from mvsim_ros2.physics.state.step_columns import (
    ARM_ALONG, ASKED, BASE, BEFORE, DIR_X, DIR_Y, DRAG, EASE, FREE_SPIN, GRIP, LACKED, P_W, P_X,
    P_Y, PUSH, PUSHED, SPIN, STARTED, TOLD_LEFT, TOLD_RIGHT, TORQUES, TURNED, WW, WX, WY, XW, XX,
    XY, YIELD, YW, YX, YY)
from mvsim_ros2.physics.vehicle.drivetrain import open_shares, wheel_shares

Records = NDArray[np.void]

# columns of `torque_inverse`: of the torque of one side for what that of another one lacks
LEFT_LEFT, LEFT_RIGHT, RIGHT_LEFT, RIGHT_RIGHT = 0, 1, PIDS, PIDS + 1

_take_derivatives = take_fields(VEHICLE, 'derived', 'torque_inverse')


@compiled(inlined=True)
def hold_beside(eight: Eight) -> Any:
    """
    Begin with the states of the PIDs before the step, and let the commands pass their filters.

    :returns: which of the vehicles are told to stand and have come to stand: see `holding`.
    """
    vehicle = vehicle_of(eight)
    left, right = pid_of(eight, PID_AFTER, 0), pid_of(eight, PID_AFTER, 1)
    for side in range(SIDES):
        before, after = pid_of(eight, PID_BEFORE, side), pid_of(eight, PID_AFTER, side)
        after[FILTER_1], after[FILTER_2] = before[FILTER_1], before[FILTER_2]
        after[DERIVATIVE] = before[DERIVATIVE]
    speed_left, speed_right = side_speeds(vehicle, wheel_of(eight, 0), wheel_of(eight, 1))
    command_left, command_right = side_commands(vehicle)
    keep, order = vehicle['filter_keep'], vehicle['filter_order']
    room, zero = room_of(eight), vehicle['zero_command']
    room[TOLD_LEFT] = filtered_reference(keep, order, command_left, left)
    room[TOLD_RIGHT] = filtered_reference(keep, order, command_right, right)
    stopping = (abs(room[TOLD_LEFT]) < zero) & (abs(room[TOLD_RIGHT]) < zero)
    held = stopping & (max(abs(speed_left), abs(speed_right)) < vehicle['stopped'])
    kept_left, kept_right = pid_of(eight, PID_KEPT, 0), pid_of(eight, PID_KEPT, 1)
    kept_left[MEASURED], kept_right[MEASURED] = speed_left, speed_right
    left, right = pid_of(eight, PID_BEFORE, 0), pid_of(eight, PID_BEFORE, 1)
    left[TORQUE], right[TORQUE] = either(held, 0.0, left[TORQUE]), either(held, 0.0, right[TORQUE])
    return held


@compiled(inlined=True)
def told_beside(eight: Eight) -> Any:
    """Do the same once the controllers were asked, and have moved their states on."""
    vehicle, room = vehicle_of(eight), room_of(eight)
    left, right = pid_of(eight, PID_AFTER, 0), pid_of(eight, PID_AFTER, 1)
    held = left[RUNNING] == 0.0
    for side in range(SIDES):
        before, after, kept = (pid_of(eight, PID_BEFORE, side), pid_of(eight, PID_AFTER, side),
                               pid_of(eight, PID_KEPT, side))
        kept[MEASURED] = after[MEASURED]
        before[TORQUE] = either(held, 0.0, before[TORQUE])
        after[FILTER_1], after[FILTER_2] = before[FILTER_1], before[FILTER_2]
        after[DERIVATIVE] = before[DERIVATIVE]
    keep, order = vehicle['filter_keep'], vehicle['filter_order']
    room[TOLD_LEFT], room[TOLD_RIGHT] = vehicle['command_v'], vehicle['command_v']
    if eight.kind == BY_FRONT_PAIR:  # as the wheels are steered now
        for j in range(LANES):
            vehicles, wheels = records_of(eight, j)
            told_left, told_right = front_commands(vehicles[0], wheels)
            room[TOLD_LEFT] = with_lane(room[TOLD_LEFT], j, told_left)
            room[TOLD_RIGHT] = with_lane(room[TOLD_RIGHT], j, told_right)
    room[TOLD_LEFT] = filtered_reference(keep, order, room[TOLD_LEFT], left)
    room[TOLD_RIGHT] = filtered_reference(keep, order, room[TOLD_RIGHT], right)
    return held


@compiled(inlined=True)
def speeds_beside(eight: Eight) -> Any:
    """Return what the PIDs measure at the spins found [m/s], left and right."""
    if eight.kind == BY_SIDES:
        left, right = wheel_of(eight, 0), wheel_of(eight, 1)
        left['omega'], right['omega'] = known_of(eight, 0)[SPIN], known_of(eight, 1)[SPIN]
        speed_left, speed_right = side_speeds(vehicle_of(eight), left, right)
        left['omega'] = known_of(eight, 0)[STARTED]
        right['omega'] = known_of(eight, 1)[STARTED]
        return speed_left, speed_right
    if eight.kind == BY_FRONT_PAIR:
        return (known_of(eight, 2)[SPIN] * wheel_of(eight, 2)['radius'],
                known_of(eight, 3)[SPIN] * wheel_of(eight, 3)['radius'])
    speed, total = spread(0.0), spread(0.0)  # as `front_steer.driven_speed`
    shares = open_shares(vehicle_of(eight))
    for k in range(eight.wheels):
        wheel, row = wheel_of(eight, k), known_of(eight, k)
        speed += shares[k] * row[SPIN] * wheel['radius'] * row[DIR_X]
        total += shares[k]
    return speed / total, speed / total


@compiled(inlined=True)
def share_beside(eight: Eight) -> None:
    """Let all wheels be driven by the torque of a drivetrain, as its differentials share it."""
    for j in range(LANES):
        vehicles, wheels = records_of(eight, j)
        shares = wheel_shares(
            vehicles[0], wheels[0]['omega'], wheels[1]['omega'], wheels[2]['omega'],
            wheels[3]['omega'])
        for k in range(eight.wheels):
            wheel = wheel_of(eight, k)
            wheel['drive'] = with_lane(wheel['drive'], j, shares[k])
    for k in range(eight.wheels):
        wheel_of(eight, k)['side'] = float(LEFT)


@compiled(inlined=True)
def ask_beside(dt: float, eight: Eight) -> Any:
    """Return the torques that the controllers ask for at the spins found [N m], left and right."""
    vehicle, room = vehicle_of(eight), room_of(eight)
    speed_left, speed_right = speeds_beside(eight)
    zero, feedforward = vehicle['zero_command'], 0.0 * vehicle['slope_torque']
    stopping = (abs(room[TOLD_LEFT]) < zero) & (abs(room[TOLD_RIGHT]) < zero)
    for side in range(SIDES):
        before, after = pid_of(eight, PID_BEFORE, side), pid_of(eight, PID_AFTER, side)
        after[INTEGRAL], after[DERIVATIVE] = before[INTEGRAL], before[DERIVATIVE]
        after[LAST_ERROR], after[RUNNING] = before[LAST_ERROR], before[RUNNING]
    return (following_torque(vehicle, room[TOLD_LEFT], speed_left, stopping, feedforward,
                             pid_of(eight, PID_AFTER, 0), dt),
            following_torque(vehicle, room[TOLD_RIGHT], speed_right, stopping, feedforward,
                             pid_of(eight, PID_AFTER, 1), dt))


@compiled(inlined=True)
def give_beside(eight: Eight, left: Any, right: Any) -> None:
    """Let the wheels have the torques of their sides [N m]."""
    for k in range(eight.wheels):
        wheel = wheel_of(eight, k)
        wheel['torque'] = either(
            wheel['side'] == LEFT, wheel['drive'] * left,
            either(wheel['side'] == RIGHT, wheel['drive'] * right, wheel['torque']))


@lazy_kernel(0.0, AN_EIGHT, 0, 0.0, 0.0, A_ROOM, SOME_KNOWN, counted=False)
def derive_one(dt: float, eight: Eight, j: int, asked_left: float, asked_right: float,
               room: np.void, known: Records) -> None:
    """
    Find the derivatives of vehicle `j`, as `controller_solve.derive` does, which see.

    :param asked_left: torque that the controller asks for [N m]; so asked_right.
    :param room: scratch memory; so known.
    """
    vehicles, wheels = records_of(eight, j)
    vehicle, sums = vehicles[0], room_of(eight)
    before = room[BEFORE][:]
    before[:, :] = 0.0
    for side in range(SIDES):
        state = pid_of(eight, PID_BEFORE, side)
        before[side, INTEGRAL] = lane(state[INTEGRAL], j)
        before[side, DERIVATIVE] = lane(state[DERIVATIVE], j)
        before[side, LAST_ERROR] = lane(state[LAST_ERROR], j)
        before[side, RUNNING] = lane(state[RUNNING], j)
        before[side, FILTER_1] = lane(state[FILTER_1], j)
        before[side, FILTER_2] = lane(state[FILTER_2], j)
        room[TORQUES][side] = lane(state[TORQUE], j)
    room[ASKED][0], room[ASKED][1] = asked_left, asked_right
    room[XX], room[XY], room[XW] = lane(sums[XX], j), lane(sums[XY], j), lane(sums[XW], j)
    room[YX], room[YY], room[YW] = lane(sums[YX], j), lane(sums[YY], j), lane(sums[YW], j)
    room[WX], room[WY], room[WW] = lane(sums[WX], j), lane(sums[WY], j), lane(sums[WW], j)
    for k in range(eight.wheels):
        row, found, wheel = known[k], known_of(eight, k), wheels[k]
        row[DIR_X], row[DIR_Y] = lane(found[DIR_X], j), lane(found[DIR_Y], j)
        row[ARM_ALONG], row[PUSHED] = lane(found[ARM_ALONG], j), lane(found[PUSHED], j)
        row[TURNED], row[EASE] = lane(found[TURNED], j), lane(found[EASE], j)
        row[GRIP], row[DRAG] = lane(found[GRIP], j), lane(found[DRAG], j)
        row[SPIN], row[STARTED] = lane(found[SPIN], j), lane(found[STARTED], j)
        wheel['torque'] = lane(wheel_of(eight, k)['torque'], j)
        row[BASE] = wheel['torque']
    stopped = vehicle['stopped']
    vehicle['stopped'] = 0.0
    derive(dt, vehicle, wheels, 0.0, room, known[:eight.wheels], SIDES)
    vehicle['stopped'] = stopped


@compiled(inlined=True)
def settle_beside(dt: float, eight: Eight, unsettled: Any, first: bool, scratch: np.void,
                  known: Records) -> Any:
    """
    Find the torques that the controllers ask for, as `controller_solve.settle_torques` does.

    :param unsettled: of which vehicles.
    :param scratch: for one vehicle; so known.
    :returns: of which they are not those asked for yet.
    """
    vehicle, room = vehicle_of(eight), room_of(eight)
    left, right = pid_of(eight, PID_BEFORE, 0), pid_of(eight, PID_BEFORE, 1)
    inverse = rows_beside(inverse_place(eight))
    room[LACKED] = 0.0
    lower_left, upper_left = spread(-math.inf), spread(math.inf)
    lower_right, upper_right = spread(-math.inf), spread(math.inf)
    for _ in range(1 if first else ROUNDS):
        vx, vy, w = planar_velocity(room, room[P_X], room[P_Y], room[P_W])
        reach = spread(0.0)
        for k in range(eight.wheels):
            row = known_of(eight, k)
            row[SPIN] = free_spin(row, vx, vy, w)
            reach = max(reach, row[YIELD] * wheel_of(eight, k)['radius'] * row[TURNED])
        asked_left, asked_right = ask_beside(dt, eight)
        off_left, off_right = asked_left - left[TORQUE], asked_right - right[TORQUE]
        most = max(max(spread(0.0), abs(off_left)), abs(off_right))
        lower_left, upper_left = narrowed(left[TORQUE], off_left, lower_left, upper_left)
        lower_right, upper_right = narrowed(right[TORQUE], off_right, lower_right, upper_right)
        gives = unsettled & ~(most * reach < (CLOSER if first else CLOSE))
        unsettled = unsettled & ~(most * reach < CLOSE)
        if not some(gives):
            break
        slow = SLOW * room[LACKED]
        old = gives & ((vehicle['derived'] == 0.0) | (most > slow) & (slow > 0.0))
        if some(old):
            needed = either(old, spread(1.0), spread(0.0))
            for j in range(LANES):
                if lane(needed, j) != 0.0:
                    derive_one(dt, eight, j, lane(asked_left, j), lane(asked_right, j), scratch,
                               known)
            _take_derivatives(eight.memory, place_of(eight, VEHICLES), 0)
        room[LACKED] = either(gives, most, room[LACKED])
        more_left = 0.0 + inverse[LEFT_LEFT] * off_left + inverse[LEFT_RIGHT] * off_right
        more_right = 0.0 + inverse[RIGHT_LEFT] * off_left + inverse[RIGHT_RIGHT] * off_right
        left[TORQUE] = either(gives, between(
            left[TORQUE] + more_left, lower_left, upper_left), left[TORQUE])
        right[TORQUE] = either(gives, between(
            right[TORQUE] + more_right, lower_right, upper_right), right[TORQUE])
        for k in range(eight.wheels):
            known_of(eight, k)[BASE] = wheel_of(eight, k)['torque']
        give_beside(eight, left[TORQUE], right[TORQUE])
        for k in range(eight.wheels):
            row = known_of(eight, k)
            given = wheel_of(eight, k)['torque'] - row[BASE]
            push = row[PUSHED] * given
            row[FREE_SPIN] = either(
                gives, row[FREE_SPIN] + row[TURNED] * given, row[FREE_SPIN])
            row[PUSH] = either(gives, row[PUSH] + push, row[PUSH])
            room[P_X] = either(gives, room[P_X] + dt * row[DIR_X] * push, room[P_X])
            room[P_Y] = either(gives, room[P_Y] + dt * row[DIR_Y] * push, room[P_Y])
            room[P_W] = either(gives, room[P_W] + dt * row[ARM_ALONG] * push, room[P_W])
    return unsettled
