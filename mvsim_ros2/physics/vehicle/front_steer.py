# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Controllers of vehicles whose front wheels are steered."""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.state.example_arguments import A_VEHICLE
from mvsim_ros2.physics.state.example_arguments import SOME_WHEELS
from mvsim_ros2.physics.state.example_arguments import TABLE
from mvsim_ros2.physics.state.record_layout import IN_LINE
from mvsim_ros2.physics.state.record_layout import NO_DRIVETRAIN
from mvsim_ros2.physics.vehicle.controllers import tracking_torques
from mvsim_ros2.physics.vehicle.wheel_motion import measured_motion

Array = NDArray[np.float64]
Records = NDArray[np.void]


@compiled(inner=True)
def speed_along(x: float, y: float, v: float, w: float, direction: float) -> float:
    """
    Return the velocity of a wheel in a direction [m/s].

    :param x: place of the wheel in the body frame [m]; so y.
    :param v: forward velocity of the vehicle [m/s].
    :param w: its yaw rate [rad/s].
    :param direction: in the body frame [rad].
    """
    return math.cos(direction) * (v - w * y) + math.sin(direction) * (w * x)


@lazy_kernel(A_VEHICLE, SOME_WHEELS, 0.0, TABLE, 0.0)
def front_steer_torques(
        vehicle: np.void, wheels: Records, pitch: float, pid: Array, dt: float,
        ) -> tuple[float, float]:
    """
    Return the torques of the left and of the right front wheel [N m].

    Each front wheel has a PID for its velocity along its direction, commanded and measured;
    with a drivetrain, and on wheels in one line, both are that of the vehicle. Measured is what
    the rear wheels tell.

    In mode `mvsim` the yaw rate commanded counts though the steering cannot make it, so that
    the vehicle is too fast then; in mode `physical` the one that the steering makes.

    :param vehicle: its record, with the commanded twist and angles of the front wheels.
    :param wheels: records of its wheels, with the angles that they still have.
    :param pitch: for the others see `tracking_torques`.
    """
    v, _, w = measured_motion(vehicle, wheels)
    command_v, command_w = vehicle['command_v'], vehicle['command_w']
    if vehicle['drivetrain'] != NO_DRIVETRAIN or vehicle['form'] == IN_LINE:
        return tracking_torques(vehicle, command_v, command_v, v, v, pitch, pid, dt)
    if vehicle['mass'] > 0.0:  # in mode physical
        takes_time = vehicle['steer_takes_time'] != 0.0
        front = vehicle['steer_front'] if takes_time else vehicle['command_front']
        command_w = command_v * math.tan(front) / vehicle['wheelbase']
    left, right = wheels[2], wheels[3]
    left_x, left_y, right_x, right_y = left['x'], left['y'], right['x'], right['y']
    return tracking_torques(
        vehicle,
        speed_along(left_x, left_y, command_v, command_w, left['toe'] + vehicle['steer_left']),
        speed_along(
            right_x, right_y, command_v, command_w, right['toe'] + vehicle['steer_right']),
        speed_along(left_x, left_y, v, w, left['toe'] + left['steer']),
        speed_along(right_x, right_y, v, w, right['toe'] + right['steer']), pitch, pid, dt)
