# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""What a vehicle says of its own state: odometry, ground truth, collision, joints."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mvsim_ros2.frames import Pose
from mvsim_ros2.handles import VehicleHandle
from mvsim_ros2.messages import states
from mvsim_ros2.messages.message_types import MessageTypes
from mvsim_ros2.messages.names import FrameNames
from mvsim_ros2.messages.qos import Qos
from mvsim_ros2.messages.qos import STATE
from mvsim_ros2.messages.robot_model import RobotModel
from mvsim_ros2.simulation import Simulation


@dataclass(frozen=True)
class StateChannel:
    """A topic that says how things stand, at every tick of the odometry."""

    topic: str
    message_type: str  # with its package
    build: Callable[[int], Any]  # simulated time [ns] -> message of the present state
    qos: Qos = STATE


def vehicle_channels(types: MessageTypes, prefix: str, vehicle: VehicleHandle,
                     frames: FrameNames, model: RobotModel) -> tuple[StateChannel, ...]:
    """
    Return the channels of one vehicle.

    :param types: classes of messages.
    :param prefix: of the topics, '' or ending in a slash.
    :param frames: names of the vehicle's frames.
    """
    def odometry(time_ns: int) -> Any:
        belief = vehicle.odometry
        x, y, yaw = belief.pose
        return states.odometry(
            types, time_ns, frames.odom, frames.base, Pose(x, y, 0.0, yaw), belief.twist,
            belief.pose_covariance, belief.twist_covariance)

    def truth(time_ns: int) -> Any:
        vx, vy, wz = vehicle.twist_body.tolist()
        return states.odometry(
            types, time_ns, frames.truth, frames.base, vehicle.pose, (vx, vy, wz))

    def collision(time_ns: int) -> Any:
        return types.std_msgs.Bool(data=vehicle.collided)

    return (StateChannel(f'{prefix}odom', 'nav_msgs/Odometry', odometry),
            StateChannel(f'{prefix}base_pose_ground_truth', 'nav_msgs/Odometry', truth),
            StateChannel(f'{prefix}collision', 'std_msgs/Bool', collision),
            StateChannel(f'{prefix}joint_states', 'sensor_msgs/JointState', model.joint_states))


def fleet_channel(types: MessageTypes, simulation: Simulation, frame_id: str) -> StateChannel:
    """
    Return the channel of the true poses of all vehicles, in the order of the world file.

    :param types: classes of messages.
    :param frame_id: frame of the world.
    """
    def poses(time_ns: int) -> Any:
        return states.pose_array(types, time_ns, frame_id, (
            vehicle.pose for vehicle in simulation.vehicles.values()))

    return StateChannel('ground_truth_poses', 'geometry_msgs/PoseArray', poses)
