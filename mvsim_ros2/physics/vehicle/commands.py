# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Commands of vehicles: which controller takes which, and what the kernels read of them."""

from collections.abc import Callable, Mapping, Sequence
import math
from typing import Any

from mvsim_ros2.errors import ControllerError
from mvsim_ros2.physics.controllers.record import Command
from mvsim_ros2.physics.elementary_functions import clamp
from mvsim_ros2.physics.vehicle.steering import (
    ackermann_angles, angle_for_ideal_twist, angle_for_twist, course)
from mvsim_ros2.physics.vehicle.vehicle_kinds import class_of, controller_of
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec


def taken(vehicle: VehicleSpec) -> tuple[Command, ...]:
    """
    Return the commands that a vehicle takes, its controller's first.

    A steered vehicle that takes a twist takes a steering angle too; one that follows waypoints
    takes nothing.
    """
    command = controller_of(vehicle.dynamics).command
    if command is None:
        return ()
    if command == Command.TWIST and vehicle.dynamics.steered_wheels:
        return command, Command.STEERING
    return (command,)


def require(vehicle: VehicleSpec, command: Command) -> None:
    """
    Make sure that a vehicle takes a command.

    :raises ControllerError: where it does not; says what to use.
    """
    known = taken(vehicle)
    if command not in known:
        controller = vehicle.dynamics.controller
        use = f'use {known[0].value}, or' if known else 'it goes its own way; use'
        raise ControllerError(
            f'vehicle {vehicle.name!r} does not take {_COMMANDS[command][0]}: its controller is '
            f'{controller.XML_CLASS} ({controller.source}); {use} another controller in the '
            'world file')


def torques_taken(vehicle: VehicleSpec) -> int:
    """Return how many torques command a vehicle, 0 where its controller takes none."""
    if Command.TORQUES not in taken(vehicle):
        return 0
    return class_of(vehicle.dynamics).form.torques_taken(vehicle.dynamics)


def command_initially(vehicle: VehicleSpec, record: Any, wheels: Any) -> None:
    """Write the command of the world file into the records of a vehicle, its steering done."""
    controller = controller_of(vehicle.dynamics)
    values = controller.initial(vehicle.dynamics.controller, class_of(vehicle.dynamics).form)
    if values is not None and controller.command is not None:
        _COMMANDS[controller.command][1](vehicle, record, wheels, *values)
    if record['steered']:
        record['steer_front'] = record['command_front']
        record['steer_rear'] = record['command_rear']
        record['steer_left'], record['steer_right'] = commanded_angles(record)


def command_twist(vehicle: VehicleSpec, record: Any, wheels: Any, v: float, w: float,
                  sideways: float = 0.0) -> None:
    """
    Write velocities [m/s] and yaw rate [rad/s] into the records of a vehicle.

    An ideal vehicle that cannot roll sideways goes to the left at `sideways` where its pivot is,
    so that its wheels roll where they point.

    :param sideways: velocity to the left, for vehicles with a steered rear axle too.
    """
    form = class_of(vehicle.dynamics).form
    if form.command_rims is not None:
        form.command_rims(wheels, v, sideways, w)
    crabs = sideways != 0.0 and record['max_rear_steer'] > 0.0
    record['command_v'], record['command_w'], record['command_vy'] = v, w, sideways
    record['ideal_vy'] = sideways if crabs else sideways - w * record['pivot_x']
    if not record['steered']:
        return
    if crabs:
        rear_x = record['rear_x']
        across, base = sideways + rear_x * w, record['wheelbase']
        _steer(record, _course(v, across + base * w), _course(v, across))
        return
    reach = record['wheelbase'] / (1.0 - record['rear_ratio'])
    if record['is_ideal']:
        angle = angle_for_ideal_twist(reach, v, w, record['max_steer'])
    else:
        angle = angle_for_twist(reach, v, w)
    _steer(record, angle, rear_angle(record, angle))


def is_kept(vehicle: VehicleSpec, record: Any) -> bool:
    """Return whether `command_twist` does no more than to write a twist into the record."""
    return not record['steered'] and class_of(vehicle.dynamics).form.command_rims is None


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


def command_steering(vehicle: VehicleSpec, record: Any, wheels: Any, v: float, angle: float,
                     rear: float | None = None) -> None:
    """
    Write velocity [m/s] and steering angles [rad] into the records of a vehicle.

    :param rear: of the rear axle; None follows the front one by its ratio.
    """
    if rear is None:
        rear = rear_angle(record, angle)
    w = v * (math.tan(angle) - math.tan(rear)) / record['wheelbase']
    record['command_v'], record['command_w'], record['command_vy'] = v, w, 0.0
    record['ideal_vy'] = v * math.tan(rear) - w * record['rear_x']
    _steer(record, angle, rear)


def command_torques(vehicle: VehicleSpec, record: Any, wheels: Any, torques: Sequence[float],
                    angle: float, rear: float | None = None) -> None:
    """
    Write torques [N m] and steering angles [rad] into the records of a vehicle.

    :param torques: one, left and right, or one for each wheel.
    """
    record['torque_left'], record['torque_right'] = torques[0], torques[-1]
    if not class_of(vehicle.dynamics).form.torques:
        wheels['command'] = torques
    if record['steered']:
        _steer(record, angle, rear_angle(record, angle) if rear is None else rear)


def wheel_angles(record: Any, wheels: Any) -> tuple[float, ...]:
    """Return the commanded angles of all steered wheels [rad]."""
    front, rear = commanded_angles(record)
    if not record['by_course']:
        return front, rear
    return tuple(
        course(float(wheel['x']), float(wheel['y']), float(record['wheelbase']),
               float(record['rear_x']), front, rear) for wheel in wheels if wheel['steers'])


def command_joints(vehicle: VehicleSpec, record: Any, wheels: Any, values: Sequence[float],
                   angles: Sequence[float]) -> None:
    """
    Write speeds [rad/s] or torques [N m], and steering angles [rad], into the records.

    :param angles: of the steered ones: front left and right, which make one of the middle, or
        front and rear.
    """
    wheels['command'][list(vehicle.dynamics.driven_wheels)] = values
    if not record['steered'] or not len(angles):
        return
    if record['front_track'] > 0.0:
        left, right = (math.tan(angle) for angle in angles)
        both = left + right  # cotangents have the mean of the middle
        _steer(record, math.atan(2.0 * left * right / both) if both else 0.0, 0.0)
    else:
        _steer(record, angles[0], angles[-1] if len(angles) > 1 else 0.0)


def commanded_angles(record: Any) -> tuple[float, float]:
    """Return the commanded angles: of left and right wheel, or of front and rear axle."""
    front, rear = float(record['command_front']), float(record['command_rear'])
    if record['front_track'] > 0.0:
        return ackermann_angles(record['wheelbase'], record['front_track'], front)
    return front, rear


def _steer(record: Any, angle: float, rear: float) -> None:
    record['command_front'] = clamp(angle, record['max_steer'])
    record['command_rear'] = clamp(rear, record['max_rear_steer'])
    if not record['steer_takes_time']:
        record['steer_left'], record['steer_right'] = commanded_angles(record)


_COMMANDS: Mapping[Command, tuple[str, Callable[..., None]]] = {
    Command.TWIST: ('a twist', command_twist),
    Command.STEERING: ('a steering angle', command_steering),
    Command.JOINTS: ('commands of joints', command_joints),
    Command.TORQUES: ('torques', command_torques),
}
