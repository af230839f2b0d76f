# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Transforms between frames.

The tree is REP-105's and REP-120's: map -> odom -> base_footprint -> base_link -> sensors.
The base_footprint coincides with base_link, because vehicles move in a plane. The frame `enu` has
the origin of `map`, and its axes point east, north and up there. Frames that move are on `tf`, all
others on `tf_static`.
"""

from collections.abc import Iterable
from functools import lru_cache
import logging
from struct import Struct
from typing import Any

from mvsim_ros2.frames import Pose
from mvsim_ros2.ros.messages.cdr import TransformsBytes
from mvsim_ros2.ros.messages.message_types import MessageTypes
from mvsim_ros2.ros.messages.names import ENU, FrameNames, Namespaces
from mvsim_ros2.ros.messages.settings import Settings
from mvsim_ros2.ros.messages.state_messages import transform
from mvsim_ros2.ros.messages.urdf_export.robot_model import RobotModel
from mvsim_ros2.sensors.navigation.georeference import Georeference
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.simulation.handles import Fleet, VehicleHandle
from mvsim_ros2.world.spec.sensors.navigation import GnssSpec
from mvsim_ros2.world.spec.view import GeoreferenceSpec

_LOG = logging.getLogger(__name__)
_POSE = Struct('<7d')  # x y z, quaternion x y z w


class MovingFrames:
    """
    The message of the moving frames of vehicles.

    They are map -> odom (then map -> robot is the true pose), odom -> robot from the odometry, and
    links that turn with wheels. The settings enable each. Where odom -> robot is left to a filter,
    whose estimate is not known here, map -> odom is the initial pose of the vehicle.
    """

    def __init__(self, fleet: Fleet, settings: Settings,
                 vehicles: Iterable[tuple[VehicleHandle, FrameNames, RobotModel]]) -> None:
        self._fleet, self._settings, self._vehicles = fleet, settings, list(vehicles)
        self._reports: object = None  # that the numbers are of
        self._numbers: list[memoryview] = []
        links: list[tuple[str, str]] = []
        for _, frames, model in self._vehicles:
            links += [(frames.world, frames.odom)] * settings.publish_map_odom
            links += [(frames.odom, frames.moving)] * settings.publish_odom_tf
            links += model.moving() * settings.publish_robot_description
        self._bytes = TransformsBytes(links)
        self.empty = not links

    def message(self, time_ns: int) -> bytes:
        """Return the bytes of the tf2_msgs/TFMessage of the present state."""
        if self._reports is not self._fleet.reports:
            self._reports = self._fleet.reports
            self._numbers = [pose for each in self._vehicles for pose in self._poses(*each)]
        if self._settings.publish_robot_description:
            for vehicle, _, model in self._vehicles:
                # `_numbers` are views of them
                model.poses(self._fleet.wheels, self._fleet.reports[vehicle.name].wheel)
        return self._bytes.of(time_ns, self._numbers)

    def _poses(self, vehicle: VehicleHandle, _: FrameNames, model: RobotModel,
               ) -> list[memoryview]:
        """Return the numbers of the poses of a vehicle, which change with each look."""
        report, start, settings = (
            self._fleet.reports[vehicle.name], vehicle.spec.init_pose, self._settings)
        poses = []
        if settings.publish_map_odom:
            poses.append(report.origin if settings.publish_odom_tf else memoryview(
                _POSE.pack(start.x, start.y, start.z, *start.quaternion)))
        if settings.publish_odom_tf:
            poses.append(report.robot)
        if settings.publish_robot_description:
            poses += [row.data.cast('B') for row in model.poses(self._fleet.wheels, report.wheel)]
        return poses


def fixed_frames(types: MessageTypes, simulation: Simulation, names: Namespaces,
                 settings: Settings, stamp_ns: int) -> dict[str, list[Any]]:
    """Return the static transforms by the prefix of the topic `tf_static`."""
    if settings.publish_sensor_tf:
        check_frames(simulation, names)
    groups: dict[str, dict[str, Any]] = {}  # by the prefix and the child
    world = names.frames('').base
    for owner in dict.fromkeys([*simulation.vehicles, '']):
        sensors = [each for each in simulation.sensors.values() if each.vehicle == owner]
        if owner:
            links = RobotModel(
                simulation.vehicles[owner], names.frames(owner), sensors).fixed(settings)
        else:
            links = [(frame.parent or world, frame.name, frame.pose)
                     for each in sensors if settings.publish_sensor_tf for frame in each.frames]
        if settings.publish_sensor_tf and any(isinstance(each.spec, GnssSpec) for each in sensors):
            north = Georeference(simulation.world.georeference or GeoreferenceSpec())
            links.append((world, ENU, Pose(yaw=-north.heading(north.origin))))
        if links:
            groups.setdefault(names.tf(owner), {}).update(
                (link[1], transform(types, stamp_ns, *link)) for link in links)
    return {prefix: list(transforms.values()) for prefix, transforms in groups.items()}


def check_frames(simulation: Simulation, names: Namespaces) -> None:
    """Warn of frames of sensors that are somewhere else already; links of a description may be."""
    for owner in dict.fromkeys(sensor.vehicle for sensor in simulation.sensors.values()):
        if owner in simulation.vehicles and simulation.vehicles[owner].spec.robot_description:
            continue
        own = names.frames(owner)
        places: dict[str, object] = dict.fromkeys(
            (own.world, own.odom, own.base, own.footprint, ENU), 'the simulator itself')
        for sensor in simulation.sensors.values():
            for frame in sensor.frames if sensor.vehicle == owner else ():
                name = own.prefix + frame.name
                place = (frame.parent, frame.pose)
                if places.setdefault(name, place) != place:
                    _warn_once(f'{sensor.spec.source}: the frame {name!r} of sensor '
                               f'{sensor.name!r} is somewhere else already: give the sensor '
                               'another name or <frame_id>')


@lru_cache(maxsize=256)
def _warn_once(message: str) -> None:
    _LOG.warning('%s', message)


def check_names(simulation: Simulation, settings: Settings | None = None) -> None:
    """Choose the names of topics and frames as the node does, and read the robot descriptions."""
    names = Namespaces(settings or Settings(), list(simulation.vehicles))
    names.sensors(simulation.sensors.values())
    check_frames(simulation, names)
    for name, vehicle in simulation.vehicles.items():
        RobotModel(vehicle, names.frames(name), [])
