# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Wheels within a step of mode `physical`: each a line of force over velocity.

`prepare` collects what stays the same in a step, `resist` makes the line at the last known slip,
`follow` says what the wheel does at a velocity of the body; what is left of it then is in
`wheel_forces`.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.physical.rolling_resistance import EDGE, spin_damping
from mvsim_ros2.physics.physical.tied_solve import braked, UNKNOWN
from mvsim_ros2.physics.physical.transient_slip import (
    remembered, secant, SHORTEST, standing_damping, STANDS, STIFFNESS, unslipped)
from mvsim_ros2.physics.state.step_columns import (
    ARM_ACROSS, ARM_ALONG, BRAKING, CURVE, DAMP, DIR_X, DIR_Y, DRAG, EASE, F_X, F_Y, FREE_SPIN,
    FRICTION, GRIP, LAW, LIMIT, LIMIT_ACROSS, MEMORY, PUSH, PUSHED, ROLLING, SHARE, SIDE_GRIP,
    SIDE_MEMORY, SIDE_PUSH, SIDE_YIELD, SLIDE_X, SLIDE_Y, SOIL, SOIL_DRAG, SPIN, STARTED, TURNED,
    VALUES, YIELD, Z_X, Z_Y)
from mvsim_ros2.physics.tyres.law import limits, secants
from mvsim_ros2.physics.tyres.on_ground import as_built, on_ground, own_rolling
from mvsim_ros2.physics.vehicle.steering import directed, swivelled, TRAIL

Array = NDArray[np.float64]
Records = NDArray[np.void]

NEARLY = 0.999  # share of the friction limit below which rounding decides nothing
LEAST_SLIP = 1e-9  # a smaller one counts as that: the secant of a curve is the slope then


@compiled(inlined=True)
def prepare(
        dt: float, vehicle: np.void, wheels: Records, vx: float, vy: float, w: float,
        turn_sine: float, turn_cosine: float, pose: Array, heading_x: float, heading_y: float,
        regions: Array, known: Records) -> None:
    """
    Write into `known` what does not change while a step is solved.

    :param vx: velocity of the centre of mass in the plane of the vehicle [m/s]; so vy.
    :param turn_sine: of the angle that the body turns by in the step; so turn_cosine.
    :param known: rows of the wheels.
    """
    for k in range(len(wheels)):
        wheel, row = wheels[k], known[k]
        arm_x, arm_y = wheel['x'] - vehicle['com_x'], wheel['y'] - vehicle['com_y']
        hub_x, hub_y = vx - w * arm_y, vy + w * arm_x
        sine, cosine = heading(dt, wheel, hub_x, hub_y, turn_sine, turn_cosine)
        if len(regions) > 0:
            height = pose[2] + (math.cos(pose[4]) * math.sin(pose[5]) * wheel['y']
                                - math.sin(pose[4]) * wheel['x'])
            law, friction, curve, rolling = on_ground(
                wheel, regions, pose[0] + heading_x * wheel['x'] - heading_y * wheel['y'],
                pose[1] + heading_y * wheel['x'] + heading_x * wheel['y'], height, row[VALUES][:])
        else:
            law, friction, curve = as_built(wheel, row[VALUES][:])
            rolling = wheel['rolling']
        row[LAW] = law
        row[CURVE], row[FRICTION], row[ROLLING] = curve, friction, rolling
        load = wheel['normal_load']
        speed = stand_on(wheel, row, hub_x, hub_y, cosine, sine, arm_x, arm_y)
        length = wheel['relaxation']
        if load > 0.0 and curve != 0.0:
            row[SHARE] = min(speed / STANDS, 1.0)
            along, across, drag = limits(
                law, row[VALUES][:], friction, load / wheel['tyres'], wheel['slip_x'])
            (row[LIMIT], row[LIMIT_ACROSS], row[SOIL], wheel['slip_x'], wheel['slip_y'],
             part) = bend(along, across, drag, load, wheel['tyres'], wheel['slip_x'],
                          wheel['slip_y'], speed)
            length *= part
        remember(dt, wheel, row, speed, length)


