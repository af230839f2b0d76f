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

Array = NDArray[np.float64]


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
