# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Tyres as vertical springs: the body heaves, pitches and rolls on its wheels.

A vehicle is a rigid body on one spring and damper a wheel, all vertical. The height of its plane
of wheel contacts over the place (x, y) from the centre of mass is `rise + slant_x x + slant_y y`:
these three move, in the world, by weight, by the moments of the forces in the plane, and by the
springs, which push but do not pull. Tyres touch that plane where they are not pressed in.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.state.example_arguments import (
    A_VEHICLE, ROW, SOME_VEHICLES, SOME_WHEELS, TABLE)

Array = NDArray[np.float64]
Records = NDArray[np.void]

STEEPEST = 0.7  # sine of the lean of a body from which on it is a free one
SLOWEST = 1.0  # m/s; how fast the ground comes to a tyre at least: see `approach`
# columns of what is known of a wheel in a step
ALONG, ACROSS, PRESSED, RATE, NEAR, PUSHES, FORCE = range(7)


@lazy_kernel(False, SOME_VEHICLES, TABLE)
def put_down(looks: bool, vehicles: Records, pose: Array) -> None:
    """
    Put vehicles on springs back to where they would stand on hard tyres, before a step.

    :param looks: whether `settle` comes next; then one in the air finds the ground below it.
    :param pose: shape (V, 6), x y z yaw pitch roll.
    """
    for i in range(len(vehicles)):
        vehicle = vehicles[i]
        if vehicle['sprung'] != 0.0 and vehicle['loose'] == 0.0:
            pose[i, 4], pose[i, 5] = vehicle['stand_pitch'], vehicle['stand_roll']
            if not looks or pose[i, 2] < vehicle['stand_z']:
                pose[i, 2] = vehicle['stand_z']


@compiled(inlined=True)
def plane_of(vehicle: np.void) -> tuple[float, float, float]:
    """Return the height of the plane of wheel contacts below the reference point, its slants."""
    x, y = vehicle['slant_x'], vehicle['slant_y']
    return vehicle['rise'] - x * vehicle['com_x'] - y * vehicle['com_y'], x, y


@lazy_kernel(SOME_VEHICLES, TABLE)
def put_on_springs(vehicles: Records, pose: Array) -> None:
    """Write height, pitch and roll of vehicles on springs into `pose`, after a step."""
    for i in range(len(vehicles)):
        vehicle = vehicles[i]
        if vehicle['sprung'] != 0.0 and vehicle['loose'] == 0.0:
            pose[i, 2], x, y = plane_of(vehicle)
            pitch = -math.asin(min(max(x, -0.99), 0.99))
            pose[i, 4] = pitch
            pose[i, 5] = math.asin(min(max(y / math.cos(pitch), -0.99), 0.99))


