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
"""The topics of vehicles."""

from collections.abc import Iterable
from typing import Any

from rclpy.node import Node
from visualization_msgs.msg import MarkerArray

from mvsim_ros2.handles import Contact
from mvsim_ros2.handles import SensorHandle
from mvsim_ros2.handles import VehicleHandle
from mvsim_ros2.messages import qos
from mvsim_ros2.messages.names import FrameNames
from mvsim_ros2.messages.robot_model import RobotModel
from mvsim_ros2.messages.settings import Settings
from mvsim_ros2.messages.transforms import moving_frames
from mvsim_ros2.messages.vehicles import StateChannel
from mvsim_ros2.messages.vehicles import vehicle_channels
from mvsim_ros2.ros import marker_messages
from mvsim_ros2.ros.message_types import TYPES
from mvsim_ros2.ros.topic import Topic


class StateTopics:
    """Publishes on some channels where somebody listens."""

    def __init__(self, node: Node, channels: Iterable[StateChannel]) -> None:
        """Advertise the topics."""
        self._channels = [
            (Topic(node, TYPES.named(each.message_type), each.topic, each.qos), each)
            for each in channels]
        self.topics = [topic for topic, _ in self._channels]

    def publish(self, time_ns: int) -> None:
        """Publish the present state."""
        for topic, channel in self._channels:
            if topic.wanted:
                topic.publish(channel.build(time_ns))


class VehicleTopics(StateTopics):
    """
    The topics of one vehicle, and its moving frames.

    Frames of wheels are for those who show the robot; without somebody who listens to its
    description there are none.
    """

    def __init__(self, node: Node, prefix: str, vehicle: VehicleHandle, frames: FrameNames,
                 sensors: Iterable[SensorHandle]) -> None:
        """
        Advertise the topics.

        :param prefix: of the topics, '' or ending in a slash.
        :param frames: names of the vehicle's frames.
        :param sensors: those of the vehicle.
        """
        self._vehicle, self._frames = vehicle, frames
        self._model = RobotModel(TYPES, vehicle, frames, sensors)
        super().__init__(node, vehicle_channels(TYPES, prefix, vehicle, frames, self._model))
        self._description = Topic(
            node, TYPES.std_msgs.String, f'{prefix}robot_description', qos.latched())
        self._contacts = Topic(node, MarkerArray, f'{prefix}contacts', qos.STATE)
        self.topics += [self._description, self._contacts]
        self._touched: dict[str, list[Contact]] = {}  # since the last message, by partner
        self._told = True  # they were published

    def begin(self) -> None:
        """Publish the description, for whoever comes; what touched it before is over."""
        self._touched.clear()
        self._description.publish(self._model.description())

    @property
    def feels(self) -> bool:
        """Return whether somebody listens to its contacts: then it has to `feel` each step."""
        return self._contacts.wanted

    def feel(self) -> None:
        """Take note of what touches it after a step, and where."""
        if self._told:
            self._touched, self._told = {}, False
        touching: dict[str, list[Contact]] = {}
        for contact in self._vehicle.contacts:
            touching.setdefault(contact.partner, []).append(contact)
        self._touched |= touching

    def publish(self, time_ns: int) -> None:
        """Publish the present state, and what touched it since it was published last."""
        super().publish(time_ns)
        if self._contacts.wanted:
            self._contacts.publish(marker_messages.contact_markers(
                time_ns, self._frames.world, self._vehicle.pose.z,
                [each for contacts in self._touched.values() for each in contacts]))
            self._told = True

    def transforms(self, time_ns: int, settings: Settings) -> list[Any]:
        """Return where its frames are."""
        wheels = self._model.wheel_transforms(time_ns) if self._description.wanted else []
        return wheels + moving_frames(TYPES, time_ns, self._vehicle, self._frames, settings)


class MovingFrames:
    """Publishes where vehicles are in the frames that they believe in."""

    def __init__(self, node: Node, topic: str, settings: Settings) -> None:
        """Advertise the topic."""
        self.topic = Topic(node, TYPES.tf2_msgs.TFMessage, topic, qos.TRANSFORMS)
        self.vehicles: list[VehicleTopics] = []
        self._settings = settings

    def publish(self, time_ns: int) -> None:
        """Publish the frames of the present state, in one message."""
        if self.topic.wanted:
            transforms = [each for vehicle in self.vehicles
                          for each in vehicle.transforms(time_ns, self._settings)]
            if transforms:
                self.topic.publish(TYPES.tf2_msgs.TFMessage(transforms=transforms))
