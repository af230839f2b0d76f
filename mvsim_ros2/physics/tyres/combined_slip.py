# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Side and drive force together, within the friction ellipse; the tyre `linear`.

That is the first contact model of the agricultural single-track model (`F = C alpha`), with the
friction limit that it lacks.
"""

import math

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.elementary_functions import arc_sine_ratio, exponential_growth
from mvsim_ros2.physics.tyres.law import TyreLaw
from mvsim_ros2.world.spec.tyres.laws import LinearTyre

C_S, C_ALPHA = range(2)  # N per unit slip ratio, N/rad
TINY = 1e-12  # a limit that small transmits nothing [N]
WITHIN = 0.7  # shares of both limits that lie within the ellipse, whatever rounding decides


@compiled(inlined=True)
def project(along: float, across: float, limit_along: float,
            limit_across: float) -> tuple[float, float]:
    """
    Return the force [N] shortened, in its direction, to the friction ellipse.

    `(F_x / L_x)^2 + (F_y / L_y)^2 <= 1`; a force within is returned as it is. An axis of limit
    0 transmits nothing.

    :param along: force along the wheel [N].
    :param across: force across it [N].
    :param limit_along: largest force along the wheel [N], at least 0.
    :param limit_across: largest force across it [N], at least 0.
    """
    if (abs(along) + TINY < WITHIN * limit_along
            and abs(across) + TINY < WITHIN * limit_across):
        return along, across  # as nearly always
    along = along if limit_along > TINY else 0.0
    across = across if limit_across > TINY else 0.0
    used_along, used_across = along / max(limit_along, TINY), across / max(limit_across, TINY)
    used = used_along * used_along + used_across * used_across
    if used > 1.0:
        more = math.sqrt(used)
        along, across = along / more, across / more
    return along, across


@compiled(inlined=True)
def crolla_secant(gamma: float, limit: float, slip: float) -> float:
    """
    Return the force across the wheel, ``L (1 - exp(-alpha / gamma))``, over its slip [N].

    After Crolla, as cited by the page of MAVS on vehicle-terrain interaction (Parker 2009,
    equation 13), which prints the drive force where the side force and its limit belong: a
    coasting wheel would not corner at all. Here the limit is that of the surface.

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
    if along + TINY < WITHIN * limit and across + TINY < WITHIN * limit:
        return stiff, side_stiff
    along, across = project(along, across, limit, limit)
    return along / slip_along, across / slip_across


@compiled(counted=False)
def secants(values: Array, friction: float, load: float, slip_along: float, slip_across: float,
            limit: float) -> tuple[float, float]:
    """Return the forces over the slips [N]; see `law.secants`."""
    return within_circle(values[C_S], values[C_ALPHA] * arc_sine_ratio(slip_across), slip_along,
                         slip_across, friction * load)


LAW = TyreLaw(LinearTyre, ('C_s', 'C_alpha'), secants=secants)