@compiled(inlined=True)
def heading(dt: float, wheel: np.void, hub_x: float, hub_y: float, turn_sine: float,
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
def stand_on(wheel: np.void, row: np.void, hub_x: float, hub_y: float, cosine: float,
             sine: float, arm_x: float, arm_y: float) -> float:
    """
    Write into `row` how a wheel moves and what the ground holds, if its tyre is a brush.

    :param hub_x: velocity of its centre in the body frame [m/s]; so hub_y.
    :param cosine: of its direction in the body frame; so sine.
    :param arm_x: its place from the centre of mass [m]; so arm_y.
    :returns: its speed [m/s].
    """
    load, roll = wheel['normal_load'], wheel['radius'] * wheel['omega']
    speed = max(math.sqrt(hub_x * hub_x + hub_y * hub_y), abs(roll))
    row[DIR_X], row[DIR_Y] = cosine, sine
    row[ARM_ALONG] = sine * arm_x - cosine * arm_y
    row[ARM_ACROSS] = cosine * arm_x + sine * arm_y
    row[LIMIT] = row[FRICTION] * load
    row[LIMIT_ACROSS] = row[LIMIT]
    row[SOIL], row[SOIL_DRAG], row[SHARE] = 0.0, 0.0, 0.0
    row[DAMP] = standing_damping(load, wheel['standing_root'], speed) if load > 0.0 else 0.0
    row[SLIDE_X] = roll - (cosine * hub_x + sine * hub_y)
    row[SLIDE_Y] = sine * hub_x - cosine * hub_y
    row[STARTED], row[BRAKING] = wheel['omega'], UNKNOWN
    wheel['velocity_x'], wheel['velocity_y'] = hub_x, hub_y
    return speed  # type: ignore[no-any-return]


@compiled(inlined=True)
def bend(along: float, across: float, drag: float, load: float, tyres: float, slip_x: float,
         slip_y: float, speed: float) -> tuple[float, float, float, float, float, float]:
    """
    Return what a wheel whose tyre follows a curve can do in a step.

    :param along: what `law.limits` of one of its tyres are; so across, drag.
    :param load: of the wheel, above 0 [N].
    :param tyres: that it stands for.
    :param slip_x: from the step before; so slip_y.
    :param speed: of the wheel [m/s].
    :returns: the largest forces along and across it, the drag of soil [N], what it keeps of the
        slips, and its share of the relaxation length.
    """
    along, across = tyres * along, tyres * across
    least, slip = min(along, across), math.sqrt(slip_x * slip_x + slip_y * slip_y)
    part = remembered(least, STIFFNESS * load, slip, speed)
    return (along, across, tyres * drag, slip_x * part, slip_y * part,
            max(unslipped(least, STIFFNESS * load, part * slip), SHORTEST))


@compiled(inlined=True)
def remember(dt: float, wheel: np.void, row: np.void, speed: float, length: float) -> None:
    """
    Write into `row` what the wheel keeps of its slips in a step, and how it takes on others.

    The iteration begins where spin and slips are if they change as in the step before.

    :param length: relaxation length [m].
    """
    part = 1.0 / (length + dt * speed)
    row[MEMORY], row[YIELD] = length * part, dt * part
    row[SIDE_MEMORY], row[SIDE_YIELD] = row[MEMORY], row[YIELD]
    if wheel['side_relaxation'] != wheel['relaxation']:
        length *= wheel['side_relaxation'] / wheel['relaxation']
        part = 1.0 / (length + dt * speed)
        row[SIDE_MEMORY], row[SIDE_YIELD] = length * part, dt * part
    row[SPIN] = wheel['omega'] + wheel['omega_change']
    row[Z_X] = wheel['slip_x'] + wheel['slip_x_change']
    row[Z_Y] = wheel['slip_y'] + wheel['slip_y_change']


@compiled(inlined=True)
def resist(dt: float, wheel: np.void, held: bool, tied: bool, row: np.void) -> None:
    """
    Write into `row` the line that the forces of a wheel follow: ``F = push - grip v``.

    The stiffness is the secant of the curve at the last known slip; the spin is eliminated. Also
    what a torque on the wheel adds: to its free spin `TURNED`, to the push `PUSHED`.
    A standing wheel is a brush whatever its tyre, a rolling one follows the curve of that.

    :param held: the wheel cannot turn.
    :param tied: the spin is not its own, and left in: see `tied_solve`.
    """
    limit, load = reach(row[LIMIT], row[LIMIT_ACROSS], row[Z_X], row[Z_Y]), wheel['normal_load']
    stiff = side_stiff = standing_stiffness(load, limit, row)
    if row[SHARE] > 0.0:
        tyres = wheel['tyres']
        rolls, side_rolls = secants(
            row[LAW], row[VALUES][:], row[FRICTION], load / tyres, max(abs(row[Z_X]), LEAST_SLIP),
            max(abs(row[Z_Y]), LEAST_SLIP), limit / tyres)
        stiff += row[SHARE] * (tyres * rolls - stiff)
        side_stiff += row[SHARE] * (tyres * side_rolls - side_stiff)
    resistance = row[ROLLING]
    if wheel['resists'] != 0.0:
        resistance += own_rolling(wheel, abs(row[SPIN]) * wheel['radius'])
    resist_with(dt, wheel, not held, tied, row, limit, stiff, side_stiff, resistance)


@compiled(inlined=True)
def standing_stiffness(load: float, limit: float, row: np.void) -> float:
    """
    Return the force over the slip of a standing wheel at the last known slip [N].

    :param load: of the wheel [N].
    :param limit: largest force in the direction of the slip [N].
    """
    return secant(
        limit, STIFFNESS * load, math.sqrt(row[Z_X] * row[Z_X] + row[Z_Y] * row[Z_Y]))


@compiled(inlined=True)
def resist_with(
        dt: float, wheel: np.void, turns: bool, tied: bool, row: np.void, limit: float,
        stiff: float, side_stiff: float, resistance: float) -> None:
    """
    Write into `row` what `resist` does, for one wheel or for eight side by side.

    :param turns: the wheel can turn.
    :param limit: largest force in the direction of the slip [N].
    :param stiff: force over slip, along the wheel and across it [N].
    :param resistance: rolling resistance coefficient.
    """
    load, radius, damp = wheel['normal_load'], wheel['radius'], row[DAMP]
    force_x, force_y = stiff * row[Z_X], side_stiff * row[Z_Y]
    # a sum is no less than a root of squares: most wheels that are damped are far from sliding
    most = damp * (abs(row[SLIDE_X]) + abs(row[SLIDE_Y])) + abs(force_x) + abs(force_y)
    if damp > 0.0 and most > NEARLY * limit:
        sliding = math.sqrt(row[SLIDE_X] * row[SLIDE_X] + row[SLIDE_Y] * row[SLIDE_Y])
        spare = max(limit - math.sqrt(force_x * force_x + force_y * force_y), 0.0)
        if damp * sliding > spare:
            damp = spare / sliding
    grip = stiff * row[YIELD] + damp
    push = stiff * row[MEMORY] * wheel['slip_x']
    row[SIDE_PUSH] = side_stiff * row[SIDE_MEMORY] * wheel['slip_y']
    row[SIDE_GRIP] = side_stiff * row[SIDE_YIELD] + damp
    if row[SOIL] > 0.0:
        speed = radius * row[SPIN] - row[SLIDE_X]
        row[SOIL_DRAG] = row[SOIL] / math.sqrt(speed * speed + EDGE * EDGE)
    row[DRAG] = 0.0
    momentum = wheel['inertia'] * wheel['omega'] + dt * wheel['torque']
    inertia = wheel['inertia'] + dt * spin_damping(
        wheel['damping'], resistance, load, radius, row[SPIN])
    if tied:
        row[FREE_SPIN], row[EASE], row[TURNED], row[PUSHED] = momentum, inertia, 0.0, 0.0
    else:
        if wheel['brake'] > 0.0 and turns:
            along = radius * row[SPIN] - row[SLIDE_X]
            state = braked(row[BRAKING], momentum - dt * radius * (push - grip * along),
                           dt * wheel['brake'], row[SPIN])
            row[BRAKING] = state
            momentum -= state * dt * wheel['brake']
            turns = abs(state) == 1.0
        light = 1.0 / inertia if turns else 0.0
        row[FREE_SPIN], row[TURNED] = momentum * light, dt * light
        row[EASE] = radius * row[TURNED]
        soft = 1.0 / (1.0 + grip * radius * row[EASE])
        push = (push + grip * radius * row[FREE_SPIN]) * soft
        grip *= soft
        row[PUSHED] = grip * radius * row[TURNED]
    row[PUSH], row[GRIP] = push, grip
    if wheel['free'] != 0.0:
        row[SIDE_PUSH], row[SIDE_GRIP] = 0.0, 0.0


@compiled(inlined=True)
def with_line(dt: float, row: np.void, xx: float, xy: float, yy: float, xw: float, yw: float,
              ww: float, px: float, py: float, pw: float) -> tuple[
        float, float, float, float, float, float, float, float, float]:
    """Return resistance D and momentum p of `planar_velocity` with the line of a wheel as well."""
    c, s, arm_along, arm_across = row[DIR_X], row[DIR_Y], row[ARM_ALONG], row[ARM_ACROSS]
    along, across = dt * (row[GRIP] + row[SOIL_DRAG]), dt * row[SIDE_GRIP]
    xx += along * c * c + across * s * s
    xy += (along - across) * c * s
    yy += along * s * s + across * c * c
    xw += along * c * arm_along - across * s * arm_across
    yw += along * s * arm_along + across * c * arm_across
    ww += along * arm_along * arm_along + across * arm_across * arm_across
    push, side_push = dt * row[PUSH], dt * row[SIDE_PUSH]
    px += c * push - s * side_push
    py += s * push + c * side_push
    pw += arm_along * push + arm_across * side_push
    return xx, xy, yy, xw, yw, ww, px, py, pw


@compiled(inlined=True)
def follow(wheel: np.void, row: np.void, vx: float, vy: float, w: float) -> float:
    """Write forces, spin and slip at the end of the step into `row`; return how far it moved."""
    along = row[DIR_X] * vx + row[DIR_Y] * vy + row[ARM_ALONG] * w
    across = row[DIR_X] * vy - row[DIR_Y] * vx + row[ARM_ACROSS] * w
    row[F_X] = row[PUSH] - row[GRIP] * along
    row[F_Y] = row[SIDE_PUSH] - row[SIDE_GRIP] * across
    row[SPIN] = row[FREE_SPIN] - row[EASE] * row[F_X] + row[DRAG] * along
    row[SLIDE_X], row[SLIDE_Y] = wheel['radius'] * row[SPIN] - along, -across
    slip_x = row[MEMORY] * wheel['slip_x'] + row[YIELD] * row[SLIDE_X]
    slip_y = 0.0
    if wheel['free'] == 0.0:
        slip_y = row[SIDE_MEMORY] * wheel['slip_y'] + row[SIDE_YIELD] * row[SLIDE_Y]
    change = abs(slip_x - row[Z_X]) + abs(slip_y - row[Z_Y])
    row[Z_X], row[Z_Y] = slip_x, slip_y
    return change  # type: ignore[no-any-return]


@compiled(inlined=True)
def reach(along: float, across: float, x: float, y: float) -> float:
    """Return how far an ellipse of these half axes reaches in the direction of x, y."""
    if along == across:
        return along
    if along <= 0.0 or across <= 0.0:
        return 0.0
    part_x, part_y = x / along, y / across
    part = math.sqrt(part_x * part_x + part_y * part_y)
    return math.sqrt(x * x + y * y) / part if part > 0.0 else min(along, across)
