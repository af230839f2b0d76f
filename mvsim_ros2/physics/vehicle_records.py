# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""From the spec of a vehicle to the numbers that the kernels work with."""

import math
from typing import Any

import numpy as np

from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.physics.controllers import STOPPED
from mvsim_ros2.physics.controllers import ZERO_COMMAND
from mvsim_ros2.physics.layout import ALL_WHEELS
from mvsim_ros2.physics.layout import FROM_MOTION
from mvsim_ros2.physics.layout import FROM_WHEELS
from mvsim_ros2.physics.layout import FRONT_STEER_PID
from mvsim_ros2.physics.layout import FRONT_WHEELS
from mvsim_ros2.physics.layout import LEFT
from mvsim_ros2.physics.layout import NONE
from mvsim_ros2.physics.layout import RAW
from mvsim_ros2.physics.layout import REAR_WHEELS
from mvsim_ros2.physics.layout import RIGHT
from mvsim_ros2.physics.layout import TWIST_IDEAL
from mvsim_ros2.physics.layout import TWIST_PID
from mvsim_ros2.physics.layout import VEHICLE
from mvsim_ros2.physics.layout import WHEEL
from mvsim_ros2.physics.tyres.choice import KINDS
from mvsim_ros2.world.spec.controller import Controller
from mvsim_ros2.world.spec.controller import FrontSteerPidController
from mvsim_ros2.world.spec.controller import RawController
from mvsim_ros2.world.spec.controller import TwistFrontSteerPidController
from mvsim_ros2.world.spec.controller import TwistIdealController
from mvsim_ros2.world.spec.controller import TwistPidController
from mvsim_ros2.world.spec.dynamics import AckermannDrivetrainSpec
from mvsim_ros2.world.spec.dynamics import AckermannSpec
from mvsim_ros2.world.spec.dynamics import Differential3Spec
from mvsim_ros2.world.spec.dynamics import Differential4Spec
from mvsim_ros2.world.spec.dynamics import DifferentialSpec
from mvsim_ros2.world.spec.dynamics import DynamicsSpec
from mvsim_ros2.world.spec.vehicle import VehicleSpec

# which torque drives each wheel; a drivetrain shares one among all of them
_SIDES: dict[type, tuple[int, ...]] = {
    DifferentialSpec: (LEFT, RIGHT),
    Differential3Spec: (LEFT, RIGHT, NONE),
    Differential4Spec: (LEFT, RIGHT, LEFT, RIGHT),
    AckermannSpec: (NONE, NONE, LEFT, RIGHT),
    AckermannDrivetrainSpec: (NONE, NONE, NONE, NONE),
}
_ON_DIFFERENTIAL: dict[type, int] = {
    RawController: RAW, TwistPidController: TWIST_PID, TwistIdealController: TWIST_IDEAL}
_ON_DRIVETRAIN: dict[type, int] = {
    RawController: RAW, TwistFrontSteerPidController: FRONT_STEER_PID,
    FrontSteerPidController: FRONT_STEER_PID}
_ON_ACKERMANN = _ON_DRIVETRAIN | {TwistIdealController: TWIST_IDEAL}
_DRIVEN = {'front': FRONT_WHEELS, 'rear': REAR_WHEELS, '4wd': ALL_WHEELS}

_MAX_TORQUE, _MAX_TORQUE_DRIVETRAIN = 100.0, 400.0  # N m, of twist_front_steer_pid


def check(vehicle: VehicleSpec) -> None:
    """
    Make sure that a vehicle is possible and of a kind that is built here.

    :raises PhysicsError: where it is not; says where and what there is.
    """
    dynamics = vehicle.dynamics
    _check_kind(vehicle, 'vehicle class', dynamics, _SIDES)
    _check_kind(vehicle, 'controller', dynamics.controller, _controllers(dynamics))
    _check_kind(vehicle, 'friction model', vehicle.friction, KINDS)
    left, right = dynamics.wheels[:2]
    if isinstance(dynamics, AckermannSpec):
        if left.pos[1] == right.pos[1]:  # exchanged ones do no harm
            raise PhysicsError(
                f'{left.source}: both rear wheels of vehicle {vehicle.name!r} are at y = '
                f'{left.pos[1]}: put them on both sides')
        if dynamics.f_wheels_x <= left.pos[0]:
            raise PhysicsError(
                f'{dynamics.source}: the front wheels of vehicle {vehicle.name!r} are at x = '
                f'{dynamics.f_wheels_x}, not before the rear left wheel at x = {left.pos[0]}: '
                'make f_wheels_x larger')
        if not dynamics.max_steer_ang < 0.5 * math.pi - 0.01:
            raise PhysicsError(
                f'{dynamics.source}: max_steer_ang_deg of vehicle {vehicle.name!r} is '
                f'{math.degrees(dynamics.max_steer_ang):g}: give an angle below 89 degrees')
    elif left.pos[1] <= right.pos[1]:
        raise PhysicsError(
            f'{left.source}: the left wheel of vehicle {vehicle.name!r} is at y = {left.pos[1]}, '
            f'not to the left of the right wheel at y = {right.pos[1]}: exchange them')


