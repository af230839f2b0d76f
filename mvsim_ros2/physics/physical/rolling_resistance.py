# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
What slows a rolling wheel down, as a damping of its spin that never turns it round.

Each resistance opposes the motion by ``T v / sqrt(v^2 + EDGE^2)`` with v the speed of the rim;
over the spin that is a factor that is never negative, taken at the end of the step.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled

Array = NDArray[np.float64]

EDGE = 1e-3  # m/s; below it resistance fades


@compiled
def spin_damping(
        damping: float, rolling: float, ward: bool, values: Array, load: float, radius: float,
        omega: float) -> float:
    """
    Return the torque that resists the spin, over the spin [N m s/rad].

    :param damping: of the axle [N m s/rad].
    :param rolling: rolling resistance coefficient C_rr: the torque is C_rr N R.
    :param ward: add that of Ward and Iagnemma, eq. 2 of their paper, where the resistance
        counts in the balance of torques too: ``N R (R1 (1 - exp(-A v)) + R2 v)``.
    :param values: A [s/m], R1, R2 [s/m], where `ward`.
    :param load: of the wheel [N].
    :param radius: m.
    :param omega: spin [rad/s].
    """
    speed = abs(omega) * radius
    coefficient = rolling
    if ward:
        coefficient += values[1] * (1.0 - math.exp(-values[0] * speed)) + values[2] * speed
    return damping + coefficient * load * radius * radius / math.sqrt(
        speed * speed + EDGE * EDGE)
