# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Topics and frames of vehicles, and of people."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
import logging
import math
from struct import Struct
from typing import Any

import numpy as np

from mvsim_ros2.frames import Pose
from mvsim_ros2.ros.messages import state_messages
from mvsim_ros2.ros.messages.cdr import OdometryBytes, TransformsBytes
from mvsim_ros2.ros.messages.message_types import MessageTypes
from mvsim_ros2.ros.messages.names import ENU, FrameNames, Namespaces
from mvsim_ros2.ros.messages.qos import latched, Qos, STATE
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


@dataclass(frozen=True)
class StateChannel:
    """A topic with the present state, published at every tick of the odometry."""

    topic: str
    message_type: str  # with its package
    build: Callable[[int], Any]  # simulated time [ns] -> message of the present state, or bytes
    qos: Qos = STATE


def vehicle_channels(types: MessageTypes, prefix: str, vehicle: VehicleHandle,
                     frames: FrameNames, model: RobotModel, fleet: Fleet,
                     ) -> tuple[StateChannel, ...]:
    """Return the channels of one vehicle below a prefix, '' or ending in a slash."""
    believed, true = (OdometryBytes(each, frames.base) for each in (frames.odom, frames.truth))
    name = vehicle.name
    return (
        StateChannel(f'{prefix}odom', 'nav_msgs/Odometry', lambda time_ns: believed.of(
            time_ns, fleet.reports[name].belief)),
        StateChannel(
            f'{prefix}base_pose_ground_truth', 'nav_msgs/Odometry', lambda time_ns: true.of(
                time_ns, fleet.reports[name].truth)),
        StateChannel(f'{prefix}collision', 'std_msgs/Bool', lambda _: types.std_msgs.Bool(
            data=vehicle.collided)),
        StateChannel(f'{prefix}joint_states', 'sensor_msgs/JointState',
                     lambda time_ns: model.joint_states(types, time_ns)))


def compatible_channels(types: MessageTypes, prefix: str, vehicle: VehicleHandle,
                        frames: FrameNames) -> tuple[StateChannel, ...]:
    """Return the channels on which MVSim publishes the true pose as amcl would."""
    def pose(time_ns: int) -> Any:
        message = types.geometry_msgs.PoseWithCovarianceStamped()
        state_messages.fill_pose(message.pose.pose, vehicle.pose)
        return state_messages.stamped(message, time_ns, frames.odom)

    return (
        StateChannel(f'{prefix}amcl_pose', 'geometry_msgs/PoseWithCovarianceStamped', pose,
                     latched()),
        StateChannel(f'{prefix}particlecloud', 'geometry_msgs/PoseArray',
                     lambda time_ns: state_messages.pose_array(
                         types, time_ns, frames.world, [vehicle.pose]), Qos(1)))


def fleet_channel(types: MessageTypes, simulation: Simulation, frame_id: str) -> StateChannel:
    """Return the channel of the true poses of all vehicles, in the order of the world file."""
    def poses(time_ns: int) -> Any:
        return state_messages.pose_array(types, time_ns, frame_id, (
            vehicle.pose for vehicle in simulation.vehicles.values()))

    return StateChannel('ground_truth_poses', 'geometry_msgs/PoseArray', poses)


def people_channels(types: MessageTypes, simulation: Simulation, frame_id: str,
                    ) -> tuple[StateChannel, ...]:
    """Return the channels of all people, with velocities and as boxes, or none without people."""
    def with_velocities(time_ns: int) -> Any:
        kind, point = types.people_msgs, types.geometry_msgs.Point
        people = []
        for name, each in simulation.actors.items():
            (vx, vy, _), pose = each.twist_body.tolist(), each.pose
            cosine, sine = math.cos(pose.yaw), math.sin(pose.yaw)
            people.append(kind.Person(
                name=name, position=point(x=pose.x, y=pose.y, z=pose.z), reliability=1.0,
                velocity=point(x=cosine * vx - sine * vy, y=sine * vx + cosine * vy, z=0.0)))
        return state_messages.stamped(kind.People(people=people), time_ns, frame_id)

    def boxes(time_ns: int) -> Any:
        kind, found = types.vision_msgs, []
        for name, each in simulation.actors.items():
            box, shape = kind.BoundingBox3D(), each.footprint
            state_messages.fill_pose(box.center, replace(
                each.pose, z=each.pose.z + 0.5 * (shape.zmin + shape.zmax)))
            (x, y), (x_max, y_max) = np.min(shape.polygon, axis=0), np.max(shape.polygon, axis=0)
            box.size.x, box.size.y = float(x_max - x), float(y_max - y)
            box.size.z = shape.zmax - shape.zmin
            found.append(state_messages.stamped(
                kind.Detection3D(bbox=box, id=name), time_ns, frame_id))
        return state_messages.stamped(
            kind.Detection3DArray(detections=found), time_ns, frame_id)

    return (StateChannel('people', 'people_msgs/People', with_velocities),
            StateChannel('people/boxes', 'vision_msgs/Detection3DArray', boxes),
            ) if simulation.actors else ()
