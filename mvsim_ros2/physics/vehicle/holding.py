# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""When a vehicle holds its wheels: the brake that a stopped vehicle sets."""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.state.record_layout import FRONT_STEER_PID
from mvsim_ros2.physics.state.record_layout import ROLLER_PID
from mvsim_ros2.physics.state.record_layout import RUNNING
from mvsim_ros2.physics.state.record_layout import TWIST_PID

Array = NDArray[np.float64]


@compiled
def holds(controller: int, pid: Array) -> bool:
    """
    Return whether a vehicle is told to stand and has come to stand, by its odometer.

    Then its PIDs are at rest: see `controllers.tracking_torques`, which resets them.

    :param controller: its number.
    :param pid: states of its PIDs after this step, shape (PIDS, PID).
    """
    return controller in (TWIST_PID, FRONT_STEER_PID, ROLLER_PID) and pid[0, RUNNING] == 0.0
