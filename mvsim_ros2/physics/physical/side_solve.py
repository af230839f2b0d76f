# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The solve of `step` for eight vehicles side by side.

Each goes on until its own iteration ends; what it has come to is kept, whatever the others need.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lanes import either, lane, LANES, some, spread, with_lane, WORD
from mvsim_ros2.jit.memory import carray, pointer, read_word
from mvsim_ros2.physics.physical.implicit_solve import (
    CLOSE_SLIP, mobility, PASSES, planar_velocity)
from mvsim_ros2.physics.physical.side_layout import (
    change_place, CONSTANT, Eight, kept_of, known_of, PID_AFTER, PID_BEFORE, PID_KEPT, pid_of,
    place_of, records_of, room_of, rows_beside, SIDES, TYRE_AT, values_place, vehicle_of,
    WHEEL_BYTES, wheel_of, WHEELS)
from mvsim_ros2.physics.physical.side_torques import give_beside, settle_beside
from mvsim_ros2.physics.physical.wheels import (
    follow, LEAST_SLIP, reach, resist_with, standing_stiffness, with_line)
from mvsim_ros2.physics.state.record_layout import (
    AT_ONCE, DERIVATIVE, INTEGRAL, LAST_ERROR, MEASURED, TORQUE, TYRE_VALUES)
from mvsim_ros2.physics.state.step_columns import (
    CURVE, EASE, F_X, F_Y, FRICTION, LAW, LIMIT, LIMIT_ACROSS, P_W, P_X, P_Y, ROLLING, SHARE,
    SLIDE_X, SOIL_DRAG, SPIN, WW, WX, WY, XW, XX, XY, YW, YX, YY, Z_X, Z_Y)
from mvsim_ros2.physics.tyres.law import secants, secants_beside
from mvsim_ros2.physics.tyres.on_ground import own_rolling

Records = NDArray[np.void]


@compiled(inlined=True)
def at_once(row: Any) -> bool:
    """Return whether the laws of eight wheels are one law, of which eight tyres go at once."""
    return not some((row[LAW] != lane(row[LAW], 0)) | (row[CURVE] != AT_ONCE))


@compiled(inlined=True)
def curves_beside(eight: Eight, k: int, shares: Any, limit: Any, stiff: Any, side_stiff: Any,
                  ) -> Any:
    """
    Return the forces over the slips of wheels `k` along and across, with their curves [N].

    :param shares: of the curves; a wheel without one has none.
    :param limit: how far its limits reach [N]; for the others see `wheels.resist`.
    """
    wheel, row = wheel_of(eight, k), known_of(eight, k)
    if at_once(row):
        tyres = wheel['tyres']
        rolls, side_rolls = secants_beside(
            lane(row[LAW], 0), rows_beside(values_place(eight, k)), row[FRICTION],
            wheel['normal_load'] / tyres, max(abs(row[Z_X]), LEAST_SLIP),
            max(abs(row[Z_Y]), LEAST_SLIP), limit / tyres)
        return (either(shares > 0.0, stiff + shares * (tyres * rolls - stiff), stiff),
                either(shares > 0.0, side_stiff + shares * (tyres * side_rolls - side_stiff),
                       side_stiff))
    for j in range(LANES):
        share = lane(shares, j)
        if share > 0.0:
            tyres, own, side_own = lane(wheel['tyres'], j), lane(stiff, j), lane(side_stiff, j)
            rolls, side_rolls = secants(
                lane(row[LAW], j), tyre_values(eight, k, j), lane(row[FRICTION], j),
                lane(wheel['normal_load'], j) / tyres, max(abs(lane(row[Z_X], j)), LEAST_SLIP),
                max(abs(lane(row[Z_Y], j)), LEAST_SLIP), lane(limit, j) / tyres)
            stiff = with_lane(stiff, j, own + share * (tyres * rolls - own))
            side_stiff = with_lane(
                side_stiff, j, side_own + share * (tyres * side_rolls - side_own))
    return stiff, side_stiff


@compiled(inner=True)
def tyre_values(eight: Eight, k: int, j: int) -> NDArray[np.float64]:
    """Return the numbers of the law of wheel `k` of vehicle `j`."""
    wheels = read_word(place_of(eight, WHEELS) + WORD * j)
    place = pointer(wheels + WHEEL_BYTES * k + TYRE_AT)
    return carray(place, (TYRE_VALUES,), np.float64)  # type: ignore[no-any-return]


