# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Frames and joints of a robot with its own description, as robot_state_publisher has them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.frames import axis_rotation, Pose
from mvsim_ros2.ros.messages import state_messages
from mvsim_ros2.ros.messages.message_types import MessageTypes
from mvsim_ros2.ros.messages.names import FrameNames
from mvsim_ros2.world.file.document.xml_repair import parse_nodes
from mvsim_ros2.world.file.report import did_you_mean
from mvsim_ros2.world.file.urdf_import.robot import Joint, read_robot, Robot
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec
from mvsim_ros2.world.spec.vehicle.wheel import WheelSpec


@dataclass(frozen=True, eq=False)
class _WheelJoint:
    """A joint driven by a wheel."""

    joint: Joint
    wheel: int
    state: str  # of the wheel: `angle` or `steer`
    sign: float  # of the angle of the joint relative to that of the wheel


class LinkFrames:
    """
    The frames of the links of one robot, with the names of its description.

    The tree starts at the frame that moves in the odometry frame, which is a link or is added
    above the root.
    """

    def __init__(self, types: MessageTypes, vehicle: VehicleSpec, frames: FrameNames) -> None:
        """
        Read the description of a vehicle.

        :param types: classes of messages.
        :param frames: names of its frames.
        :raises MvsimError: where the description is broken or lacks the joint of a wheel.
        """
        self._robot = read_robot(parse_nodes(
            vehicle.robot_description, f'robot_description of {vehicle.name}')[0])
        self._types, self._frames = types, frames
        wheels = vehicle.dynamics.wheels
        self._turning = [turning for number, wheel in enumerate(wheels)
                         for turning in _joints_of(self._robot, number, wheel)]
        heights = [self._robot.poses[turning.joint.child][2, 3] - wheels[turning.wheel].radius
                   for turning in self._turning if turning.state == 'angle']
        self._ground = float(min(heights, default=0.0))

    def has(self, frame: str) -> bool:
        """Return whether a frame, named without prefix, is a link."""
        return frame in self._robot.links

    @property
    def root(self) -> str:
        """Frame of the root link."""
        return self._frames.prefix + self._robot.root

    def in_root(self, pose: Pose) -> Pose:
        """Transform a pose from the frame of the vehicle to the root link."""
        return Pose(z=self._ground).compose(pose)

    def fixed(self, time_ns: int) -> list[Any]:
        """Return the static transforms."""
        robot, frames = self._robot, self._frames
        moving = frames.moving.removeprefix(frames.prefix)
        turning = {each.joint.name for each in self._turning}
        turned_round = [] if moving not in robot.links else [
            joint.name for joint in robot.above(moving)]
        transforms = []
        for joint in robot.joints.values():
            pose = Pose.from_matrix(joint.pose)
            if joint.name in turned_round:
                transforms.append(self._transform(time_ns, joint.child, joint.parent,
                                                  pose.inverse()))
            elif joint.name not in turning:
                transforms.append(self._transform(time_ns, joint.parent, joint.child, pose))
        if moving not in robot.links:
            transforms.append(self._transform(time_ns, moving, robot.root, Pose(z=-self._ground)))
        base = frames.base.removeprefix(frames.prefix)
        if base not in robot.links and base != moving:
            transforms.append(self._transform(time_ns, moving, base, Pose()))
        return transforms

    def moving(self, time_ns: int, wheels: NDArray[np.void]) -> list[Any]:
        """
        Return the transforms of the rotating links.

        :param wheels: states of the wheels.
        """
        return [self._transform(
            time_ns, turning.joint.parent, turning.joint.child, Pose.from_matrix(
                turning.joint.pose @ axis_rotation(turning.joint.axis, angle)))
                for turning, angle in zip(self._turning, self.positions(wheels), strict=True)]

    @property
    def names(self) -> list[str]:
        """Names of the joints driven by wheels."""
        return [turning.joint.name for turning in self._turning]

    def positions(self, wheels: NDArray[np.void]) -> list[float]:
        """Return the angles of these joints [rad]."""
        return [turning.sign * float(wheels[turning.wheel][turning.state])
                for turning in self._turning]

    def velocities(self, wheels: NDArray[np.void]) -> list[float]:
        """Return their speeds, 0 for steering joints [rad/s]."""
        return self._rolling(wheels, 'omega')

    def efforts(self, wheels: NDArray[np.void]) -> list[float]:
        """Return their torques, 0 for steering joints [N m]."""
        return self._rolling(wheels, 'torque')

    @property
    def signs(self) -> dict[str, float]:
        """Return for each joint 1, or -1 where its axis points the other way."""
        return {turning.joint.name: turning.sign for turning in self._turning}

    def _rolling(self, wheels: NDArray[np.void], name: str) -> list[float]:
        return [turning.sign * float(wheels[turning.wheel][name])
                if turning.state == 'angle' else 0.0 for turning in self._turning]

    def _transform(self, time_ns: int, parent: str, child: str, pose: Pose) -> Any:
        prefix = self._frames.prefix
        return state_messages.transform(
            self._types, time_ns, prefix + parent, prefix + child, pose)


def _joints_of(robot: Robot, number: int, wheel: WheelSpec) -> Sequence[_WheelJoint]:
    found = []
    for name, state, row in ((wheel.joint, 'angle', 1), (wheel.steering_joint, 'steer', 2)):
        if name and name not in robot.joints:
            raise MvsimError(f'{wheel.source}: the wheel names the joint {name!r}, which the '
                             f'robot description does not have{did_you_mean(name, robot.joints)}')
        if name:
            joint = robot.joints[name]
            sign = -1.0 if robot.axis(joint)[row] < 0.0 else 1.0
            found.append(_WheelJoint(joint, number, state, sign))
    return found
