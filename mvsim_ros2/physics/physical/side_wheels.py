# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The wheels of eight vehicles side by side, before and after the solve of a step."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lane_memory import gather, take_fields
from mvsim_ros2.jit.lanes import either, lane, LANES, some, spread, with_lane
from mvsim_ros2.physics.physical.side_layout import (
    CURVE_AT, Eight, FRICTION_AT, kept_of, known_of, LAW_AT, place_of, records_of, rows_beside,
    TYRE_AT, values_place, vehicle_of, WHEEL_BYTES, wheel_of, WHEELS)
from mvsim_ros2.physics.physical.side_solve import at_once, tyre_values
from mvsim_ros2.physics.physical.transient_slip import STANDS
from mvsim_ros2.physics.physical.wheel_forces import leave_as
from mvsim_ros2.physics.physical.wheel_loads import lift_wheels
from mvsim_ros2.physics.physical.wheels import bend, heading, remember, stand_on
from mvsim_ros2.physics.state.record_layout import TYRE_VALUES
from mvsim_ros2.physics.state.step_columns import (
    ARM_ACROSS, ARM_ALONG, CURVE, EASE, F_X, F_Y, FRICTION, LAW, LIMIT, LIMIT_ACROSS, ROLLING,
    SHARE, SLIDE_X, SOIL, SOIL_DRAG, SPIN, Z_X, Z_Y)
from mvsim_ros2.physics.tyres.law import limits, limits_beside

Records = NDArray[np.void]

_take_values = take_fields(np.dtype((np.float64, TYRE_VALUES)))


@compiled(inlined=True)
def load_beside(eight: Eight, gravity: float) -> bool:
    """
    Find the normal loads, as `step.wheel_loads` does, which see.

    :returns: whether some wheel lifts, by which its vehicle may begin to tip over.
    """
    vehicle = vehicle_of(eight)
    mass, height = vehicle['mass'], vehicle['com_height']
    along = vehicle['tow_along'] - height * vehicle['pull_along']
    across = vehicle['tow_across'] - height * vehicle['pull_across']
    down, least = gravity + vehicle['tow_down'], spread(0.0)
    for k in range(eight.wheels):
        wheel = wheel_of(eight, k)
        load = mass * (down * wheel['load_share'] + along * wheel['load_along']
                       + across * wheel['load_across'])
        wheel['normal_load'] = load
        least = min(least, load)
    if not some(least < 0.0):
        return False
    for j in range(LANES):
        if lane(least, j) < 0.0:
            vehicles, wheels = records_of(eight, j)
            lift_wheels(vehicles[0], wheels, lane(down, j))
            for k in range(eight.wheels):
                wheel = wheel_of(eight, k)
                wheel['normal_load'] = with_lane(
                    wheel['normal_load'], j, wheels[k]['normal_load'])
    return True


@compiled(inlined=True)
def prepare_beside(dt: float, eight: Eight, vx: Any, vy: Any, w: Any, turn_sine: Any,
                   turn_cosine: Any) -> None:
    """Do what `wheels.prepare` does, where nothing is said of the ground."""
    vehicle = vehicle_of(eight)
    for k in range(eight.wheels):
        wheel, row = wheel_of(eight, k), known_of(eight, k)
        arm_x, arm_y = wheel['x'] - vehicle['com_x'], wheel['y'] - vehicle['com_y']
        hub_x, hub_y = vx - w * arm_y, vy + w * arm_x
        sine, cosine = heading(dt, wheel, hub_x, hub_y, turn_sine, turn_cosine)
        own = place_of(eight, WHEELS)
        row[LAW] = gather(own, LAW_AT + WHEEL_BYTES * k)
        row[FRICTION] = gather(own, FRICTION_AT + WHEEL_BYTES * k)
        row[CURVE] = gather(own, CURVE_AT + WHEEL_BYTES * k)
        row[ROLLING] = wheel['rolling']
        speed = stand_on(wheel, row, hub_x, hub_y, cosine, sine, arm_x, arm_y)
        length = wheel['relaxation']
        if some((row[CURVE] != 0.0) & (wheel['normal_load'] > 0.0)):
            length = bend_beside(eight, k, speed)
        remember(dt, wheel, row, speed, length)


