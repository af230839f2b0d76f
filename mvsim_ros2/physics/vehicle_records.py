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
from mvsim_ros2.physics.brakes import brake_torques
from mvsim_ros2.physics.controllers import STOPPED
from mvsim_ros2.physics.controllers import ZERO_COMMAND
from mvsim_ros2.physics.layout import ALL_WHEELS
from mvsim_ros2.physics.layout import FIRST
from mvsim_ros2.physics.layout import FROM_MOTION
from mvsim_ros2.physics.layout import FROM_WHEELS
from mvsim_ros2.physics.layout import FRONT_WHEELS
from mvsim_ros2.physics.layout import NUMBER
from mvsim_ros2.physics.layout import REAR_WHEELS
from mvsim_ros2.physics.layout import ROLLERS
from mvsim_ros2.physics.layout import VEHICLE
from mvsim_ros2.physics.layout import WHEEL
from mvsim_ros2.physics.rollers import tell_motion
from mvsim_ros2.physics.tyres.law import LAWS
from mvsim_ros2.physics.tyres.law import Mounting
from mvsim_ros2.physics.vehicle_classes import controllers
from mvsim_ros2.physics.vehicle_classes import drives
from mvsim_ros2.physics.vehicle_classes import form
from mvsim_ros2.world.spec.controller import Controller
from mvsim_ros2.world.spec.controller import FrontSteerPidController
from mvsim_ros2.world.spec.controller import TwistFrontSteerPidController
from mvsim_ros2.world.spec.controller import TwistPidController
from mvsim_ros2.world.spec.dynamics import AckermannDrivetrainSpec
from mvsim_ros2.world.spec.dynamics import AckermannSpec
from mvsim_ros2.world.spec.dynamics import DynamicsSpec
from mvsim_ros2.world.spec.dynamics import SteeredSpec
from mvsim_ros2.world.spec.omni import RollerWheelSpec
from mvsim_ros2.world.spec.single_track import SingleTrackSpec
from mvsim_ros2.world.spec.vehicle import VehicleSpec

_DRIVEN = {'front': FRONT_WHEELS, 'rear': REAR_WHEELS, '4wd': ALL_WHEELS}

_MAX_TORQUE, _MAX_TORQUE_DRIVETRAIN = 100.0, 400.0  # N m, of twist_front_steer_pid


