# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Coulomb friction with a rolling resistance that grows with speed, class `wardiagnemma`.

C. C. Ward and K. Iagnemma, *A dynamic-model-based wheel slip detector for mobile robots on
outdoor terrain*, IEEE Transactions on Robotics 24 (2008): the ground holds the wheel back by
``N (R1 (1 - exp(-A v)) + R2 v)``.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.tyres.law import TyreLaw
from mvsim_ros2.physics.tyres.parts.impulse import stop_slip
from mvsim_ros2.world.spec.tyres.coulomb import WardIagnemmaTyre

Array = NDArray[np.float64]

COLUMNS = ('A_roll', 'R1', 'R2')
A_ROLL, R1, R2 = range(3)


@compiled
def rolling_coefficient(values: Array, speed: float) -> float:
    """
    Return the rolling resistance over the load.

    :param values: A_roll [s/m], R1, R2 [s/m].
    :param speed: at least 0 [m/s].
    """
    return float(values[R1] * (1.0 - math.exp(-values[A_ROLL] * speed)) + values[R2] * speed)


@compiled
def rolling_resistance(values: Array, load: float, vx: float) -> float:
    """
    Return the force of the ground against the motion of a wheel [N].

    :param values: A_roll [s/m], R1, R2 [s/m].
    :param load: of the wheel on the ground [N].
    :param vx: velocity of its centre along the wheel [m/s].
    """
    force = load * rolling_coefficient(values, abs(vx))
    return float(-force if vx > 0.0 else force)


@compiled
def wheel_step(
        values: Array, mu: float, damping: float, rolling: float, mass: float, gravity: float,
        radius: float, inertia: float, omega: float, torque: float, vx: float, vy: float,
        slope_x: float, slope_y: float, dt: float) -> tuple[float, float, float]:
    """
    Return force on the wheel, along and across it [N], and its new spin [rad/s].

    As in MVSim 1.2.0 the resistance counts in the force but not in the balance of torques
    that gives the spin, which by eq. 2 of its paper it should. So a free wheel spins faster
    than it rolls, and in the next step pushes the vehicle by what the resistance takes away.

    :param values: A_roll [s/m], R1, R2 [s/m].
    :param mu: friction coefficient; for the others see `stop_slip`.
    """
    load = mass * gravity
    limit = mu * load
    return stop_slip(
        limit, limit, rolling_resistance(values, load, vx), damping, rolling, mass, gravity,
        radius, inertia, omega, torque, vx, vy, slope_x, slope_y, dt)


LAW = TyreLaw(
    WardIagnemmaTyre, COLUMNS, wheel_step=wheel_step, brush=True, rolling=rolling_coefficient)
