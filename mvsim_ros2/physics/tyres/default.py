# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Coulomb friction that stops a wheel from slipping within one step, class `default`.

The wheel-ground model of MVSim 1.2.0: a lateral force that takes away all side velocity,
a longitudinal one that makes the wheel roll without slip, each limited by mu N on its own.
"""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.tyres.law import TyreLaw
from mvsim_ros2.physics.tyres.parts.impulse import stop_slip
from mvsim_ros2.world.spec.tyres.coulomb import DefaultTyre

Array = NDArray[np.float64]


@compiled
def wheel_step(
        values: Array, mu: float, damping: float, rolling: float, mass: float, gravity: float,
        radius: float, inertia: float, omega: float, torque: float, vx: float, vy: float,
        slope_x: float, slope_y: float, dt: float) -> tuple[float, float, float]:
    """
    Return force on the wheel, along and across it [N], and its new spin [rad/s].

    :param values: not used.
    :param mu: friction coefficient; for the others see `stop_slip`.
    """
    limit = mu * (mass * gravity)
    return stop_slip(
        limit, limit, 0.0, damping, rolling, mass, gravity, radius, inertia, omega, torque, vx,
        vy, slope_x, slope_y, dt)


LAW = TyreLaw(DefaultTyre, wheel_step=wheel_step, brush=True)