def wheel_records(vehicle: VehicleSpec, gravity: float) -> Any:
    """
    Return the records of the wheels of a vehicle, at rest.

    :raises PhysicsError: where wheels with rollers cannot make every motion.
    """
    dynamics, tyre = vehicle.dynamics, vehicle.friction
    wheels = np.zeros(len(dynamics.wheels), WHEEL)
    share = dynamics.chassis.mass / len(wheels)
    law, number = LAWS[type(tyre)], LAWS.number(type(tyre))
    for record, wheel, (side, part) in zip(
            wheels, dynamics.wheels, drives(dynamics), strict=True):
        record['x'], record['y'], record['toe'] = wheel.pos
        record['side'], record['drive'] = side, part
        record['mass'], record['radius'], record['inertia'] = (
            wheel.mass, wheel.radius, wheel.spin_inertia)
        if isinstance(wheel, RollerWheelSpec):
            record['free'], record['roller'] = 1.0, wheel.roller_angle
            record['radius'] *= math.cos(wheel.roller_angle)
        record['carried'] = share + wheel.mass
        record['normal_load'] = record['carried'] * gravity
        record['mu'] = getattr(tyre, 'mu', 0.0)  # the ellipse has none
        record['damping'], record['rolling'] = tyre.C_damping, tyre.C_rr
        record['contacts'][0, NUMBER] = number
        record['contacts'][0, FIRST:] = law.values(tyre, Mounting(
            float(record['radius']), wheel.width, float(record['normal_load'])))
    if dynamics.brakes is not None:
        wheels['brake'] = brake_torques(dynamics, 0.0, dynamics.brakes.parked)
    if form(dynamics) == ROLLERS and not tell_motion(wheels):
        raise PhysicsError(
            f'{dynamics.source}: the wheels of vehicle {vehicle.name!r} cannot move it in every '
            'direction: turn some of them, or their rollers')
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
        'controller': controllers(dynamics)[type(controller)],
        'form': form(dynamics), 'tied': getattr(dynamics, 'tied', False),
        'parked': dynamics.brakes is not None and dynamics.brakes.parked,
        'odometry': FROM_WHEELS if odometry.source_kind == 'wheels' else FROM_MOTION,
        'com_x': body.localCenter.x, 'com_y': body.localCenter.y,
        'track': left.pos[1] - right.pos[1], 'x_factor': odometry.x_multiplier,
        'y_factor': odometry.y_multiplier, 'yaw_factor': odometry.yaw_multiplier,
        'walk_distance': odometry.linear_std_noise, 'walk_turn': odometry.yaw_std_noise,
        'walk_drift': odometry.yaw_drift_std_noise, **_pid(dynamics, controller, dt, gravity)}
    if isinstance(dynamics, SteeredSpec):
        values |= _steering(dynamics, dt)
    if dynamics.motor is not None:
        motor = dynamics.motor
        values |= {'motor_torque': motor.max_torque, 'motor_speed': motor.no_load_speed or 0.0,
                   'motor_power': motor.max_power or 0.0, 'steps_a_second': 1.0 / dt}
    if isinstance(dynamics, AckermannDrivetrainSpec):
        drivetrain = dynamics.drivetrain
        kind, driven = drivetrain.kind.split('_')
        values |= {
            'drivetrain': _DRIVEN[driven], 'locks': kind == 'torsen',
            'torsen_tbr': drivetrain.torsen_tbr or 0.0,
            'front_rear_split': drivetrain.front_rear_split,
            'front_rear_bias': drivetrain.front_rear_bias,
            'front_split': drivetrain.front_left_right_split,
            'front_bias': drivetrain.front_left_right_bias,
            'rear_split': drivetrain.rear_left_right_split,
            'rear_bias': drivetrain.rear_left_right_bias}
    for name, value in values.items():
        record[name] = value
    return record


def _steering(dynamics: SteeredSpec, dt: float) -> dict[str, float]:
    """Return the parameters of the steering of a vehicle."""
    values: dict[str, float] = {'steered': 1.0, 'max_steer': dynamics.max_steer_ang}
    if isinstance(dynamics, AckermannSpec):
        values |= {'wheelbase': dynamics.f_wheels_x - dynamics.rl_wheel.pos[0],
                   'front_track': dynamics.f_wheels_d}
    elif isinstance(dynamics, SingleTrackSpec):
        values |= {'wheelbase': dynamics.f_wheel.pos[0] - dynamics.r_wheel.pos[0],
                   'rear_x': dynamics.r_wheel.pos[0],
                   'max_rear_steer': dynamics.max_rear_steer_ang}
        if dynamics.max_rear_steer_ang > 0.0:
            values['rear_ratio'] = dynamics.rear_steer_ratio
    if dynamics.steer_rate is not None or dynamics.steer_lag > 0.0:
        values |= {'steer_takes_time': 1.0, 'steer_change': (dynamics.steer_rate or 0.0) * dt}
        if dynamics.steer_lag > 0.0:
            values['steer_keep'] = math.exp(-dt / dynamics.steer_lag)
    return values


def _pid(dynamics: DynamicsSpec, controller: Controller, dt: float, gravity: float,
         ) -> dict[str, float]:
    """Return the parameters of the PIDs of a vehicle, if it has any."""
    if not isinstance(controller, TwistPidController | FrontSteerPidController):
        return {}
    shared = isinstance(dynamics, AckermannDrivetrainSpec | SingleTrackSpec)
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
