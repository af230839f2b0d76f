# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Sprung bodies: heave, pitch and roll on suspensions, wheels as unsprung masses on their tyres.

The states are the height of the body and its two slants, as in `tyre_springs`, and the height of
each wheel. All forces are vertical. With s the way by which a wheel is up from where it rests in
the body, r the rise of the ground, u that of the wheel:

    suspension    P + k s + c s', P the load that it carries at rest; ten times as stiff beyond its
                  travel, either way
    anti-roll bar b (s - s of the other wheel of the axle)
    tyre          k_t (r - u) + c_t (r' - u'), never negative, 0 in the air
    weight        topples the body by m h for a lean of 1, m h those of the sprung mass

(T. D. Gillespie, *Fundamentals of Vehicle Dynamics*, ch. 5 and 6, the four wheels of the vehicle
together; the slider with spring and damper of MAVS is the part without bar and stops.) All rates
of a step come out of one positive definite system, with the theta method of `tyre_springs`.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.physical.tyre_springs import (
    ACROSS, ALONG, approach, FORCE, NEAR, PRESSED, PUSHES, RATE, take)
from mvsim_ros2.physics.state.example_arguments import A_VEHICLE, ROW, SOME_WHEELS

Array = NDArray[np.float64]
Records = NDArray[np.void]

BODY = 3  # unknowns of the body: heave, slant along, slant across; then one a wheel
STOPS = 10.0  # stiffness of a suspension beyond its travel, over that within
# columns of what is known of a suspension in a step: way s; -1, 0, 1 for the stop that it is at
WAY, STOP = range(2)


@lazy_kernel(0.0, 0.0, A_VEHICLE, SOME_WHEELS, ROW, 0.0)
def ride(dt: float, gravity: float, vehicle: np.void, wheels: Records, stands: Array,
         speed: float) -> None:
    """
    Move body and wheels by a step, and write the loads into `wheels`: see `tyre_springs.bounce`.

    :param vehicle: its record.
    :param wheels: records of its wheels.
    :param stands: x y z yaw pitch roll as it would stand on hard tyres.
    :param speed: of its centre of mass [m/s].
    """
    slope_x = -math.sin(stands[4])
    slope_y = math.cos(stands[4]) * math.sin(stands[5])
    down = max(math.cos(stands[4]) * math.cos(stands[5]), 0.1)
    count = len(wheels)
    known, springs = np.zeros((count, FORCE + 1)), np.zeros((count, STOP + 1))
    before_x, before_y = vehicle['slant_x'], vehicle['slant_y']
    approach(dt, vehicle, wheels, stands, slope_x, slope_y, speed, known)
    start = np.empty(BODY + count)
    start[0], start[1], start[2] = (
        vehicle['rise_rate'], vehicle['slant_x_rate'], vehicle['slant_y_rate'])
    stiff = 0.0
    for k in range(count):
        wheel, row = wheels[k], known[k]
        row[ALONG], row[ACROSS] = wheel['x'] - vehicle['com_x'], wheel['y'] - vehicle['com_y']
        wheel['hub'] += ((vehicle['slant_x'] - before_x) * row[ALONG]
                         + (vehicle['slant_y'] - before_y) * row[ACROSS])
        row[PRESSED] = wheel['under'] - wheel['hub']
        row[PUSHES] = row[NEAR] = 1.0 if row[PRESSED] > 0.0 else 0.0
        springs[k, WAY] = wheel['hub'] - (
            vehicle['rise'] + vehicle['slant_x'] * row[ALONG] + vehicle['slant_y'] * row[ACROSS])
        springs[k, STOP] = stop_at(springs[k, WAY], wheel['suspension_travel'])
        start[BODY + k] = wheel['hub_rate']
        ease = (1.0 / vehicle['mass'] + row[ALONG] * row[ALONG] / vehicle['inertia_along']
                + row[ACROSS] * row[ACROSS] / vehicle['inertia_across'])
        damped = dt * ease * wheel['suspension_damping']
        stiff += dt * dt * ease * wheel['suspension_stiffness'] + damped * damped
    stiff *= stiff
    theta = 0.5 + 0.5 * stiff / (1.0 + stiff)
    moves = solve(dt, theta, gravity, vehicle, wheels, down, slope_x, slope_y, start, known,
                  springs)
    if changed(dt, wheels, moves, known, springs):
        theta = 1.0
        for _ in range(6 * count):
            moves = solve(dt, theta, gravity, vehicle, wheels, down, slope_x, slope_y, start,
                          known, springs)
            if not changed(dt, wheels, moves, known, springs):
                break
    for k in range(count):
        wheels[k]['normal_load'] = down * known[k, PUSHES] * max(known[k, FORCE], 0.0)
        wheels[k]['hub'] += dt * moves[BODY + k]
        wheels[k]['hub_rate'] += (moves[BODY + k] - start[BODY + k]) / theta
    take(dt, theta, vehicle, (start[0], start[1], start[2]), (moves[0], moves[1], moves[2]))
    vehicle['stand_z'], vehicle['stand_yaw'] = stands[2], stands[3]
    vehicle['stand_pitch'], vehicle['stand_roll'] = stands[4], stands[5]


