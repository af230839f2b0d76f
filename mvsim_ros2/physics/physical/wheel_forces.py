# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What a step of mode `physical` leaves in the wheels, once it is solved."""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.physical.transient_slip import LEAST, STIFFNESS, unslipped
from mvsim_ros2.physics.state.step_columns import (
    ARM_ACROSS, ARM_ALONG, CURVE, DIR_X, DIR_Y, EASE, F_X, F_Y, LIMIT, LIMIT_ACROSS, SLIDE_X, SOIL,
    SOIL_DRAG, SPIN, STARTED, Z_X, Z_Y)
from mvsim_ros2.physics.tyres.combined_slip import project
from mvsim_ros2.physics.vehicle.steering import directed, turned_to

Records = NDArray[np.void]

HOLDS = 2.99  # limits over the stiffness: a brush slides from 3 on, whatever rounding decides


@compiled(inlined=True)
def take_over(dt: float, wheels: Records, known: Records) -> tuple[float, float, float]:
    """
    Write the solution into `wheels`; return the sum of the forces and of their torques.

    No force exceeds the friction limit, where the iteration had not come to its end either.
    """
    total_x, total_y, total_turn = 0.0, 0.0, 0.0
    for k in range(len(wheels)):
        wheel, row = wheels[k], known[k]
        leave_as(1.0 / dt, wheel, row)
        total_x += wheel['force_x']
        total_y += wheel['force_y']
        total_turn += (row[ARM_ALONG] * wheel['force_long']
                       + row[ARM_ACROSS] * wheel['force_lat'])
    return total_x, total_y, total_turn


@compiled(inlined=True)
def leave_as(rate: float, wheel: np.void, row: np.void) -> None:
    """
    Write the solution for a wheel into it.

    :param rate: steps a second.
    """
    load = wheel['normal_load']
    along, across = project(row[F_X], row[F_Y], row[LIMIT], row[LIMIT_ACROSS])
    wheel['omega'] = row[SPIN] + row[EASE] * (row[F_X] - along)
    wheel['omega_change'] = wheel['omega'] - row[STARTED]
    wheel['slip_x_change'] = row[Z_X] - wheel['slip_x']
    wheel['slip_y_change'] = row[Z_Y] - wheel['slip_y']
    wheel['taken'] = wheel['torque'] - rate * wheel['inertia'] * wheel['omega_change']
    # what pushes nothing is not deflected
    part = 0.0 if min(row[LIMIT], row[LIMIT_ACROSS]) < LEAST else 1.0
    # a sum is no less than a root of squares: most brushes are far from sliding
    slides = (abs(row[Z_X]) + abs(row[Z_Y])) * (STIFFNESS * load) >= HOLDS * row[LIMIT]
    if slides and row[CURVE] == 0.0:
        part = unslipped(row[LIMIT], STIFFNESS * load,
                         math.sqrt(row[Z_X] * row[Z_X] + row[Z_Y] * row[Z_Y]))
    wheel['slip_x'], wheel['slip_y'] = part * row[Z_X], part * row[Z_Y]
    if row[SOIL] > 0.0:
        speed = wheel['radius'] * row[SPIN] - row[SLIDE_X]
        along = min(max(along - row[SOIL_DRAG] * speed, -load), load)
    wheel['force_long'], wheel['force_lat'] = along, across
    wheel['force_x'] = row[DIR_X] * along - row[DIR_Y] * across
    wheel['force_y'] = row[DIR_Y] * along + row[DIR_X] * across
    if wheel['swivels'] != 0.0:
        point(wheel, row)


@compiled(inlined=True)
def point(wheel: np.void, row: np.void) -> None:
    """
    Let a caster have its new direction: here, where nothing waits for the angle.

    Sine and cosine are kept from step to step, as what it does is known by them; the angle is what
    their changes add up to.
    """
    sine, cosine = directed(wheel)
    angle = turned_to(wheel['toe'] + wheel['steer'], sine, cosine, row[DIR_Y], row[DIR_X])
    wheel['steer'] = angle - wheel['toe']
    wheel['directed'] = wheel['toe'] + wheel['steer'] + wheel['roller']
    wheel['sine'], wheel['cosine'] = row[DIR_Y], row[DIR_X]
