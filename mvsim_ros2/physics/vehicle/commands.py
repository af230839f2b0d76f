# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Commands of vehicles: which controller takes which, and what the kernels read of them."""

import math
from typing import Any

from mvsim_ros2.errors import ControllerError
from mvsim_ros2.physics.state.record_layout import FRONT_PAIR
from mvsim_ros2.physics.state.record_layout import TWIST_IDEAL
from mvsim_ros2.physics.tyres.impulse import clamp
from mvsim_ros2.physics.vehicle.steering import ackermann_angles
from mvsim_ros2.physics.vehicle.steering import angle_for_ideal_twist
from mvsim_ros2.physics.vehicle.steering import angle_for_twist
from mvsim_ros2.physics.vehicle.vehicle_classes import torques_taken
from mvsim_ros2.spec.vehicle.controllers import FrontSteerPidController
from mvsim_ros2.spec.vehicle.controllers import RawController
from mvsim_ros2.spec.vehicle.controllers import TwistPidController
from mvsim_ros2.spec.vehicle.dynamics import SteeredSpec
from mvsim_ros2.spec.vehicle.vehicle import VehicleSpec


def command_name(vehicle: VehicleSpec) -> str:
    """Return the name of the function that commands a vehicle."""
    controller = vehicle.dynamics.controller
    if isinstance(controller, RawController):
        return 'set_torques'
    return 'set_steering' if isinstance(controller, FrontSteerPidController) else 'set_twist'


def takes(vehicle: VehicleSpec, function: str) -> bool:
    """
    Return whether a function commands a vehicle.

    The one of its controller does, and set_steering also where a steered vehicle takes a twist.
    """
    known = command_name(vehicle)
    return known == function or (
        function == 'set_steering' and known == 'set_twist'
        and isinstance(vehicle.dynamics, SteeredSpec))


def require(vehicle: VehicleSpec, function: str) -> None:
    """
    Make sure that a vehicle is commanded by this function.

    :raises ControllerError: where it is not; says what to use.
    """
    if not takes(vehicle, function):
        known = command_name(vehicle)
        what = {'set_twist': 'a twist', 'set_torques': 'torques',
                'set_steering': 'a steering angle'}[function]
        controller = vehicle.dynamics.controller
        raise ControllerError(
            f'vehicle {vehicle.name!r} does not take {what}: its controller is '
            f'{controller.XML_CLASS} ({controller.source}); use {known}, or another controller '
            'in the world file')


def command_initially(vehicle: VehicleSpec, record: Any) -> None:
    """
    Write the command of the world file into the record of a vehicle, its steering done.

    The torques of the file are negative for forward, as in the original.
    """
    dynamics = vehicle.dynamics
    controller = dynamics.controller
    if isinstance(controller, TwistPidController):
        command_twist(record, controller.V, controller.W, 0.0)
    elif isinstance(controller, FrontSteerPidController):
        command_steering(record, controller.V, controller.STEER_ANG)
    elif isinstance(controller, RawController) and isinstance(dynamics, SteeredSpec):
        torques = (-controller.fl_torque, -controller.fr_torque)
        if torques_taken(dynamics) == 1:
            torques = -controller.torque, 0.0
        command_torques(record, torques, controller.steer_ang)
    if record['steered']:
        record['steer_front'] = record['command_front']
        record['steer_rear'] = record['command_rear']
        record['steer_left'], record['steer_right'] = commanded_angles(record)


def command_twist(record: Any, v: float, w: float, sideways: float) -> None:
    """
    Write velocities [m/s] and yaw rate [rad/s] into the record of a vehicle.

    :param sideways: velocity to the left, for vehicles with a steered rear axle too.
    """
    record['command_v'], record['command_w'], record['command_vy'] = v, w, sideways
    if not record['steered']:
        return
    if sideways != 0.0 and record['max_rear_steer'] > 0.0:
        rear_x = record['rear_x']
        across, base = sideways + rear_x * w, record['wheelbase']
        _steer(record, _course(v, across + base * w), _course(v, across))
        return
    reach = record['wheelbase'] / (1.0 - record['rear_ratio'])
    if record['controller'] == TWIST_IDEAL:
        angle = angle_for_ideal_twist(reach, v, w, record['max_steer'])
    else:
        angle = angle_for_twist(reach, v, w)
    _steer(record, angle, rear_angle(record, angle))


def _course(along: float, across: float) -> float:
    """Return the angle of a wheel that rolls forward or backward with this velocity [rad]."""
    if along == 0.0 and across == 0.0:
        return 0.0
    return math.atan2(across, along) if along >= 0.0 else math.atan2(-across, -along)


def rear_angle(record: Any, angle: float) -> float:
    """Return the angle of the rear axle that goes with one of the front axle [rad]."""
    if record['rear_ratio'] == 0.0:
        return 0.0
    return math.atan(record['rear_ratio'] * math.tan(clamp(angle, record['max_steer'])))


def command_steering(record: Any, v: float, angle: float, rear: float | None = None) -> None:
    """
    Write velocity [m/s] and steering angles [rad] into the record of a vehicle.

    :param rear: of the rear axle; None follows the front one by its ratio.
    """
    if rear is None:
        rear = rear_angle(record, angle)
    record['command_v'], record['command_vy'] = v, 0.0
    record['command_w'] = v * (math.tan(angle) - math.tan(rear)) / record['wheelbase']
    _steer(record, angle, rear)


def command_torques(record: Any, torques: tuple[float, float], angle: float,
                    rear: float | None = None) -> None:
    """Write torques [N m] and steering angles [rad] into the record of a vehicle."""
    record['torque_left'], record['torque_right'] = torques
    if record['steered']:
        _steer(record, angle, rear_angle(record, angle) if rear is None else rear)


def commanded_angles(record: Any) -> tuple[float, float]:
    """Return the commanded angles of the steered wheels: left and right, or front and rear."""
    front, rear = float(record['command_front']), float(record['command_rear'])
    if record['form'] == FRONT_PAIR:
        return ackermann_angles(record['wheelbase'], record['front_track'], front)
    return front, rear


def _steer(record: Any, angle: float, rear: float) -> None:
    record['command_front'] = clamp(angle, record['max_steer'])
    record['command_rear'] = clamp(rear, record['max_rear_steer'])
    if not record['steer_takes_time']:
        record['steer_left'], record['steer_right'] = commanded_angles(record)
