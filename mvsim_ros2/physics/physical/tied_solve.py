# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Brakes, and wheels of a side that turn at one speed, in the step of mode `physical`."""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.state.example_arguments import SOME_KNOWN, SOME_WHEELS
from mvsim_ros2.physics.state.record_layout import LEFT, RIGHT
from mvsim_ros2.physics.state.step_columns import (
    BRAKING, DRAG, EASE, FREE_SPIN, GRIP, PUSH, PUSHED, SLIDE_X, SPIN, TURNED)

Array = NDArray[np.float64]
Records = NDArray[np.void]


UNKNOWN, STOPPED = 2.0, 3.0  # values of BRAKING; else the sign of the spin, 0 where it may stand


@compiled
def braked(state: float, momentum: float, brake: float, spin: float) -> float:
    """
    Return the sign of what a brake takes in a step, 0 or `STOPPED` where the wheel stands.

    A wheel that would turn the other way after what its brake took stands, and for the rest of
    the iteration: else it could go to and fro between both ways, and end with a brake that pushes.

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


@lazy_kernel(0.0, SOME_WHEELS, False, SOME_KNOWN)
def tie(dt: float, wheels: Records, held: bool, known: Records) -> None:
    """
    Eliminate the common spin of the wheels of each side.

    They stand in a row, so that all move with the velocity v along it, and have one radius R.
    With forces ``F = push + grip (R w' - v)`` and the momentum p without them the spin is

        ``w' = (p - dt R sum push + dt R sum grip v) / (I + dt R^2 sum grip)``

    :param held: they cannot turn.
    :param known: rows of the wheels with momentum and inertia in FREE_SPIN and EASE.
    """
    for side in (LEFT, RIGHT):
        momentum, inertia, grips, along, brake, radius = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        state, spin = UNKNOWN, 0.0
        for k in range(len(wheels)):
            wheel, row = wheels[k], known[k]
            if wheel['side'] == side:
                radius = wheel['radius']
                along = radius * row[SPIN] - row[SLIDE_X]
                momentum += row[FREE_SPIN] - dt * radius * row[PUSH]
                inertia += row[EASE]
                grips += row[GRIP]
                brake += dt * wheel['brake']
                state, spin = row[BRAKING], row[SPIN]
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
            wheel, row = wheels[k], known[k]
            if wheel['side'] == side:
                row[FREE_SPIN], row[EASE], row[DRAG] = free, 0.0, drag
                row[BRAKING] = state
                row[TURNED], row[PUSHED] = turned, row[GRIP] * radius * turned
                row[PUSH] += row[GRIP] * radius * free
                row[GRIP] *= 1.0 - radius * drag
