# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Forms of vehicles: what controllers and logs have to know of a vehicle class."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.physics.vehicle.roller_wheels import command_rims
from mvsim_ros2.physics.vehicle.wheel_motion import (
    motion_by_course, motion_by_sides, motion_in_line, motion_on_rollers)
from mvsim_ros2.world.spec.vehicle.controller import ControllerSpec
from mvsim_ros2.world.spec.vehicle.controllers import (
    TwistFrontSteerPidController, TwistPidController)
from mvsim_ros2.world.spec.vehicle.dynamics import DynamicsSpec

Pair = tuple[float, float]

# vehicle, wheels -> vx, vy, yaw rate; see `wheel_motion.measured_motion`
MotionKernel = Callable[[np.void, NDArray[np.void]], tuple[float, float, float]]


@dataclass(frozen=True, eq=False)
class Form:
    """
    How vehicles are driven, and how their wheels tell the motion.

    :ivar name: for messages.
    :ivar torques: torques that drive the vehicle: 1 for all wheels, 2 for left and right, 0 where
        each wheel has its own.
    :ivar motion: kernel by which odometers and controllers go: see `wheel_motion.measured_motion`.
    :ivar command_rims: writes a twist vx, vy, wz into the records of the wheels, where the
        controllers read it there.
    :ivar tuned_with: controller that `mvsim_ros2 tune` proposes; None where a form has no one
        torque to tune for.
    """

    name: str
    torques: int
    motion: MotionKernel
    tuned_with: type[ControllerSpec] | None = None
    command_rims: Callable[[Any, float, float, float], None] | None = None

    def torques_taken(self, dynamics: DynamicsSpec) -> int:
        """Return how many torques command a vehicle of this form."""
        return self.torques or len(dynamics.wheels)

    def given(self, wheels: Any) -> Pair:
        """
        Return the torques of the controller, left and right [N m], for logs.

        Those of the first two wheels where each has its own; one for the whole vehicle is the sum
        of its wheels, twice.

        :param wheels: records of the wheels.
        """
        torques = wheels['torque'].tolist()
        if self.torques == 0:
            return torques[0], torques[1]
        if self.torques == 1:
            return sum(torques), sum(torques)
        sides, shares = wheels['side'].tolist(), wheels['drive'].tolist()
        first, second = sides.index(0.0), sides.index(1.0)
        return torques[first] / shares[first], torques[second] / shares[second]


SIDES = Form('with driven sides', 2, motion_by_sides, TwistPidController)
FRONT_PAIR = Form('with two steered front wheels that are driven', 2, motion_by_sides,
                  TwistFrontSteerPidController)
DRIVETRAIN = Form('with two steered front wheels and a drivetrain', 1, motion_by_sides,
                  TwistFrontSteerPidController)
IN_LINE = Form('with axles in one line', 1, motion_in_line, TwistFrontSteerPidController)
BY_COURSE = Form('with wheels that take the course of their places', 1, motion_by_course,
                 TwistFrontSteerPidController)
ROLLERS = Form('on rollers', 0, motion_on_rollers, command_rims=command_rims)
FORMS = (SIDES, FRONT_PAIR, DRIVETRAIN, IN_LINE, BY_COURSE, ROLLERS)