@lazy_kernel(0.0, 0.0, A_VEHICLE, SOME_WHEELS, ROW, 0.0)
def bounce(dt: float, gravity: float, vehicle: np.void, wheels: Records, stands: Array,
           speed: float) -> None:
    """
    Move the body on its springs by a step, and write the loads into `wheels`.

    By a theta method that keeps the energy of slow oscillations nearly as it is, and is the
    implicit Euler method for fast ones and in steps in which a wheel meets or leaves the
    ground. With the ground at rest none of these adds energy.

    :param vehicle: its record.
    :param wheels: records of its wheels.
    :param stands: x y z yaw pitch roll as it would stand on hard tyres.
    :param speed: of its centre of mass [m/s].
    """
    slope_x = -math.sin(stands[4])
    slope_y = math.cos(stands[4]) * math.sin(stands[5])
    down = max(math.cos(stands[4]) * math.cos(stands[5]), 0.1)
    line_x, line_y = vehicle['line_x'], vehicle['line_y']
    known = np.zeros((len(wheels), FORCE + 1))
    approach(dt, vehicle, wheels, stands, slope_x, slope_y, speed, known)
    start = vehicle['rise_rate'], (
        line_x * vehicle['slant_x_rate'] + line_y * vehicle['slant_y_rate']), (
        line_x * vehicle['slant_y_rate'] - line_y * vehicle['slant_x_rate'])
    # force and moments of what is not a spring, over mass and inertia
    lever = vehicle['mass'] * vehicle['com_height'] * down
    along, across = vehicle['pull_along'], vehicle['pull_across']
    heave = along * slope_x + across * slope_y - gravity
    pitch = lever * (line_x * along + line_y * across) / vehicle['inertia_along']
    roll = 0.0
    if vehicle['inertia_across'] > 0.0:
        roll = lever * (line_x * across - line_y * along) / vehicle['inertia_across']
    own = heave, pitch, roll
    stiff = 0.0
    for k in range(len(wheels)):
        row = known[k]
        row[PUSHES] = row[NEAR] = 1.0 if row[PRESSED] > 0.0 else 0.0
        if row[NEAR] != 0.0:
            ease = 1.0 / vehicle['mass'] + row[ALONG] * row[ALONG] / vehicle['inertia_along']
            if vehicle['inertia_across'] > 0.0:
                ease += row[ACROSS] * row[ACROSS] / vehicle['inertia_across']
            damped = dt * ease * wheels[k]['tyre_damping']
            stiff += dt * dt * ease * wheels[k]['tyre_stiffness'] + damped * damped
    stiff *= stiff
    theta = 0.5 + 0.5 * stiff / (1.0 + stiff)
    moves = advance(dt, theta, vehicle, wheels, down, start, own, known)
    if judge(dt, wheels, moves, known):
        theta = 1.0
        for k in range(len(wheels)):
            row = known[k]
            falls = (start[0] + dt * heave + (start[1] + dt * pitch) * row[ALONG]
                     + (start[2] + dt * roll) * row[ACROSS])
            row[NEAR] = 1.0 if row[PRESSED] > 0.0 or row[PRESSED] > dt * falls else 0.0
            row[PUSHES] = row[NEAR]
        for _ in range(4 * len(wheels)):
            moves = advance(dt, theta, vehicle, wheels, down, start, own, known)
            if not judge(dt, wheels, moves, known):
                break
    for k in range(len(wheels)):
        wheels[k]['normal_load'] = down * known[k, PUSHES] * max(known[k, FORCE], 0.0)
    take(dt, theta, vehicle, start, moves)
    vehicle['stand_z'], vehicle['stand_yaw'] = stands[2], stands[3]
    vehicle['stand_pitch'], vehicle['stand_roll'] = stands[4], stands[5]


@compiled(inlined=True)
def push_back(wheels: Records, heading_x: float, heading_y: float, lean_x: float, lean_y: float,
              skew: float, down: float) -> tuple[float, float]:
    """
    Return what loads push a vehicle on springs along the plane that it stands on [N].

    Along its own axes, ahead and to the left, which in plan are `(lean_x, 0)` and
    `(skew, lean_y)` on its heading: each wheel by the slope of its own path, none in the air.

    :param down: cosine of the lean of the plane.
    """
    x, y = 0.0, 0.0
    for k in range(len(wheels)):
        x -= wheels[k]['normal_load'] * wheels[k]['grade_x']
        y -= wheels[k]['normal_load'] * wheels[k]['grade_y']
    across = down * (heading_x * y - heading_y * x) / lean_y
    return (down * (heading_x * x + heading_y * y) - skew * across) / lean_x, across


