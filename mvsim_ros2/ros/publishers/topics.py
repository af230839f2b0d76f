# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Topics that are published only if they have subscribers, and topics of sensors."""

from array import array
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from rclpy.qos_overriding_options import InvalidQosOverridesError, QoSOverridingOptions

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.ros.messages.message_types import MessageTypes
from mvsim_ros2.ros.messages.qos import Qos
from mvsim_ros2.ros.messages.sensor_channels import Channel, channels_of, message_of, Stamp
from mvsim_ros2.ros.messages.settings import ParameterError
from mvsim_ros2.ros.messages.vehicle_channels import StateChannel
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.world.spec.sensors.base import SensorSpec


def _class(package: str, name: str) -> Any:
    """Return a class; raise `MvsimError` where this installation of ROS has none."""
    try:
        return getattr(import_module(f'{package}.msg'), name)
    except (ImportError, AttributeError) as error:
        raise MvsimError(f'there are no messages of the type {package}/msg/{name}: install the '
                         f'ROS package {package} that has them ({error})') from error


def is_there(channel: Channel | StateChannel) -> bool:
    """Return whether ROS has the messages of a channel."""
    try:
        TYPES.named(channel.message_type)
    except MvsimError:
        return False
    return True


def _array(values: NDArray[Any]) -> 'array[Any]':
    """Return a copy that a message takes as a block; numpy arrays are copied by element."""
    result: array[Any] = array(np.dtype(values.dtype).char)
    result.frombytes(values.data.cast('B'))
    return result


TYPES = MessageTypes(_class, _array)


def profile(qos: Qos) -> QoSProfile:
    """Return the QoS profile of rclpy."""
    return QoSProfile(
        depth=qos.depth,
        reliability=(ReliabilityPolicy.RELIABLE if qos.reliable
                     else ReliabilityPolicy.BEST_EFFORT),
        durability=(DurabilityPolicy.TRANSIENT_LOCAL if qos.latched
                    else DurabilityPolicy.VOLATILE))


class Topic:
    """
    A publisher that knows whether it has subscribers.

    Its quality of service can be overridden by the parameters
    ``qos_overrides.<topic>.publisher.<policy>``.
    """

    def __init__(self, node: Node, message_type: type[Any], name: str, qos: Qos) -> None:
        """Advertise the topic; raise `ParameterError` where a QoS override is invalid."""
        try:
            self._publisher = node.create_publisher(
                message_type, name, profile(qos),
                qos_overriding_options=QoSOverridingOptions.with_default_policies())
        except (InvalidQosOverridesError, RuntimeError) as error:
            raise ParameterError(f'topic {name}: {error}') from error
        self._node = node
        # without the checks of `publish`, which cost a tenth of a message
        self.send_bytes: Callable[[bytes], None] = self._publisher.handle.publish_raw
        self.has_subscribers = False  # at the last `refresh`

    @property
    def name(self) -> str:
        """Fully qualified name."""
        return self._publisher.topic_name

    def refresh(self) -> None:
        """Update `has_subscribers`."""
        self.has_subscribers = self._publisher.get_subscription_count() > 0

    def destroy(self) -> None:
        """Remove the topic from the graph."""
        self._node.destroy_publisher(self._publisher)

    def publish(self, message: Any) -> None:
        """Send a message, or the bytes of one."""
        if isinstance(message, bytes):
            self.send_bytes(message)
        else:
            self._publisher.publish(message)


class Topics:
    """Topics that belong together, given by name, quality of service and channel."""

    def __init__(self, node: Node, channels: Iterable[tuple[str, Qos, Any]]) -> None:
        self._channels = [
            (Topic(node, TYPES.named(channel.message_type), name, qos), channel)
            for name, qos, channel in channels]
        self.topics = [topic for topic, _ in self._channels]

    @property
    def has_subscribers(self) -> bool:
        """Return whether one of the topics had subscribers at the last `refresh`."""
        return any(topic.has_subscribers for topic in self.topics)

    def refresh(self) -> None:
        """Update the numbers of subscribers."""
        for topic in self.topics:
            topic.refresh()


class SensorTopics(Topics):
    """Publishes the observations of one sensor on all its topics."""

    def __init__(self, node: Node, name: str, spec: SensorSpec, frame_prefix: str,
                 qos: Qos) -> None:
        self._prefix = frame_prefix
        super().__init__(node, (
            (name + channel.ending, qos, channel) for channel in channels_of(spec)
            if not channel.optional or is_there(channel)))

    def publish(self, observation: Observation, stamp: Stamp | None = None) -> None:
        """Publish on topics with subscribers; `stamp` gives that of a simulated time [ns]."""
        for topic, channel in self._channels:
            if topic.has_subscribers:
                message = message_of(channel, TYPES, observation, self._prefix, stamp)
                if message is not None:
                    topic.publish(message)
