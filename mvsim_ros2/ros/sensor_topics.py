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
"""The topics of the sensors."""

from rclpy.node import Node

from mvsim_ros2.messages.channels import channels_of
from mvsim_ros2.messages.channels import message_of
from mvsim_ros2.messages.qos import Qos
from mvsim_ros2.ros.message_types import TYPES
from mvsim_ros2.ros.topic import Topic
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.world.spec.sensor import SensorSpec


class SensorTopics:
    """Publishes what one sensor measures, on all its topics."""

    def __init__(self, node: Node, name: str, spec: SensorSpec, frame_prefix: str,
                 qos: Qos) -> None:
        """
        Advertise the topics.

        :param name: that they begin with.
        :param frame_prefix: of the frames of the observations.
        """
        self._prefix = frame_prefix
        self._channels = [
            (Topic(node, TYPES.named(channel.message_type), name + channel.ending, qos),
             channel)
            for channel in channels_of(spec)]

    @property
    def topics(self) -> list[Topic]:
        """Return the topics."""
        return [topic for topic, _ in self._channels]

    @property
    def wanted(self) -> bool:
        """Return whether somebody listened to one of them when `refresh` looked."""
        return any(topic.wanted for topic, _ in self._channels)

    def refresh(self) -> None:
        """Look whether somebody listens."""
        for topic, _ in self._channels:
            topic.refresh()

    def publish(self, observation: Observation) -> None:
        """Publish a measurement where somebody listens."""
        for topic, channel in self._channels:
            if topic.wanted:
                message = message_of(channel, TYPES, observation, self._prefix)
                if message is not None:
                    topic.publish(message)
