# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Forms of vehicles: which torques drive them, and how their wheels measure the motion.

A wheel with rollers, omni or mecanum, pushes along the axis of the roller on the ground. This axis
is at the angle g to the rolling direction, in the direction a of the body frame. The rim does not
slip if ``R w cos g = v . a`` at the hub, and a force F along a turns the wheel by the torque ``F R
cos g``. So it is a wheel that rolls in the direction of a with the radius R cos g, and pushes
nothing across.
"""

from collections.abc import Callable
from dataclasses import dataclass
import math
from typing import Any

import numpy as np

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.jit.dispatch import by_number
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.state.record_layout import MOTION_LIKE
from mvsim_ros2.world.spec.vehicle.controller import (
    ControllerSpec, TwistFrontSteerPidController, TwistPidController)
from mvsim_ros2.world.spec.vehicle.dynamics import DynamicsSpec

# vehicle, wheels -> vx, vy, yaw rate; see `measured_motion`
MotionKernel = Callable[[np.void, Records], tuple[float, float, float]]


@compiled
def wheel_odometry(
        y_left: float, y_right: float, speed_left: float, speed_right: float,
        ) -> tuple[float, float]:
    """
    Return forward velocity [m/s] and yaw rate [rad/s] from the rims of two wheels.

    :param y_left: place of the left wheel in the body frame [m].
    :param speed_left: spin times radius of the left wheel [m/s].
    """
    w = (speed_right - speed_left) / (y_left - y_right)
    return speed_left + w * y_left, w


@compiled(inlined=True)
def motion_in_line(vehicle: np.void, wheels: Records) -> tuple[float, float, float]:
    """
    Return what `measured_motion` does, of a vehicle of two axles in one line.

    By the rim of the rear one: ``w = vx (tan front - tan rear) / L``.
    """
    front, rear = wheels[0], wheels[1]
    speed, rear_angle = rear['omega'] * rear['radius'], rear['toe'] + rear['steer']
    ahead, aside = speed * math.cos(rear_angle), speed * math.sin(rear_angle)
    turn = (ahead * math.tan(front['toe'] + front['steer']) - aside) / vehicle['wheelbase']
    return ahead, aside - rear['x'] * turn, turn


@compiled(inlined=True)
def motion_on_rollers(vehicle: np.void, wheels: Records) -> tuple[float, float, float]:
    """Return what `measured_motion` does, of a vehicle on rollers: by least squares."""
    vx, vy, w = 0.0, 0.0, 0.0
    for k in range(len(wheels)):
        wheel = wheels[k]
        rim = wheel['omega'] * wheel['radius']
        vx += wheel['tell_x'] * rim
        vy += wheel['tell_y'] * rim
        w += wheel['tell_turn'] * rim
    return vx, vy, w


@compiled(inlined=True)
def motion_by_sides(vehicle: np.void, wheels: Records) -> tuple[float, float, float]:
    """
    Return what `measured_motion` does, by a left and a right wheel that are not steered.

    The point at `pivot_x` does not move sideways: ``vy = -w pivot_x``.
    """
    left, right = wheels[0], wheels[1]
    v, w = wheel_odometry(
        left['y'], right['y'], left['omega'] * left['radius'], right['omega'] * right['radius'])
    return v, -w * vehicle['pivot_x'], w


@compiled(inlined=True)
def motion_by_course(vehicle: np.void, wheels: Records) -> tuple[float, float, float]:
    """
    Return what `measured_motion` does, by all wheels, each with the velocity of its rim.

    Least squares of ``vx - w y`` and ``vy + w x`` over them.
    """
    count = len(wheels)
    x, y, vx, vy = 0.0, 0.0, 0.0, 0.0
    for k in range(count):
        wheel = wheels[k]
        rim, angle = wheel['omega'] * wheel['radius'], wheel['toe'] + wheel['steer']
        x += wheel['x'] / count
        y += wheel['y'] / count
        vx += rim * math.cos(angle) / count
        vy += rim * math.sin(angle) / count
    turned, spread = 0.0, 0.0
    for k in range(count):
        wheel = wheels[k]
        rim, angle = wheel['omega'] * wheel['radius'], wheel['toe'] + wheel['steer']
        arm_x, arm_y = wheel['x'] - x, wheel['y'] - y
        turned += arm_x * (rim * math.sin(angle) - vy) - arm_y * (rim * math.cos(angle) - vx)
        spread += arm_x * arm_x + arm_y * arm_y
    w = turned / spread
    return vx + w * y, vy - w * x, w


@by_number(0.0, *MOTION_LIKE)
def motion_by(kernel: float, vehicle: np.void, wheels: Records) -> tuple[float, float, float]:
    """Return what `measured_motion` does, by the kernel of a form with this number."""
    raise NotImplementedError


@compiled(inlined=True)
def measured_motion(vehicle: np.void, wheels: Records) -> tuple[float, float, float]:
    """Return vx, vy [m/s] and yaw rate [rad/s] of the reference point, by the rims."""
    return motion_by(vehicle['motion'], vehicle, wheels)


def rim_rows(wheels: Any) -> Array:
    """Return the speed of each rim [m/s] for the unit twists vx, vy and wz, shape (wheels, 3)."""
    angle = wheels['toe'] + wheels['roller']
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.stack([cosine, sine, sine * wheels['x'] - cosine * wheels['y']], axis=1)


def write_motion_rows(wheels: Any) -> bool:
    """
    Write into the records the rows of the least-squares inverse: from speeds of rims to a twist.

    :return: False where some motion turns no wheel, so that the wheels cannot make it either.
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


@dataclass(frozen=True, eq=False)
class Form:
    """
    How vehicles are driven, and how their wheels measure the motion.

    :ivar name: for messages.
    :ivar torques: torques that drive the vehicle: 1 for all wheels, 2 for left and right, 0 where
        each wheel has its own.
    :ivar motion: kernel by which odometers and controllers go: see `measured_motion`.
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

    def given(self, wheels: Any) -> tuple[float, float]:
        """
        Return the torques of the controller, left and right [N m], for logs.

        Those of the first two wheels where each has its own; one for the whole vehicle is the sum
        of its wheels, twice.
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
