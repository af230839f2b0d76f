# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Wheels that turn together: those of a side that are tied, and axles with locked differentials.

A locked differential transfers the torque T from one side to the other that gives both one speed
at the end of the step. Limited slip transfers at most

    ``|T| <= (preload + locking |M|) / 2``

with M the torque that drives it, so that the torques of both sides differ by ``preload + locking
|M|`` at most (J. Reimpell, H. Stoll, J. W. Betzler, *The Automotive Chassis*, locking value).
Below that its sides turn at one speed. T is an unknown of the implicit solution, as the forces of
the tyres are; so nothing chatters at any step.
"""

import numpy as np

from mvsim_ros2.frames import Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.elementary_functions import clamp
from mvsim_ros2.physics.physical.controller_solve import add_torques, spin_responses, update_spins
from mvsim_ros2.physics.physical.linear_forces import braked, UNKNOWN
from mvsim_ros2.physics.state.record_layout import (
    A_VEHICLE, A_VEHICLE_WORK, DIFFERENTIALS, LEFT, LOCKED, OPEN, RIGHT, SOME_WHEEL_WORK,
    SOME_WHEELS)

SWEEPS = 30  # over them, at most; two or three but where they share wheels without grip
CLOSE = 1e-9  # rad/s; a smaller difference of spins is none
STRONGEST = 1e12  # N m; of a locked differential

# of rear left, rear right, front left, front right: what a torque passed gives each
SIDES = ((1.0, -1.0, 0.0, 0.0), (0.0, 0.0, 1.0, -1.0), (0.5, 0.5, -0.5, -0.5))


@compiled(inlined=True)
def holds_together(vehicle: np.void, which: int) -> float:
    """Return how the rear, front or centre differential holds its sides together."""
    if which == 0:
        return float(vehicle['rear_holds'])
    return float(vehicle['front_holds'] if which == 1 else vehicle['centre_holds'])


@compiled(inlined=True)
def largest(vehicle: np.void, wheels: Records, which: int) -> float:
    """Return the largest torque that a differential passes from side to side [N m]."""
    if holds_together(vehicle, which) == LOCKED:
        return STRONGEST
    driven = 0.0
    for k in range(4):
        if SIDES[which][k] != 0.0:
            driven += wheels[k]['torque']
    return float(0.5 * (vehicle['preload'] + vehicle['locking'] * abs(driven)))


@lazy_kernel(0.0, SOME_WHEELS, False, SOME_WHEEL_WORK)
def tie_sides(dt: float, wheels: Records, held: bool, work: Records) -> None:
    """
    Eliminate the common spin of the wheels of each side.

    They are in a row, so that all move with the velocity v along it, and have one radius R. With
    forces ``F = push + grip (R w' - v)`` and the momentum p without them the spin is

        ``w' = (p - dt R sum push + dt R sum grip v) / (I + dt R^2 sum grip)``

    :param held: they cannot turn.
    :param work: of the wheels, with momentum in `free_spin` and inertia in `spin_per_force`.
    """
    for side in (LEFT, RIGHT):
        momentum, inertia, grips, along, brake, radius = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        state, spin = UNKNOWN, 0.0
        for k in range(len(wheels)):
            wheel, own = wheels[k], work[k]
            if wheel['side'] == side:
                radius = wheel['radius']
                along = radius * own['spin'] - own['sliding_x']
                momentum += own['free_spin'] - dt * radius * own['push']
                inertia += own['spin_per_force']
                grips += own['grip']
                brake += dt * wheel['brake']
                state, spin = own['braking'], own['spin']
        stands = held
        if brake > 0.0:
            state = braked(state, momentum + dt * radius * grips * along, brake, spin)
            stands = stands or abs(state) != 1.0
            momentum -= state * brake
        free, drag, turned = 0.0, 0.0, 0.0
        if not stands:
            total = inertia + dt * radius * radius * grips
            free, drag, turned = momentum / total, dt * radius * grips / total, dt / total
        for k in range(len(wheels)):
            wheel, own = wheels[k], work[k]
            if wheel['side'] == side:
                own['free_spin'], own['spin_per_force'], own['spin_per_speed'] = free, 0.0, drag
                own['braking'] = state
                own['spin_per_torque'] = turned
                own['push_per_torque'] = own['grip'] * radius * turned
                own['push'] += own['grip'] * radius * free
                own['grip'] *= 1.0 - radius * drag


@lazy_kernel(0.0, A_VEHICLE, SOME_WHEELS, A_VEHICLE_WORK, SOME_WHEEL_WORK)
def add_passed_torques(dt: float, vehicle: np.void, wheels: Records, body: np.void, work: Records,
                       ) -> None:
    """
    Let the present lines of the wheels have the torques `passed_torques` that the last pass found.

    :param body: of the vehicle; its momentum is changed.
    """
    for k in range(4):
        given = 0.0
        for which in range(DIFFERENTIALS):
            given += body['passed_torques'][which] * SIDES[which][k]
        work[k]['torque_added'] = given
    add_torques(dt, vehicle, wheels, body, work)


@lazy_kernel(0.0, A_VEHICLE, SOME_WHEELS, A_VEHICLE_WORK, SOME_WHEEL_WORK)
def solve_differentials(dt: float, vehicle: np.void, wheels: Records, body: np.void, work: Records,
                        ) -> None:
    """
    Find the torques that differentials pass on at the end of the step, on the present lines.

    Gauss-Seidel over them, each clamped to what it can hold; they hardly touch each other.

    :param body: of the vehicle; `passed_torques` has the torques that the lines have already; it
        is changed, as the momentum is.
    """
    passed = body['passed_torques'][:]
    for _ in range(SWEEPS):
        worst = 0.0
        for which in range(DIFFERENTIALS):
            if holds_together(vehicle, which) == OPEN:
                continue
            update_spins(wheels, body, work)
            for k in range(4):
                work[k]['torque_added'] = SIDES[which][k]
            spin_responses(dt, wheels, body, work, 0)
            apart, ease = 0.0, 0.0
            for k in range(4):
                apart += SIDES[which][k] * work[k]['spin']
                ease += SIDES[which][k] * work[k]['spin_response'][0]
            if ease <= 0.0:  # both sides stand
                continue
            most = largest(vehicle, wheels, which)
            more = clamp(passed[which] - apart / ease, most) - passed[which]
            passed[which] += more
            for k in range(4):
                work[k]['torque_added'] *= more
            add_torques(dt, vehicle, wheels, body, work)
            worst = max(worst, abs(more) * ease)
        if worst < CLOSE:
            break
