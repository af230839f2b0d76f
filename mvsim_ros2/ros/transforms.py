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
"""
Where the frames are: the topics `tf` and `tf_static`.

The tree is REP-105's and REP-120's: map -> odom -> base_footprint -> base_link -> sensors.
The base_footprint coincides with base_link, because vehicles move in a plane.
"""

from collections.abc import Iterable
from collections.abc import Sequence
import math

from geometry_msgs.msg import TransformStamped
from rclpy.node import Node
from tf2_msgs.msg import TFMessage

from mvsim_ros2.frames import Pose
from mvsim_ros2.handles import SensorHandle
from mvsim_ros2.handles import VehicleHandle
from mvsim_ros2.ros import messages
from mvsim_ros2.ros import qos
from mvsim_ros2.ros.names import FrameNames
from mvsim_ros2.ros.robot_model import RobotModel
from mvsim_ros2.ros.topic import Topic


class MovingFrames:
    """Publishes where vehicles are in the frames that they believe in."""

    def __init__(self, node: Node, topic: str, odom: bool, map_odom: bool) -> None:
        """
        Advertise the topic.

        :param odom: publish odom -> robot, as the odometry has it.
        :param map_odom: publish map -> odom, so that map -> robot is the truth.
        """
        self.topic = Topic(node, TFMessage, topic, qos.TRANSFORMS)
        # vehicles, the names of their frames, their models
        self.vehicles: Sequence[tuple[VehicleHandle, FrameNames, RobotModel]] = ()
        self._odom, self._map_odom = odom, map_odom

    def publish(self, time_ns: int) -> None:
        """Publish the frames of the present state, in one message."""
        if not self.topic.wanted:
            return
        transforms: list[TransformStamped] = []
        for vehicle, frames, model in self.vehicles:
            transforms += model.wheel_transforms(time_ns)
            x, y, yaw = vehicle.odometry.pose
            robot = Pose(x, y, 0.0, yaw)
            if self._map_odom:
                transforms.append(messages.transform(
                    time_ns, frames.world, frames.odom, odometry_origin(vehicle.pose, robot)))
            if self._odom:
                transforms.append(messages.transform(
                    time_ns, frames.odom, frames.moving, robot))
        if transforms:
            self.topic.publish(TFMessage(transforms=transforms))


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


def fixed_frames(time_ns: int, frames: FrameNames,
                 sensors: Iterable[SensorHandle]) -> list[TransformStamped]:
    """Return the transforms of one vehicle that never change: footprint and sensors."""
    parent, child = frames.footprint, frames.base
    if frames.original:
        parent, child = child, parent
    footprint = [] if not frames.footprint else [
        messages.transform(time_ns, parent, child, Pose())]
    return footprint + [
        messages.transform(
            time_ns, frames.prefix + frame.parent if frame.parent else frames.base,
            frames.prefix + frame.name, frame.pose)
        for sensor in sensors for frame in sensor.frames]
