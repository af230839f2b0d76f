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
"""
The kinds of commands that vehicles take: topic, type, what a message says.

A new kind is an entry in `command_kinds`.
"""

from collections.abc import Callable
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
import importlib
from typing import Any

from geometry_msgs.msg import Twist
from geometry_msgs.msg import TwistStamped
from std_msgs.msg import Bool
from std_msgs.msg import Float64
from std_msgs.msg import Float64MultiArray

from mvsim_ros2.handles import VehicleHandle
from mvsim_ros2.ros.orders import Orders


@dataclass(frozen=True)
class CommandKind:
    """One type of message on one topic of a vehicle."""

    topic: str
    message_type: type[Any]
    graph_name: str  # of the type
    read: Callable[[Any], tuple[float, ...]]  # message -> numbers
    give: Callable[..., None]  # orders, those numbers
    suits: Callable[[VehicleHandle], bool]  # vehicles that have the topic
    drives: bool = True  # False: it holds for ever, like a brake that was set
    awaited: bool = False  # where a lock step waits for commands
    stamp: Callable[[Any], Any] | None = None  # message -> stamp, where it has one


def _every(_: VehicleHandle) -> bool:
    return True


def _steered(vehicle: VehicleHandle) -> bool:
    return bool(vehicle.spec.dynamics.steered_wheels)


def _takes_torques(vehicle: VehicleHandle) -> bool:
    return vehicle.torques_taken > 0


def _braked(attribute: str) -> Callable[[VehicleHandle], bool]:
    return lambda vehicle: bool(getattr(vehicle.spec.dynamics.brakes, attribute, 0.0))


def _twist(message: Any) -> tuple[float, ...]:
    return message.linear.x, message.angular.z, message.linear.y


def _ackermann(message: Any) -> tuple[float, ...]:
    return message.speed, message.steering_angle


def _number(message: Any) -> tuple[float, ...]:
    return (float(message.data),)


def _stamp(message: Any) -> Any:
    return message.header.stamp


@cache
def command_kinds() -> Mapping[str, CommandKind]:
    """Return the kinds by name; those of Ackermann where its messages are installed."""
    kinds = {
        'twist': CommandKind(
            'cmd_vel', Twist, 'geometry_msgs/msg/Twist', _twist, Orders.twist, _every,
            awaited=True),
        'twist_stamped': CommandKind(
            'cmd_vel', TwistStamped, 'geometry_msgs/msg/TwistStamped',
            lambda message: _twist(message.twist), Orders.twist, _every, awaited=True,
            stamp=_stamp),
        'torques': CommandKind(
            'cmd_wheel_torques', Float64MultiArray, 'std_msgs/msg/Float64MultiArray',
            lambda message: tuple(message.data), Orders.torques, _takes_torques),
        'steering': CommandKind(
            'cmd_steering', Float64, 'std_msgs/msg/Float64', _number, Orders.steer,
            lambda vehicle: _takes_torques(vehicle) and _steered(vehicle), drives=False),
        'brake': CommandKind(
            'cmd_brake', Float64, 'std_msgs/msg/Float64', _number, Orders.brake,
            _braked('torque'), drives=False),
        'parking_brake': CommandKind(
            'cmd_parking_brake', Bool, 'std_msgs/msg/Bool', _number, Orders.park,
            _braked('parking_torque'), drives=False),
    }
    try:
        types = importlib.import_module('ackermann_msgs.msg')
    except ImportError:
        return kinds
    return kinds | {
        'ackermann_stamped': CommandKind(
            'ackermann_cmd', types.AckermannDriveStamped,
            'ackermann_msgs/msg/AckermannDriveStamped',
            lambda message: _ackermann(message.drive), Orders.drive, _steered, awaited=True,
            stamp=_stamp),
        'ackermann': CommandKind(
            'ackermann_cmd', types.AckermannDrive, 'ackermann_msgs/msg/AckermannDrive',
            _ackermann, Orders.drive, _steered, awaited=True),
    }
