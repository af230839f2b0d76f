# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Side force and drive force together: held within the friction ellipse."""

import math

from mvsim_ros2.jit.kernel import compiled

TINY = 1e-12  # a limit that small transmits nothing [N]
WITHIN = 0.7  # shares of both limits that lie within the ellipse, whatever rounding decides


@compiled
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