@compiled(inlined=True)
def approach(dt: float, vehicle: np.void, wheels: Records, stands: Array, slope_x: float,
             slope_y: float, speed: float, known: Array) -> None:
    """
    Let the ground come to the tyres, and find how far they are pressed in and how fast.

    An edge comes to a wheel as to one that rolls over it: with the slope `sqrt(2 s / R)`, s what
    is left of the step. The plane that the vehicle stands on turns in its axes when it turns,
    and the body with it, without any force.
    """
    line_x, line_y = vehicle['line_x'], vehicle['line_y']
    turn = stands[3] - vehicle['stand_yaw']
    cosine, sine = math.cos(turn), math.sin(turn)
    before_x = -math.sin(vehicle['stand_pitch'])
    before_y = math.cos(vehicle['stand_pitch']) * math.sin(vehicle['stand_roll'])
    turned_x = cosine * before_x + sine * before_y - before_x
    turned_y = cosine * before_y - sine * before_x - before_y
    vehicle['slant_x'] += turned_x
    vehicle['slant_y'] += turned_y
    if vehicle['inertia_across'] == 0.0:  # held upright on the line of its wheels
        lean = line_x * (slope_y - vehicle['slant_y']) - line_y * (slope_x - vehicle['slant_x'])
        vehicle['slant_x'] -= lean * line_y
        vehicle['slant_y'] += lean * line_x
        vehicle['rise'] -= lean * (line_x * (wheels[0]['y'] - vehicle['com_y'])
                                   - line_y * (wheels[0]['x'] - vehicle['com_x']))
    for k in range(len(wheels)):
        wheel, row = wheels[k], known[k]
        x, y = wheel['x'] - vehicle['com_x'], wheel['y'] - vehicle['com_y']
        away = wheel['ground'] - wheel['under']
        least = abs(away) - wheel['radius']
        most = max(dt * max(speed * math.sqrt(2.0 * abs(away) / wheel['radius']), SLOWEST), least)
        change = min(max(away, -most), most)
        wheel['under'] += change
        row[ALONG] = line_x * x + line_y * y
        row[PRESSED] = wheel['under'] - (
            vehicle['rise'] + vehicle['slant_x'] * x + vehicle['slant_y'] * y)
        change -= (line_x * turned_x + line_y * turned_y) * row[ALONG]
        if vehicle['inertia_across'] > 0.0:
            row[ACROSS] = line_x * y - line_y * x
            change -= (line_x * turned_y - line_y * turned_x) * row[ACROSS]
        row[RATE] = change / dt


@compiled(inlined=True)
def advance(dt: float, theta: float, vehicle: np.void, wheels: Records, down: float,
            start: tuple[float, float, float], own: tuple[float, float, float],
            known: Array) -> tuple[float, float, float]:
    """
    Return the mean rates of a step, in which certain wheels push; write their forces.

    :param start: rates of heave, of the slant along and of that across when it begins.
    :param own: what changes them besides the springs.
    """
    part = theta * dt
    mass = vehicle['mass'] / (down * down)
    along = vehicle['inertia_along'] / (down * down)
    across = vehicle['inertia_across'] / (down * down)
    if across == 0.0:
        across = 1.0  # its rate is 0, and no wheel has an arm
    a, b, c, d, e, f = mass, 0.0, 0.0, along, 0.0, across  # a b c, b d e, c e f
    p = mass * (start[0] + part * own[0])
    q = along * (start[1] + part * own[1])
    r = across * (start[2] + part * own[2])
    for k in range(len(wheels)):
        row = known[k]
        if row[PUSHES] != 0.0:
            stiffness, damping = wheels[k]['tyre_stiffness'], wheels[k]['tyre_damping']
            push = part * (stiffness * row[PRESSED] + damping * row[RATE])
            holds = part * (stiffness * part + damping)
            x, y = row[ALONG], row[ACROSS]
            a += holds
            b += holds * x
            c += holds * y
            d += holds * x * x
            e += holds * x * y
            f += holds * y * y
            p += push
            q += push * x
            r += push * y
    # the matrix is positive definite
    d -= b * b / a
    e -= b * c / a
    f -= c * c / a
    q -= b / a * p
    r -= c / a * p
    w = (r - e / d * q) / (f - e * e / d)
    v = (q - e * w) / d
    u = (p - b * v - c * w) / a
    for k in range(len(wheels)):
        row, wheel = known[k], wheels[k]
        lifts = u + v * row[ALONG] + w * row[ACROSS]
        row[FORCE] = (wheel['tyre_stiffness'] * (row[PRESSED] - part * lifts)
                      + wheel['tyre_damping'] * (row[RATE] - lifts))
    return u, v, w


