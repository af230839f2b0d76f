# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""How the wheels of a vehicle tell its motion: what odometers and controllers go by."""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.state.record_layout import IN_LINE
from mvsim_ros2.physics.state.record_layout import ROLLERS
from mvsim_ros2.physics.vehicle.controllers import wheel_odometry

Records = NDArray[np.void]


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


@compiled(inner=True)
def measured_motion(vehicle: np.void, wheels: Records) -> tuple[float, float, float]:
    """
    Return vx, vy [m/s] and yaw rate [rad/s] of the reference point, by the rims.

    :param vehicle: its record.
    :param wheels: records of its wheels.
    """
    form = vehicle['form']
    if form == ROLLERS:
        vx, vy, w = 0.0, 0.0, 0.0
        for k in range(len(wheels)):
            wheel = wheels[k]
            rim = wheel['omega'] * wheel['radius']
            vx += wheel['tell_x'] * rim
            vy += wheel['tell_y'] * rim
            w += wheel['tell_turn'] * rim
        return vx, vy, w
    first, second = wheels[0], wheels[1]
    if form == IN_LINE:
        return in_line_motion(
            second['omega'] * second['radius'], first['toe'] + first['steer'],
            second['toe'] + second['steer'], second['x'], vehicle['wheelbase'])
    v, w = wheel_odometry(
        first['y'], second['y'], first['omega'] * first['radius'],
        second['omega'] * second['radius'])
    return v, 0.0, w
