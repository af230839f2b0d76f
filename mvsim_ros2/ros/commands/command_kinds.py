# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Kinds of commands of vehicles: what their messages say, and the watchdog that stops them."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
import importlib
import math
from typing import Any

from geometry_msgs.msg import Twist, TwistStamped
from sensor_msgs.msg import JointState
from std_msgs.msg import Bool, Float64, Float64MultiArray

from mvsim_ros2.errors import ControllerError
from mvsim_ros2.ros.messages.names import FrameNames
from mvsim_ros2.ros.messages.urdf_export.robot_model import RobotModel
from mvsim_ros2.simulation.handles import VehicleHandle
from mvsim_ros2.world.spec.vehicle.controller import JointController


class CommandWatchdog:
    """
    Commands a vehicle, and stops it as the watchdog of a real base does.

    Commanded velocities become zero, and the steering angle is kept; commanded torques become
    zero, and the service brake, where there is one, is pressed.
    """

    def __init__(self, vehicle: VehicleHandle) -> None:
        self._vehicle = vehicle
        self.reset()

    def reset(self) -> None:
        """Drop all commands, after the vehicle has been reset."""
        self._stop: Callable[[], None] | None = None
        self._torques = (0.0,) * self._vehicle.torques_taken
        self._angle = self._pressed = 0.0
        self._emergency = False  # the brake is pressed because commands expired

    def twist(self, vx: float, wz: float, vy: float) -> None:
        """Command velocities [m/s, rad/s]; raises ControllerError as `set_twist` does."""
        self._vehicle.set_twist(vx, wz, vy)
        self._stop = lambda: self._vehicle.set_twist(0.0, 0.0)

    def drive(self, speed: float, angle: float) -> None:
        """Command a speed [m/s] and a steering angle [rad]; raises as `set_steering` does."""
        self._vehicle.set_steering(speed, angle)
        self._stop = lambda: self._vehicle.set_steering(0.0, angle)

    def joints(self, *values: float) -> None:
        """Command the driven wheels, then the angles of the steered; raises as `set_joints`."""
        count = len(self._vehicle.spec.dynamics.driven_wheels)
        steering = values[count:]
        self._vehicle.set_joints(*values[:count], steering=steering)
        self._stop = lambda: self._vehicle.set_joints(*[0.0] * count, steering=steering)

    def torques(self, *values: float) -> None:
        """Command torques of the motors [N m]; raises as `set_torques` does."""
        self._vehicle.set_torques(*values, steering=self._angle)
        self._torques = values
        if self._emergency:
            self._vehicle.set_brake(self._pressed)
            self._emergency = False
        self._stop = self._cut_torques

    def steer(self, angle: float) -> None:
        """Command the steering angle that goes with torques [rad]; raises likewise."""
        self._vehicle.set_torques(*self._torques, steering=angle)
        self._angle = angle

    def brake(self, pressed: float) -> None:
        """Press the service brake, 0 to 1; raises as `set_brake` does."""
        self._vehicle.set_brake(pressed)
        self._pressed, self._emergency = pressed, False

    def park(self, parked: float) -> None:
        """Set the parking brake, 0 to 1; raises as `set_parking_brake` does."""
        self._vehicle.set_parking_brake(parked)

    def stop(self) -> None:
        """Stop the vehicle, whatever command is in force."""
        if self._stop is not None:
            self._stop()
            self._stop = None

    def _cut_torques(self) -> None:
        self._torques = (0.0,) * len(self._torques)
        self._vehicle.set_torques(*self._torques, steering=self._angle)
        brakes = self._vehicle.spec.dynamics.brakes
        if brakes is not None and brakes.serves:
            self._vehicle.set_brake(1.0)
            self._emergency = True


def joint_values(vehicle: VehicleHandle, message: Any) -> tuple[float, ...]:
    """
    Return the commands of the driven wheels, then the angles of the steered ones.

    A list of the message is empty, or has a value for each of its names, or for each joint with
    this interface in order. A joint without a command (NaN in the message), which no controller
    has claimed yet, stops, and a steering joint points ahead. What is said of joints without a
    motor is ignored: who takes the names from `joint_states` names them too.

    :param message: sensor_msgs/JointState: velocities [rad/s] or efforts [N m] of wheels,
        positions of steering joints [rad].
    """
    dynamics = vehicle.spec.dynamics
    driven = [dynamics.wheel_joints[k] for k in dynamics.driven_wheels]
    steered = [dynamics.steering_joints[k] for k in dynamics.steered_wheels]
    known = (*dynamics.wheel_joints, *dynamics.steering_joints)
    unknown = [name for name in message.name if name not in known]
    if unknown:
        raise ControllerError(f'there is no joint {unknown[0]!r}; driven or steered are only '
                              f'{", ".join((*driven, *steered))}')
    twice = [name for name, count in Counter(message.name).items() if count > 1]
    if twice:
        raise ControllerError(f'the joint {twice[0]!r} is named more than once')
    controller = dynamics.controller
    by_effort = isinstance(controller, JointController) and controller.by_effort
    signs = {each.name: each.sign for each in RobotModel(vehicle, FrameNames(), []).joints}
    found = _by_name(message, 'effort' if by_effort else 'velocity', driven)
    found |= _by_name(message, 'position', steered)
    return tuple(signs.get(name, 1.0) * found.get(name, 0.0) for name in (*driven, *steered))