@compiled(inlined=True)
def stop_at(way: float, travel: float) -> float:
    """Return 1 at the upper stop, -1 at the lower one, 0 between; a travel of 0 has none."""
    if travel > 0.0 and abs(way) > 0.5 * travel:
        return 1.0 if way > 0.0 else -1.0
    return 0.0


@compiled(inner=True)
def add(matrix: Array, right: Array, along: float, across: float, k: int, other: int,
        other_along: float, other_across: float, holds: float, push: float) -> None:
    """
    Add a spring between body and wheel, and against that of another wheel, to a system.

    :param along: place of wheel `k` from the centre of mass; so across.
    :param other: the other wheel, -1 for none, with its place.
    :param holds: force for a unit of the rate of its way.
    :param push: force as it is, times the part of the step.
    """
    index = np.empty(BODY + 2, np.int64)
    arm = np.empty(BODY + 2)
    index[0], index[1], index[2], index[3] = 0, 1, 2, BODY + k
    arm[0], arm[1], arm[2], arm[3] = -1.0, -along, -across, 1.0
    last = BODY + 1
    if other >= 0:
        arm[0] += 1.0
        arm[1] += other_along
        arm[2] += other_across
        index[4], arm[4] = BODY + other, -1.0
        last += 1
    for i in range(last):
        right[index[i]] -= push * arm[i]
        for j in range(last):
            matrix[index[i], index[j]] += holds * arm[i] * arm[j]


@compiled(inlined=True)
def sprung_moment(vehicle: np.void, wheels: Records) -> float:
    """
    Return mass times height of what leans with the body, without the wheels [kg m].

    Times gravity it is the moment for a lean of 1 by which its weight topples it.
    """
    moment = vehicle['mass'] * vehicle['com_height']
    for k in range(len(wheels)):
        moment -= wheels[k]['mass'] * wheels[k]['radius']
    return float(moment)


