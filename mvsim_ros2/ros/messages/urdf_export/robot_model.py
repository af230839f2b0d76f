# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The description of a robot, its joints, and the frames of its links."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
import math
from struct import Struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.frames import Pose
from mvsim_ros2.ros.messages.message_types import MessageTypes
from mvsim_ros2.ros.messages.names import FrameNames
from mvsim_ros2.ros.messages.settings import Settings
from mvsim_ros2.ros.messages.state_messages import packed, stamped
from mvsim_ros2.ros.messages.urdf_export.urdf import robot_urdf, steering_frames, wheel_mount
from mvsim_ros2.simulation.handles import SensorHandle, VehicleHandle
from mvsim_ros2.world.file.document.tree import parse_nodes
from mvsim_ros2.world.file.report import did_you_mean
from mvsim_ros2.world.file.urdf_import.robot import read_robot
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec

_PLACE_SIZE, _ROTATION = 3 * 8, Struct('<4d')  # bytes of x y z; quaternion x y z w
Link = tuple[str, str, Pose]  # frame of the parent, of the child, pose of the child in the parent


@dataclass(frozen=True, eq=False)
class WheelJoint:
    """A joint that turns with a wheel."""

    name: str
    wheel: int
    state: str  # of the wheel: `angle` or `steer`
    parent: str  # frames
    child: str
    pose: Pose  # of the child in the parent at angle 0
    axis: tuple[float, float, float]  # in the child, unit vector
    sign: float = 1.0  # of the angle of the joint relative to that of the wheel


@dataclass(frozen=True)
class _Links:
    """The links of a robot, by its own description or by the one that is made of its spec."""

    joints: list[WheelJoint]
    fixed: list[Link]  # by joints of the description
    added: list[Link]  # between frames of the simulator and the root of the description
    root: str  # frame
    height: float = 0.0  # of the ground in the root [m]
    names: frozenset[str] = frozenset()  # of the links of its own description


def _made_links(vehicle: VehicleSpec, frames: FrameNames) -> _Links:
    """Return the links of a robot without a description of its own."""
    dynamics, base = vehicle.dynamics, frames.base
    fixed = []
    if frames.footprint:
        pair = (base, frames.footprint) if frames.original else (frames.footprint, base)
        fixed.append((*pair, Pose()))
    steering, rolling = [], []
    for k, (wheel, steered, name) in enumerate(zip(
            dynamics.wheels, steering_frames(frames.prefix, dynamics), dynamics.wheel_names,
            strict=True)):
        if k in dynamics.turning_wheels:
            steering.append(WheelJoint(dynamics.steering_joints[k], k, 'steer', base, steered,
                                       wheel_mount(wheel), (0.0, 0.0, 1.0)))
        else:
            fixed.append((base, steered, wheel_mount(wheel)))
        rolling.append(WheelJoint(dynamics.wheel_joints[k], k, 'angle', steered,
                                  frames.prefix + name, Pose(), (0.0, 1.0, 0.0)))
    return _Links(steering + rolling, fixed, [], base)


def _described_links(vehicle: VehicleSpec, frames: FrameNames) -> _Links:
    """
    Return the links of a robot with a description of its own.

    The tree starts at the frame that moves in the odometry frame, which is a link or is added
    above the root.
    """
    robot = read_robot(parse_nodes(
        vehicle.robot_description, f'robot_description of {vehicle.name}')[0])
    prefix, joints, heights = frames.prefix, [], [0.0]
    for k, wheel in enumerate(vehicle.dynamics.wheels):
        for name, state, row in ((wheel.joint, 'angle', 1), (wheel.steering_joint, 'steer', 2)):
            if not name:
                continue
            if name not in robot.joints:
                raise MvsimError(
                    f'{wheel.source}: the wheel names the joint {name!r}, which the robot '
                    f'description does not have{did_you_mean(name, robot.joints)}')
            joint = robot.joints[name]
            x, y, z = joint.axis.tolist()
            joints.append(WheelJoint(
                name, k, state, prefix + joint.parent, prefix + joint.child,
                Pose.from_matrix(joint.pose), (x, y, z),
                -1.0 if robot.axis(joint)[row] < 0.0 else 1.0))
            if state == 'angle':
                heights.append(float(robot.poses[joint.child][2, 3]) - wheel.radius)
    ground = min(heights[1:] or heights)
    moving, base = frames.moving.removeprefix(prefix), frames.base.removeprefix(prefix)
    above = {joint.name for joint in robot.above(moving)} if moving in robot.links else set()
    turning = {each.name for each in joints}
    fixed = []
    for name, joint in robot.joints.items():
        pose = Pose.from_matrix(joint.pose)
        if name in above:
            fixed.append((prefix + joint.child, prefix + joint.parent, pose.inverse()))
        elif name not in turning:
            fixed.append((prefix + joint.parent, prefix + joint.child, pose))
    added = [] if moving in robot.links else [
        (prefix + moving, prefix + robot.root, Pose(z=-ground))]
    if base not in robot.links and base != moving:
        added.append((prefix + moving, prefix + base, Pose()))
    return _Links(joints, fixed, added, prefix + robot.root, ground, frozenset(robot.links))


