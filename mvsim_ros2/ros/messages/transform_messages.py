# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Transforms between frames.

The tree is REP-105's and REP-120's: map -> odom -> base_footprint -> base_link -> sensors.
The base_footprint coincides with base_link, because vehicles move in a plane.
"""

from collections.abc import Iterable
from functools import lru_cache
import logging
import math
from struct import Struct
from typing import Any

from mvsim_ros2.frames import Pose
from mvsim_ros2.ros.messages import state_messages
from mvsim_ros2.ros.messages.message_types import MessageTypes
from mvsim_ros2.ros.messages.names import FrameNames, Namespaces
from mvsim_ros2.ros.messages.settings import Settings
from mvsim_ros2.ros.messages.urdf_export.link_frames import LinkFrames
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.simulation.handles import Report, SensorHandle, VehicleHandle
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec

_LOG = logging.getLogger(__name__)

_POSE = Struct('<7d')  # x y z, quaternion x y z w


def moving_frames(types: MessageTypes, time_ns: int, vehicle: VehicleHandle, frames: FrameNames,
                  settings: Settings) -> list[Any]:
    """Return the moving transforms of a vehicle, those of `moving_links`."""
    return [state_messages.transform(types, time_ns, parent, child, pose)
            for (parent, child), pose in zip(
                moving_links(frames, settings), moving_poses(vehicle, settings), strict=True)]


def moving_links(frames: FrameNames, settings: Settings) -> list[tuple[str, str]]:
    """
    Return parent and child of the moving frames of a vehicle.

    They are odom -> robot, from the odometry, and map -> odom, such that map -> robot is the
    true pose, each where the settings enable it.
    """
    links = []
    if settings.publish_map_odom:
        links.append((frames.world, frames.odom))
    if settings.publish_odom_tf:
        links.append((frames.odom, frames.moving))
    return links


def moving_poses(vehicle: VehicleHandle, settings: Settings) -> list[Pose]:
    """
    Return the present poses of the children of `moving_links` in their parents.

    Where odom -> robot is left to a filter, whose estimate is not known here, map -> odom is the
    initial pose of the vehicle.
    """
    poses = []
    x, y, yaw = vehicle.odometry.pose
    robot = Pose(x, y, 0.0, yaw)
    if settings.publish_map_odom:
        poses.append(odometry_origin(vehicle.pose, robot) if settings.publish_odom_tf
                     else vehicle.spec.init_pose)
    if settings.publish_odom_tf:
        poses.append(robot)
    return poses


def moving_numbers(report: Report, spec: VehicleSpec, settings: Settings) -> list[memoryview]:
    """
    Return the numbers of `moving_poses`, seven for each, which change with each look of a fleet.

    :param report: of the vehicle.
    """
    poses, start = [], spec.init_pose
    if settings.publish_map_odom:
        poses.append(report.origin if settings.publish_odom_tf
                     else memoryview(_POSE.pack(start.x, start.y, start.z, *start.quaternion)))
    if settings.publish_odom_tf:
        poses.append(report.robot)
    return poses


def odometry_origin(truth: Pose, estimate: Pose) -> Pose:
    """
    Return the pose of the odometry frame in the map that makes both poses of the robot agree.

    :param truth: of the robot in the map.
    :param estimate: of the robot in the odometry frame, planar.
    """
    if truth.pitch != 0.0 or truth.roll != 0.0:
        return truth.compose(estimate.inverse())
    yaw = truth.yaw - estimate.yaw
    cosine, sine = math.cos(yaw), math.sin(yaw)
    return Pose(truth.x - cosine * estimate.x + sine * estimate.y,
                truth.y - sine * estimate.x - cosine * estimate.y, truth.z - estimate.z, yaw)


def fixed_frames(types: MessageTypes, simulation: Simulation, names: Namespaces,
                 sensors_too: bool = True, stamp_ns: int | None = None) -> dict[str, list[Any]]:
    """
    Return the static transforms by the prefix of the topic `tf_static`.

    They are the footprints of the vehicles, and the sensors where `sensors_too` says so.

    :param stamp_ns: of them; None: the present simulated time.
    """
    groups: dict[str, list[Any]] = {}
    if sensors_too:
        check_frames(simulation, names)
    sensors = list(simulation.sensors.values()) if sensors_too else []
    time_ns = simulation.time_ns if stamp_ns is None else stamp_ns
    for owner in dict.fromkeys([*simulation.vehicles, *(s.vehicle for s in sensors)]):
        frames = names.frames(owner)
        spec = simulation.vehicles[owner].spec if owner in simulation.vehicles else None
        groups.setdefault(names.tf(owner), []).extend(vehicle_frames(
            types, time_ns, frames, [s for s in sensors if s.vehicle == owner],
            LinkFrames(types, spec, frames) if spec and spec.robot_description else None))
    return groups


def check_frames(simulation: Simulation, names: Namespaces) -> None:
    """Warn of frames of sensors that are somewhere else already; links of a description may be."""
    for owner in dict.fromkeys(sensor.vehicle for sensor in simulation.sensors.values()):
        if owner in simulation.vehicles and simulation.vehicles[owner].spec.robot_description:
            continue
        own = names.frames(owner)
        places: dict[str, object] = dict.fromkeys(
            (own.world, own.odom, own.base, own.footprint), 'the simulator itself')
        for sensor in simulation.sensors.values():
            for frame in sensor.frames if sensor.vehicle == owner else ():
                name = own.prefix + frame.name
                place = (frame.parent, frame.pose)
                if places.setdefault(name, place) != place:
                    _tell(f'{sensor.spec.source}: the frame {name!r} of sensor {sensor.name!r} is '
                          'somewhere else already: give the sensor another name or <frame_id>')


@lru_cache(maxsize=256)
def _tell(message: str) -> None:
    """Say something once."""
    _LOG.warning('%s', message)


def vehicle_frames(types: MessageTypes, time_ns: int, frames: FrameNames,
                   sensors: Iterable[SensorHandle], links: LinkFrames | None) -> list[Any]:
    """
    Return the static transforms of one vehicle.

    :param links: of a robot with its own description; they replace frames of the same name.
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
