# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Forces on a vehicle from outside: contacts, joints, hitches, damping of its body, and the air.

The engine finds what contacts and joints do after the forces of the wheels are known, from them.
So a step takes their last values: the change of velocity by the engine in the last step, without
the given forces. Only lasting effects count: the smaller one of the last two steps if both have
one direction. An impact is over before the wheels could react. Without it wheels would be told of
a motion that does not come, `F dt / m` for a force F, and slip by as much.

The air: ``F = -rho / 2 A |u| u`` with u the velocity against it (S. F. Hoerner, *Fluid-Dynamic
Drag*, 1965), along and across with an area A of their own. Over a step that is the mean for which
a body that nothing else pushes slows down exactly, ``u' = u / (1 + k |u| h / m)``; it never turns
the motion round.

A hitch is a pin between two bodies in the plane, at a height z. Its force F gives both anchors one
velocity at the end of the step, `K F = -C` (E. Catto, *Iterative Dynamics with Temporal
Coherence*, GDC 2005), from the forces of the step without contacts. At the height z it transfers
load like a force `(1 - z / h) F` of the ground, h the height of the centre of mass.

A vehicle on one axle rests on its hitch by the law of the lever about its axle, with V up:

    V (x_hitch - x_axle) = m g (x_com - x_axle) - h P

