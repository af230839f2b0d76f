# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The state topics of a vehicle: odometry, ground truth, collision, joints."""

from collections.abc import Callable
from dataclasses import dataclass, replace
import math
from typing import Any

import numpy as np

from mvsim_ros2.ros.messages import state_messages
from mvsim_ros2.ros.messages.cdr import OdometryBytes
from mvsim_ros2.ros.messages.message_types import MessageTypes
from mvsim_ros2.ros.messages.names import FrameNames
from mvsim_ros2.ros.messages.qos import latched, Qos, STATE
from mvsim_ros2.ros.messages.urdf_export.robot_model import RobotModel
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.simulation.handles import Fleet, VehicleHandle


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
    """
    Return the channels of one vehicle.

    :param prefix: of the topics, '' or ending in a slash.
    """
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
