# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
What a hitch does to the axles of the vehicles on both sides of it.

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
    COS, OMEGA, SIN, SOME_HITCHES, SOME_VEHICLES, TABLE, VX, VY)

SWEEPS = 60  # over the hitches of a train, at most
CLOSE = 1e-10  # change of a velocity, over itself, at which they end
# columns of what is known of a hitch: arms in the world, masses, forces over the step
AX, AY, BX, BY, A_EASE, B_EASE, A_TURN, B_TURN, P_X, P_Y = range(10)


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
