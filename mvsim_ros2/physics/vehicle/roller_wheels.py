# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Wheels with rollers, omni and mecanum: they push along the axis of the roller on the ground.

With the axis at the angle g to the direction in which the wheel rolls, and the axis in the
direction a of the body frame, the rim does not slip where ``R w cos g = v . a`` at the hub.
A force F along a turns the wheel by the torque ``F R cos g``. So such a wheel is one that
rolls in the direction of a, with the radius R cos g, and pushes nothing across.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.state.example_arguments import A_VEHICLE
from mvsim_ros2.physics.state.example_arguments import SOME_WHEELS
from mvsim_ros2.physics.state.example_arguments import TABLE
from mvsim_ros2.physics.vehicle.controllers import braking_only
from mvsim_ros2.physics.vehicle.controllers import filtered_reference
from mvsim_ros2.physics.vehicle.controllers import pid_step

Array = NDArray[np.float64]
Records = NDArray[np.void]


def rim_rows(wheels: Any) -> Array:
    """
    Return the speed of each rim [m/s] for the unit twists vx, vy and wz, shape (wheels, 3).

    :param wheels: records of the wheels of a vehicle.
    """
    angle = wheels['toe'] + wheels['roller']
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.stack(
        [cosine, sine, sine * wheels['x'] - cosine * wheels['y']], axis=1)


def tell_motion(wheels: Any) -> bool:
    """
    Write into the records what the rims tell of the motion, by least squares.

    :returns: False where some motion turns no wheel, so that the wheels cannot make it either.
    """
    rows = rim_rows(wheels)
    reach = max(float(np.abs(wheels['x']).max()), float(np.abs(wheels['y']).max()), 1e-6)
    if np.linalg.matrix_rank(rows / (1.0, 1.0, reach), tol=1e-3) < 3:
        return False
    wheels['tell_x'], wheels['tell_y'], wheels['tell_turn'] = np.linalg.pinv(rows)
    return True


def command_rims(wheels: Any, vx: float, vy: float, wz: float) -> None:
    """Write into the records the speeds of the rims that make a twist [m/s, rad/s]."""
    wheels['command'] = rim_rows(wheels) @ (vx, vy, wz)


@lazy_kernel(A_VEHICLE, SOME_WHEELS, TABLE, 0.0)
def roller_torques(vehicle: np.void, wheels: Records, pid: Array, dt: float) -> None:
    """
    Write into `wheels` the torques that make the rims follow their commands [N m].

    One PID a wheel; for the rest see `controllers.tracking_torques`.
    """
    keep, order = vehicle['filter_keep'], vehicle['filter_order']
    zero, stopped = vehicle['zero_command'], vehicle['stopped']
    stopping, still = True, True
    for k in range(len(wheels)):
        wheel = wheels[k]
        command = filtered_reference(keep, order, wheel['command'], pid[k])
        speed = wheel['omega'] * wheel['radius']
        stopping = stopping and abs(command) < zero
        still = still and abs(speed) < stopped
        wheel['torque'] = command - speed  # the error, for the loop below
    for k in range(len(wheels)):
        wheel = wheels[k]
        if stopping and still:
            pid[k, :] = 0.0
            wheel['torque'] = 0.0
            continue
        torque = pid_step(
            vehicle['kp'], vehicle['ki'], vehicle['kd'], vehicle['derivative_filter'],
            vehicle['max_torque'], vehicle['antiwindup'], wheel['torque'], 0.0, dt, pid[k])
        if stopping:
            torque = braking_only(torque, wheel['omega'])
        wheel['torque'] = torque
