# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The state topics of a vehicle: odometry, ground truth, collision, joints."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from mvsim_ros2.frames import Pose
from mvsim_ros2.ros.messages import state_messages
from mvsim_ros2.ros.messages.cdr import OdometryBytes
from mvsim_ros2.ros.messages.message_types import MessageTypes
from mvsim_ros2.ros.messages.names import FrameNames
from mvsim_ros2.ros.messages.qos import Qos, STATE
from mvsim_ros2.ros.messages.urdf_export.robot_model import RobotModel
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.simulation.handles import Fleet, Report, VehicleHandle


@dataclass(frozen=True)
class StateChannel:
    """A topic with the present state, published at every tick of the odometry."""

    topic: str
    message_type: str  # with its package
    build: Callable[[int], Any]  # simulated time [ns] -> message of the present state
    qos: Qos = STATE
    # the same -> bytes of the message that `build` returns, quicker
    pack: Callable[[int], bytes] | None = None


def vehicle_channels(types: MessageTypes, prefix: str, vehicle: VehicleHandle,
                     frames: FrameNames, model: RobotModel,
                     fleet: Fleet | None = None) -> tuple[StateChannel, ...]:
    """
    Return the channels of one vehicle.

    :param types: classes of messages.
    :param prefix: of the topics, '' or ending in a slash.
    :param frames: names of the vehicle's frames.
    :param fleet: that is asked to look before states are packed; None: none is packed.
    """

    def belief() -> tuple[Pose, Sequence[float], Any, Any]:
        belief = vehicle.odometry
        (x, y, yaw), (vx, vy, wz) = belief.pose, belief.twist
        return (Pose(x, y, 0.0, yaw), (vx, vy, 0.0, 0.0, 0.0, wz), belief.pose_covariance,
                belief.twist_covariance)

    def motion() -> tuple[Pose, Sequence[float]]:
        return vehicle.pose, vehicle.twist_in_space.tolist()

    def odometry(time_ns: int) -> Any:
        return state_messages.odometry(types, time_ns, frames.odom, frames.base, *belief())

    def truth(time_ns: int) -> Any:
        return state_messages.odometry(types, time_ns, frames.truth, frames.base, *motion())

    def packer(frame_id: str, part: Callable[[Report], memoryview],
               ) -> Callable[[int], bytes] | None:
        if fleet is None:
            return None
        packed, name = OdometryBytes(frame_id, frames.base), vehicle.name
        return lambda time_ns: packed.of(time_ns, part(fleet.reports[name]))

    def collision(time_ns: int) -> Any:
        return types.std_msgs.Bool(data=vehicle.collided)

    return (StateChannel(f'{prefix}odom', 'nav_msgs/Odometry', odometry,
                         pack=packer(frames.odom, attrgetter('belief'))),
            StateChannel(f'{prefix}base_pose_ground_truth', 'nav_msgs/Odometry', truth,
                         pack=packer(frames.truth, attrgetter('truth'))),
            StateChannel(f'{prefix}collision', 'std_msgs/Bool', collision),
            StateChannel(f'{prefix}joint_states', 'sensor_msgs/JointState', model.joint_states))


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
