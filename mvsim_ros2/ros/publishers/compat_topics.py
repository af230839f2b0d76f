# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Topics of the original that the others do not need: for the parameter `compat`."""

from geometry_msgs.msg import Point32
from geometry_msgs.msg import Polygon
from geometry_msgs.msg import PoseArray
from geometry_msgs.msg import PoseWithCovarianceStamped
from rclpy.node import Node

from mvsim_ros2.handles import VehicleHandle
from mvsim_ros2.messages import qos
from mvsim_ros2.messages import state_messages
from mvsim_ros2.messages.names import FrameNames
from mvsim_ros2.ros.publishers.ros_message_types import TYPES
from mvsim_ros2.ros.publishers.topic import Topic


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
            state_messages.fill_stamp(message.header, time_ns, self._frames.odom)
            state_messages.fill_pose(message.pose.pose, self._vehicle.pose)
            self._pose.publish(message)
        if self._cloud is not None and self._cloud.wanted:
            self._cloud.publish(state_messages.pose_array(
                TYPES, time_ns, self._frames.world, [self._vehicle.pose]))
