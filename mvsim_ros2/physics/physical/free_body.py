# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Vehicles off the ground: they fly by gravity, land, tip over and lie.

A rigid body with unilateral contacts: the lowest points of its wheels and points of the box
around its chassis. In plan the engine moves it; height, pitch and roll are moved here, by
velocities and inelastic impulses (J. J. Moreau, *Unilateral contact and dry friction in finite
freedom dynamics*, 1988), found by projected Gauss-Seidel. An impulse acts at right angles to the
ground; what of it is horizontal goes to the body of the engine. No contact adds energy.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.ground.terrain import NO_RELIEF, Relief
from mvsim_ros2.physics.ground.wheel_path import carried, steepened
from mvsim_ros2.physics.physical.slope_transition import STEEP_NOSE, tilted, turned
from mvsim_ros2.physics.physical.wheel_loads import plane
from mvsim_ros2.physics.state.example_arguments import A_VEHICLE, ROW, SOME_WHEELS
from mvsim_ros2.physics.state.record_layout import LEANS

Array = NDArray[np.float64]
Records = NDArray[np.void]

SWEEPS = 60  # of Gauss-Seidel
UPRIGHT = 0.5  # cosine of the lean at which wheels carry no more, and a vehicle has tipped over
SCRAPING = 0.5  # friction of a chassis on the ground
CALM = 0.05  # s; so long a vehicle is at rest on its wheels before it follows the ground again
QUIET = 0.3  # rad/s
SLIDES = 0.05  # m/s
LOW = 0.1  # of the radius; wheels that stand are no farther from the ground
DEEP = 0.02  # of the radius; a wheel that is deeper in an edge came into it within a step
ALONG_CHASSIS = 5  # points of each side of its underside
SAME_SLOPE = 1e-6  # slopes that differ by less are one
CLOSED = 1e-5  # m/s; a contact that comes apart no faster stays closed
# columns of a contact: arms from the centre of mass, gap, slope of the ground, 1 on an edge,
# impulse, how fast it comes apart
ARM_X, ARM_Y, ARM_Z, GAP, SLOPE_X, SLOPE_Y, EDGE, IMPULSE, OPENS = range(9)


@compiled(inlined=True)
def _touches(relief: Relief, vehicle: np.void, wheels: Records, pose: Array, row: Array,
             x: float, y: float, z: float, up: float, heading: float, radius: float) -> None:
    """
    Fill in a contact at a point of the body.

    :param x: from the reference point, in axes that turn with the yaw [m]; so y and z.
    :param up: how far above it the ground may be.
    :param heading: direction in which it rolls, in these axes.
    """
    cosine, sine = math.cos(pose[3]), math.sin(pose[3])
    com_x, com_y, com_z = tilted(
        pose[4], pose[5], vehicle['com_x'], vehicle['com_y'], vehicle['com_height'])
    height, slope_x, slope_y, on_edge, _ = carried(
        relief, pose[0] + cosine * x - sine * y, pose[1] + sine * x + cosine * y,
        pose[2] + z + up, math.cos(pose[3] + heading), math.sin(pose[3] + heading), radius)
    row[ARM_X], row[ARM_Y], row[ARM_Z] = x - com_x, y - com_y, z - com_z
    row[GAP] = pose[2] + z - height
    row[SLOPE_X] = cosine * slope_x + sine * slope_y
    row[SLOPE_Y] = cosine * slope_y - sine * slope_x
    row[EDGE], row[IMPULSE] = 1.0 if on_edge else 0.0, 0.0


