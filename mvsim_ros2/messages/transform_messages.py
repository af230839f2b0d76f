# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Where the frames are.

The tree is REP-105's and REP-120's: map -> odom -> base_footprint -> base_link -> sensors.
The base_footprint coincides with base_link, because vehicles move in a plane.
"""

from collections.abc import Iterable
import math
from typing import Any

from mvsim_ros2.frames import Pose
from mvsim_ros2.handles import SensorHandle
from mvsim_ros2.handles import VehicleHandle
from mvsim_ros2.messages import state_messages
from mvsim_ros2.messages.message_types import MessageTypes
from mvsim_ros2.messages.names import FrameNames
from mvsim_ros2.messages.namespaces import Namespaces
from mvsim_ros2.messages.settings import Settings
from mvsim_ros2.messages.urdf_export.link_frames import LinkFrames
from mvsim_ros2.simulation import Simulation


def moving_frames(types: MessageTypes, time_ns: int, vehicle: VehicleHandle, frames: FrameNames,
                  settings: Settings) -> list[Any]:
    """
    Return where a vehicle is in the frames that it believes in.

    That is odom -> robot, as the odometry has it, and map -> odom, so that map -> robot is the
    truth, each where the settings want it.
    """
    transforms = []
    x, y, yaw = vehicle.odometry.pose
    robot = Pose(x, y, 0.0, yaw)
    if settings.publish_map_odom:
        transforms.append(state_messages.transform(
            types, time_ns, frames.world, frames.odom, odometry_origin(vehicle.pose, robot)))
    if settings.publish_odom_tf:
        transforms.append(
            state_messages.transform(types, time_ns, frames.odom, frames.moving, robot))
    return transforms


def odometry_origin(truth: Pose, believed: Pose) -> Pose:
    """
    Return the pose of the odometry frame in the map, for which the robot is where it is.

    :param truth: of the robot in the map.
    :param believed: of the robot in the odometry frame, planar.
    """
    if truth.pitch != 0.0 or truth.roll != 0.0:
        return truth.compose(believed.inverse())
    yaw = truth.yaw - believed.yaw
    cosine, sine = math.cos(yaw), math.sin(yaw)
    return Pose(truth.x - cosine * believed.x + sine * believed.y,
                truth.y - sine * believed.x - cosine * believed.y, truth.z - believed.z, yaw)


def fixed_frames(types: MessageTypes, simulation: Simulation,
                 names: Namespaces) -> dict[str, list[Any]]:
    """
    Return the transforms that never change, by the prefix of the topic `tf_static`.

    They are the footprints of the vehicles, and the sensors.
    """
    groups: dict[str, list[Any]] = {}
    sensors = simulation.sensors.values()
    for owner in dict.fromkeys([*simulation.vehicles, *(s.vehicle for s in sensors)]):
        frames = names.frames(owner)
        spec = simulation.vehicles[owner].spec if owner in simulation.vehicles else None
        groups.setdefault(names.tf(owner), []).extend(vehicle_frames(
            types, simulation.time_ns, frames, [s for s in sensors if s.vehicle == owner],
            LinkFrames(types, spec, frames) if spec and spec.robot_description else None))
    return groups


def vehicle_frames(types: MessageTypes, time_ns: int, frames: FrameNames,
                   sensors: Iterable[SensorHandle], links: LinkFrames | None) -> list[Any]:
    """
    Return those of one vehicle that never change.

    :param links: of a robot that brings its own description; sensors in them have their frames.
    """
    if links is not None:
        return links.fixed(time_ns) + [
            state_messages.transform(
                types, time_ns, frames.prefix + frame.parent if frame.parent else links.root,
                frames.prefix + frame.name,
                frame.pose if frame.parent else links.in_root(frame.pose))
            for sensor in sensors for frame in sensor.frames if not links.has(frame.name)]
    parent, child = frames.footprint, frames.base
    if frames.original:
        parent, child = child, parent
    footprint = [] if not frames.footprint else [
        state_messages.transform(types, time_ns, parent, child, Pose())]
    return footprint + [
        state_messages.transform(
            types, time_ns, frames.prefix + frame.parent if frame.parent else frames.base,
            frames.prefix + frame.name, frame.pose)
        for sensor in sensors for frame in sensor.frames]
