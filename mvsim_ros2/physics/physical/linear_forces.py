# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Forces of wheels, linear in the motion of the body, for one pass of the solution of a step.

In a pass the force along each wheel is ``F = push - grip v``, with the velocity v of its hub along
it. The stiffness of the tyre is the secant of its curve at the slip of the previous pass. The spin
of the wheel at the end of the step is eliminated. So the motion of the body follows from a linear
system of three equations: see `solve.linear_system`.

Rolling resistance opposes the motion by ``T v / sqrt(v^2 + EDGE^2)`` with the speed v of the rim.
As a damping of the spin at the end of the step, it never reverses a wheel.
"""

import math

import numpy as np

from mvsim_ros2.frames import Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.physical.transient_slip import LEAST, STIFFNESS, TINY
from mvsim_ros2.physics.tyres.law import secants
from mvsim_ros2.physics.tyres.on_ground import own_rolling

EDGE = 1e-3  # m/s; below it resistance fades
NEARLY = 0.999  # share of the friction limit below which rounding decides nothing
LEAST_SLIP = 1e-9  # a smaller one counts as that: the secant of a curve is the slope then
THIRD = 1.0 / 3.0
UNKNOWN, STOPPED = 2.0, 3.0  # of `braking`; else the sign of the spin, 0 where it may stand


@compiled(inlined=True)
def linearise(dt: float, vehicle: np.void, wheels: Records, held: bool, work: Records) -> None:
    """
    Write into `work` the lines ``F = push - grip v`` of all wheels at their present slips.

    :param held: wheels cannot turn, but for casters.
    """
    # the laws of all tyres first: the processor computes those of several wheels at a time
    for k in range(len(wheels)):
        own = work[k]
        own['reach'] = ellipse_radius(
            own['limit'], own['limit_across'], own['slip_x'], own['slip_y'])
        own['stiff'], own['side_stiff'] = stiffnesses(wheels[k], own)
    tied = vehicle['tied'] != 0.0
    for k in range(len(wheels)):
        wheel, own = wheels[k], work[k]
        resistance = own['rolling']
        if wheel['resists'] != 0.0:
            resistance += own_rolling(wheel, abs(own['spin']) * wheel['radius'])
        turns = not held or wheel['swivels'] != 0.0
        linear_force(dt, wheel, turns, tied, own, resistance)


@compiled(inlined=True)
def stiffnesses(wheel: np.void, own: np.void) -> tuple[float, float]:
    """
    Return the forces of a wheel over its slips, along and across [N].

    A standing wheel is a brush whatever its tyre, a rolling one follows the curve of that.
    """
    slip_x, slip_y, share = own['slip_x'], own['slip_y'], own['curve_share']
    load, limit = wheel['normal_load'], own['reach']
    along, across = 0.0, 0.0
    if share > 0.0:
        tyres = wheel['tyres']
        part = 1.0 / tyres if tyres != 1.0 else 1.0
        along, across = secants(
            own['law'], own['values'][:], own['friction'], part * load,
            max(abs(slip_x), LEAST_SLIP), max(abs(slip_y), LEAST_SLIP), part * limit)
        along, across = tyres * along, tyres * across
    if share < 1.0:
        brush = secant(limit, STIFFNESS * load, math.sqrt(slip_x * slip_x + slip_y * slip_y))
        along, across = brush + share * (along - brush), brush + share * (across - brush)
    return along, across


@compiled(inlined=True)
def linear_force(
        dt: float, wheel: np.void, turns: bool, tied: bool, own: np.void, resistance: float,
        ) -> None:
    """
    Write the line of a wheel into `own`, and what a torque on it adds to its spin and its push.

    :param turns: the wheel can turn.
    :param tied: its spin is that of its side, and left in: see `tie_sides`.
    :param resistance: rolling resistance coefficient.
    """
    limit, stiff, side_stiff = own['reach'], own['stiff'], own['side_stiff']
    load, radius, damp = wheel['normal_load'], wheel['radius'], own['damping']
    sliding_x, sliding_y = own['sliding_x'], own['sliding_y']
    force_x, force_y = stiff * own['slip_x'], side_stiff * own['slip_y']
    # a sum is no less than a root of squares: most wheels that are damped are far from sliding
    most = damp * (abs(sliding_x) + abs(sliding_y)) + abs(force_x) + abs(force_y)
    if damp > 0.0 and most > NEARLY * limit:
        sliding = math.sqrt(sliding_x * sliding_x + sliding_y * sliding_y)
        spare = max(limit - math.sqrt(force_x * force_x + force_y * force_y), 0.0)
        if damp * sliding > spare:
            damp = spare / sliding
    grip = stiff * own['slip_gain'] + damp
    push = stiff * own['slip_keep'] * wheel['slip_x']
    own['side_push'] = side_stiff * own['side_slip_keep'] * wheel['slip_y']
    own['side_grip'] = side_stiff * own['side_slip_gain'] + damp
    if own['soil'] > 0.0:
        speed = radius * own['spin'] - sliding_x
        own['soil_drag'] = own['soil'] / math.sqrt(speed * speed + EDGE * EDGE)
    own['spin_per_speed'] = 0.0
    momentum = wheel['inertia'] * wheel['omega'] + dt * wheel['torque']
    inertia = wheel['inertia'] + dt * spin_damping(
        wheel['damping'], resistance, load, radius, own['spin'])
    if tied:
        own['free_spin'], own['spin_per_force'] = momentum, inertia
        own['spin_per_torque'], own['push_per_torque'] = 0.0, 0.0
    else:
        if wheel['brake'] > 0.0 and turns:
            along = radius * own['spin'] - sliding_x
            state = braked(own['braking'], momentum - dt * radius * (push - grip * along),
                           dt * wheel['brake'], own['spin'])
            own['braking'] = state
            momentum -= state * dt * wheel['brake']
            turns = abs(state) == 1.0
        light, soft = 0.0, 1.0
        if turns:  # two divisions of which none waits for the other
            light, soft = 1.0 / inertia, inertia / (inertia + dt * grip * radius * radius)
        own['free_spin'], own['spin_per_torque'] = momentum * light, dt * light
        own['spin_per_force'] = radius * own['spin_per_torque']
        push = (push + grip * radius * own['free_spin']) * soft
        grip *= soft
        own['push_per_torque'] = grip * radius * own['spin_per_torque']
    own['push'], own['grip'] = push - grip * own['drift_along'], grip
    own['side_push'] -= own['side_grip'] * own['drift_across']
    if wheel['free'] != 0.0:
        own['side_push'], own['side_grip'] = 0.0, 0.0


@compiled(inlined=True)
def ellipse_radius(along: float, across: float, x: float, y: float) -> float:
    """Return how far an ellipse of these half axes reaches in the direction of x, y."""
    if along == across:
        return along
    if along <= 0.0 or across <= 0.0:
        return 0.0
    part_x, part_y = x * across, y * along
    square = part_x * part_x + part_y * part_y
    if square <= 0.0:
        return min(along, across)
    return along * across * math.sqrt((x * x + y * y) / square)


@compiled(inlined=True)
def secant(limit: float, stiffness: float, slip: float) -> float:
    """
    Return the force over the slip of a brush with parabolic pressure [N].

    ``F = limit (1 - (1 - s / s_full)^3)`` up to the slip ``s_full = 3 limit / stiffness``, from
    where all of the patch slides and F stays at the limit (Pacejka, ch. 3).

    :param limit: largest force, mu times load [N].
    :param stiffness: force over small slips [N], above 0 where the limit is.
    :param slip: length of the slip vector, at least 0.
    """
    if limit < LEAST:
        return 0.0
    part = slip * (stiffness / (3.0 * limit))
    force = stiffness * (1.0 - part + part * part * THIRD)
    if part >= 1.0:
        force = limit / max(slip, TINY)
    return force


@compiled(inlined=True)
def spin_damping(
        damping: float, rolling: float, load: float, radius: float, omega: float) -> float:
    """
    Return the torque that resists the spin, over the spin [N m s/rad].

    :param damping: of the axle [N m s/rad].
    :param rolling: rolling resistance coefficient: the torque is that times N R. The resistance
        of Ward and Iagnemma counts so too, as in eq. 2 of their paper.
    :param load: of the wheel [N].
    :param radius: m.
    :param omega: spin [rad/s].
    """
    if rolling <= 0.0:
        return damping
    speed = abs(omega) * radius
    return damping + rolling * load * radius * radius / math.sqrt(speed * speed + EDGE * EDGE)


@compiled
def braked(state: float, momentum: float, brake: float, spin: float) -> float:
    """
    Return the sign of what a brake takes in a step, 0 or `STOPPED` where the wheel stands.

    A wheel that its brake would reverse stops in the rest of the iteration. Otherwise it could
    alternate between both directions, and end with a brake that pushes.

    :param state: what was returned in the pass before; `UNKNOWN` in the first one.
    :param momentum: of the wheel at the end of the step if it stood, without its brake.
    :param brake: the most that it can take [N m s].
    :param spin: found in the pass before [rad/s].
    """
    if state == STOPPED:
        return STOPPED
    if abs(state) == 1.0:
        return state if state * spin > 0.0 else STOPPED
    if abs(momentum) <= brake:
        return 0.0
    return 1.0 if momentum > 0.0 else -1.0
