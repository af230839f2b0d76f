# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Wheels within a step of mode `physical`: each a line of force over velocity.

`prepare` collects what stays the same in a step, `resist` makes the line at the last known slip,
`follow` says what the wheel does at a velocity of the body, `take_over` writes the result.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.physical.rolling_resistance import EDGE
from mvsim_ros2.physics.physical.rolling_resistance import spin_damping
from mvsim_ros2.physics.physical.tied_solve import braked
from mvsim_ros2.physics.physical.tied_solve import UNKNOWN
from mvsim_ros2.physics.physical.transient_slip import LEAST
from mvsim_ros2.physics.physical.transient_slip import remembered
from mvsim_ros2.physics.physical.transient_slip import secant
from mvsim_ros2.physics.physical.transient_slip import SHORTEST
from mvsim_ros2.physics.physical.transient_slip import standing_damping
from mvsim_ros2.physics.physical.transient_slip import STANDS
from mvsim_ros2.physics.physical.transient_slip import STIFFNESS
from mvsim_ros2.physics.physical.transient_slip import unslipped
from mvsim_ros2.physics.state.step_columns import ARM_ACROSS
from mvsim_ros2.physics.state.step_columns import ARM_ALONG
from mvsim_ros2.physics.state.step_columns import BRAKING
from mvsim_ros2.physics.state.step_columns import CURVE
from mvsim_ros2.physics.state.step_columns import DAMP
from mvsim_ros2.physics.state.step_columns import DIR_X
from mvsim_ros2.physics.state.step_columns import DIR_Y
from mvsim_ros2.physics.state.step_columns import DRAG
from mvsim_ros2.physics.state.step_columns import EASE
from mvsim_ros2.physics.state.step_columns import F_X
from mvsim_ros2.physics.state.step_columns import F_Y
from mvsim_ros2.physics.state.step_columns import FREE_SPIN
from mvsim_ros2.physics.state.step_columns import FRICTION
from mvsim_ros2.physics.state.step_columns import GRIP
from mvsim_ros2.physics.state.step_columns import LAW
from mvsim_ros2.physics.state.step_columns import LIMIT
from mvsim_ros2.physics.state.step_columns import LIMIT_ACROSS
from mvsim_ros2.physics.state.step_columns import MEMORY
from mvsim_ros2.physics.state.step_columns import PUSH
from mvsim_ros2.physics.state.step_columns import PUSHED
from mvsim_ros2.physics.state.step_columns import ROLLING
from mvsim_ros2.physics.state.step_columns import SHARE
from mvsim_ros2.physics.state.step_columns import SIDE_GRIP
from mvsim_ros2.physics.state.step_columns import SIDE_MEMORY
from mvsim_ros2.physics.state.step_columns import SIDE_PUSH
from mvsim_ros2.physics.state.step_columns import SIDE_YIELD
from mvsim_ros2.physics.state.step_columns import SLIDE_X
from mvsim_ros2.physics.state.step_columns import SLIDE_Y
from mvsim_ros2.physics.state.step_columns import SOIL
from mvsim_ros2.physics.state.step_columns import SOIL_DRAG
from mvsim_ros2.physics.state.step_columns import SPIN
from mvsim_ros2.physics.state.step_columns import STARTED
from mvsim_ros2.physics.state.step_columns import TURNED
from mvsim_ros2.physics.state.step_columns import VALUES
from mvsim_ros2.physics.state.step_columns import YIELD
from mvsim_ros2.physics.state.step_columns import Z_X
from mvsim_ros2.physics.state.step_columns import Z_Y
from mvsim_ros2.physics.tyres.law import limits
from mvsim_ros2.physics.tyres.law import secants
from mvsim_ros2.physics.tyres.on_ground import as_built
from mvsim_ros2.physics.tyres.on_ground import on_ground
from mvsim_ros2.physics.tyres.on_ground import own_rolling
from mvsim_ros2.physics.tyres.parts.combined_slip import project
from mvsim_ros2.physics.vehicle.caster import swivelled
from mvsim_ros2.physics.vehicle.caster import TRAIL

Array = NDArray[np.float64]
Records = NDArray[np.void]

LEAST_SLIP = 1e-9  # a smaller one counts as that: the secant of a curve is the slope then


