# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Topics of transforms.

They are sent by the broadcasters of tf2_ros, one for each topic, where that package is installed,
and published as the same messages elsewhere. Frames that move go as bytes through the publisher of
their broadcaster, which would make the same bytes of objects first.
"""

from importlib import import_module
from typing import Any

from rclpy.node import Node

from mvsim_ros2.ros.messages import qos
from mvsim_ros2.ros.messages.qos import Qos
from mvsim_ros2.ros.publishers.topics import Topic, TYPES


def moving_transforms(node: Node, name: str) -> 'TransformTopic':
    """Advertise a topic of moving frames."""
    return TransformTopic(node, name, qos.TRANSFORMS, 'TransformBroadcaster')


def static_transforms(node: Node, name: str) -> 'TransformTopic':
    """Advertise a topic of frames that do not move; the last message reaches everyone."""
    return TransformTopic(node, name, qos.latched(), 'StaticTransformBroadcaster')


def broadcaster_class(name: str) -> Any:
    """Return a class of tf2_ros, None where that package is not installed."""
    try:
        return getattr(import_module('tf2_ros'), name)
    except ImportError:
        return None


class TransformTopic(Topic):
    """A topic of transforms."""

    def __init__(self, node: Node, name: str, profile: Qos, broadcaster: str) -> None:
        """
        Advertise the topic.

        :param broadcaster: class of tf2_ros that sends its messages.
        """
        super().__init__(node, TYPES.tf2_msgs.TFMessage, name, profile)
        self._broadcaster = broadcaster_class(broadcaster)
        # whether bytes are the same as `send`: it publishes with nothing but this publisher
        self.takes_bytes = self._broadcaster is None or any(
            each is self._publisher for each in vars(self._broadcaster(self)).values())

    def create_publisher(self, *unused: Any) -> Any:
        """Return the publisher; a broadcaster, which takes this for its node, asks for one."""
        return self._publisher

    def send(self, transforms: list[Any]) -> None:
        """Send transforms, all that hold from now on."""
        if self._broadcaster is None:
            self.publish(TYPES.tf2_msgs.TFMessage(transforms=transforms))
        else:  # a new one, since it keeps what it sent
            self._broadcaster(self).sendTransform(transforms)