@compiled(inlined=True)
def bend_at_once(eight: Eight, k: int, speed: Any) -> Any:
    """Do what `bend_beside` does, where all wheels `k` have one law."""
    wheel, row = wheel_of(eight, k), known_of(eight, k)
    load, tyres, length = wheel['normal_load'], wheel['tyres'], wheel['relaxation']
    bears = load > 0.0
    along, across, drag = limits_beside(
        lane(row[LAW], 0), rows_beside(values_place(eight, k)), row[FRICTION], load / tyres,
        wheel['slip_x'])
    along, across, soil, slip_x, slip_y, part = bend(
        along, across, drag, load, tyres, wheel['slip_x'], wheel['slip_y'], speed)
    row[SHARE] = either(bears, min(speed / STANDS, 1.0), row[SHARE])
    row[LIMIT] = either(bears, along, row[LIMIT])
    row[LIMIT_ACROSS] = either(bears, across, row[LIMIT_ACROSS])
    row[SOIL] = either(bears, soil, row[SOIL])
    wheel['slip_x'] = either(bears, slip_x, wheel['slip_x'])
    wheel['slip_y'] = either(bears, slip_y, wheel['slip_y'])
    return either(bears, length * part, length)


@compiled(inlined=True)
def bend_beside(eight: Eight, k: int, speed: Any) -> Any:
    """Do what `wheels.bend` does for wheels `k`; return their relaxation lengths [m]."""
    wheel, row = wheel_of(eight, k), known_of(eight, k)
    length = wheel['relaxation']
    if at_once(row):
        _take_values(values_place(eight, k), place_of(eight, WHEELS), TYRE_AT + WHEEL_BYTES * k)
        return bend_at_once(eight, k, speed)
    for j in range(LANES):
        load = lane(wheel['normal_load'], j)
        if lane(row[CURVE], j) != 0.0 and load > 0.0:
            row[SHARE] = with_lane(row[SHARE], j, min(lane(speed, j) / STANDS, 1.0))
            tyres, slip = lane(wheel['tyres'], j), lane(wheel['slip_x'], j)
            along, across, drag = limits(
                lane(row[LAW], j), tyre_values(eight, k, j), lane(row[FRICTION], j), load / tyres,
                slip)
            along, across, soil, slip_x, slip_y, part = bend(
                along, across, drag, load, tyres, slip, lane(wheel['slip_y'], j), lane(speed, j))
            row[LIMIT] = with_lane(row[LIMIT], j, along)
            row[LIMIT_ACROSS] = with_lane(row[LIMIT_ACROSS], j, across)
            row[SOIL] = with_lane(row[SOIL], j, soil)
            wheel['slip_x'] = with_lane(wheel['slip_x'], j, slip_x)
            wheel['slip_y'] = with_lane(wheel['slip_y'], j, slip_y)
            length = with_lane(length, j, lane(length, j) * part)
    return length


@compiled(inlined=True)
def leave_beside(dt: float, eight: Eight) -> Any:
    """Do what `wheel_forces.take_over` does."""
    total_x, total_y, total_turn = spread(0.0), spread(0.0), spread(0.0)
    for k in range(eight.wheels):
        wheel, row, kept = wheel_of(eight, k), known_of(eight, k), kept_of(eight, k)
        row[F_X], row[F_Y], row[Z_X], row[Z_Y] = kept[F_X], kept[F_Y], kept[Z_X], kept[Z_Y]
        row[SPIN], row[EASE] = kept[SPIN], kept[EASE]
        row[SLIDE_X], row[SOIL_DRAG] = kept[SLIDE_X], kept[SOIL_DRAG]
        leave_as(1.0 / dt, wheel, row)
        total_x += wheel['force_x']
        total_y += wheel['force_y']
        total_turn += (row[ARM_ALONG] * wheel['force_long']
                       + row[ARM_ACROSS] * wheel['force_lat'])
    return total_x, total_y, total_turn