@compiled(inlined=True)
def find_contacts(relief: Relief, vehicle: np.void, wheels: Records, pose: Array,
                  contacts: Array) -> None:
    """Fill in the contacts: of the wheels, of the ends that it leans on, of its chassis."""
    pitch, roll = pose[4], pose[5]
    for k in range(len(wheels)):
        wheel = wheels[k]
        angle = wheel['toe'] + wheel['steer'] + wheel['roller']
        x, y, z = tilted(pitch, roll, wheel['x'], wheel['y'], wheel['radius'])
        ax, ay, az = tilted(pitch, roll, -math.sin(angle), math.cos(angle), 0.0)
        flat = math.sqrt(max(1.0 - az * az, 0.0))
        if flat > 1e-6:
            x += wheel['radius'] * az * ax / flat
            y += wheel['radius'] * az * ay / flat
            z -= wheel['radius'] * flat
        if abs(az) > UPRIGHT:
            half = -math.copysign(0.5 * wheel['width'], az)
            x += half * ax
            y += half * ay
            z += half * az
        _touches(relief, vehicle, wheels, pose, contacts[k], x, y, z, wheel['radius'], angle,
                 wheel['radius'] if flat > UPRIGHT else 0.0)
        wheel['bottom'] = pose[2] + z
    at = len(wheels)
    if vehicle['ground'] == LEANS:
        for end in range(2):
            x, y, z = tilted(
                pitch, roll, vehicle['end_x'] if end else vehicle['hitch_x'],
                vehicle['end_y'] if end else vehicle['hitch_y'], 0.0)
            _touches(relief, vehicle, wheels, pose, contacts[at + end], x, y, z,
                     wheels[0]['radius'], 0.0, 0.0)
        at += 2
    high = vehicle['box_high'] - vehicle['box_low']
    for k in range(2 * ALONG_CHASSIS + 4):
        side = 1.0 if k % 2 else -1.0
        step = k // 2
        part, bottom = -1.0 + 2.0 * step / (ALONG_CHASSIS - 1), vehicle['box_low']
        if step >= ALONG_CHASSIS:
            part, bottom = (1.0 if step > ALONG_CHASSIS else -1.0), vehicle['box_high']
        x, y, z = tilted(pitch, roll, vehicle['box_x'] + part * vehicle['box_half_x'],
                         vehicle['box_y'] + side * vehicle['box_half_y'], bottom)
        _touches(relief, vehicle, wheels, pose, contacts[at + k], x, y, z, 0.5 * high, 0.0, 0.0)


@compiled(inlined=True)
def meet_edges(wheels: Records, contacts: Array, vx: float, vy: float, w: float) -> None:
    """
    Let wheels that came into an edge within the last step meet it where their rims came to it.

    At the angle a from the vertical with `cos a = 1 - h / R`, h the height of the edge over the
    lowest point. One that does not come on stands where it is.

    :param vx: velocity of the centre of mass along its heading [m/s]; vy to the left of it.
    :param w: yaw rate [rad/s].
    """
    for k in range(len(wheels)):
        row, radius = contacts[k], wheels[k]['radius']
        if row[EDGE] == 0.0 or row[GAP] > -DEEP * radius:
            continue
        slope = math.sqrt(row[SLOPE_X] * row[SLOPE_X] + row[SLOPE_Y] * row[SLOPE_Y])
        comes = (row[SLOPE_X] * (vx - w * row[ARM_Y]) + row[SLOPE_Y] * (vy + w * row[ARM_X]))
        steeper = 0.0
        if comes > SLIDES * slope and slope > 0.0:
            steeper = steepened(slope, -row[GAP] / radius) / slope
        row[SLOPE_X] *= steeper
        row[SLOPE_Y] *= steeper


@compiled(inlined=True)
def push_apart(dt: float, mass: float, turn_inertia: float, ease: Array, contacts: Array,
               moves: Array) -> None:
    """
    Let contacts push until none comes below the ground within the step.

    :param ease: inverse inertia about the heading and to its left, shape (2, 2).
    :param moves: velocities up, about heading and left, ahead, to the left, about the vertical;
        changed.
    """
    for _ in range(SWEEPS):
        change = 0.0
        for k in range(len(contacts)):
            row = contacts[k]
            roll, pitch = row[ARM_Y], -row[ARM_X]
            gx, gy = -row[SLOPE_X], -row[SLOPE_Y]
            yaw = row[ARM_X] * gy - row[ARM_Y] * gx
            spin_x = ease[0, 0] * roll + ease[0, 1] * pitch
            spin_y = ease[1, 0] * roll + ease[1, 1] * pitch
            soft = ((1.0 + gx * gx + gy * gy) / mass + roll * spin_x + pitch * spin_y
                    + yaw * yaw / turn_inertia)
            comes = (moves[0] + roll * moves[1] + pitch * moves[2] + gx * moves[3]
                     + gy * moves[4] + yaw * moves[5])
            row[OPENS] = comes + max(row[GAP], 0.0) / dt
            wanted = row[IMPULSE] - row[OPENS] / soft
            push = max(wanted, 0.0) - row[IMPULSE]
            if push == 0.0:
                continue
            row[IMPULSE] += push
            moves[0] += push / mass
            moves[1] += push * spin_x
            moves[2] += push * spin_y
            moves[3] += push * gx / mass
            moves[4] += push * gy / mass
            moves[5] += push * yaw / turn_inertia
            change = max(change, abs(push))
        if change < 1e-7 * mass * dt:
            break