@compiled(inner=True)
def prepare(
        dt: float, gravity: float, vehicle: np.void, wheels: Records, vx: float, vy: float,
        w: float, pose: Array, heading_x: float, heading_y: float, regions: Array,
        known: Records) -> None:
    """
    Write into `known` what does not change while a step is solved.

    :param vx: velocity of the centre of mass in the plane of the vehicle [m/s]; so vy.
    :param known: rows of the wheels.
    """
    for k in range(len(wheels)):
        wheel, row = wheels[k], known[k]
        arm_x, arm_y = wheel['x'] - vehicle['com_x'], wheel['y'] - vehicle['com_y']
        hub_x, hub_y = vx - w * arm_y, vy + w * arm_x
        if wheel['swivels'] != 0.0:
            wheel['steer'] = swivelled(
                wheel['toe'] + wheel['steer'], hub_x, hub_y, w, TRAIL * wheel['radius'],
                dt) - wheel['toe']
        cosine, sine = 1.0, 0.0
        direction = wheel['toe'] + wheel['steer'] + wheel['roller']
        if direction != 0.0:
            cosine, sine = math.cos(direction), math.sin(direction)
        if len(regions) > 0:
            height = pose[2] + (math.cos(pose[4]) * math.sin(pose[5]) * wheel['y']
                                - math.sin(pose[4]) * wheel['x'])
            law, friction, curve, rolling = on_ground(
                wheel, regions, pose[0] + heading_x * wheel['x'] - heading_y * wheel['y'],
                pose[1] + heading_y * wheel['x'] + heading_x * wheel['y'], height, row[VALUES][:])
        else:
            law, friction, curve = as_built(wheel, row[VALUES][:])
            rolling = wheel['rolling']
        load, length = wheel['normal_load'], wheel['relaxation']
        roll = wheel['radius'] * wheel['omega']
        speed = max(math.sqrt(hub_x * hub_x + hub_y * hub_y), abs(roll))
        row[DIR_X], row[DIR_Y] = cosine, sine
        row[ARM_ALONG] = sine * arm_x - cosine * arm_y
        row[ARM_ACROSS] = cosine * arm_x + sine * arm_y
        row[LAW], row[CURVE], row[FRICTION], row[ROLLING] = law, curve, friction, rolling
        row[LIMIT] = row[LIMIT_ACROSS] = friction * load
        row[SOIL] = row[SOIL_DRAG] = row[SHARE] = 0.0
        row[DAMP] = standing_damping(load, length, gravity, speed) if load > 0.0 else 0.0
        if load > 0.0 and curve != 0.0:
            tyres = wheel['tyres']
            along, across, drag = limits(
                law, row[VALUES][:], friction, load / tyres, wheel['slip_x'])
            row[LIMIT], row[LIMIT_ACROSS] = tyres * along, tyres * across
            row[SOIL] = tyres * drag
            row[SHARE] = min(speed / STANDS, 1.0)
            least = min(row[LIMIT], row[LIMIT_ACROSS])
            slip = math.sqrt(wheel['slip_x'] * wheel['slip_x']
                             + wheel['slip_y'] * wheel['slip_y'])
            part = remembered(least, STIFFNESS * load, slip, speed)
            wheel['slip_x'] *= part
            wheel['slip_y'] *= part
            length *= max(unslipped(least, STIFFNESS * load, part * slip), SHORTEST)
        row[MEMORY] = 1.0 / (1.0 + dt * speed / length)
        row[YIELD] = dt / length * row[MEMORY]
        row[SIDE_MEMORY], row[SIDE_YIELD] = row[MEMORY], row[YIELD]
        if wheel['side_relaxation'] != wheel['relaxation']:
            length *= wheel['side_relaxation'] / wheel['relaxation']
            row[SIDE_MEMORY] = 1.0 / (1.0 + dt * speed / length)
            row[SIDE_YIELD] = dt / length * row[SIDE_MEMORY]
        row[Z_X], row[Z_Y] = wheel['slip_x'], wheel['slip_y']
        row[SLIDE_X] = roll - (cosine * hub_x + sine * hub_y)
        row[SLIDE_Y] = sine * hub_x - cosine * hub_y
        row[SPIN], row[STARTED], row[BRAKING] = wheel['omega'], wheel['omega'], UNKNOWN
        wheel['velocity_x'], wheel['velocity_y'] = hub_x, hub_y


