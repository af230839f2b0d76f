# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A wheel that swivels about a vertical pin ahead of its contact, and carries but never guides."""

import math

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lane_functions import direction
from mvsim_ros2.jit.lane_functions import exponential
from mvsim_ros2.jit.lane_functions import sine_cosine
from mvsim_ros2.jit.lanes import either

TRAIL = 0.5  # distance from pin to contact over the radius of the wheel


@compiled
def swivelled(angle: float, vx: float, vy: float, turn: float, trail: float, dt: float) -> float:
    """
    Return the angle of a caster in the body frame after a step [rad], in [-pi, pi].

    Its contact does not move sideways: ``d angle/dt = -U / trail sin(angle - course) - turn``
    with U and course of the pin. The swing is solved exactly, so that no step is too long: the
    tangent of half the angle off the course shrinks by ``exp(-U dt / trail)``. Of one caster, or
    of eight side by side.

    :param angle: before the step [rad].
    :param vx: velocity of the pin in the body frame [m/s]; so vy.
    :param turn: yaw rate of the body [rad/s].
    :param trail: m.
    :param dt: s.
    """
    sine, cosine = sine_cosine(angle)
    speed = math.sqrt(vx * vx + vy * vy)
    ahead, aside = cosine * vx + sine * vy, sine * vx - cosine * vy  # speed, off the course
    # along half the angle off it, from the sum or the difference that does not cancel
    half_x = either(ahead >= 0.0, speed + ahead, aside)
    half_y = either(ahead >= 0.0, aside, speed - ahead) * exponential(-speed * dt / trail)
    along, across = half_x * half_x - half_y * half_y, 2.0 * half_x * half_y
    # else it hardly moves, or stands upright, reversed
    swings = (speed > 1e-9) & ((abs(aside) > 1e-12 * speed) | (ahead > 0.0))
    angle = either(swings, direction(
        vy * along + vx * across, vx * along - vy * across), angle) - turn * dt
    angle = either(angle > math.pi, angle - 2.0 * math.pi, angle)
    return either(angle < -math.pi, angle + 2.0 * math.pi, angle)
