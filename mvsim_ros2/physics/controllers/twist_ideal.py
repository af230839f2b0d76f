# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The controller `twist_ideal`: the body has the velocity of the command."""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.controllers.record import Command, Controller
from mvsim_ros2.physics.vehicle.forms import FRONT_PAIR, IN_LINE, ROLLERS, SIDES
from mvsim_ros2.world.spec.vehicle.controllers import TwistIdealController

Array = NDArray[np.float64]
Records = NDArray[np.void]


@compiled(inlined=True)
def no_torques(
        vehicle: np.void, wheels: Records, pitch: float, pid: Array, dt: float,
        ) -> tuple[float, float]:
    """Return no torques; see `Controller.torques`."""
    return 0.0, 0.0


CONTROLLERS = (
    Controller(
        TwistIdealController, Command.TWIST,
        dict.fromkeys((SIDES, FRONT_PAIR, IN_LINE, ROLLERS), no_torques), is_ideal=True),
)
