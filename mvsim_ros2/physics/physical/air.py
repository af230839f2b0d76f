# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Forces of the air on a vehicle: drag, side force, lift, wind.

``F = -rho / 2 A |u| u`` with u the velocity against the air (S. F. Hoerner, *Fluid-Dynamic Drag*,
1965), along and across with an area A of their own. Over a step that is the mean for which a
body that nothing else pushes slows down exactly, ``u' = u / (1 + k |u| h / m)``; it never turns
the motion round.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.state.example_arguments import A_VEHICLE, SOME_WHEELS

Records = NDArray[np.void]


@lazy_kernel(0.0, A_VEHICLE, SOME_WHEELS, 0.0, 0.0, 0.0, 0.0, False)
def blow(dt: float, vehicle: np.void, wheels: Records, vx: float, vy: float, heading_x: float,
         heading_y: float, stands: bool) -> tuple[float, float, float]:
    """
    Return the force of the air along and across a vehicle [N], and its torque [N m].

    :param wheels: their loads follow lift and moments of these forces, where it stands.
    :param vx: velocity of the centre of mass in the body frame [m/s]; so vy.
    :param heading_x: cosine of the heading in the world; so heading_y, its sine.
    """
    wind_x, wind_y = vehicle['wind_x'], vehicle['wind_y']
    along = vx - (heading_x * wind_x + heading_y * wind_y)
    across = vy - (heading_x * wind_y - heading_y * wind_x)
    speed = math.sqrt(along * along + across * across)
    step = speed * dt / vehicle['mass']
    ahead, aside = vehicle['air_along'], vehicle['air_across']
    force_x = -ahead * speed * along / (1.0 + ahead * step)
    force_y = -aside * speed * across / (1.0 + aside * step)
    if stands:
        lift, height = vehicle['air_lift'] * speed * speed, vehicle['air_z']
        for k in range(len(wheels)):
            wheel = wheels[k]
            wheel['normal_load'] = max(
                wheel['normal_load'] - lift * wheel['load_share']
                + (height * force_x - lift * vehicle['air_x']) * wheel['load_along']
                + height * force_y * wheel['load_across'], 0.0)
    return force_x, force_y, vehicle['air_x'] * force_y
