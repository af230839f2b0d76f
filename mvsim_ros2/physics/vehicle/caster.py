# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A wheel that swivels about a vertical pin ahead of its contact, and carries but never guides."""

import math

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.elementary_functions import direction, exponential

TRAIL = 0.5  # distance from pin to contact over the radius of the wheel
# a power, and the sine of an angle, up to which the terms of their series reach the last digit
LITTLE, SMALL = 0.25, 0.04


@compiled
def swivelled(
        sine: float, cosine: float, vx: float, vy: float, turn_sine: float, turn_cosine: float,
        trail: float, dt: float) -> tuple[float, float]:
    """
    Return sine and cosine of the angle of a caster in the body frame after a step.

    Its contact does not move sideways: ``d angle/dt = -U / trail sin(angle - course) - w``
    with the yaw rate w of the body, U and course of the pin. The swing is solved exactly, so that
    no step is too long: the tangent of half the angle off the course shrinks by
    ``exp(-U dt / trail)``.

    :param sine: of the angle before the step; so cosine.
    :param vx: velocity of the pin in the body frame [m/s]; so vy.
    :param turn_sine: of the angle that the body turns by; so turn_cosine.
    :param trail: m.
    :param dt: s.
    """
    speed = math.sqrt(vx * vx + vy * vy)
    ahead, aside = cosine * vx + sine * vy, sine * vx - cosine * vy  # speed, off the course
    to_x, to_y = cosine, sine
    # else it hardly moves, or is in unstable equilibrium, reversed
    if speed > 1e-9 and (abs(aside) > 1e-12 * speed or ahead > 0.0):
        # along half the angle off it, from the sum or the difference that does not cancel
        half_x, half_y = (speed + ahead, aside) if ahead >= 0.0 else (aside, speed - ahead)
        half_y *= faded(speed * (dt / trail))
        along, across = half_x * half_x - half_y * half_y, 2.0 * half_x * half_y
        length = speed * (half_x * half_x + half_y * half_y)
        to_x, to_y = (vx * along - vy * across) / length, (vy * along + vx * across) / length
    return to_y * turn_cosine - to_x * turn_sine, to_x * turn_cosine + to_y * turn_sine


@compiled
def turned_to(angle: float, sine: float, cosine: float, to_sine: float, to_cosine: float,
              ) -> float:
    """
    Return the angle of a caster [rad], in [-pi, pi], that has turned from there to there.

    :param angle: before it [rad], with its sine and cosine.
    :param to_sine: of the angle after it; so to_cosine.
    """
    angle += arc(cosine * to_sine - sine * to_cosine, cosine * to_cosine + sine * to_sine)
    if angle > math.pi:
        return angle - 2.0 * math.pi
    return angle + 2.0 * math.pi if angle < -math.pi else angle


@compiled
def faded(power: float) -> float:
    """
    Return ``exp(-power)`` of a power that is at least 0 and mostly small.

    By the series then, whose terms do not wait for each other.
    """
    if power > LITTLE:
        return exponential(-power)
    x = -power
    z = x * x
    zz = z * z
    low = (1.0 / 2.0 + x * (1.0 / 6.0)) + z * (1.0 / 24.0 + x * (1.0 / 120.0))
    middle = (1.0 / 720.0 + x * (1.0 / 5040.0)) + z * (1.0 / 40320.0 + x * (1.0 / 362880.0))
    high = (1.0 / 3628800.0 + x * (1.0 / 39916800.0)) + z * (1.0 / 479001600.0)
    return 1.0 + (x + z * ((low + zz * middle) + zz * zz * high))


@compiled
def arc(y: float, x: float) -> float:
    """Return the angle of a unit vector [rad], which is mostly small."""
    if abs(y) > SMALL or x < 0.0:
        return direction(y, x)
    z = y * y
    return y + y * z * (1.0 / 6.0 + z * (3.0 / 40.0 + z * (5.0 / 112.0 + z * (35.0 / 1152.0))))
