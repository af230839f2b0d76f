# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
How vehicles that move in the horizontal plane go on where the ground bends, or leave it.

Height, pitch and roll of a vehicle on the ground follow its motion in plan, each with a gradient
that its wheels give. So its kinetic energy is that of a mass which depends on the direction and
on the place: ``m / 2 (u^2 + sum k (c . u)^2)`` with the gradients c, and k = 1 for height, the
inertia over the mass for pitch and roll.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.ground.wheel_path import steepened
from mvsim_ros2.physics.state.example_arguments import A_VEHICLE, ROW, SOME_WHEELS
from mvsim_ros2.physics.state.record_layout import COS, OMEGA, SIN

Array = NDArray[np.float64]
Records = NDArray[np.void]

STEEP_NOSE = 1.5  # rad; a vehicle pitches no farther
BLUNT = 0.1  # a path that becomes steeper by more at once is met by an impact
# columns of an edge that was met within a step: slope of the path there, rise since then
MET_X, MET_Y, RISE = range(3)
OFF = 0.02  # of the radius; a wheel farther above the ground than that has left it
JUMP = 0.05  # of the radius; a wheel that rose by more than its slopes say met an edge on the way


@compiled
def tilted(pitch: float, roll: float, x: float, y: float, z: float,
           ) -> tuple[float, float, float]:
    """Return a vector of the body in axes that turn with its yaw only."""
    cp, sp, cr, sr = math.cos(pitch), math.sin(pitch), math.cos(roll), math.sin(roll)
    return (cp * x + sp * sr * y + sp * cr * z, cr * y - sr * z,
            -sp * x + cp * sr * y + cp * cr * z)


@compiled
def turned(pitch: float, roll: float, rate_x: float, rate_y: float, dt: float,
           ) -> tuple[float, float]:
    """
    Return pitch and roll after a turn about horizontal axes.

    What it turns the body about the vertical is left out.

    :param rate_x: about the heading [rad/s]; rate_y about the left of it.
    """
    angle = math.sqrt(rate_x * rate_x + rate_y * rate_y) * dt
    if angle == 0.0:
        return pitch, roll
    x, y = rate_x * dt / angle, rate_y * dt / angle
    cosine, sine = math.cos(angle), math.sin(angle)
    forward = tilted(pitch, roll, 1.0, 0.0, 0.0)
    left = tilted(pitch, roll, 0.0, 1.0, 0.0)
    up = tilted(pitch, roll, 0.0, 0.0, 1.0)
    # third components of the turned axes, by Rodrigues with an axis without z
    down = cosine * forward[2] + sine * (x * forward[1] - y * forward[0])
    side = cosine * left[2] + sine * (x * left[1] - y * left[0])
    top = cosine * up[2] + sine * (x * up[1] - y * up[0])
    pitch = math.atan2(-down, math.sqrt(side * side + top * top))
    return min(max(pitch, -STEEP_NOSE), STEEP_NOSE), math.atan2(side, top)


@compiled
def slope_of(pitch: float, roll: float, heading_x: float, heading_y: float,
             ) -> tuple[float, float]:
    """
    Return the rise of the plane that a vehicle stands on, a metre along x and y of the world.

    :param pitch: of the vehicle, nose down positive [rad]; so roll.
    :param heading_x: cosine of its yaw; heading_y: the sine.
    """
    cosine = max(math.cos(pitch), 0.1)
    ahead, aside = -math.sin(pitch) / cosine, math.sin(roll) / (
        max(math.cos(roll), 0.1) * cosine)
    return heading_x * ahead - heading_y * aside, heading_y * ahead + heading_x * aside


@compiled
def onto(vx: float, vy: float, before: Array, after: Array, weights: Array,
         ) -> tuple[float, float]:
    """
    Return the horizontal velocity [m/s] of a vehicle that comes from one path onto another.

    The ground pushes at right angles to the new path: what is left is the motion along it that is
    nearest to the old one, measured by kinetic energy,
    ``(1 + sum k c c^T) u' = u + sum k c (c_before . u)``. For one wheel that meets an edge at the
    angle a from the vertical that is ``u' = u cos^2 a``, along its path ``u cos a``.

    :param vx: before [m/s]; so vy.
    :param before: gradients of height, pitch and roll along x and y, shape (3, 2).
    :param after: those of the new path.
    :param weights: k of the three.
    """
    a, b, c = 1.0, 0.0, 1.0
    p, q = vx, vy
    for k in range(3):
        x, y = after[k, 0], after[k, 1]
        rate = weights[k] * (before[k, 0] * vx + before[k, 1] * vy)
        a += weights[k] * x * x
        b += weights[k] * x * y
        c += weights[k] * y * y
        p += rate * x
        q += rate * y
    whole = a * c - b * b
    return (c * p - b * q) / whole, (a * q - b * p) / whole


