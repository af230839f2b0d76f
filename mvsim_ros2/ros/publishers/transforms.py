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

from mvsim_ros2.frames import Pose
from mvsim_ros2.ros.messages import qos, state_messages
from mvsim_ros2.ros.messages.qos import Qos
from mvsim_ros2.ros.publishers.topics import Topic, TYPES
from mvsim_ros2.simulation import Simulation


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


class ObjectPoses:
    """
    Publishes where everything is, as a transform for each vehicle, block, actor and shown object.

    It is a topic of its own, since these frames are none of the robots' trees.
    """

    def __init__(self, node: Node, frame_id: str, rate: float) -> None:
        """
        Advertise the topic, where there is a rate.

        :param frame_id: frame of the world.
        :param rate: most messages a simulated second; 0: none.
        """
        self._frame_id = frame_id
        self._period_ns = round(1e9 / rate) if rate else 0
        self._due = 0  # number of the period that comes next
        self.topics = [Topic(node, TYPES.tf2_msgs.TFMessage, 'objects_ground_truth',
                             qos.TRANSFORMS)] if rate else []

    def publish(self, simulation: Simulation, stamp_ns: int, again: bool) -> None:
        """
        Publish, where it is due and has subscribers.

        :param stamp_ns: of the present state.
        :param again: whether a state that stays is published once more.
        """
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
            topic.publish(TYPES.tf2_msgs.TFMessage(transforms=[
                state_messages.transform(TYPES, stamp_ns, self._frame_id, name, pose)
                for name, pose in poses.items()]))
