# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Differentials that hold their sides together, in the step of mode `physical`.

A locked one passes whatever torque T from one side to the other that lets both turn alike at the
end of the step; one of limited slip passes at most

    ``|T| <= (preload + locking |M|) / 2``

with M the torque that drives it, so that the torques of both sides differ by ``preload + locking
|M|`` at most (J. Reimpell, H. Stoll, J. W. Betzler, *The Automotive Chassis*, locking value).
Below that its sides turn alike. T is an unknown of the implicit solution, as the forces of the
tyres are; so nothing chatters at any step.
"""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.elementary_functions import clamp
from mvsim_ros2.physics.physical.controller_solve import push_more, respond, turn_freely
from mvsim_ros2.physics.state.example_arguments import A_ROOM, A_VEHICLE, SOME_KNOWN, SOME_WHEELS
from mvsim_ros2.physics.state.record_layout import LOCKED, OPEN
from mvsim_ros2.physics.state.step_columns import GIVEN, HELD, PASSED, SPIN, TURNS

Records = NDArray[np.void]

SWEEPS = 30  # over them, at most; two or three but where they share wheels without grip
CLOSE = 1e-9  # rad/s; a smaller difference of spins is none
STRONGEST = 1e12  # N m; of a locked differential

# of rear left, rear right, front left, front right: what a torque passed gives each
SIDES = ((1.0, -1.0, 0.0, 0.0), (0.0, 0.0, 1.0, -1.0), (0.5, 0.5, -0.5, -0.5))


@compiled(inlined=True)
def holds(vehicle: np.void, which: int) -> float:
    """Return how the rear, front or centre differential holds its sides together."""
    if which == 0:
        return float(vehicle['rear_holds'])
    return float(vehicle['front_holds'] if which == 1 else vehicle['centre_holds'])


@compiled(inlined=True)
def largest(vehicle: np.void, wheels: Records, which: int) -> float:
    """Return the largest torque that a differential passes from side to side [N m]."""
    if holds(vehicle, which) == LOCKED:
        return STRONGEST
    driven = 0.0
    for k in range(4):
        if SIDES[which][k] != 0.0:
            driven += wheels[k]['torque']
    return float(0.5 * (vehicle['preload'] + vehicle['locking'] * abs(driven)))


@lazy_kernel(0.0, A_VEHICLE, SOME_WHEELS, A_ROOM, SOME_KNOWN)
def pass_on(dt: float, vehicle: np.void, wheels: Records, room: np.void, known: Records) -> None:
    """
    Let the present lines of the wheels have the torques `PASSED` that the last pass found.

    :param room: of the vehicle; its momentum is changed.
    :param known: of its wheels; changed.
    """
    for k in range(4):
        given = 0.0
        for which in range(HELD):
            given += room[PASSED][which] * SIDES[which][k]
        known[k][GIVEN] = given
    push_more(dt, vehicle, wheels, room, known)


@lazy_kernel(0.0, A_VEHICLE, SOME_WHEELS, A_ROOM, SOME_KNOWN)
def hold_together(dt: float, vehicle: np.void, wheels: Records, room: np.void, known: Records,
                  ) -> None:
    """
    Find the torques that differentials pass on at the end of the step, on the present lines.

    Gauss-Seidel over them, each clamped to what it can hold; they hardly touch each other.

    :param room: of the vehicle; `PASSED` has the torques that the lines have already and is
        changed, and so is the momentum.
    :param known: of its wheels; changed.
    """
    passed = room[PASSED][:]
    for _ in range(SWEEPS):
        worst = 0.0
        for which in range(HELD):
            if holds(vehicle, which) == OPEN:
                continue
            turn_freely(wheels, room, known)
            for k in range(4):
                known[k][GIVEN] = SIDES[which][k]
            respond(dt, wheels, room, known, 0)
            apart, ease = 0.0, 0.0
            for k in range(4):
                apart += SIDES[which][k] * known[k][SPIN]
                ease += SIDES[which][k] * known[k][TURNS][0]
            if ease <= 0.0:  # both sides stand
                continue
            most = largest(vehicle, wheels, which)
            more = clamp(passed[which] - apart / ease, most) - passed[which]
            passed[which] += more
            for k in range(4):
                known[k][GIVEN] *= more
            push_more(dt, vehicle, wheels, room, known)
            worst = max(worst, abs(more) * ease)
        if worst < CLOSE:
            break
