# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Wheels of a vehicle in a step of mode `physical`: before it is solved, and after.

`prepare_wheels` computes the constants of a step: direction, velocity of the hub, limits of the
tyre, and the response of the transient slip. `apply_solution` writes forces, spins and slips at
the end of the step into the wheels. Between both, `linear_forces` and `solve` find these.
"""

import math

import numpy as np

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.elementary_functions import sine_cosine
from mvsim_ros2.physics.physical.linear_forces import UNKNOWN
from mvsim_ros2.physics.physical.transient_slip import (
    DAMPED, DAMPING, LEAST, SHORTEST, STANDS, STIFFNESS, TINY)
from mvsim_ros2.physics.state.record_layout import (
    CURVE, FIRST, FRICTION, NUMBER, SOME_WHEEL_WORK, SOME_WHEELS, TYRE_VALUES)
from mvsim_ros2.physics.tyres.law import limits
from mvsim_ros2.physics.tyres.on_ground import on_ground
from mvsim_ros2.physics.vehicle.steering import swivelled, TRAIL, turned_to

WITHIN = 0.7  # shares of both limits that lie within the ellipse, whatever rounding decides
HOLDS = 2.99  # limits over the stiffness: a brush slides from 3 on, whatever rounding decides


@compiled(inlined=True)
def prepare_wheels(
        dt: float, vehicle: np.void, wheels: Records, vx: float, vy: float, w: float,
        turn_sine: float, turn_cosine: float, pose: Array, heading_x: float, heading_y: float,
        regions: Array, work: Records) -> None:
    """
    Write into `work` what does not change while a step is solved.

    :param vx: velocity of the centre of mass in the plane of the vehicle [m/s]; so vy.
    :param w: yaw rate [rad/s].
    :param turn_sine: of the angle that the body turns by in the step; so turn_cosine.
    :param heading_x: cosine of the yaw of the body; heading_y: sine.
    """
    for k in range(len(wheels)):
        wheel, own = wheels[k], work[k]
        arm_x, arm_y = wheel['x'] - vehicle['com_x'], wheel['y'] - vehicle['com_y']
        drift_x, drift_y = 0.0, 0.0
        if vehicle['spatial'] != 0.0:
            arm_x, arm_y, drift_x, drift_y = (
                own['place_x'], own['place_y'], own['drift_x'], own['drift_y'])
        hub_x, hub_y = vx - w * arm_y + drift_x, vy + w * arm_x + drift_y
        sine, cosine = direction_of(dt, wheel, hub_x, hub_y, turn_sine, turn_cosine)
        if len(regions) > 0:
            height = pose[2] + (math.cos(pose[4]) * math.sin(pose[5]) * wheel['y']
                                - math.sin(pose[4]) * wheel['x'])
            law, friction, curve, rolling = on_ground(
                wheel, regions, pose[0] + heading_x * wheel['x'] - heading_y * wheel['y'],
                pose[1] + heading_y * wheel['x'] + heading_x * wheel['y'], height,
                own['values'][:])
        else:
            law, friction, curve = tyre_as_built(wheel, own['values'][:])
            rolling = wheel['rolling']
        own['law'] = law
        own['curve'], own['friction'], own['rolling'] = curve, friction, rolling
        own['drift_along'] = cosine * drift_x + sine * drift_y
        own['drift_across'] = cosine * drift_y - sine * drift_x
        wheel_kinematics(wheel, own, hub_x, hub_y, cosine, sine, arm_x, arm_y)
    # then the limits of all tyres: the processor computes those of several wheels at a time
    for k in range(len(wheels)):
        wheel, own = wheels[k], work[k]
        load, speed, length = wheel['normal_load'], own['speed'], wheel['relaxation']
        if load > 0.0 and own['curve'] != 0.0:
            own['curve_share'] = speed / STANDS if speed < STANDS else 1.0
            each = load / wheel['tyres'] if wheel['tyres'] != 1.0 else load
            along, across, drag = limits(
                own['law'], own['values'][:], own['friction'], each, wheel['slip_x'])
            (own['limit'], own['limit_across'], own['soil'], wheel['slip_x'], wheel['slip_y'],
             part) = curve_limits(
                along, across, drag, load, wheel['tyres'], wheel['slip_x'], wheel['slip_y'], speed)
            length *= part
        start_slip(dt, wheel, own, speed, length)


@compiled(inlined=True)
def tyre_as_built(wheel: np.void, values: Array) -> tuple[float, float, float]:
    """
    Return law, friction, and whether it is a curve, where nothing is said of the ground.

    :param values: numbers of the law, written where it is a curve.
    """
    row = wheel['contacts'][0]
    if row[CURVE] != 0.0:
        for k in range(TYRE_VALUES):
            values[k] = row[FIRST + k]
    return row[NUMBER], row[FRICTION], row[CURVE]


@compiled(inlined=True)
def directed(wheel: np.void) -> tuple[float, float]:
    """
    Return sine and cosine of the direction of a wheel in the body frame.

    They are kept in its record as long as it is not turned.
    """
    direction = wheel['toe'] + wheel['steer'] + wheel['roller']
    if direction == 0.0:
        return 0.0, 1.0
    if direction != wheel['directed']:
        wheel['directed'] = direction
        wheel['sine'], wheel['cosine'] = sine_cosine(direction)
    return wheel['sine'], wheel['cosine']


@compiled(inlined=True)
def axle_of(wheel: np.void) -> tuple[float, float]:
    """Return sine and cosine of the angle that the plane of a wheel has in the body frame."""
    if wheel['roller'] == 0.0:
        return directed(wheel)
    return sine_cosine(wheel['toe'] + wheel['steer'])


@compiled(inlined=True)
def direction_of(dt: float, wheel: np.void, hub_x: float, hub_y: float, turn_sine: float,
                 turn_cosine: float) -> tuple[float, float]:
    """
    Return sine and cosine of the direction of a wheel in the body frame, swivelled if it does.

    :param hub_x: velocity of its centre in the body frame [m/s]; so hub_y.
    :param turn_sine: of the angle that the body turns by in the step; so turn_cosine.
    """
    sine, cosine = directed(wheel)
    if wheel['swivels'] == 0.0:
        return sine, cosine
    return swivelled(
        sine, cosine, hub_x, hub_y, turn_sine, turn_cosine, TRAIL * wheel['radius'], dt)


@compiled(inlined=True)
def wheel_kinematics(
        wheel: np.void, own: np.void, hub_x: float, hub_y: float, cosine: float, sine: float,
        arm_x: float, arm_y: float) -> None:
    """
    Write into `own` how a wheel moves and what the ground holds, if its tyre is a brush.

    :param hub_x: velocity of its centre in the body frame [m/s]; so hub_y.
    :param cosine: of its direction in the body frame; so sine.
    :param arm_x: its place from the centre of mass [m]; so arm_y.
    """
    load, roll = wheel['normal_load'], wheel['radius'] * wheel['omega']
    speed = max(math.sqrt(hub_x * hub_x + hub_y * hub_y), abs(roll))
    own['cosine'], own['sine'], own['speed'] = cosine, sine, speed
    own['arm_along'] = sine * arm_x - cosine * arm_y
    own['arm_across'] = cosine * arm_x + sine * arm_y
    own['limit'] = own['friction'] * load
    own['limit_across'] = own['limit']
    own['soil'], own['soil_drag'], own['curve_share'] = 0.0, 0.0, 0.0
    own['damping'] = 0.0
    if load > 0.0 and speed < DAMPED:
        own['damping'] = standing_damping(load, wheel['standing_root'], speed)
    own['sliding_x'] = roll - (cosine * hub_x + sine * hub_y)
    own['sliding_y'] = sine * hub_x - cosine * hub_y
    own['spin_before'], own['braking'] = wheel['omega'], UNKNOWN
    wheel['velocity_x'], wheel['velocity_y'] = hub_x, hub_y


@compiled(inlined=True)
def curve_limits(
        along: float, across: float, drag: float, load: float, tyres: float, slip_x: float,
        slip_y: float, speed: float) -> tuple[float, float, float, float, float, float]:
    """
    Return what limits the forces of a wheel whose tyre follows a curve.

    :param along: what `law.limits` of one of its tyres are; so across, drag.
    :param load: of the wheel, above 0 [N].
    :param tyres: that it represents.
    :param slip_x: from the step before; so slip_y.
    :param speed: of the wheel [m/s].
    :returns: the largest forces along and across it, the drag of soil [N], what it keeps of the
        slips, and its share of the relaxation length.
    """
    along, across, drag = tyres * along, tyres * across, tyres * drag
    least, stiffness = min(along, across), STIFFNESS * load
    # a sum is no less than a root of squares: most tyres are far from sliding
    if (abs(slip_x) + abs(slip_y)) * stiffness < HOLDS * least:
        return along, across, drag, slip_x, slip_y, 1.0
    slip = math.sqrt(slip_x * slip_x + slip_y * slip_y)
    part = remembered(least, stiffness, slip, speed)
    return (along, across, drag, slip_x * part, slip_y * part,
            max(unslipped(least, stiffness, part * slip), SHORTEST))


@compiled(inlined=True)
def start_slip(dt: float, wheel: np.void, own: np.void, speed: float, length: float) -> None:
    """
    Write into `own` which share of its slip a wheel keeps in a step, and how it gains other slip.

    The iteration begins where spin and slips are if they change as in the step before.

    :param length: relaxation length [m].
    """
    part = 1.0 / (length + dt * speed)
    own['slip_keep'], own['slip_gain'] = length * part, dt * part
    own['side_slip_keep'], own['side_slip_gain'] = own['slip_keep'], own['slip_gain']
    if wheel['side_relaxation'] != wheel['relaxation']:
        length *= wheel['side_relaxation'] / wheel['relaxation']
        part = 1.0 / (length + dt * speed)
        own['side_slip_keep'], own['side_slip_gain'] = length * part, dt * part
    own['spin'] = wheel['omega'] + wheel['omega_change']
    own['slip_x'] = wheel['slip_x'] + wheel['slip_x_change']
    own['slip_y'] = wheel['slip_y'] + wheel['slip_y_change']


@compiled(inlined=True)
def apply_solution(dt: float, wheels: Records, work: Records) -> tuple[float, float, float]:
    """
    Write the solution into `wheels`; return the sum of the forces and of their torques.

    No force exceeds the friction limit, where the iteration had not come to its end either.
    """
    total_x, total_y, total_turn = 0.0, 0.0, 0.0
    for k in range(len(wheels)):
        wheel, own = wheels[k], work[k]
        apply_to_wheel(1.0 / dt, wheel, own)
        total_x += wheel['force_x']
        total_y += wheel['force_y']
        total_turn += (own['arm_along'] * wheel['force_long']
                       + own['arm_across'] * wheel['force_lat'])
    return total_x, total_y, total_turn


@compiled(inlined=True)
def apply_to_wheel(rate: float, wheel: np.void, own: np.void) -> None:
    """
    Write the solution for a wheel into it.

    :param rate: steps a second.
    """
    load, slip_x, slip_y = wheel['normal_load'], own['slip_x'], own['slip_y']
    along, across = project(own['force_long'], own['force_lat'], own['limit'], own['limit_across'])
    wheel['omega'] = own['spin'] + own['spin_per_force'] * (own['force_long'] - along)
    wheel['omega_change'] = wheel['omega'] - own['spin_before']
    wheel['slip_x_change'] = slip_x - wheel['slip_x']
    wheel['slip_y_change'] = slip_y - wheel['slip_y']
    wheel['taken'] = wheel['torque'] - rate * wheel['inertia'] * wheel['omega_change']
    # what pushes nothing is not deflected
    part = 0.0 if min(own['limit'], own['limit_across']) < LEAST else 1.0
    # a sum is no less than a root of squares: most brushes are far from sliding
    slides = (abs(slip_x) + abs(slip_y)) * (STIFFNESS * load) >= HOLDS * own['limit']
    if slides and own['curve'] == 0.0:
        part = unslipped(
            own['limit'], STIFFNESS * load, math.sqrt(slip_x * slip_x + slip_y * slip_y))
    wheel['slip_x'], wheel['slip_y'] = part * slip_x, part * slip_y
    if own['soil'] > 0.0:
        speed = wheel['radius'] * own['spin'] - own['sliding_x']
        along = min(max(along - own['soil_drag'] * speed, -load), load)
    wheel['force_long'], wheel['force_lat'] = along, across
    wheel['force_x'] = own['cosine'] * along - own['sine'] * across
    wheel['force_y'] = own['sine'] * along + own['cosine'] * across
    if wheel['swivels'] != 0.0:
        turn_caster(wheel, own)


@compiled(inlined=True)
def project(along: float, across: float, limit_along: float,
            limit_across: float) -> tuple[float, float]:
    """
    Return the force [N] shortened, in its direction, to the friction ellipse.

    `(F_x / L_x)^2 + (F_y / L_y)^2 <= 1`; a force within is returned as it is. An axis of limit
    0 transmits nothing.

    :param along: force along the wheel [N].
    :param across: force across it [N].
    :param limit_along: largest force along the wheel [N], at least 0.
    :param limit_across: largest force across it [N], at least 0.
    """
    if abs(along) + LEAST < WITHIN * limit_along and abs(across) + LEAST < WITHIN * limit_across:
        return along, across  # as nearly always
    along = along if limit_along > LEAST else 0.0
    across = across if limit_across > LEAST else 0.0
    used_along, used_across = along / max(limit_along, LEAST), across / max(limit_across, LEAST)
    used = used_along * used_along + used_across * used_across
    if used > 1.0:
        more = math.sqrt(used)
        along, across = along / more, across / more
    return along, across


@lazy_kernel(SOME_WHEELS[0], SOME_WHEEL_WORK[0])
def turn_caster(wheel: np.void, own: np.void) -> None:
    """
    Let a caster have its new direction, after the solution, where nothing waits for the angle.

    Sine and cosine are kept from step to step; the angle is what their changes add up to.
    """
    sine, cosine = directed(wheel)
    angle = turned_to(wheel['toe'] + wheel['steer'], sine, cosine, own['sine'], own['cosine'])
    wheel['steer'] = angle - wheel['toe']
    wheel['directed'] = wheel['toe'] + wheel['steer'] + wheel['roller']
    wheel['sine'], wheel['cosine'] = own['sine'], own['cosine']


@compiled
def standing_damping(load: float, root: float, speed: float) -> float:
    """
    Return the damping of a tyre that hardly moves [N s/m].

    A share of the critical one of the mass on the wheel, ``2 sqrt(stiffness / length mass)``;
    it fades to 0 at the speed `DAMPED`, from where rolling itself damps.

    :param load: of the wheel [N].
    :param root: that of stiffness over load over gravity, per length [s/m].
    :param speed: V, below `DAMPED` [m/s].
    """
    return 2.0 * DAMPING * load * root * (1.0 - speed / DAMPED)


@compiled
def unslipped(limit: float, stiffness: float, slip: float) -> float:
    """
    Return the share of a slip that the brush keeps as deflection: all until all of it slides.

    More than that does not deflect it further; else a vehicle that has slid to a stop would be
    thrown back. A tyre with its own curve keeps the slip, and has this share of its relaxation
    length: a sliding tyre renews sooner.
    """
    if limit < LEAST:
        return 0.0
    full, slipped = 3.0 * limit, stiffness * slip
    return 1.0 if slipped <= full else full / slipped


@compiled
def remembered(limit: float, stiffness: float, slip: float, speed: float) -> float:
    """
    Return the share of a slip that a tyre with its own curve keeps.

    All as long as it rolls; once it stands, what deflects the brush that it then is.

    :param speed: V [m/s].
    """
    if speed >= STANDS:
        return 1.0
    full = 3.0 * limit / max(stiffness, TINY) if limit > LEAST else 0.0
    part = speed / STANDS
    most = full + max(2.0 - full, 0.0) * part * part
    return 1.0 if slip <= most else most / slip
