# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Arrays with a row for each vehicle: state, commands, motion of the bodies."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.physics.engine.far_places import PLACE
from mvsim_ros2.physics.state.record_layout import (
    MOTION, NOISE_STEPS, ODOMETER, PID, PIDS, VEHICLE)

Array = NDArray[np.float64]


@dataclass
class VehicleArrays:
    """State of all vehicles, one row each."""

    records: Any  # parameters and commands, structured `VEHICLE`
    pids: Array  # (V, PIDS, PID)
    pose: Array  # (V, 6) x y z yaw pitch roll of the reference point, world frame
    twist_body: Array  # (V, 3) vx vy wz of the reference point, body frame
    acceleration_body: Array  # (V, 3) of the reference point over the last step, body axes
    velocity: Array  # (V, 3) vx vy of the reference point in the world frame, wz
    odometers: Array  # (V, ODOMETER)
    before: Array  # (V, 3) x y yaw when the odometers last moved
    noise: Array  # (V, 2, NOISE_STEPS)
    motion: Array  # (V, MOTION) of the bodies
    places: Array  # (V, PLACE) of those far from the origin: see `far_places`
    wrench: Array  # (V, 3) on the bodies
    collided: NDArray[np.bool_]  # (V,) since last taken


def empty(count: int = 0) -> VehicleArrays:
    """Return arrays of 0 for a number of vehicles."""
    return VehicleArrays(
        np.zeros(count, VEHICLE), np.zeros((count, PIDS, PID)), np.zeros((count, 6)),
        np.zeros((count, 3)), np.zeros((count, 3)), np.zeros((count, 3)),
        np.zeros((count, ODOMETER)), np.zeros((count, 3)), np.zeros((count, 2, NOISE_STEPS)),
        np.zeros((count, MOTION)), np.zeros((count, PLACE)),
        np.zeros((count, 3)), np.zeros(count, bool))
