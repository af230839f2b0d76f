# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The kinds of commands of vehicles: topic, message type and meaning.

A new kind is an entry in `command_kinds`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
import importlib
from typing import Any

from geometry_msgs.msg import Twist, TwistStamped
from sensor_msgs.msg import JointState
from std_msgs.msg import Bool, Float64, Float64MultiArray

from mvsim_ros2.ros.commands.joint_values import joint_values
from mvsim_ros2.ros.commands.watchdog import CommandWatchdog
from mvsim_ros2.simulation.handles import VehicleHandle


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
    """Return the kinds by name; those of Ackermann where its messages are installed."""
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
