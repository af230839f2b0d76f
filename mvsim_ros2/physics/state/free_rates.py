# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""How a vehicle off the ground moves."""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.physics.physical.free_body import tilted

Array = NDArray[np.float64]


def free_rates(record: np.void, pose: Array) -> tuple[Array, Array]:
    """
    Return how fast z, pitch and roll of a free body change, and how that changes.

    Rates of the angles from those about its heading and to its left: J. Diebel, *Representing
    attitude* (2006).

    :param record: of the vehicle.
    :param pose: x y z yaw pitch roll.
    """
    pitch, roll = float(pose[4]), float(pose[5])
    x, y, _ = tilted(pitch, roll, record['com_x'], record['com_y'], record['com_height'])
    flat = max(math.cos(pitch), 0.01)

    def row(up: str, about_heading: str, about_left: str) -> Array:
        rise, ahead, left = (
            float(record[name]) for name in (up, about_heading, about_left))
        return np.array((rise - ahead * y + left * x, left, ahead / flat))
    return (row('sink', 'roll_rate', 'pitch_rate'),
            row('rise_change', 'slant_x_change', 'slant_y_change'))
