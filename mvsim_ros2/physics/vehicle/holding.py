# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""When a vehicle holds its wheels: the brake that a stopped vehicle sets."""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.controllers.front_steer import front_commands
from mvsim_ros2.physics.controllers.twist_pid import side_commands
from mvsim_ros2.physics.state.record_layout import (
    BY_FRONT_SPEEDS, BY_SIDE_SPEEDS, NOT_KNOWN, RUNNING)

Array = NDArray[np.float64]
Records = NDArray[np.void]


@compiled(inlined=True)
def told_to_move(vehicle: np.void, wheels: Records) -> bool:
    """
    Return whether PIDs are told to move, by what the record of their vehicle says.

    Then it does not hold, without PIDs being asked. False also where only they know: with a
    filter of the commands, or another controller.
    """
    left = right = vehicle['command_v']
    if vehicle['told_by'] == BY_SIDE_SPEEDS:
        left, right = side_commands(vehicle)
    elif vehicle['told_by'] == BY_FRONT_SPEEDS:
        left, right = front_commands(vehicle, wheels)
    return bool(vehicle['told_by'] != NOT_KNOWN and vehicle['filter_keep'] == 0.0
                and max(abs(left), abs(right)) >= vehicle['zero_command'])


@compiled(counted=False)
def holds(has_pid: float, pid: Array) -> bool:
    """
    Return whether a vehicle is told to stand and has come to stand, by its odometer.

    Then its PIDs are at rest: see `controllers.pid.tracking_torques`, which resets them.

    :param has_pid: not 0 where PIDs follow the command.
    :param pid: states of its PIDs after this step, shape (PIDS, PID).
    """
    return has_pid != 0.0 and pid[0, RUNNING] == 0.0