@compiled(inner=True)
def resist(dt: float, wheel: np.void, held: bool, tied: bool, row: np.void) -> None:
    """
    Write into `row` the line that the forces of a wheel follow: ``F = push - grip v``.

    The stiffness is the secant of the curve at the last known slip; the spin is eliminated. Also
    what a torque on the wheel adds: to its free spin `TURNED`, to the push `PUSHED`.
    A standing wheel is a brush whatever its tyre, a rolling one follows the curve of that.

    :param held: the wheel cannot turn.
    :param tied: the spin is not its own, and left in: see `tied_solve`.
    """
    load, limit, radius = wheel['normal_load'], row[LIMIT], wheel['radius']
    slip = math.sqrt(row[Z_X] * row[Z_X] + row[Z_Y] * row[Z_Y])
    if row[LIMIT_ACROSS] != limit:
        limit = reach(limit, row[LIMIT_ACROSS], row[Z_X], row[Z_Y])
    stiff = side_stiff = secant(limit, STIFFNESS * load, slip)
    if row[SHARE] > 0.0:
        tyres = wheel['tyres']
        rolls, side_rolls = secants(
            row[LAW], row[VALUES][:], row[FRICTION], load / tyres, max(abs(row[Z_X]), LEAST_SLIP),
            max(abs(row[Z_Y]), LEAST_SLIP), limit / tyres)
        stiff += row[SHARE] * (tyres * rolls - stiff)
        side_stiff += row[SHARE] * (tyres * side_rolls - side_stiff)
    damp = row[DAMP]
    if damp > 0.0:
        sliding = math.sqrt(row[SLIDE_X] * row[SLIDE_X] + row[SLIDE_Y] * row[SLIDE_Y])
        force_x, force_y = stiff * row[Z_X], side_stiff * row[Z_Y]
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
    row[FREE_SPIN], row[EASE], row[DRAG], row[TURNED], row[PUSHED] = 0.0, 0.0, 0.0, 0.0, 0.0
    momentum = wheel['inertia'] * wheel['omega'] + dt * wheel['torque']
    if wheel['brake'] > 0.0 and not (held or tied):
        along = radius * row[SPIN] - row[SLIDE_X]
        state = braked(row[BRAKING], momentum - dt * radius * (push - grip * along),
                       dt * wheel['brake'], row[SPIN])
        row[BRAKING] = state
        held = abs(state) != 1.0
        momentum -= state * dt * wheel['brake']
    if tied or not held:
        resistance = row[ROLLING]
        if wheel['resists'] != 0.0:
            resistance += own_rolling(wheel, abs(row[SPIN]) * radius)
        inertia = wheel['inertia'] + dt * spin_damping(
            wheel['damping'], resistance, load, radius, row[SPIN])
        if tied:
            row[FREE_SPIN], row[EASE] = momentum, inertia
        else:
            row[FREE_SPIN], row[EASE] = momentum / inertia, dt * radius / inertia
            soft = 1.0 + grip * radius * row[EASE]
            push = (push + grip * radius * row[FREE_SPIN]) / soft
            grip /= soft
            row[TURNED] = dt / inertia
            row[PUSHED] = grip * radius * row[TURNED]
    row[PUSH], row[GRIP] = push, grip
    if wheel['free'] != 0.0:
        row[SIDE_PUSH], row[SIDE_GRIP] = 0.0, 0.0


@compiled(inner=True)
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
    return float(change)


@compiled(inner=True)
def reach(along: float, across: float, x: float, y: float) -> float:
    """Return how far an ellipse of these half axes reaches in the direction of x, y."""
    if along <= 0.0 or across <= 0.0:
        return 0.0
    part_x, part_y = x / along, y / across
    part = math.sqrt(part_x * part_x + part_y * part_y)
    return math.sqrt(x * x + y * y) / part if part > 0.0 else min(along, across)


@compiled(inner=True)
def take_over(wheels: Records, known: Records) -> tuple[float, float, float]:
    """
    Write the solution into `wheels`; return the sum of the forces and of their torques.

    No force exceeds the friction limit, where the iteration had not come to its end either.
    """
    total_x, total_y, total_turn = 0.0, 0.0, 0.0
    for k in range(len(wheels)):
        wheel, row = wheels[k], known[k]
        load = wheel['normal_load']
        along, across = project(row[F_X], row[F_Y], row[LIMIT], row[LIMIT_ACROSS])
        wheel['omega'] = row[SPIN] + row[EASE] * (row[F_X] - along)
        part = 1.0
        if row[CURVE] == 0.0:
            part = unslipped(row[LIMIT], STIFFNESS * load,
                             math.sqrt(row[Z_X] * row[Z_X] + row[Z_Y] * row[Z_Y]))
        elif min(row[LIMIT], row[LIMIT_ACROSS]) < LEAST:  # what pushes nothing is not deflected
            part = 0.0
        wheel['slip_x'], wheel['slip_y'] = part * row[Z_X], part * row[Z_Y]
        if row[SOIL] > 0.0:
            speed = wheel['radius'] * row[SPIN] - row[SLIDE_X]
            along = min(max(along - row[SOIL_DRAG] * speed, -load), load)
        wheel['force_long'], wheel['force_lat'] = along, across
        wheel['force_x'] = row[DIR_X] * along - row[DIR_Y] * across
        wheel['force_y'] = row[DIR_Y] * along + row[DIR_X] * across
        total_x += wheel['force_x']
        total_y += wheel['force_y']
        total_turn += row[ARM_ALONG] * along + row[ARM_ACROSS] * across
    return total_x, total_y, total_turn
