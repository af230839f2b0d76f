# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The topics of the sensors."""

from rclpy.node import Node

from mvsim_ros2.messages.qos import Qos
from mvsim_ros2.messages.sensor_channels import channels_of
from mvsim_ros2.messages.sensor_channels import message_of
from mvsim_ros2.ros.publishers.ros_message_types import TYPES
from mvsim_ros2.ros.publishers.topic import Topic
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.spec.sensors.base import SensorSpec


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
