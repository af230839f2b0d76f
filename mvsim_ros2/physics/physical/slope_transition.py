# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""How bodies that move in the horizontal plane keep their speed along ground that bends."""

import math

from mvsim_ros2.jit.kernel import compiled


@compiled
def slope_of(pitch: float, roll: float, heading_x: float, heading_y: float,
             ) -> tuple[float, float]:
    """
    Return the rise of the plane that a vehicle stands on, a metre along x and y of the world.

    :param pitch: of the vehicle, nose down positive [rad]; so roll.
    :param heading_x: cosine of its yaw; heading_y: the sine.
    """
    cosine = max(math.cos(pitch), 0.1)
    ahead, aside = -math.sin(pitch) / cosine, math.sin(roll) / (
        max(math.cos(roll), 0.1) * cosine)
    return heading_x * ahead - heading_y * aside, heading_y * ahead + heading_x * aside


@compiled
def bent(vx: float, vy: float, before_x: float, before_y: float, slope_x: float, slope_y: float,
         ) -> tuple[float, float]:
    """
    Return the horizontal velocity [m/s] of what comes from one slope onto another.

    The ground pushes at right angles to the motion and does no work: the speed along it stays.
    The velocity along the old slope loses its part at right angles to the new one, and takes the
    old length. With the horizontal velocity kept instead, who climbs where it is steep and comes
    down where it is gentle would gain energy.

    :param vx: horizontal velocity on the old slope [m/s]; so vy.
    :param before_x: old slope, see `slope_of`; so before_y.
    :param slope_x: new slope; so slope_y.
    """
    climb = before_x * vx + before_y * vy
    off = (climb - slope_x * vx - slope_y * vy) / (1.0 + slope_x * slope_x + slope_y * slope_y)
    x, y, z = vx + off * slope_x, vy + off * slope_y, climb - off
    left = x * x + y * y + z * z
    if left <= 0.0:
        return vx, vy
    stretch = math.sqrt((vx * vx + vy * vy + climb * climb) / left)
    return stretch * x, stretch * y
