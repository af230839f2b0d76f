# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The controller `trajectory`: the body has the velocity that follows waypoints in time."""

from mvsim_ros2.physics.controllers.record import Controller
from mvsim_ros2.physics.controllers.twist_ideal import no_torques
from mvsim_ros2.physics.vehicle.forms import FRONT_PAIR, IN_LINE, ROLLERS, SIDES
from mvsim_ros2.world.spec.vehicle.trajectory import TrajectoryController

CONTROLLERS = (
    Controller(
        TrajectoryController, None,
        dict.fromkeys((SIDES, FRONT_PAIR, IN_LINE, ROLLERS), no_torques), is_ideal=True),
)