class RobotModel:
    """Makes description, joint states and frames of a vehicle; `joints` turn with wheels."""

    def __init__(self, vehicle: VehicleHandle, frames: FrameNames,
                 sensors: Iterable[SensorHandle]) -> None:
        spec = vehicle.spec
        self._vehicle, self._frames = vehicle, frames
        self._links = links = (
            _described_links if spec.robot_description else _made_links)(spec, frames)
        self._sensors = [
            (frames.prefix + frame.parent if frame.parent else links.root,
             frames.prefix + frame.name,
             frame.pose if frame.parent else Pose(z=links.height).compose(frame.pose)
             if links.height else frame.pose)
            for sensor in sensors for frame in sensor.frames if frame.name not in links.names]
        self.joints = links.joints
        self._wheels = np.array([each.wheel for each in self.joints], int)
        self._rolls = np.array([each.state == 'angle' for each in self.joints], bool)
        self._signs = np.array([each.sign for each in self.joints])
        # of joint angles t the rotation is cos(t / 2) rest + sin(t / 2) turn, as quaternions
        self._turns: list[tuple[Any, ...]] = [
            (each.wheel, each.state != 'angle', 0.5 * each.sign, *each.pose.quaternion,
             *_product(each.pose.quaternion, each.axis)) for each in self.joints]
        self._poses = np.zeros((len(self.joints), 7))
        self._poses[:, :3] = np.array(
            [each.pose.position for each in self.joints]).reshape(-1, 3)
        self._views = [row.data.cast('B') for row in self._poses]

    def description(self) -> str:
        """Return the description, a URDF."""
        spec = self._vehicle.spec
        return spec.robot_description or robot_urdf(spec, self._frames, [
            (child, parent, pose) for parent, child, pose in self._sensors])

    def fixed(self, settings: Settings) -> list[Link]:
        """Return the links that do not move, those that `settings` let the simulator publish."""
        return [*self._links.added,
                *(self._links.fixed if settings.publish_robot_description else []),
                *(self._sensors if settings.publish_sensor_tf else [])]

    def moving(self) -> list[tuple[str, str]]:
        """Return parent and child of the links that turn with wheels."""
        return [(each.parent, each.child) for each in self.joints]

    def poses(self, wheels: Sequence[Sequence[float]], first: int) -> NDArray[np.float64]:
        """
        Return the poses of `moving`: x y z [m], quaternion x y z w; shape (n, 7).

        The array is the same each time, with other numbers; wheels are rolled and steered [rad].
        """
        for view, (wheel, steers, half, a, b, c, d, x, y, z, w) in zip(
                self._views, self._turns, strict=True):
            angle = half * wheels[steers][first + wheel]
            cosine, sine = math.cos(angle), math.sin(angle)
            _ROTATION.pack_into(view, _PLACE_SIZE, cosine * a + sine * x, cosine * b + sine * y,
                                cosine * c + sine * z, cosine * d + sine * w)
        return self._poses

    def joint_states(self, types: MessageTypes, time_ns: int) -> Any:
        """Return angles [rad], speeds [rad/s] and torques [N m]; 0 both where a joint steers."""
        wheels = self._vehicle.wheels
        position, velocity, effort = (packed(types, each, np.float64) for each in (
            self._signs * np.where(
                self._rolls, wheels['angle'][self._wheels], wheels['steer'][self._wheels]), *(
                np.where(self._rolls, self._signs * wheels[each][self._wheels], 0.0)
                for each in ('omega', 'torque'))))
        return stamped(types.sensor_msgs.JointState(
            name=[each.name for each in self.joints], position=position, velocity=velocity,
            effort=effort), time_ns, self._frames.base)


def _product(q: tuple[float, ...], axis: tuple[float, ...]) -> tuple[float, ...]:
    """Return the product of a quaternion and an axis with scalar part 0."""
    x, y, z, w = q
    a, b, c = axis
    return (w * a + y * c - z * b, w * b + z * a - x * c, w * c + x * b - y * a,
            -x * a - y * b - z * c)
