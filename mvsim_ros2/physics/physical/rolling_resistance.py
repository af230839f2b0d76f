# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
What slows a rolling wheel down, as a damping of its spin that never turns it round.

Each resistance opposes the motion by ``T v / sqrt(v^2 + EDGE^2)`` with v the speed of the rim;
over the spin that is a factor that is never negative, taken at the end of the step.
"""

import math

from mvsim_ros2.jit.kernel import compiled

EDGE = 1e-3  # m/s; below it resistance fades


@compiled
def spin_damping(
        damping: float, rolling: float, load: float, radius: float, omega: float) -> float:
    """
    Return the torque that resists the spin, over the spin [N m s/rad].

    :param damping: of the axle [N m s/rad].
    :param rolling: rolling resistance coefficient: the torque is that times N R. The resistance
        of Ward and Iagnemma counts so too, as in eq. 2 of their paper.
    :param load: of the wheel [N].
    :param radius: m.
    :param omega: spin [rad/s].
    """
    if rolling <= 0.0:
        return damping
    speed = abs(omega) * radius
    return damping + rolling * load * radius * radius / math.sqrt(
        speed * speed + EDGE * EDGE)
