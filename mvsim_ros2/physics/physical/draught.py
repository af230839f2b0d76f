# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
What the soil resists to an implement: draught against its motion.

``D(s) = A + B s + C s^2`` with s its speed, the form of ASABE D497 (*Agricultural Machinery
Management Data*), ``D = F (A + B S + C S^2) W T``. It fades below `EDGE`, so that nothing drives
at rest. It is part of the solution for the end of the step, with the secant `D(s) / s` of each
pass, which is never negative: what it does to energy is a loss in any step.
"""

import math

import numpy as np

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.physical.rolling_resistance import EDGE


@compiled(inlined=True)
def soil_grip(vehicle: np.void, vx: float, vy: float, w: float) -> float:
    """
    Return the draught over the speed of the implement [N s/m].

    :param vx: velocity of the centre of mass, axes of the body; so vy, and w.
    """
    vy += w * vehicle['soil_arm']
    square = vx * vx + vy * vy
    speed = math.sqrt(square)
    force = (vehicle['soil_constant'] + vehicle['soil_linear'] * speed
             + vehicle['soil_square'] * square)
    return float(force / math.sqrt(square + EDGE * EDGE))


@compiled(inlined=True)
def hold_implement(vehicle: np.void, grip: float, vx: float, vy: float, w: float) -> None:
    """Write the force of the soil into the record of a vehicle, from what `soil_grip` gave."""
    vehicle['soil_x'] = -grip * vx
    vehicle['soil_y'] = -grip * (vy + w * vehicle['soil_arm'])