P the forces of the ground and of the hitch, lagged as those of any vehicle. V loads the other
vehicle at its anchor (statics of the tractor chassis: J. B. Liljedahl and others, *Tractors and
Their Power Units*).
"""

import math

import numpy as np

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.state.record_layout import (
    A_VEHICLE, COS, OMEGA, SIN, SOME_HITCHES, SOME_VEHICLES, SOME_WHEELS, TABLE, VX, VY)

ROUNDING = 1e-6  # change of a velocity of 1 m/s or rad/s, and of one at rest, that is none
SWEEPS = 60  # over the hitches of a train, at most
CLOSE = 1e-10  # change of a velocity, over itself, at which they end
# columns of what is known of a hitch: arms in the world, masses, forces over the step
AX, AY, BX, BY, A_EASE, B_EASE, A_TURN, B_TURN, P_X, P_Y = range(10)


@compiled(counted=False)
def notice(dt: float, vehicles: Records, motion: Array, wrench: Array) -> None:
    """
    Note the change of the velocities of vehicles in a step, without the given forces.

    :param motion: after it, shape (V, MOTION).
    :param wrench: force [N], world frame, and torque [N m] that each was given in it.
    """
    for i in range(len(vehicles)):
        vehicle = vehicles[i]
        # hitches with a height tell their forces themselves
        if vehicle['is_ideal'] != 0.0 or vehicle['mass'] == 0.0 or vehicle['tows'] != 0.0:
            continue
        vx, vy, w = motion[i, VX], motion[i, VY], motion[i, OMEGA]
        ease = dt / vehicle['mass']
        x = vx - (vehicle['was_vx'] + ease * wrench[i, 0])
        y = vy - (vehicle['was_vy'] + ease * wrench[i, 1])
        turn = w - (vehicle['was_turning'] + dt / vehicle['turn_inertia'] * wrench[i, 2])
        vehicle['was_vx'], vehicle['was_vy'], vehicle['was_turning'] = vx, vy, w
        if abs(x) + abs(y) <= ROUNDING * (1.0 + abs(vx) + abs(vy)):
            x, y = 0.0, 0.0
        if abs(turn) <= ROUNDING * (1.0 + abs(w)):
            turn = 0.0
        if x != 0.0 or y != 0.0 or turn != 0.0 or vehicle['shoved'] != 0.0:
            vehicle['shoved'] = 1.0
            vehicle['jolt_x'], vehicle['jolt_y'], vehicle['jolt_turn'] = x, y, turn


@lazy_kernel(0.0, A_VEHICLE, 0.0, 0.0)
def lasting_forces(dt: float, vehicle: np.void, heading_x: float, heading_y: float) -> None:
    """
    Find what stays of the forces from outside of a vehicle, before a step.

    :param heading_x: cosine of its yaw; heading_y: sine.
    """
    x, y, turn = vehicle['jolt_x'], vehicle['jolt_y'], vehicle['jolt_turn']
    rate = vehicle['mass'] / dt
    along = rate * (heading_x * x + heading_y * y)
    across = rate * (heading_x * y - heading_y * x)
    torque = vehicle['turn_inertia'] / dt * turn
    vehicle['shove_x'] = what_stays(along, vehicle['shoved_x'])
    vehicle['shove_y'] = what_stays(across, vehicle['shoved_y'])
    vehicle['shove_turn'] = what_stays(torque, vehicle['shoved_turn'])
    vehicle['shoved_x'], vehicle['shoved_y'], vehicle['shoved_turn'] = along, across, torque
    if x == 0.0 and y == 0.0 and turn == 0.0:
        vehicle['shoved'] = 0.0


@compiled(inlined=True)
def what_stays(now: float, before: float) -> float:
    """Return the smaller one of two numbers of one sign, else 0 (minmod)."""
    if now * before <= 0.0:
        return 0.0
    return now if abs(now) < abs(before) else before


@lazy_kernel(0.0, A_VEHICLE, SOME_WHEELS, 0.0, 0.0, 0.0, 0.0, False)
def air_forces(
        dt: float, vehicle: np.void, wheels: Records, vx: float, vy: float, heading_x: float,
        heading_y: float, stands: bool) -> tuple[float, float, float]:
    """
    Return the force of the air along and across a vehicle [N], and its torque [N m].

    :param wheels: their loads follow lift and moments of these forces, where it stands.
    :param vx: velocity of the centre of mass in the body frame [m/s]; so vy.
    :param heading_x: cosine of the heading in the world; so heading_y, its sine.
    """
    wind_x, wind_y = vehicle['wind_x'], vehicle['wind_y']
    along = vx - (heading_x * wind_x + heading_y * wind_y)
    across = vy - (heading_x * wind_y - heading_y * wind_x)
    speed = math.sqrt(along * along + across * across)
    step = speed * dt / vehicle['mass']
    ahead, aside = vehicle['air_along'], vehicle['air_across']
    force_x = -ahead * speed * along / (1.0 + ahead * step)
    force_y = -aside * speed * across / (1.0 + aside * step)
    if stands:
        lift, height = vehicle['air_lift'] * speed * speed, vehicle['air_z']
        for k in range(len(wheels)):
            wheel = wheels[k]
            wheel['normal_load'] = max(
                wheel['normal_load'] - lift * wheel['load_share']
                + (height * force_x - lift * vehicle['air_x']) * wheel['load_along']
                + height * force_y * wheel['load_across'], 0.0)
    return force_x, force_y, vehicle['air_x'] * force_y


@compiled(inlined=True)
def let_go(dt: float, vehicle: np.void, damping: float, turn_damping: float, motion: Array,
           wrench: Array, free: Array) -> tuple[float, float]:
    """
    Write the velocity that a body would have without its hitches into `free`.

    Returns what an impulse changes it by: of the velocity [1/kg], of the turn [1/(kg m^2)].
    """
    slow, slow_turn = 1.0 / (1.0 + dt * damping), 1.0 / (1.0 + dt * turn_damping)
    ease, turn = 1.0 / vehicle['mass'], 1.0 / vehicle['turn_inertia']
    free[0] = slow * (motion[VX] + dt * ease * wrench[0])
    free[1] = slow * (motion[VY] + dt * ease * wrench[1])
    free[2] = slow_turn * (motion[OMEGA] + dt * turn * wrench[2])
    return ease, turn


@compiled(inlined=True)
def forget_forces(vehicle: np.void) -> None:
    """Let nothing pull a vehicle."""
    vehicle['tow_x'], vehicle['tow_y'], vehicle['tow_turn'] = 0.0, 0.0, 0.0
    vehicle['tow_pull_x'], vehicle['tow_pull_y'] = 0.0, 0.0
    vehicle['tow_down'], vehicle['tow_along'], vehicle['tow_across'] = 0.0, 0.0, 0.0


@compiled(inlined=True)
def add_force(vehicle: np.void, pose: Array, motion: Array, x: float, y: float, arm_x: float,
              arm_y: float, lever: float) -> None:
    """Add a force [N], world frame, that a hitch exerts on a vehicle, to its record."""
    along = (motion[COS] * x + motion[SIN] * y) / max(math.cos(pose[4]), 0.1)
    across = (motion[COS] * y - motion[SIN] * x) / max(math.cos(pose[5]), 0.1)
    vehicle['tow_x'] += along
    vehicle['tow_y'] += across
    vehicle['tow_turn'] += arm_x * across - arm_y * along
    vehicle['tow_pull_x'] += lever * along
    vehicle['tow_pull_y'] += lever * across


@compiled(inlined=True)
def rest_on(gravity: float, axle: float, vehicle: np.void, pose: Array, arm_x: float,
            arm_y: float, carrier: np.void, at_x: float, at_y: float) -> None:
    """
    Let a vehicle on one axle rest on its hitch, and so on the vehicle that carries it.

    :param axle: its place from the centre of mass [m].
    :param arm_x: place of the hitch from that; so arm_y.
    :param at_x: place of the hitch from the centre of mass of the carrier; so at_y.
    """
    if vehicle['tipped'] != 0.0 or carrier['tipped'] != 0.0:
        return
    mass = vehicle['mass']
    weight = mass * (gravity * math.cos(pose[4]) * math.cos(pose[5]) + vehicle['tow_down'])
    moment = mass * (vehicle['tow_along'] - vehicle['com_height'] * vehicle['pull_along'])
    if vehicle['carries'] != 0.0:
        cosine, sine, bears = math.cos(pose[3]), math.sin(pose[3]), vehicle['load']
        weight -= bears[2]
        moment += cosine * bears[4] - sine * bears[3]
    load = (moment - weight * axle) / (arm_x - axle)
    vehicle['tow_down'] -= load / mass
    vehicle['tow_along'] -= load * arm_x / mass
    vehicle['tow_across'] -= load * arm_y / mass
    carrier['tow_down'] += load / carrier['mass']
    carrier['tow_along'] += load * at_x / carrier['mass']
    carrier['tow_across'] += load * at_y / carrier['mass']


@lazy_kernel(0.0, 0.0, SOME_HITCHES, SOME_VEHICLES, TABLE, TABLE, TABLE)
def tow(dt: float, gravity: float, hitches: Records, vehicles: Records, pose: Array,
        motion: Array, wrench: Array) -> None:
    """
    Write into the records of vehicles what their hitches do to them.

    :param wrench: force [N], world frame, and torque [N m] of each in this step.
    """
    free, known = np.zeros((len(vehicles), 3)), np.zeros((len(hitches), P_Y + 1))
    for k in range(len(hitches)):
        hitch, row = hitches[k], known[k]
        a, b = hitch['a'], hitch['b']
        row[AX] = motion[a, COS] * hitch['a_x'] - motion[a, SIN] * hitch['a_y']
        row[AY] = motion[a, SIN] * hitch['a_x'] + motion[a, COS] * hitch['a_y']
        row[BX] = motion[b, COS] * hitch['b_x'] - motion[b, SIN] * hitch['b_y']
        row[BY] = motion[b, SIN] * hitch['b_x'] + motion[b, COS] * hitch['b_y']
        row[A_EASE], row[A_TURN] = let_go(
            dt, vehicles[a], hitch['a_damping'], hitch['a_turn_damping'], motion[a], wrench[a],
            free[a])
        row[B_EASE], row[B_TURN] = let_go(
            dt, vehicles[b], hitch['b_damping'], hitch['b_turn_damping'], motion[b], wrench[b],
            free[b])
    for _ in range(SWEEPS):
        change, speed = 0.0, 0.0
        for k in range(len(hitches)):
            row, one, other = known[k], free[hitches[k]['a']], free[hitches[k]['b']]
            gap_x = one[0] - one[2] * row[AY] - other[0] + other[2] * row[BY]
            gap_y = one[1] + one[2] * row[AX] - other[1] - other[2] * row[BX]
            both = row[A_EASE] + row[B_EASE]
            xx = both + row[A_TURN] * row[AY] * row[AY] + row[B_TURN] * row[BY] * row[BY]
            xy = -row[A_TURN] * row[AX] * row[AY] - row[B_TURN] * row[BX] * row[BY]
            yy = both + row[A_TURN] * row[AX] * row[AX] + row[B_TURN] * row[BX] * row[BX]
            determinant = xx * yy - xy * xy
            x = (xy * gap_y - yy * gap_x) / determinant
            y = (xy * gap_x - xx * gap_y) / determinant
            row[P_X] += x
            row[P_Y] += y
            one[0] += row[A_EASE] * x
            one[1] += row[A_EASE] * y
            one[2] += row[A_TURN] * (row[AX] * y - row[AY] * x)
            other[0] -= row[B_EASE] * x
            other[1] -= row[B_EASE] * y
            other[2] -= row[B_TURN] * (row[BX] * y - row[BY] * x)
            change = max(change, abs(gap_x) + abs(gap_y))
            speed = max(speed, abs(one[0]) + abs(one[1]) + abs(other[0]) + abs(other[1]))
        if len(hitches) == 1 or change <= CLOSE * (1.0 + speed):
            break
    for i in range(len(vehicles)):
        if vehicles[i]['tows'] != 0.0:
            forget_forces(vehicles[i])
    for k in range(len(hitches)):
        hitch, row = hitches[k], known[k]
        a, b = hitch['a'], hitch['b']
        add_force(vehicles[a], pose[a], motion[a], row[P_X] / dt, row[P_Y] / dt, hitch['a_x'],
                  hitch['a_y'], hitch['a_lever'])
        add_force(vehicles[b], pose[b], motion[b], -row[P_X] / dt, -row[P_Y] / dt, hitch['b_x'],
                  hitch['b_y'], hitch['b_lever'])
    for k in range(len(hitches)):
        hitch = hitches[k]
        a, b = hitch['a'], hitch['b']
        if hitch['rests'] > 0:
            rest_on(gravity, hitch['axle'], vehicles[b], pose[b], hitch['b_x'], hitch['b_y'],
                    vehicles[a], hitch['a_x'], hitch['a_y'])
        elif hitch['rests'] < 0:
            rest_on(gravity, hitch['axle'], vehicles[a], pose[a], hitch['a_x'], hitch['a_y'],
                    vehicles[b], hitch['b_x'], hitch['b_y'])