@compiled(inner=True)
def share(contacts: Array, first_end: int, ends: int) -> None:
    """
    Let contacts that push the same way share what they push as equal springs do.

    More than three of these leave open how much each of them pushes, and `push_apart` the first
    ones more. The motion stays as it is: their sum and its moments do.

    :param first_end: number of the first of the ends that it leans on, which take no part: they
        carry what its wheels cannot.
    :param ends: how many these are.
    """
    x, y = np.empty(len(contacts)), np.empty(len(contacts))
    closed, count, first = np.zeros(len(contacts), np.bool_), 0, -1
    weight, moment_x, moment_y = 0.0, 0.0, 0.0
    for k in range(len(contacts)):
        row = contacts[k]
        x[k], y[k], push = row[ARM_X], row[ARM_Y], row[IMPULSE]
        if first_end <= k < first_end + ends or push == 0.0 and row[OPENS] > CLOSED:
            continue
        if first < 0:
            first = k
        if (abs(row[SLOPE_X] - contacts[first, SLOPE_X])
                + abs(row[SLOPE_Y] - contacts[first, SLOPE_Y]) > SAME_SLOPE):
            return
        closed[k], count = True, count + 1
        weight, moment_x, moment_y = weight + push, moment_x + push * x[k], moment_y + push * y[k]
    if count <= 3:
        return
    a, b, c, _ = plane(x, y, closed, weight, moment_x, moment_y)
    part = 1.0  # of the way there, none may pull
    for k in range(len(contacts)):
        shared = a + b * x[k] + c * y[k]
        if closed[k] and shared < 0.0:
            part = min(part, contacts[k, IMPULSE] / (contacts[k, IMPULSE] - shared))
    for k in range(len(contacts)):
        if closed[k]:
            contacts[k, IMPULSE] += part * (a + b * x[k] + c * y[k] - contacts[k, IMPULSE])


@compiled(inlined=True)
def come_back(vehicle: np.void, wheels: Records, pose: Array, contacts: Array, moves: Array,
              ) -> None:
    """
    Note the paths that wheels of a body which follows the ground again come from.

    Without these an edge that is met in the next step would be met without an impact.

    :param moves: see `push_apart`.
    """
    cosine, sine = math.cos(pose[3]), math.sin(pose[3])
    vehicle['stands'] = 1.0
    vehicle['stand_z'], vehicle['stand_pitch'], vehicle['stand_roll'] = pose[2], pose[4], pose[5]
    vehicle['lean_was'] = vehicle['com_height'] * (1.0 - math.cos(pose[4]) * math.cos(pose[5]))
    for k in range(len(wheels)):
        wheel, row = wheels[k], contacts[k]
        height = wheel['bottom'] - row[GAP]
        wheel['under'] = wheel['ground'] = height
        wheel['under_was'] = min(height, wheel['bottom'])
        wheel['under_rate'] = (row[SLOPE_X] * (moves[3] - moves[5] * row[ARM_Y])
                               + row[SLOPE_Y] * (moves[4] + moves[5] * row[ARM_X]))
        wheel['grade_was_x'] = cosine * row[SLOPE_X] - sine * row[SLOPE_Y]
        wheel['grade_was_y'] = sine * row[SLOPE_X] + cosine * row[SLOPE_Y]
        wheel['edge_was'] = 0.0


