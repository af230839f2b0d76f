# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Side and drive force together, within the friction circle; the tyre `linear`.

That is the first contact model of the agricultural single-track model (`F = C alpha`), with the
friction limit that it lacks.
"""

import math

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.elementary_functions import arc_sine_ratio, exponential_growth
from mvsim_ros2.physics.tyres.law import TyreLaw
from mvsim_ros2.world.spec.tyres import LinearTyre

C_S, C_ALPHA = range(2)  # N per unit slip ratio, N/rad
TINY = 1e-300  # divisors are no smaller


@compiled(inlined=True)
def crolla_secant(gamma: float, limit: float, slip: float) -> float:
    """
    Return the force across the wheel, ``L (1 - exp(-alpha / gamma))``, over its slip [N].

    The source is Crolla, as cited by the MAVS page on vehicle-terrain interaction (Parker 2009,
    equation 13). It prints the drive force instead of the side force and its limit, so a coasting
    wheel would not corner. Here the limit is that of the surface.

    :param gamma: scale of the slip angle [rad], above 0; 0.09 on most soils.
    :param limit: largest side force, lateral friction coefficient times load [N].
    :param slip: sine of the slip angle alpha, above 0.
    """
    ratio = arc_sine_ratio(slip) / gamma
    return limit * ratio * exponential_growth(-slip * ratio)


@compiled(inlined=True)
def within_circle(stiff: float, side_stiff: float, slip_along: float, slip_across: float,
                  limit: float) -> tuple[float, float]:
    """
    Return forces over slips, shortened such that the force is within the friction circle [N].

    :param stiff: force over the slip along the wheel [N], at least 0; so side_stiff across it.
    :param slip_along: above 0; so slip_across.
    :param limit: largest force [N].
    """
    along, across = stiff * slip_along, side_stiff * slip_across
    if along + across < limit:  # as nearly always
        return stiff, side_stiff
    part = min(limit / max(math.sqrt(along * along + across * across), TINY), 1.0)
    return part * stiff, part * side_stiff


@compiled(counted=False)
def secants(values: Array, friction: float, load: float, slip_along: float, slip_across: float,
            limit: float) -> tuple[float, float]:
    """Return the forces over the slips [N]; see `law.secants`."""
    return within_circle(values[C_S], values[C_ALPHA] * arc_sine_ratio(slip_across), slip_along,
                         slip_across, friction * load)


LAW = TyreLaw(LinearTyre, ('C_s', 'C_alpha'), secants=secants)
