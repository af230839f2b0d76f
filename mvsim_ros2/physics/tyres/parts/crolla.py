# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Side force that saturates exponentially with the slip angle, after Crolla.

As cited by the page of MAVS on vehicle-terrain interaction (Parker 2009, equation 13). The page
prints the drive force where the side force and its limit belong: a coasting wheel would not
corner at all. Here the limit is that of the surface.
"""

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.elementary_functions import exponential_less_one


@compiled
def across(gamma: float, limit: float, slip_angle: float) -> float:
    """
    Return the force across the wheel [N]: `-sign(alpha) L (1 - exp(-|alpha| / gamma))`.

    :param gamma: scale of the slip angle [rad], above 0; 0.09 on most soils.
    :param limit: largest side force, lateral friction coefficient times load [N].
    :param slip_angle: alpha [rad], positive where the wheel moves to the left.
    """
    force = limit * exponential_less_one(-abs(slip_angle) / gamma)
    return -force if slip_angle < 0.0 else force