@compiled(inner=True)
def inverse_inertia(vehicle: np.void, pose: Array) -> Array:
    """Return the inverse inertia of the tilted body about heading and left, shape (2, 2)."""
    about, ease = np.zeros((2, 2)), np.empty((2, 2))
    for axis in range(3):
        value = vehicle['roll_inertia'] if axis == 0 else (
            vehicle['pitch_inertia'] if axis == 1 else vehicle['turn_inertia'])
        x, y, _ = tilted(pose[4], pose[5], 1.0 if axis == 0 else 0.0,
                         1.0 if axis == 1 else 0.0, 1.0 if axis == 2 else 0.0)
        about[0, 0] += value * x * x
        about[0, 1] += value * x * y
        about[1, 1] += value * y * y
    whole = about[0, 0] * about[1, 1] - about[0, 1] * about[0, 1]
    ease[0, 0], ease[1, 1] = about[1, 1] / whole, about[0, 0] / whole
    ease[0, 1] = ease[1, 0] = -about[0, 1] / whole
    return ease


@lazy_kernel(0.0, A_VEHICLE, SOME_WHEELS, ROW)
def lean(dt: float, vehicle: np.void, wheels: Records, pose: Array) -> None:
    """
    Let the forces of the tyres in a step turn a free body about its heading and its left.

    A tyre that slides takes energy out of the motion in plan; what turns the body by it is no
    more than that. So a force that the turning contact runs before adds none.

    :param pose: x y z yaw pitch roll.
    """
    _, _, com_z = tilted(
        pose[4], pose[5], vehicle['com_x'], vehicle['com_y'], vehicle['com_height'])
    holds_x, holds_y, slides_x, slides_y, lost = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(len(wheels)):
        wheel = wheels[k]
        down = wheel['bottom'] - pose[2] - com_z
        if abs(wheel['velocity_y']) < SLIDES:
            holds_x -= down * wheel['force_y']
        else:
            slides_x -= down * wheel['force_y']
            lost -= dt * wheel['force_y'] * wheel['velocity_y']
        if abs(wheel['velocity_x']) < SLIDES or wheel['torque'] != 0.0:
            holds_y += down * wheel['force_x']
        else:
            slides_y += down * wheel['force_x']
            lost -= dt * wheel['force_x'] * wheel['velocity_x']
    ease = inverse_inertia(vehicle, pose)
    roll = dt * (ease[0, 0] * holds_x + ease[0, 1] * holds_y)
    pitch = dt * (ease[1, 0] * holds_x + ease[1, 1] * holds_y)
    turn_x = dt * (ease[0, 0] * slides_x + ease[0, 1] * slides_y)
    turn_y = dt * (ease[1, 0] * slides_x + ease[1, 1] * slides_y)
    # energy that the part s of these turns adds: s half + s^2 whole
    whole = 0.5 * dt * (slides_x * turn_x + slides_y * turn_y)
    half = dt * (slides_x * (vehicle['roll_rate'] + roll)
                 + slides_y * (vehicle['pitch_rate'] + pitch))
    lost = max(lost, 0.0)
    part = 1.0
    if half + whole > lost:
        part = min((math.sqrt(half * half + 4.0 * whole * lost) - half) / (2.0 * whole), 1.0)
    roll, pitch = roll + part * turn_x, pitch + part * turn_y
    vehicle['roll_rate'] += roll
    vehicle['pitch_rate'] += pitch
    vehicle['slant_x_change'] += roll / dt
    vehicle['slant_y_change'] += pitch / dt


