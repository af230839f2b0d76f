# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The state topics of a vehicle: odometry, ground truth, collision, joints."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

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

    :param types: classes of messages.
    :param prefix: of the topics, '' or ending in a slash.
    :param frames: names of the vehicle's frames.
    :param fleet: that has looked when messages are built.
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
    """
    Return the channel of the true poses of all vehicles, in the order of the world file.

    :param types: classes of messages.
    :param frame_id: frame of the world.
    """
    def poses(time_ns: int) -> Any:
        return state_messages.pose_array(types, time_ns, frame_id, (
            vehicle.pose for vehicle in simulation.vehicles.values()))

    return StateChannel('ground_truth_poses', 'geometry_msgs/PoseArray', poses)