@compiled
def square(vx: float, vy: float, gradients: Array, weights: Array) -> float:
    """Return twice the kinetic energy over the mass [m^2/s^2]; for the parameters see `onto`."""
    total = vx * vx + vy * vy
    for k in range(3):
        rate = gradients[k, 0] * vx + gradients[k, 1] * vy
        total += weights[k] * rate * rate
    return total


@compiled(inlined=True)
def add_wheel(gradients: Array, wheel: np.void, x: float, y: float) -> None:
    """Add what a wheel whose path rises by x and y a metre does to height, pitch and roll."""
    gradients[0, 0] += wheel['load_share'] * x
    gradients[0, 1] += wheel['load_share'] * y
    gradients[1, 0] += wheel['load_along'] * x
    gradients[1, 1] += wheel['load_along'] * y
    gradients[2, 0] += wheel['load_across'] * x
    gradients[2, 1] += wheel['load_across'] * y


@compiled(inlined=True)
def bound(gravity: float, vehicle: np.void, wheel: np.void, met: Array, vx: float, vy: float,
          gradients: Array) -> float:
    """
    Let a wheel fly from where it met an edge within the step, where it is too fast for its arc.

    :param met: slope of its path there, and how much it rose since then.
    :param vx: horizontal velocity [m/s] after the impact; so vy.
    :param gradients: of the paths of the vehicle, changed.
    :returns: how much higher it is than on the ground [m].
    """
    x, y, radius = met[MET_X], met[MET_Y], wheel['radius']
    slope = math.sqrt(x * x + y * y)
    if slope == 0.0:
        return 0.0
    speed = (x * vx + y * vy) / slope
    now = math.sqrt(wheel['grade_x'] ** 2 + wheel['grade_y'] ** 2)
    way = radius * (slope / math.sqrt(1.0 + slope * slope) - now / math.sqrt(1.0 + now * now))
    if speed <= 0.0 or way <= 0.0:
        return 0.0
    time = way / speed
    higher = slope * way - 0.5 * gravity * time * time - met[RISE]
    if higher <= 0.0:
        return 0.0
    part = 1.0 - gravity * time / (slope * speed)  # of the rate at which it rose
    x, y = part * x, part * y
    add_wheel(gradients, wheel, x - wheel['grade_x'], y - wheel['grade_y'])
    vehicle['grade_x'] += wheel['load_share'] * (x - wheel['grade_x'])
    vehicle['grade_y'] += wheel['load_share'] * (y - wheel['grade_y'])
    wheel['grade_x'], wheel['grade_y'] = x, y
    wheel['grade_was_x'], wheel['grade_was_y'] = wheel['grade_x'], wheel['grade_y']
    wheel['under'] += higher
    wheel['under_was'], wheel['edge'], wheel['edge_was'] = wheel['under'], 0.0, 1.0
    return float(higher)


