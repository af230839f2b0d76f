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
"""What a vehicle says of its own state: odometry, ground truth, collision, contacts."""

from nav_msgs.msg import Odometry
from rclpy.node import Node
from std_msgs.msg import Bool
from visualization_msgs.msg import MarkerArray

from mvsim_ros2.frames import Pose
from mvsim_ros2.handles import VehicleHandle
from mvsim_ros2.ros import marker_messages
from mvsim_ros2.ros import messages
from mvsim_ros2.ros import qos
from mvsim_ros2.ros.names import FrameNames
from mvsim_ros2.ros.topic import Topic


class VehicleTopics:
    """The topics `odom`, `base_pose_ground_truth`, `collision`, `contacts` of one vehicle."""

    def __init__(self, node: Node, prefix: str, vehicle: VehicleHandle,
                 frames: FrameNames) -> None:
        """
        Advertise the topics.

        :param prefix: of the topics, '' or ending in a slash.
        :param frames: names of the vehicle's frames.
        """
        self._vehicle = vehicle
        self._frames = frames
        self._odom = Topic(node, Odometry, f'{prefix}odom', qos.STATE)
        self._truth = Topic(node, Odometry, f'{prefix}base_pose_ground_truth', qos.STATE)
        self._collision = Topic(node, Bool, f'{prefix}collision', qos.STATE)
        self._contacts = Topic(node, MarkerArray, f'{prefix}contacts', qos.STATE)
        self.topics = self._odom, self._truth, self._collision, self._contacts

    def publish(self, time_ns: int) -> None:
        """Publish the present state on the topics that somebody listens to."""
        vehicle, frames = self._vehicle, self._frames
        if self._odom.wanted:
            belief = vehicle.odometry
            x, y, yaw = belief.pose
            self._odom.publish(messages.odometry(
                time_ns, frames.odom, frames.base, Pose(x, y, 0.0, yaw), belief.twist,
                belief.pose_covariance, belief.twist_covariance))
        if self._truth.wanted:
            vx, vy, wz = vehicle.twist_body.tolist()
            self._truth.publish(messages.odometry(
                time_ns, frames.truth, frames.base, vehicle.pose, (vx, vy, wz)))
        if self._collision.wanted:
            self._collision.publish(Bool(data=vehicle.collided))
        if self._contacts.wanted:
            self._contacts.publish(marker_messages.contact_markers(
                time_ns, frames.world, vehicle.pose.z, vehicle.contacts))
