# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Commands of joints as `topic_based_ros2_control` publishes them."""

from collections import Counter
import math
from typing import Any

from mvsim_ros2.errors import ControllerError
from mvsim_ros2.ros.messages.names import FrameNames
from mvsim_ros2.ros.messages.urdf_export.link_frames import LinkFrames
from mvsim_ros2.ros.publishers.topics import TYPES
from mvsim_ros2.simulation.handles import VehicleHandle
from mvsim_ros2.world.spec.vehicle.joint_control import JointController


def joint_values(vehicle: VehicleHandle, message: Any) -> tuple[float, ...]:
    """
    Return the commands of the driven wheels, then the angles of the steered ones.

    A list of the message has a value for each of its names, or for each joint with such an
    interface, in their order, as that hardware publishes it, or none. A joint without a command,
    which is one that no controller has claimed yet, is to stand (NaN in the message), and a
    steering joint to point ahead. What is said of joints without a motor is ignored: who takes
    the names from `joint_states` names them too.

    :param message: sensor_msgs/JointState: velocities [rad/s] or efforts [N m] of wheels,
        positions of steering joints [rad].
    :raises ControllerError: where it names a joint that the vehicle does not have, or one twice,
        or where a list has another length.
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
    signs = LinkFrames(TYPES, vehicle.spec, FrameNames()).signs if (
        vehicle.spec.robot_description) else {}
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