@lazy_kernel(0.0, 0.0, A_VEHICLE, SOME_WHEELS, ROW, 0.0, 0.0)
def follow_path(dt: float, gravity: float, vehicle: np.void, wheels: Records, pose: Array,
                vx: float, vy: float) -> tuple[float, float]:
    """
    Return the horizontal velocity [m/s] of a vehicle whose ground bends, and remember its slopes.

    Where a path bends gently the speed along it stays: the ground does no work. With the
    horizontal velocity kept instead, who climbs where it is steep and comes down where it is
    gentle would gain energy. What meets an edge, or the foot of a slope, loses what an
    inelastic impact takes, and gets nothing back.

    An edge is met where the rim comes to it, whatever part of the step is over by then, also
    where a wheel is on top of it by then. Near it, gravity along the slope at the beginning of a
    step is not quite what the way through the step takes, nor does it know that a body which leans
    is lower: the difference is made good here, before the impact where a wheel leaves an edge.

    :param pose: x y z yaw pitch roll.
    :param vx: horizontal velocity of its centre of mass [m/s]; so vy.
    """
    before, after, first = np.zeros((3, 2)), np.zeros((3, 2)), np.zeros((3, 2))
    weights = np.empty(3)
    weights[0] = 1.0
    weights[1] = vehicle['pitch_inertia'] / vehicle['mass']
    weights[2] = vehicle['roll_inertia'] / vehicle['mass']
    speed = math.sqrt(vx * vx + vy * vy)
    # heights of wheels that leave an edge, and of those on one: how much they rose, and how much
    # gravity reckoned with
    near, lifted, paid = np.zeros(2), np.zeros(2), np.zeros(2)
    blunt, met = False, np.zeros((len(wheels), RISE + 1))
    for k in range(len(wheels)):
        wheel = wheels[k]
        x, y = wheel['grade_x'], wheel['grade_y']
        add_wheel(before, wheel, wheel['grade_was_x'], wheel['grade_was_y'])
        add_wheel(after, wheel, x, y)
        rise = wheel['under'] - wheel['under_was']
        was = wheel['grade_was_x'] * vx + wheel['grade_was_y'] * vy
        steeper = x * vx + y * vy - was
        jumps = wheel['edge'] == 0.0 and rise > (
            JUMP * wheel['radius'] + dt * max(was, was + steeper, 0.0))
        if wheel['edge'] != 0.0 or wheel['edge_was'] != 0.0 or jumps:
            at = 0 if wheel['edge'] == 0.0 and not jumps else 1
            near[at] = 1.0
            lifted[at] += wheel['load_share'] * rise
            paid[at] += wheel['load_share'] * dt * was
        if jumps and speed > 0.0:
            steep = steepened(0.0, rise / wheel['radius']) / speed
            x, y, blunt = vx * steep, vy * steep, True
            met[k, MET_X], met[k, MET_Y], met[k, RISE] = x, y, rise
        elif wheel['edge'] != 0.0:
            slope = math.sqrt(x * x + y * y)
            if steeper > 0.0 and slope > 0.0:
                steep = steepened(slope, rise / wheel['radius']) / slope
                x, y = x * steep, y * steep
                met[k, MET_X], met[k, MET_Y], met[k, RISE] = x, y, rise
        add_wheel(first, wheel, x, y)
        blunt = blunt or steeper > BLUNT * speed
        wheel['under_was'] = wheel['under']
        if wheel['under'] <= wheel['ground']:
            wheel['edge_was'] = wheel['edge']
        wheel['grade_was_x'], wheel['grade_was_y'] = wheel['grade_x'], wheel['grade_y']
    lean = vehicle['com_height'] * (1.0 - math.cos(pose[4]) * math.cos(pose[5]))
    sunk, vehicle['lean_was'] = lean - vehicle['lean_was'], lean
    if vehicle['stands'] == 0.0 or speed == 0.0:
        return vx, vy
    energy = square(vx, vy, before, weights)
    if near[0] + near[1] > 0.0:
        climb = before[0, 0] * vx + before[0, 1] * vy
        # gravity slowed down a body that does not turn, from a velocity that it has no more
        paid *= energy / (speed * speed + climb * climb)
        steep = before[0, 0] * before[0, 0] + before[0, 1] * before[0, 1]
        at = 1 if near[1] > 0.0 else 0
        paid[at] += 0.5 * gravity * dt * dt * steep / (1.0 + steep) + sunk
    if near[0] > 0.0:
        left = energy - 2.0 * gravity * (lifted[0] - paid[0])
        if left <= 0.0:
            return 0.0, 0.0
        stretch = math.sqrt(left / energy)
        vx, vy, energy = stretch * vx, stretch * vy, left
    if blunt:
        vx, vy = onto(vx, vy, before, first, weights)
        energy = square(vx, vy, first, weights)
        for k in range(len(wheels)):
            higher = bound(gravity, vehicle, wheels[k], met[k], vx, vy, after)
            lifted[1] += wheels[k]['load_share'] * higher
        vx, vy = onto(vx, vy, first, after, weights)
    else:
        vx, vy = onto(vx, vy, before, after, weights)
    energy -= 2.0 * gravity * (lifted[1] - paid[1])
    now = square(vx, vy, after, weights)
    if energy <= 0.0 or now <= 0.0:
        return 0.0, 0.0
    stretch = math.sqrt(energy / now)
    return stretch * vx, stretch * vy