def _by_name(message: Any, interface: str, joints: list[str]) -> dict[str, float]:
    """Return the values of joints by their names, 0 for those that are not numbers."""
    names, values = list(message.name), getattr(message, interface)
    if len(values) != len(names):
        names = [name for name in names if name in joints]
    if len(values) not in (0, len(names)):
        raise ControllerError(
            f'{len(message.name)} joints, {len(names)} of them with the interface {interface}, '
            f'and {len(values)} values of {interface}: give one for each')
    return {name: 0.0 if math.isnan(value) else float(value)
            for name, value in zip(names, values, strict=False) if name in joints}


@dataclass(frozen=True)
class CommandKind:
    """One type of message on one topic of a vehicle."""

    topic: str
    message_type: type[Any]
    graph_name: str  # of the type
    read: Callable[[VehicleHandle, Any], tuple[float, ...]]  # vehicle, message -> numbers
    apply: Callable[..., None]  # watchdog, those numbers
    applies_to: Callable[[VehicleHandle], bool]  # vehicles that have the topic
    expires: bool = True  # False: it holds for ever, as a parking brake does
    awaited: bool = False  # where a lock step waits for commands
    stamp: Callable[[Any], Any] | None = None  # message -> stamp, where it has one


def _any_vehicle(_: VehicleHandle) -> bool:
    return True


def _steered(vehicle: VehicleHandle) -> bool:
    return bool(vehicle.spec.dynamics.steered_wheels)


def _takes_torques(vehicle: VehicleHandle) -> bool:
    return vehicle.torques_taken > 0


def _braked(attribute: str) -> Callable[[VehicleHandle], bool]:
    return lambda vehicle: bool(getattr(vehicle.spec.dynamics.brakes, attribute, 0.0))


def _twist(_: VehicleHandle, message: Any) -> tuple[float, ...]:
    return message.linear.x, message.angular.z, message.linear.y


def _ackermann(_: VehicleHandle, message: Any) -> tuple[float, ...]:
    return message.speed, message.steering_angle


def _number(_: VehicleHandle, message: Any) -> tuple[float, ...]:
    return (float(message.data),)


def _stamp(message: Any) -> Any:
    return message.header.stamp


@cache
def command_kinds() -> Mapping[str, CommandKind]:
    """Return the kinds by name; Ackermann's if its messages are installed."""
    kinds = {
        'twist': CommandKind(
            'cmd_vel', Twist, 'geometry_msgs/msg/Twist', _twist, CommandWatchdog.twist,
            _any_vehicle, awaited=True),
        'twist_stamped': CommandKind(
            'cmd_vel', TwistStamped, 'geometry_msgs/msg/TwistStamped',
            lambda vehicle, message: _twist(vehicle, message.twist), CommandWatchdog.twist,
            _any_vehicle,
            awaited=True, stamp=_stamp),
        'torques': CommandKind(
            'cmd_wheel_torques', Float64MultiArray, 'std_msgs/msg/Float64MultiArray',
            lambda _, message: tuple(message.data), CommandWatchdog.torques, _takes_torques),
        'joints': CommandKind(
            'joint_commands', JointState, 'sensor_msgs/msg/JointState', joint_values,
            CommandWatchdog.joints, lambda vehicle: 'set_joints' in vehicle.commands,
            awaited=True, stamp=_stamp),
        'steering': CommandKind(
            'cmd_steering', Float64, 'std_msgs/msg/Float64', _number, CommandWatchdog.steer,
            lambda vehicle: _takes_torques(vehicle) and _steered(vehicle), expires=False),
        'brake': CommandKind(
            'cmd_brake', Float64, 'std_msgs/msg/Float64', _number, CommandWatchdog.brake,
            _braked('serves'), expires=False),
        'handbrake': CommandKind(
            'cmd_handbrake', Float64, 'std_msgs/msg/Float64', _number, CommandWatchdog.park,
            _braked('parking_torque'), expires=False),
        'parking_brake': CommandKind(
            'cmd_parking_brake', Bool, 'std_msgs/msg/Bool', _number, CommandWatchdog.park,
            _braked('parking_torque'), expires=False),
    }
    try:
        types = importlib.import_module('ackermann_msgs.msg')
    except ImportError:
        return kinds
    return kinds | {
        'ackermann_stamped': CommandKind(
            'ackermann_cmd', types.AckermannDriveStamped,
            'ackermann_msgs/msg/AckermannDriveStamped',
            lambda vehicle, message: _ackermann(vehicle, message.drive), CommandWatchdog.drive,
            _steered,
            awaited=True, stamp=_stamp),
        'ackermann': CommandKind(
            'ackermann_cmd', types.AckermannDrive, 'ackermann_msgs/msg/AckermannDrive',
            _ackermann, CommandWatchdog.drive, _steered, awaited=True),
    }
