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
"""Topics of the original that the others do not need: for the parameter `compat`."""

from geometry_msgs.msg import Point32
from geometry_msgs.msg import Polygon
from geometry_msgs.msg import PoseArray
from geometry_msgs.msg import PoseWithCovarianceStamped
from rclpy.node import Node

from mvsim_ros2.handles import VehicleHandle
from mvsim_ros2.messages import qos
from mvsim_ros2.messages import states
from mvsim_ros2.messages.names import FrameNames
from mvsim_ros2.ros.message_types import TYPES
from mvsim_ros2.ros.topic import Topic


class CompatTopics:
    """The topics `chassis_polygon`, `amcl_pose` and `particlecloud` of one vehicle."""

    def __init__(self, node: Node, prefix: str, vehicle: VehicleHandle, frames: FrameNames,
                 localization: bool) -> None:
        """
        Advertise the topics, and publish the polygon.

        :param prefix: of the topics, '' or ending in a slash.
        :param frames: names of the vehicle's frames.
        :param localization: publish the true pose as amcl would.
        """
        self._vehicle, self._frames = vehicle, frames
        polygon = Topic(node, Polygon, f'{prefix}chassis_polygon', qos.latched())
        polygon.publish(Polygon(points=[
            Point32(x=x, y=y) for x, y in vehicle.footprint.polygon]))
        self._pose = self._cloud = None
        if localization:
            self._pose = Topic(
                node, PoseWithCovarianceStamped, f'{prefix}amcl_pose', qos.latched())
            self._cloud = Topic(node, PoseArray, f'{prefix}particlecloud', qos.Qos(1))
        self.topics = [topic for topic in (polygon, self._pose, self._cloud) if topic]

    def publish(self, time_ns: int) -> None:
        """Publish the true pose where somebody listens."""
        if self._pose is not None and self._pose.wanted:
            message = PoseWithCovarianceStamped()
            states.fill_stamp(message.header, time_ns, self._frames.odom)
            states.fill_pose(message.pose.pose, self._vehicle.pose)
            self._pose.publish(message)
        if self._cloud is not None and self._cloud.wanted:
            self._cloud.publish(states.pose_array(
                TYPES, time_ns, self._frames.world, [self._vehicle.pose]))
