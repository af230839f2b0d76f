# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A wheel that swivels about a vertical pin ahead of its contact, and carries but never guides."""

import math

from mvsim_ros2.jit.lazy_kernel import lazy_kernel

TRAIL = 0.5  # distance from pin to contact over the radius of the wheel


@lazy_kernel(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
def swivelled(angle: float, vx: float, vy: float, turn: float, trail: float, dt: float) -> float:
    """
    Return the angle of a caster in the body frame after a step [rad], in [-pi, pi].

    Its contact does not move sideways: ``d angle/dt = -U / trail sin(angle - course) - turn``
    with U and course of the pin. The swing is solved exactly, so that no step is too long.

    :param angle: before the step [rad].
    :param vx: velocity of the pin in the body frame [m/s]; so vy.
    :param turn: yaw rate of the body [rad/s].
    :param trail: m.
    :param dt: s.
    """
    speed = math.sqrt(vx * vx + vy * vy)
    if speed > 1e-9:
        course = math.atan2(vy, vx)
        off = angle - course
        if abs(math.sin(off)) > 1e-12 or math.cos(off) > 0.0:  # else it stands upright, reversed
            angle = course + 2.0 * math.atan(
                math.tan(0.5 * off) * math.exp(-speed * dt / trail))
    angle -= turn * dt
    return math.atan2(math.sin(angle), math.cos(angle))
