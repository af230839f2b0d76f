# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Steering: of two front wheels, whose axes meet on the rear axle, of axles in line, by course.

Angles follow their command at once, or through an actuator: a first-order lag, and a limit of
the rate. A caster swivels about a vertical pin ahead of its contact, carries and never guides.
"""

import math

import numpy as np

from mvsim_ros2.frames import Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.elementary_functions import clamp, direction, exponential
from mvsim_ros2.physics.state.record_layout import A_VEHICLE, SOME_WHEELS

CRAWLING = 1e-3  # m/s; up to here an ideal vehicle turns on the spot
TRAIL = 0.5  # distance from pin to contact over the radius of the wheel
# a power, and the sine of an angle, up to which the terms of their series reach the last digit
LITTLE, SMALL = 0.25, 0.04


@compiled
def ackermann_angles(wheelbase: float, track: float, angle: float) -> tuple[float, float]:
    """
    Return the angles of the left and of the right front wheel [rad].

    ``cot(inner) = cot(angle) - track / (2 wheelbase)``, ``cot(outer)`` with a plus, in a form that
    is also valid straight ahead. If the turn centre is between the wheels, the inner wheel turns
    by more than a right angle.

    :param wheelbase: distance of the axles [m].
    :param track: distance of the front wheels [m].
    :param angle: of a wheel in the middle between them, below a right angle, left positive.
    """
    tangent = math.tan(abs(angle))
    ahead, half = wheelbase * tangent, 0.5 * track * tangent
    inner, outer = math.atan2(ahead, wheelbase - half), math.atan2(ahead, wheelbase + half)
    if angle < 0.0:
        return -outer, -inner
    return inner, outer


@compiled
def angle_for_twist(wheelbase: float, v: float, w: float) -> float:
    """
    Return the steering angle that makes yaw rate `w` of forward velocity `v` [rad].

    A right angle where `v` is 0 and `w` is not.
    """
    if w == 0.0:
        return 0.0
    if v == 0.0:
        return math.copysign(0.5 * math.pi, wheelbase * w)
    return math.atan(wheelbase * w / v)


@compiled
def angle_for_ideal_twist(wheelbase: float, v: float, w: float, largest: float) -> float:
    """
    Return the steering angle that an ideal vehicle shows [rad].

    :param largest: steering angle of the vehicle [rad].
    """
    if abs(v) <= CRAWLING:
        return clamp(wheelbase * w, largest)
    return math.atan(wheelbase * w / v)


@compiled
def actuated(angle: float, command: float, keep: float, change: float) -> float:
    """
    Return a steering angle after a step of its actuator [rad].

    :param command: that it follows [rad].
    :param keep: share of the deviation that a lag leaves, ``exp(-dt / lag)``; 0 for no lag.
    :param change: of the angle in a step, at most [rad]; 0 for no limit.
    """
    wanted = (command - angle) * (1.0 - keep)
    if change > 0.0:
        wanted = clamp(wanted, change)
    elif keep == 0.0:
        return command  # to the last bit
    return angle + wanted


@compiled
def course(x: float, y: float, wheelbase: float, rear_x: float, front: float, rear: float,
           ) -> float:
    """
    Return the angle of a wheel that rolls as two axles in line say [rad].

    A body with the velocity 1 ahead has ``w = (tan front - tan rear) / L`` and ``tan rear`` to the
    left at its rear axle; the wheel takes the direction of its own place.

    :param x: place of the wheel in the body frame [m]; so y.
    :param wheelbase: place of the front before the rear axle [m], of either sign.
    :param front: angle in the middle of the front axle, below a right angle [rad]; so rear.
    """
    aside = math.tan(rear)
    turn = (math.tan(front) - aside) / wheelbase
    return math.atan2(aside + turn * (x - rear_x), 1.0 - turn * y)


@lazy_kernel(A_VEHICLE, SOME_WHEELS, counted=False)
def steer_wheels(vehicle: np.void, wheels: Records) -> None:
    """Turn the steered wheels of a vehicle for this step, and move its actuators on."""
    if vehicle['steer_takes_time'] != 0.0:
        keep, change = vehicle['steer_keep'], vehicle['steer_change']
        front = actuated(vehicle['steer_front'], vehicle['command_front'], keep, change)
        rear = actuated(vehicle['steer_rear'], vehicle['command_rear'], keep, change)
        vehicle['steer_front'], vehicle['steer_rear'] = front, rear
        if vehicle['front_track'] > 0.0:
            front, rear = ackermann_angles(vehicle['wheelbase'], vehicle['front_track'], front)
        vehicle['steer_left'], vehicle['steer_right'] = front, rear
    if vehicle['by_course'] != 0.0:
        for k in range(len(wheels)):
            wheel = wheels[k]
            if wheel['steers'] != 0.0:
                wheel['steer'] = course(
                    wheel['x'], wheel['y'], vehicle['wheelbase'], vehicle['rear_x'],
                    vehicle['steer_left'], vehicle['steer_right'])
    else:
        first = int(vehicle['first_steered'])
        wheels[first]['steer'] = vehicle['steer_left']
        wheels[first + 1]['steer'] = vehicle['steer_right']


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
def turned_to(angle: float, sine: float, cosine: float, to_sine: float, to_cosine: float) -> float:
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
