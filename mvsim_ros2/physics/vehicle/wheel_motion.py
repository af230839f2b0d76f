# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""How the wheels of a vehicle tell its motion: what odometers and controllers go by."""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.dispatch import by_number
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.state.example_arguments import MOTION_LIKE

Records = NDArray[np.void]


@compiled
def wheel_odometry(
        y_left: float, y_right: float, speed_left: float, speed_right: float,
        ) -> tuple[float, float]:
    """
    Return forward velocity [m/s] and yaw rate [rad/s] from the rims of two wheels.

    :param y_left: place of the left wheel in the body frame [m].
    :param speed_left: spin times radius of the left wheel [m/s].
    """
    w = (speed_right - speed_left) / (y_left - y_right)
    return speed_left + w * y_left, w


@lazy_kernel(0.0, 0.0, 0.0, 0.0, 0.0)
def in_line_motion(
        speed: float, front_angle: float, rear_angle: float, rear_x: float, wheelbase: float,
        ) -> tuple[float, float, float]:
    """
    Return vx, vy [m/s] and yaw rate [rad/s] of a vehicle of two axles that do not slip.

    ``w = vx (tan front - tan rear) / L``.

    :param speed: of the rims of the rear axle [m/s].
    :param rear_x: place of the rear axle in the body frame [m].
    """
    ahead, aside = speed * math.cos(rear_angle), speed * math.sin(rear_angle)
    turn = (ahead * math.tan(front_angle) - aside) / wheelbase
    return ahead, aside - rear_x * turn, turn


@compiled(inlined=True)
def motion_in_line(vehicle: np.void, wheels: Records) -> tuple[float, float, float]:
    """Return what `measured_motion` does, of a vehicle of two axles in one line."""
    front, rear = wheels[0], wheels[1]
    return in_line_motion(
        rear['omega'] * rear['radius'], front['toe'] + front['steer'],
        rear['toe'] + rear['steer'], rear['x'], vehicle['wheelbase'])


@compiled(inlined=True)
def motion_on_rollers(vehicle: np.void, wheels: Records) -> tuple[float, float, float]:
    """Return what `measured_motion` does, of a vehicle on rollers: by least squares."""
    vx, vy, w = 0.0, 0.0, 0.0
    for k in range(len(wheels)):
        wheel = wheels[k]
        rim = wheel['omega'] * wheel['radius']
        vx += wheel['tell_x'] * rim
        vy += wheel['tell_y'] * rim
        w += wheel['tell_turn'] * rim
    return vx, vy, w


@compiled(inlined=True)
def motion_by_sides(vehicle: np.void, wheels: Records) -> tuple[float, float, float]:
    """
    Return what `measured_motion` does, by a left and a right wheel that are not steered.

    The point at `pivot_x` does not move sideways: ``vy = -w pivot_x``.
    """
    left, right = wheels[0], wheels[1]
    v, w = wheel_odometry(
        left['y'], right['y'], left['omega'] * left['radius'], right['omega'] * right['radius'])
    return v, -w * vehicle['pivot_x'], w


@compiled(inlined=True)
def motion_by_course(vehicle: np.void, wheels: Records) -> tuple[float, float, float]:
    """
    Return what `measured_motion` does, by all wheels, each with the velocity of its rim.

    Least squares of ``vx - w y`` and ``vy + w x`` over them.
    """
    count = len(wheels)
    x, y, vx, vy = 0.0, 0.0, 0.0, 0.0
    for k in range(count):
        wheel = wheels[k]
        rim, angle = wheel['omega'] * wheel['radius'], wheel['toe'] + wheel['steer']
        x += wheel['x'] / count
        y += wheel['y'] / count
        vx += rim * math.cos(angle) / count
        vy += rim * math.sin(angle) / count
    turned, spread = 0.0, 0.0
    for k in range(count):
        wheel = wheels[k]
        rim, angle = wheel['omega'] * wheel['radius'], wheel['toe'] + wheel['steer']
        arm_x, arm_y = wheel['x'] - x, wheel['y'] - y
        turned += arm_x * (rim * math.sin(angle) - vy) - arm_y * (rim * math.cos(angle) - vx)
        spread += arm_x * arm_x + arm_y * arm_y
    w = turned / spread
    return vx + w * y, vy - w * x, w


@by_number(0.0, *MOTION_LIKE)
def motion_by(
        kernel: float, vehicle: np.void, wheels: Records) -> tuple[float, float, float]:
    """
    Return what `measured_motion` does, by the kernel of a form of vehicles.

    :param kernel: its number.
    """
    raise NotImplementedError


@compiled(inlined=True)
def measured_motion(vehicle: np.void, wheels: Records) -> tuple[float, float, float]:
    """
    Return vx, vy [m/s] and yaw rate [rad/s] of the reference point, by the rims.

    :param vehicle: its record.
    :param wheels: records of its wheels.
    """
    return motion_by(vehicle['motion'], vehicle, wheels)