@compiled(inner=True)
def solve(dt: float, theta: float, gravity: float, vehicle: np.void, wheels: Records, down: float,
          slope_x: float, slope_y: float, start: Array, known: Array, springs: Array) -> Array:
    """Return the mean rates of a step, in which certain tyres push and stops hold."""
    count, part = len(wheels), theta * dt
    scale = 1.0 / (down * down)
    matrix, right = np.zeros((BODY + count, BODY + count)), np.zeros(BODY + count)
    matrix[0, 0] = scale * vehicle['mass']
    matrix[1, 1] = scale * vehicle['inertia_along']
    matrix[2, 2] = scale * vehicle['inertia_across']
    for k in range(count):
        mass, x, y = scale * wheels[k]['mass'], known[k, ALONG], known[k, ACROSS]
        matrix[0, 0] -= mass
        matrix[0, 1] -= mass * x
        matrix[0, 2] -= mass * y
        matrix[1, 1] -= mass * x * x
        matrix[1, 2] -= mass * x * y
        matrix[2, 2] -= mass * y * y
        matrix[BODY + k, BODY + k] = mass
    matrix[1, 0], matrix[2, 0], matrix[2, 1] = matrix[0, 1], matrix[0, 2], matrix[1, 2]
    field = vehicle['pull_along'] * slope_x + vehicle['pull_across'] * slope_y - gravity
    lever = vehicle['mass'] * vehicle['com_height'] / down
    for i in range(BODY + count):
        for j in range(BODY if i < BODY else 0):
            right[i] += matrix[i, j] * start[j]
        if i < BODY:
            right[i] += part * matrix[i, 0] * field
        else:
            right[i] = matrix[i, i] * (start[i] + part * field)
    topples = gravity * sprung_moment(vehicle, wheels)
    right[1] += part * (lever * vehicle['pull_along']
                        + topples * (vehicle['slant_x'] - slope_x))
    right[2] += part * (lever * vehicle['pull_across']
                        + topples * (vehicle['slant_y'] - slope_y))
    matrix[1, 1] -= part * part * topples
    matrix[2, 2] -= part * part * topples
    for k in range(count):
        wheel, row = wheels[k], known[k]
        if row[PUSHES] != 0.0:
            matrix[BODY + k, BODY + k] += part * (
                wheel['tyre_stiffness'] * part + wheel['tyre_damping'])
            right[BODY + k] += part * (wheel['tyre_stiffness'] * row[PRESSED]
                                       + wheel['tyre_damping'] * row[RATE])
        stiffness = wheel['suspension_stiffness']
        push = wheel['preload'] + stiffness * springs[k, WAY]
        if springs[k, STOP] != 0.0:
            push += STOPS * stiffness * (
                springs[k, WAY] - 0.5 * springs[k, STOP] * wheel['suspension_travel'])
            stiffness *= 1.0 + STOPS
        add(matrix, right, row[ALONG], row[ACROSS], k, -1, 0.0, 0.0,
            part * (stiffness * part + wheel['suspension_damping']), part * push)
        other = int(wheel['partner'])
        if other > k:
            bar = wheel['anti_roll_stiffness']
            add(matrix, right, row[ALONG], row[ACROSS], k, other, known[other, ALONG],
                known[other, ACROSS], part * part * bar,
                part * bar * (springs[k, WAY] - springs[other, WAY]))
    eliminate(matrix, right)
    for k in range(count):
        row, wheel = known[k], wheels[k]
        row[FORCE] = (wheel['tyre_stiffness'] * (row[PRESSED] - part * right[BODY + k])
                      + wheel['tyre_damping'] * (row[RATE] - right[BODY + k]))
    return right


@compiled(inlined=True)
def eliminate(matrix: Array, right: Array) -> None:
    """Solve a positive definite system in place, by elimination without exchanges."""
    size = len(right)
    for i in range(size):
        for j in range(i + 1, size):
            factor = matrix[j, i] / matrix[i, i]
            if factor != 0.0:
                for k in range(i, size):
                    matrix[j, k] -= factor * matrix[i, k]
                right[j] -= factor * right[i]
    for i in range(size - 1, -1, -1):
        for k in range(i + 1, size):
            right[i] -= matrix[i, k] * right[k]
        right[i] /= matrix[i, i]


@compiled(inlined=True)
def changed(dt: float, wheels: Records, moves: Array, known: Array, springs: Array) -> bool:
    """Find which tyres push and which stops hold; return whether others than assumed."""
    changes = False
    for k in range(len(wheels)):
        row, wheel = known[k], wheels[k]
        pressed = row[PRESSED] - dt * moves[BODY + k]
        if pressed > 0.0 and row[NEAR] == 0.0:
            row[NEAR] = 1.0
            changes = True
        pushes = 1.0 if row[NEAR] != 0.0 and row[FORCE] > 0.0 else 0.0
        way = springs[k, WAY] + dt * (moves[BODY + k] - moves[0] - moves[1] * row[ALONG]
                                      - moves[2] * row[ACROSS])
        stop = stop_at(way, wheel['suspension_travel'])
        changes = changes or pushes != row[PUSHES] or stop != springs[k, STOP]
        row[PUSHES], springs[k, STOP] = pushes, stop
    return changes