def _controllers(dynamics: DynamicsSpec) -> dict[type, int]:
    if isinstance(dynamics, AckermannDrivetrainSpec):
        return _ON_DRIVETRAIN
    return _ON_ACKERMANN if isinstance(dynamics, AckermannSpec) else _ON_DIFFERENTIAL


def _check_kind(vehicle: VehicleSpec, what: str, part: Any, known: dict[type, Any]) -> None:
    if type(part) not in known:
        raise PhysicsError(
            f'{part.source}: vehicle {vehicle.name!r} of class '
            f'{vehicle.dynamics.XML_CLASS!r} has the {what} {part.XML_CLASS!r}, which it cannot '
            f'have; use {" or ".join(repr(getattr(kind, "XML_CLASS")) for kind in known)}')


def wheel_records(vehicle: VehicleSpec, gravity: float) -> Any:
    """Return the records of the wheels of a vehicle, at rest."""
    dynamics, tyre = vehicle.dynamics, vehicle.friction
    wheels = np.zeros(len(dynamics.wheels), WHEEL)
    share = dynamics.chassis.mass / len(wheels)
    number, make_values = KINDS[type(tyre)]
    values = make_values(tyre)
    for record, wheel, side in zip(wheels, dynamics.wheels, _SIDES[type(dynamics)], strict=True):
        record['x'], record['y'], record['toe'] = wheel.pos
        record['side'] = side
        record['mass'], record['radius'], record['inertia'] = (
            wheel.mass, wheel.radius, wheel.spin_inertia)
        record['carried'] = share + wheel.mass
        record['normal_load'] = record['carried'] * gravity
        record['tyre'] = number
        record['mu'] = getattr(tyre, 'mu', 0.0)  # the ellipse has none
        record['damping'], record['rolling'] = tyre.C_damping, tyre.C_rr
        record['tyre_values'][:len(values)] = values
    return wheels


def vehicle_record(vehicle: VehicleSpec, body: Any, dt: float, gravity: float) -> Any:
    """
    Return parameters of a vehicle, without a command.

    :param body: what the engine made of it.
    """
    dynamics, odometry = vehicle.dynamics, vehicle.odometry
    controller = dynamics.controller
    left, right = dynamics.wheels[:2]
    record = np.zeros(1, VEHICLE)[0]
    values: dict[str, float] = {
        'controller': _controllers(dynamics)[type(controller)],
        'odometry': FROM_WHEELS if odometry.source_kind == 'wheels' else FROM_MOTION,
        'com_x': body.localCenter.x, 'com_y': body.localCenter.y,
        'track': left.pos[1] - right.pos[1], 'x_factor': odometry.x_multiplier,
        'y_factor': odometry.y_multiplier, 'yaw_factor': odometry.yaw_multiplier,
        'walk_distance': odometry.linear_std_noise, 'walk_turn': odometry.yaw_std_noise,
        'walk_drift': odometry.yaw_drift_std_noise, **_pid(dynamics, controller, dt, gravity)}
    if isinstance(dynamics, AckermannSpec):
        values |= {'steered': 1.0, 'max_steer': dynamics.max_steer_ang,
                   'wheelbase': dynamics.f_wheels_x - left.pos[0],
                   'front_track': dynamics.f_wheels_d}
    if isinstance(dynamics, AckermannDrivetrainSpec):
        drivetrain = dynamics.drivetrain
        kind, driven = drivetrain.kind.split('_')
        values |= {
            'drivetrain': _DRIVEN[driven], 'locks': kind == 'torsen',
            'front_rear_split': drivetrain.front_rear_split,
            'front_rear_bias': drivetrain.front_rear_bias,
            'front_split': drivetrain.front_left_right_split,
            'front_bias': drivetrain.front_left_right_bias,
            'rear_split': drivetrain.rear_left_right_split,
            'rear_bias': drivetrain.rear_left_right_bias}
    for name, value in values.items():
        record[name] = value
    return record


def _pid(dynamics: DynamicsSpec, controller: Controller, dt: float, gravity: float,
         ) -> dict[str, float]:
    """Return the parameters of the PIDs of a vehicle, if it has any."""
    if not isinstance(controller, TwistPidController | FrontSteerPidController):
        return {}
    shared = isinstance(dynamics, AckermannDrivetrainSpec)
    limit = controller.max_torque
    if limit is None:
        limit = _MAX_TORQUE_DRIVETRAIN if shared else _MAX_TORQUE
    values: dict[str, float] = {
        'kp': controller.KP, 'ki': controller.KI, 'kd': controller.KD, 'max_torque': limit,
        'zero_command': ZERO_COMMAND, 'stopped': STOPPED}
    if isinstance(controller, FrontSteerPidController):
        return values
    if isinstance(controller, TwistFrontSteerPidController):
        values |= {'zero_command': controller.zero_threshold,
                   'stopped': controller.stop_threshold}
    values |= {'derivative_filter': controller.N, 'antiwindup': controller.enable_antiwindup,
               'filter_order': controller.reference_filter_order}
    if controller.enable_feedforward:
        radius = sum(wheel.radius for wheel in dynamics.wheels) / len(dynamics.wheels)
        values['slope_torque'] = (controller.feedforward_gain * dynamics.chassis.mass * gravity
                                  * radius / (1.0 if shared else 2.0))
    if controller.enable_reference_filter:
        values['filter_keep'] = math.exp(-dt / controller.reference_filter_tau)
    return values
