# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The topics of vehicles, and the poses of all objects."""

from collections.abc import Callable, Iterable
from typing import Any

from geometry_msgs.msg import Point32, Polygon
from rclpy.node import Node
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import MarkerArray

from mvsim_ros2.frames import Pose
from mvsim_ros2.ros.messages import qos, state_messages
from mvsim_ros2.ros.messages.names import FrameNames
from mvsim_ros2.ros.messages.settings import Settings
from mvsim_ros2.ros.messages.urdf_export.robot_model import RobotModel
from mvsim_ros2.ros.messages.vehicle_channels import (
    compatible_channels, StateChannel, vehicle_channels)
from mvsim_ros2.ros.publishers.markers import contact_markers
from mvsim_ros2.ros.publishers.topics import Topic, Topics, TYPES
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.simulation.handles import Contact, Fleet, SensorHandle, VehicleHandle


class StateTopics(Topics):
    """Publishes the channels that have subscribers."""

    def __init__(self, node: Node, channels: Iterable[StateChannel]) -> None:
        super().__init__(node, ((each.topic, each.qos, each) for each in channels))
        # of those that have subscribers: how they are sent, and what makes the message
        self._heard: list[tuple[Callable[[Any], None], Callable[[int], Any]]] = []

    def refresh(self) -> None:
        """Update the numbers of subscribers."""
        super().refresh()
        self._heard = [(topic.publish, channel.build) for topic, channel in self._channels
                       if topic.has_subscribers]

    def publish(self, time_ns: int) -> None:
        """Publish the present state."""
        for send, make in self._heard:
            send(make(time_ns))


class VehicleTopics(StateTopics):
    """The topics of one vehicle, apart from its frames and sensors."""

    def __init__(self, node: Node, prefix: str, vehicle: VehicleHandle, frames: FrameNames,
                 sensors: Iterable[SensorHandle], fleet: Fleet, settings: Settings) -> None:
        self.vehicle, self.frames = vehicle, frames
        self.model = RobotModel(vehicle, frames, sensors)
        is_original = settings.compat == 'mvsim'
        super().__init__(node, [
            *vehicle_channels(TYPES, prefix, vehicle, frames, self.model, fleet),
            *(compatible_channels(TYPES, prefix, vehicle, frames)
              if is_original and settings.publish_map_odom else ())])
        self._description = Topic(
            node, TYPES.std_msgs.String, f'{prefix}robot_description', qos.latched(),
        ) if settings.publish_robot_description else None
        self._polygon = Topic(
            node, Polygon, f'{prefix}chassis_polygon', qos.latched()) if is_original else None
        self._contacts = Topic(node, MarkerArray, f'{prefix}contacts', qos.STATE)
        self.topics += [each for each in (
            self._description, self._polygon, self._contacts) if each]
        self._touched: dict[str, list[Contact]] = {}  # since the last message, by partner
        self._published = True  # the contacts in `_touched`

    def begin(self) -> None:
        """Publish description and outline, latched, and clear the last contacts."""
        self._touched.clear()
        if self._description:
            self._description.publish(TYPES.std_msgs.String(data=self.model.description()))
        if self._polygon:
            self._polygon.publish(Polygon(points=[
                Point32(x=x, y=y) for x, y in self.vehicle.footprint.polygon]))

    @property
    def records_contacts(self) -> bool:
        """Return whether `record_contacts` must be called after each step."""
        return self._contacts.has_subscribers

    def record_contacts(self) -> None:
        """Record the present contacts after a step."""
        if self._published:
            self._touched, self._published = {}, False
        touching: dict[str, list[Contact]] = {}
        for contact in self.vehicle.contacts:
            touching.setdefault(contact.partner, []).append(contact)
        self._touched |= touching

    def publish(self, time_ns: int) -> None:
        """Publish the present state, and the contacts since the last message."""
        super().publish(time_ns)
        if self._contacts.has_subscribers:
            self._contacts.publish(contact_markers(
                time_ns, self.frames.world, self.vehicle.pose.z,
                [each for contacts in self._touched.values() for each in contacts]))
            self._published = True


class ObjectPoses:
    """
    Publishes where everything is, as a transform for each vehicle, block, actor and shown object.

    The topic is `objects_ground_truth`, since these frames are none of the robots' trees.
    """

    def __init__(self, node: Node, frame_id: str, rate: float) -> None:
        """Advertise the topic, with a most frequent rate of simulated time [Hz], 0: none."""
        self._frame_id = frame_id
        self._period_ns = round(1e9 / rate) if rate else 0
        self._due = 0  # number of the period that comes next
        self.topics = [Topic(node, TFMessage, 'objects_ground_truth',
                             qos.TRANSFORMS)] if rate else []

    def publish(self, simulation: Simulation, stamp_ns: int, again: bool) -> None:
        """Publish, where it is due and has subscribers."""
        for topic in self.topics:
            period = simulation.time_ns // self._period_ns
            if not topic.has_subscribers or period == self._due and not again:
                continue
            self._due = period
            poses: dict[str, Pose] = {
                name: each.pose for group in (
                    simulation.vehicles, simulation.blocks, simulation.actors)
                for name, each in group.items()}
            poses |= {each.name: each.pose for each in simulation.runtime_objects}
            topic.publish(TFMessage(transforms=[
                state_messages.transform(TYPES, stamp_ns, self._frame_id, name, pose)
                for name, pose in poses.items()]))
