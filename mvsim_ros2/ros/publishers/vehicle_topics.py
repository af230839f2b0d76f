# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The topics of vehicles."""

from collections.abc import Callable, Iterable
from typing import Any

from geometry_msgs.msg import Point32, Polygon, PoseArray, PoseWithCovarianceStamped
from rclpy.node import Node
from visualization_msgs.msg import MarkerArray

from mvsim_ros2.ros.messages import qos, state_messages
from mvsim_ros2.ros.messages.cdr import TransformsBytes
from mvsim_ros2.ros.messages.names import FrameNames
from mvsim_ros2.ros.messages.settings import Settings
from mvsim_ros2.ros.messages.transform_messages import moving_frames, moving_links, moving_numbers
from mvsim_ros2.ros.messages.urdf_export.robot_model import RobotModel
from mvsim_ros2.ros.messages.vehicle_channels import StateChannel, vehicle_channels
from mvsim_ros2.ros.publishers.markers import contact_markers
from mvsim_ros2.ros.publishers.topics import Topic, TYPES
from mvsim_ros2.ros.publishers.transforms import moving_transforms
from mvsim_ros2.simulation.handles import Contact, Fleet, SensorHandle, VehicleHandle


class StateTopics:
    """Publishes the channels that have subscribers."""

    def __init__(self, node: Node, channels: Iterable[StateChannel]) -> None:
        """Advertise the topics."""
        self._channels = [
            (Topic(node, TYPES.named(each.message_type), each.topic, each.qos), each)
            for each in channels]
        self.topics = [topic for topic, _ in self._channels]
        # of those that have subscribers: how they are sent, and what makes the message
        self._heard: list[tuple[Callable[[Any], None], Callable[[int], Any]]] = []

    def refresh(self) -> None:
        """Update the numbers of subscribers."""
        for topic in self.topics:
            topic.refresh()
        self._heard = [
            (topic.publish, channel.build) if channel.pack is None
            else (topic.send_bytes, channel.pack)
            for topic, channel in self._channels if topic.has_subscribers]

    @property
    def has_subscribers(self) -> bool:
        """Return whether one of the topics had subscribers at the last `refresh`."""
        return any(topic.has_subscribers for topic in self.topics)

    def publish(self, time_ns: int) -> None:
        """Publish the present state."""
        for send, make in self._heard:
            send(make(time_ns))


class VehicleTopics(StateTopics):
    """
    The topics of one vehicle, and its moving frames.

    Frames of wheels are published only where the description of the robot has subscribers.
    """

    def __init__(self, node: Node, prefix: str, vehicle: VehicleHandle, frames: FrameNames,
                 sensors: Iterable[SensorHandle], fleet: Fleet) -> None:
        """
        Advertise the topics.

        :param prefix: of the topics, '' or ending in a slash.
        :param frames: names of the vehicle's frames.
        :param sensors: those of the vehicle.
        :param fleet: that has looked when something is published.
        """
        self._vehicle, self._frames = vehicle, frames
        self._model = RobotModel(TYPES, vehicle, frames, sensors)
        super().__init__(node, vehicle_channels(
            TYPES, prefix, vehicle, frames, self._model, fleet))
        self._description = Topic(
            node, TYPES.std_msgs.String, f'{prefix}robot_description', qos.latched())
        self._contacts = Topic(node, MarkerArray, f'{prefix}contacts', qos.STATE)
        self.topics += [self._description, self._contacts]
        self._touched: dict[str, list[Contact]] = {}  # since the last message, by partner
        self._published = True  # the contacts in `_touched`

    def begin(self) -> None:
        """Publish the description, latched, and forget the contacts before."""
        self._touched.clear()
        self._description.publish(self._model.description())

    @property
    def records_contacts(self) -> bool:
        """Return whether `record_contacts` must be called after each step."""
        return self._contacts.has_subscribers

    def record_contacts(self) -> None:
        """Record the present contacts after a step."""
        if self._published:
            self._touched, self._published = {}, False
        touching: dict[str, list[Contact]] = {}
        for contact in self._vehicle.contacts:
            touching.setdefault(contact.partner, []).append(contact)
        self._touched |= touching

    def publish(self, time_ns: int) -> None:
        """Publish the present state, and the contacts since the last message."""
        super().publish(time_ns)
        if self._contacts.has_subscribers:
            self._contacts.publish(contact_markers(
                time_ns, self._frames.world, self._vehicle.pose.z,
                [each for contacts in self._touched.values() for each in contacts]))
            self._published = True

    @property
    def shows_wheels(self) -> bool:
        """Return whether the frames of the wheels are published."""
        return self._description.has_subscribers

    def links(self, settings: Settings) -> list[tuple[str, str]]:
        """Return parent and child of the moving frames, without the wheels."""
        return moving_links(self._frames, settings)

    def numbers(self, fleet: Fleet, settings: Settings) -> list[memoryview]:
        """Return the numbers of their poses."""
        return moving_numbers(
            fleet.reports[self._vehicle.name], self._vehicle.spec, settings)

    def transforms(self, time_ns: int, settings: Settings) -> list[Any]:
        """Return the transforms of the moving frames."""
        wheels = self._model.wheel_transforms(time_ns) if self.shows_wheels else []
        return wheels + moving_frames(TYPES, time_ns, self._vehicle, self._frames, settings)


class MovingFrames:
    """Publishes the moving frames of vehicles."""

    def __init__(self, node: Node, topic: str, settings: Settings, fleet: Fleet) -> None:
        """
        Advertise the topic.

        :param fleet: that has looked when something is published.
        """
        self.topic = moving_transforms(node, topic)
        self._settings, self._fleet = settings, fleet
        self.set_vehicles([])

    def set_vehicles(self, vehicles: list[VehicleTopics]) -> None:
        """Publish the frames of these vehicles from now on."""
        self._vehicles = vehicles
        self._bytes = TransformsBytes([
            link for vehicle in vehicles for link in vehicle.links(self._settings)])
        self._known: object = None  # what the numbers were taken from
        self._numbers: list[memoryview] = []

    def publish(self, time_ns: int) -> None:
        """Publish the transforms of the present state in one message."""
        if not self.topic.has_subscribers:
            return
        if self.topic.takes_bytes and not any(each.shows_wheels for each in self._vehicles):
            if self._known is not self._fleet.reports:
                self._known = self._fleet.reports
                self._numbers = [pose for vehicle in self._vehicles
                                 for pose in vehicle.numbers(self._fleet, self._settings)]
            if self._numbers:
                self.topic.send_bytes(self._bytes.of(time_ns, self._numbers))
        else:
            transforms = [each for vehicle in self._vehicles
                          for each in vehicle.transforms(time_ns, self._settings)]
            if transforms:
                self.topic.send(transforms)


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
        """Publish the true pose on the topics that have subscribers."""
        if self._pose is not None and self._pose.has_subscribers:
            message = PoseWithCovarianceStamped()
            state_messages.fill_stamp(message.header, time_ns, self._frames.odom)
            state_messages.fill_pose(message.pose.pose, self._vehicle.pose)
            self._pose.publish(message)
        if self._cloud is not None and self._cloud.has_subscribers:
            self._cloud.publish(state_messages.pose_array(
                TYPES, time_ns, self._frames.world, [self._vehicle.pose]))