@lazy_kernel(0.0, 0.0, NO_RELIEF, A_VEHICLE, SOME_WHEELS, ROW, 0.0, 0.0, 0.0)
def fly(dt: float, gravity: float, relief: Relief, vehicle: np.void, wheels: Records,
        pose: Array, vx: float, vy: float, w: float) -> tuple[float, float, float]:
    """
    Move height, pitch and roll of a free body by a step, and write the loads of its wheels.

    :param pose: x y z yaw pitch roll; changed.
    :param vx: velocity of the centre of mass along its heading [m/s]; vy to the left of it.
    :param w: yaw rate [rad/s].
    :returns: these three after what contacts do to them.
    """
    extra = 2 if vehicle['ground'] == LEANS else 0
    contacts = np.zeros((len(wheels) + extra + 2 * ALONG_CHASSIS + 4, OPENS + 1))
    find_contacts(relief, vehicle, wheels, pose, contacts)
    meet_edges(wheels, contacts, vx, vy, w)
    mass = vehicle['mass']
    ease = inverse_inertia(vehicle, pose)
    moves = np.empty(6)
    moves[0] = vehicle['sink'] - gravity * dt
    moves[1], moves[2] = vehicle['roll_rate'], vehicle['pitch_rate']
    moves[3], moves[4], moves[5] = vx, vy, w
    deepest = 0.0
    for k in range(len(contacts)):
        deepest = max(deepest, -contacts[k, GAP])
    push_apart(dt, mass, vehicle['turn_inertia'], ease, contacts, moves)
    share(contacts, len(wheels), extra)
    _, _, before = tilted(
        pose[4], pose[5], vehicle['com_x'], vehicle['com_y'], vehicle['com_height'])
    pitch, roll = turned(pose[4], pose[5], moves[1], moves[2], dt)
    _, _, after = tilted(pitch, roll, vehicle['com_x'], vehicle['com_y'], vehicle['com_height'])
    lift = 0.0
    if deepest > 0.0:  # out of the ground, at the cost of the speed
        square = moves[3] * moves[3] + moves[4] * moves[4]
        lift = min(deepest, 0.5 * square / gravity)
        if square > 0.0:
            left = math.sqrt(max(1.0 - 2.0 * gravity * lift / square, 0.0))
            moves[3] *= left
            moves[4] *= left
    pose[2] += before - after + dt * moves[0] + lift
    pose[4], pose[5] = pitch, roll
    if abs(pitch) == STEEP_NOSE:
        moves[2] = 0.0
    vehicle['rise_change'] = (moves[0] - vehicle['sink']) / dt
    vehicle['slant_x_change'] = (moves[1] - vehicle['roll_rate']) / dt
    vehicle['slant_y_change'] = (moves[2] - vehicle['pitch_rate']) / dt
    vehicle['sink'], vehicle['roll_rate'], vehicle['pitch_rate'] = moves[0], moves[1], moves[2]
    upright = math.cos(pitch) * math.cos(roll)
    vehicle['tipped'] = 1.0 if upright < UPRIGHT else 0.0
    scrapes, carries, low = 0.0, 0.0, True
    for k in range(len(contacts)):
        if k < len(wheels) and upright >= UPRIGHT:
            wheels[k]['normal_load'] = contacts[k, IMPULSE] / dt
            carries += contacts[k, IMPULSE]
            low = low and abs(contacts[k, GAP]) < LOW * wheels[k]['radius']
        else:
            if k < len(wheels):
                wheels[k]['normal_load'] = 0.0
            if k >= len(wheels) + extra or upright < UPRIGHT:
                scrapes += contacts[k, IMPULSE]
    if scrapes > 0.0:
        speed = math.sqrt(moves[3] * moves[3] + moves[4] * moves[4])
        if speed > 0.0:
            left = max(1.0 - SCRAPING * scrapes / (mass * speed), 0.0)
            moves[3] *= left
            moves[4] *= left
        arm = math.sqrt(vehicle['turn_inertia'] / mass)
        rubbed = SCRAPING * scrapes * arm / vehicle['turn_inertia']
        moves[5] -= math.copysign(min(rubbed, abs(moves[5])), moves[5])
    quiet = (abs(moves[1]) + abs(moves[2]) < QUIET and low and upright >= UPRIGHT
             and 0.5 < carries / (mass * gravity * dt) < 1.5)
    vehicle['calm'] = vehicle['calm'] + dt if quiet else 0.0
    if vehicle['calm'] > CALM:
        vehicle['loose'] = 0.0
        come_back(vehicle, wheels, pose, contacts, moves)
    return moves[3], moves[4], moves[5]
