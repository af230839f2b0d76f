# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The messages of a robot description: URDF, joint states, wheel frames."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.frames import Pose
from mvsim_ros2.ros.messages import state_messages
from mvsim_ros2.ros.messages.message_types import MessageTypes
from mvsim_ros2.ros.messages.names import FrameNames, Namespaces
from mvsim_ros2.ros.messages.settings import Settings
from mvsim_ros2.ros.messages.transform_messages import check_frames
from mvsim_ros2.ros.messages.urdf_export.link_frames import LinkFrames
from mvsim_ros2.ros.messages.urdf_export.urdf import (
    robot_urdf, steering_frames, wheel_frames, wheel_mount)
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.simulation.handles import SensorHandle, VehicleHandle


class RobotModel:
    """Builds the messages of the description, the joints and the wheel frames of a vehicle."""

    def __init__(self, types: MessageTypes, vehicle: VehicleHandle, frames: FrameNames,
                 sensors: Iterable[SensorHandle]) -> None:
        """
        Prepare for a vehicle.

        :param types: classes of messages.
        :param frames: names of the vehicle's frames.
        :param sensors: those of the vehicle.
        """
        self._types, self._vehicle, self._frames = types, vehicle, frames
        self._sensors = [
            (frames.prefix + frame.name,
             frames.prefix + frame.parent if frame.parent else frames.base, frame.pose)
            for sensor in sensors for frame in sensor.frames]
        dynamics = vehicle.spec.dynamics
        self._mounts = list(zip(
            map(wheel_mount, dynamics.wheels), steering_frames(frames.prefix, dynamics),
            wheel_frames(frames.prefix, dynamics), strict=True))
        # joints of wheels that never turn are fixed in the description, and have no state
        self._turning = list(dynamics.turning_wheels)
        self._names = [*(dynamics.steering_joints[k] for k in self._turning),
                       *dynamics.wheel_joints]
        # of a robot with its own description
        self._links = LinkFrames(types, vehicle.spec, frames) if (
            vehicle.spec.robot_description) else None

    def description(self) -> Any:
        """Return the description, a URDF."""
        spec = self._vehicle.spec
        return self._types.std_msgs.String(
            data=spec.robot_description or robot_urdf(spec, self._frames, self._sensors))

    def joint_states(self, time_ns: int) -> Any:
        """Return the present angles [rad], speeds [rad/s] and torques [N m] of the joints."""
        wheels, links = self._vehicle.wheels, self._links
        if links is not None:
            names = links.names
            values = links.positions(wheels), links.velocities(wheels), links.efforts(wheels)
        else:
            names, still = self._names, [0.0] * len(self._turning)
            values = (
                [*wheels['steer'][self._turning], *wheels['angle']], [*still, *wheels['omega']],
                [*still, *wheels['torque']])
        position, velocity, effort = (
            state_messages.packed(self._types, np.array(each, float), np.float64)
            for each in values)
        message = self._types.sensor_msgs.JointState(
            name=names, position=position, velocity=velocity, effort=effort)
        state_messages.fill_stamp(message.header, time_ns, self._frames.base)
        return message

    def wheel_transforms(self, time_ns: int) -> list[Any]:
        """Return the transforms of the wheels."""
        if self._links is not None:
            return self._links.moving(time_ns, self._vehicle.wheels)
        types, base = self._types, self._frames.base
        transforms = []
        wheels = self._vehicle.wheels
        for (mount, steered, rolling), steer, angle in zip(
                self._mounts, wheels['steer'].tolist(), wheels['angle'].tolist(), strict=True):
            transforms.append(state_messages.transform(types, time_ns, base, steered, Pose(
                mount.x, mount.y, mount.z, mount.yaw + steer)))
            transforms.append(state_messages.transform(
                types, time_ns, steered, rolling, Pose(pitch=angle)))
        return transforms


def check_names(simulation: Simulation, settings: Settings | None = None) -> None:
    """
    Choose the names of topics and frames as the node does, and read the robot descriptions.

    :param settings: of the node; by default those without parameters.
    :raises MvsimError: what would stop the node.
    """
    names = Namespaces(settings or Settings(), list(simulation.vehicles))
    names.sensors(simulation.sensors.values())
    check_frames(simulation, names)
    types = MessageTypes(_no_class, np.asarray)
    for name, vehicle in simulation.vehicles.items():
        RobotModel(types, vehicle, names.frames(name), [
            sensor for sensor in simulation.sensors.values() if sensor.vehicle == name])


def _no_class(package: str, name: str) -> None:
    raise MvsimError(f'there is no message {package}/{name}: messages are not made here')