@lazy_kernel(0.0, 0.0, A_VEHICLE, SOME_WHEELS, ROW, 0.0, 0.0)
def take_off(
        dt: float, gravity: float, vehicle: np.void, wheels: Records, pose: Array, vx: float,
        vy: float) -> tuple[float, float]:
    """
    Let wheels fly where the ground falls away faster than they do.

    Each wheel has a path of its own: the ground, or where that is below, the free fall from where
    it left it. Where one is too far above the ground the vehicle becomes a free body, which goes
    on from where it was before with the rates at which its wheels moved, and without what the
    slope below it pushed it in that step: in free fall nothing does. A lift takes wheels along,
    however suddenly it starts and stops.

    :param pose: x y z yaw pitch roll as it stands on the ground; changed where it leaves that.
    :param vx: horizontal velocity of its centre of mass [m/s], world frame; so vy.
    :returns: the same, as it goes on.
    """
    known, off = vehicle['stands'] != 0.0, False
    sink, ahead, aside = 0.0, 0.0, 0.0
    square = vx * vx + vy * vy
    for k in range(len(wheels)):
        wheel = wheels[k]
        rate = wheel['under_rate']
        sink += wheel['load_share'] * (rate + wheel['ground_rate'])
        ahead += wheel['load_along'] * rate
        aside += wheel['load_across'] * rate
        path = wheel['under'] + dt * (rate + wheel['ground_rate'] - 0.5 * gravity * dt)
        if known and wheel['ground'] < path:
            off = off or path - wheel['ground'] > OFF * wheel['radius']
            rate -= gravity * dt
            wheel['under'], wheel['under_rate'], wheel['edge'] = path, rate, 0.0
            x, y = 0.0, 0.0
            if square > 0.0:
                x, y = rate * vx / square, rate * vy / square
            vehicle['grade_x'] += wheel['load_share'] * (x - wheel['grade_x'])
            vehicle['grade_y'] += wheel['load_share'] * (y - wheel['grade_y'])
            wheel['grade_x'], wheel['grade_y'] = x, y
        else:
            wheel['under'] = wheel['ground']
    if off:
        vehicle['loose'], vehicle['calm'] = 1.0, 0.0
        vehicle['sink'] = sink - gravity * dt
        vehicle['pitch_rate'], vehicle['roll_rate'] = -ahead, aside
        com_x, com_y, com_z = vehicle['com_x'], vehicle['com_y'], vehicle['com_height']
        _, _, before = tilted(vehicle['stand_pitch'], vehicle['stand_roll'], com_x, com_y, com_z)
        pose[4], pose[5] = turned(
            vehicle['stand_pitch'], vehicle['stand_roll'], aside, -ahead, dt)
        _, _, after = tilted(pose[4], pose[5], com_x, com_y, com_z)
        pose[2] = vehicle['stand_z'] + before - after + dt * (sink - 0.5 * gravity * dt)
        vx, vy = vx - vehicle['pushed_x'], vy - vehicle['pushed_y']
        for k in range(len(wheels)):
            wheels[k]['grade_was_x'] = wheels[k]['grade_was_y'] = 0.0
    else:
        vehicle['stand_z'], vehicle['stand_pitch'], vehicle['stand_roll'] = (
            pose[2], pose[4], pose[5])
    return vx, vy


@compiled(inlined=True)
def note_path_rates(
        vehicle: np.void, wheels: Records, motion: Array, vx: float, vy: float) -> None:
    """
    Note how fast the paths of the wheels rise.

    On an edge, and in the air, that is what the impact of any wheel reckoned with, the motion of
    the centre of mass: neither a turn of the vehicle nor an impact must throw it up.

    :param motion: of the body of the vehicle.
    :param vx: horizontal velocity of its centre of mass [m/s], world frame; so vy.
    """
    cosine, sine, w = motion[COS], motion[SIN], motion[OMEGA]
    for k in range(len(wheels)):
        wheel = wheels[k]
        x, y = 0.0, 0.0
        if wheel['edge'] == 0.0 and wheel['under'] == wheel['ground']:
            x, y = wheel['x'] - vehicle['com_x'], wheel['y'] - vehicle['com_y']
        wheel['under_rate'] = (wheel['grade_x'] * (vx - w * (sine * x + cosine * y))
                               + wheel['grade_y'] * (vy + w * (cosine * x - sine * y)))