@compiled(inlined=True)
def judge(dt: float, wheels: Records, moves: tuple[float, float, float], known: Array) -> bool:
    """
    Find which wheels push after all; return whether that is not what was assumed.

    A wheel in the air does not, not even by its damper, unless it comes to the ground now.
    """
    changes = False
    for k in range(len(wheels)):
        row = known[k]
        pressed = row[PRESSED] - dt * (
            moves[0] + moves[1] * row[ALONG] + moves[2] * row[ACROSS])
        if pressed > 0.0 and row[NEAR] == 0.0:
            row[NEAR] = 1.0
            changes = True
        pushes = 1.0 if row[NEAR] != 0.0 and row[FORCE] > 0.0 else 0.0
        changes = changes or pushes != row[PUSHES]
        row[PUSHES] = pushes
    return changes


@compiled(inlined=True)
def take(dt: float, theta: float, vehicle: np.void, start: tuple[float, float, float],
         moves: tuple[float, float, float]) -> None:
    """Write height, slants and their rates at the end of the step."""
    line_x, line_y = vehicle['line_x'], vehicle['line_y']
    heave, pitch, roll = (moves[0] - start[0]) / theta, (
        moves[1] - start[1]) / theta, (moves[2] - start[2]) / theta
    vehicle['rise_change'] = heave / dt
    vehicle['slant_x_change'] = (line_x * pitch - line_y * roll) / dt
    vehicle['slant_y_change'] = (line_x * roll + line_y * pitch) / dt
    vehicle['rise_rate'] += heave
    vehicle['slant_x_rate'] += line_x * pitch - line_y * roll
    vehicle['slant_y_rate'] += line_x * roll + line_y * pitch
    vehicle['rise'] += dt * moves[0]
    vehicle['slant_x'] += dt * (line_x * moves[1] - line_y * moves[2])
    vehicle['slant_y'] += dt * (line_x * moves[2] + line_y * moves[1])


@compiled(inlined=True)
def overturn(vehicle: np.void) -> None:
    """Let a vehicle on springs that leans too far go: see `free_body`."""
    if (vehicle['slant_x'] * vehicle['slant_x'] + vehicle['slant_y'] * vehicle['slant_y']
            > STEEPEST * STEEPEST):
        vehicle['loose'], vehicle['calm'], vehicle['sink'] = 1.0, 0.0, vehicle['rise_rate']
        vehicle['pitch_rate'], vehicle['roll_rate'] = (
            -vehicle['slant_x_rate'], vehicle['slant_y_rate'])


@lazy_kernel(A_VEHICLE, SOME_WHEELS, ROW)
def back_on_springs(vehicle: np.void, wheels: Records, pose: Array) -> None:
    """Let a vehicle that flew stand on its springs again, as it is and moves."""
    vehicle['stand_z'], vehicle['stand_yaw'] = pose[2], pose[3]
    vehicle['stand_pitch'], vehicle['stand_roll'] = pose[4], pose[5]
    vehicle['slant_x'] = -math.sin(pose[4])
    vehicle['slant_y'] = math.cos(pose[4]) * math.sin(pose[5])
    vehicle['rise'] = (pose[2] + vehicle['slant_x'] * vehicle['com_x']
                       + vehicle['slant_y'] * vehicle['com_y'])
    vehicle['rise_rate'] = vehicle['sink']
    vehicle['slant_x_rate'], vehicle['slant_y_rate'] = (
        -vehicle['pitch_rate'], vehicle['roll_rate'])
    for k in range(len(wheels)):
        wheel = wheels[k]
        x, y = wheel['x'] - vehicle['com_x'], wheel['y'] - vehicle['com_y']
        wheel['hub'] = vehicle['rise'] + vehicle['slant_x'] * x + vehicle['slant_y'] * y
        wheel['under'] = wheel['ground'] = wheel['hub']
        wheel['hub_rate'] = (vehicle['rise_rate'] + vehicle['slant_x_rate'] * x
                             + vehicle['slant_y_rate'] * y)