@compiled(inlined=True)
def resist_beside(dt: float, eight: Eight, k: int, held: Any, active: Any) -> None:
    """Do what `wheels.resist` does for wheels `k`, of which the curves count where `active`."""
    wheel, row = wheel_of(eight, k), known_of(eight, k)
    limit = reach(row[LIMIT], row[LIMIT_ACROSS], row[Z_X], row[Z_Y])
    stiff = standing_stiffness(wheel['normal_load'], limit, row)
    side_stiff = stiff
    if some(row[SHARE] > 0.0):
        stiff, side_stiff = curves_beside(
            eight, k, either(active, row[SHARE], 0.0), limit, stiff, side_stiff)
    resistance = row[ROLLING]
    if some(wheel['resists'] != 0.0):
        for j in range(LANES):
            if lane(wheel['resists'], j) != 0.0:
                _, wheels = records_of(eight, j)
                resistance = with_lane(resistance, j, lane(resistance, j) + own_rolling(
                    wheels[k], abs(lane(row[SPIN], j)) * lane(wheel['radius'], j)))
    turns = ~held | (wheel['swivels'] != 0.0)
    resist_with(dt, wheel, turns, False, row, limit, stiff, side_stiff, resistance)


@compiled(inlined=True)
def keep_beside(eight: Eight, active: Any, held: Any) -> None:
    """Keep what the pass has come to for the vehicles that are `active`."""
    for k in range(eight.wheels):
        row, kept = known_of(eight, k), kept_of(eight, k)
        kept[F_X] = either(active, row[F_X], kept[F_X])
        kept[F_Y] = either(active, row[F_Y], kept[F_Y])
        kept[Z_X] = either(active, row[Z_X], kept[Z_X])
        kept[Z_Y] = either(active, row[Z_Y], kept[Z_Y])
        kept[SPIN] = either(active, row[SPIN], kept[SPIN])
        kept[EASE] = either(active, row[EASE], kept[EASE])
        kept[SLIDE_X] = either(active, row[SLIDE_X], kept[SLIDE_X])
        kept[SOIL_DRAG] = either(active, row[SOIL_DRAG], kept[SOIL_DRAG])
    if eight.kind != CONSTANT:
        active = active & ~held
        for side in range(SIDES):
            state, left = pid_of(eight, PID_AFTER, side), pid_of(eight, PID_KEPT, side)
            left[INTEGRAL] = either(active, state[INTEGRAL], left[INTEGRAL])
            left[DERIVATIVE] = either(active, state[DERIVATIVE], left[DERIVATIVE])
            left[LAST_ERROR] = either(active, state[LAST_ERROR], left[LAST_ERROR])
            left[MEASURED] = either(active, state[MEASURED], left[MEASURED])


@compiled(inlined=True)
def solve_beside(dt: float, eight: Eight, held: Any, cosine: Any, sine: Any,
                 px: Any, py: Any, pw: Any, scratch: np.void, known: Records) -> None:
    """
    Find the forces at the end of the step, as `step.solve` does, which see.

    :param held: which of the vehicles stand by themselves.
    :param scratch: for one vehicle; so known.
    """
    vehicle, room, driven = vehicle_of(eight), room_of(eight), eight.kind != CONSTANT
    left, right = pid_of(eight, PID_BEFORE, 0), pid_of(eight, PID_BEFORE, 1)
    was_left, was_right = left[TORQUE], right[TORQUE]
    torque_change = rows_beside(change_place(eight))
    if driven:
        left[TORQUE] = either(held, was_left, was_left + torque_change[0])
        right[TORQUE] = either(held, was_right, was_right + torque_change[1])
        give_beside(eight, left[TORQUE], right[TORQUE])
    active, last = held | ~held, spread(0.0)
    for number in range(PASSES):
        xx, xy, yy, xw, yw, ww = (
            spread(0.0), spread(0.0), spread(0.0), spread(0.0), spread(0.0), spread(0.0))
        qx, qy, qw = px, py, pw
        for k in range(eight.wheels):
            resist_beside(dt, eight, k, held, active)
            xx, xy, yy, xw, yw, ww, qx, qy, qw = with_line(
                dt, known_of(eight, k), xx, xy, yy, xw, yw, ww, qx, qy, qw)
        unsettled = active & ~active
        (room[XX], room[XY], room[XW], room[YX], room[YY], room[YW], room[WX], room[WY],
         room[WW]) = mobility(vehicle['mass'], vehicle['turn_inertia'], cosine, sine, xx, xy, yy,
                              xw, yw, ww)
        if driven:
            room[P_X], room[P_Y], room[P_W] = qx, qy, qw
            unsettled = active & ~held
            if some(unsettled):
                unsettled = settle_beside(dt, eight, unsettled, number == 0, scratch, known)
            qx, qy, qw = room[P_X], room[P_Y], room[P_W]
        vx, vy, w = planar_velocity(room, qx, qy, qw)
        change = spread(0.0)
        for k in range(eight.wheels):
            change = max(change, follow(wheel_of(eight, k), known_of(eight, k), vx, vy, w))
        keep_beside(eight, active, held)
        active = active & (unsettled | ~(
            (change < CLOSE_SLIP) | (change * change < CLOSE_SLIP * (last - change))))
        if not some(active):
            break
        last = change
    if driven:
        torque_change[0] = either(held, 0.0, left[TORQUE] - was_left)
        torque_change[1] = either(held, 0.0, right[TORQUE] - was_right)
