# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The controller `raw`: torques as they are commanded."""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.controllers.record import Command, Controller
from mvsim_ros2.physics.vehicle.forms import Form, FORMS, ROLLERS, SIDES
from mvsim_ros2.world.spec.vehicle.controllers import RawController

Array = NDArray[np.float64]
Records = NDArray[np.void]


@compiled(inlined=True)
def commanded_torques(
        vehicle: np.void, wheels: Records, pitch: float, pid: Array, dt: float,
        ) -> tuple[float, float]:
    """
    Return the torques of the left and the right motors [N m].

    Wheels that have a torque each take their own command. See `Controller.torques`.
    """
    return vehicle['torque_left'], vehicle['torque_right']


def _initial(spec: RawController, form: Form) -> tuple[tuple[float, ...], float] | None:
    """
    Return the torques of the world file for a vehicle that is steered, and its steering angle.

    They are negative for forward, as in the original, which passes them over for all others.
    """
    if form in (SIDES, ROLLERS):
        return None
    torques = (-spec.torque,) if form.torques == 1 else (-spec.fl_torque, -spec.fr_torque)
    return torques, spec.steer_ang


CONTROLLERS = (
    Controller(
        RawController, Command.TORQUES, dict.fromkeys(FORMS, commanded_torques),
        initial=_initial),
)
