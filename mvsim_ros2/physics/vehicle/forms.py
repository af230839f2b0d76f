# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Forms of vehicles: what controllers and logs have to know of a vehicle class."""

from collections.abc import Callable
from dataclasses import dataclass
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.physics.vehicle.roller_wheels import command_rims
from mvsim_ros2.physics.vehicle.wheel_motion import motion_by_sides
from mvsim_ros2.physics.vehicle.wheel_motion import motion_in_line
from mvsim_ros2.physics.vehicle.wheel_motion import motion_on_rollers
from mvsim_ros2.spec.vehicle.controllers import ControllerSpec
from mvsim_ros2.spec.vehicle.controllers import TwistFrontSteerPidController
from mvsim_ros2.spec.vehicle.controllers import TwistPidController
from mvsim_ros2.spec.vehicle.dynamics import DynamicsSpec

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
    :ivar measured: from the records of the wheels the speeds that a PID of the left and of the
        right side sees [m/s], for logs.
    :ivar command_rims: writes a twist vx, vy, wz into the records of the wheels, where the
        controllers read it there.
    :ivar tuned_with: controller that `mvsim_ros2 tune` proposes; None where a form has no one
        torque to tune for.
    """

    name: str
    torques: int
    motion: MotionKernel
    measured: Callable[[Any], Pair]
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


def _rims(wheels: Any) -> list[float]:
    return (wheels['omega'] * wheels['radius']).tolist()  # type: ignore[no-any-return]


def _ahead_and_turn(wheels: Any) -> Pair:
    """Return forward velocity [m/s] and yaw rate [rad/s] by the first two wheels."""
    rims, y = _rims(wheels), wheels['y'].tolist()
    turn = (rims[1] - rims[0]) / (y[0] - y[1])
    return rims[0] + turn * y[0], turn


def _sides(wheels: Any) -> Pair:
    ahead, turn = _ahead_and_turn(wheels)
    half = 0.5 * turn * (wheels['y'][0] - wheels['y'][1])
    return float(ahead - half), float(ahead + half)


def _front_pair(wheels: Any) -> Pair:
    """Return the speeds of the front wheels along their directions."""
    ahead, turn = _ahead_and_turn(wheels)
    x, y = wheels['x'].tolist(), wheels['y'].tolist()
    directions = (wheels['toe'] + wheels['steer']).tolist()
    left, right = (math.cos(directions[k]) * (ahead - turn * y[k])
                   + math.sin(directions[k]) * turn * x[k] for k in (2, 3))
    return left, right


def _drivetrain(wheels: Any) -> Pair:
    ahead, _ = _ahead_and_turn(wheels)
    return ahead, ahead


def _in_line(wheels: Any) -> Pair:
    ahead = _rims(wheels)[1] * math.cos((wheels['toe'] + wheels['steer']).tolist()[1])
    return ahead, ahead


def _rollers(wheels: Any) -> Pair:
    first, second = _rims(wheels)[:2]
    return first, second


SIDES = Form('with driven sides', 2, motion_by_sides, _sides, TwistPidController)
FRONT_PAIR = Form('with two steered front wheels that are driven', 2, motion_by_sides,
                  _front_pair, TwistFrontSteerPidController)
DRIVETRAIN = Form('with two steered front wheels and a drivetrain', 1, motion_by_sides,
                  _drivetrain, TwistFrontSteerPidController)
IN_LINE = Form('with axles in one line', 1, motion_in_line, _in_line,
               TwistFrontSteerPidController)
ROLLERS = Form('on rollers', 0, motion_on_rollers, _rollers, command_rims=command_rims)
FORMS = (SIDES, FRONT_PAIR, DRIVETRAIN, IN_LINE, ROLLERS)
