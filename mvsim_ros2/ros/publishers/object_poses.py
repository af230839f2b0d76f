# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The true poses of all objects: the topic `objects_ground_truth`."""

from rclpy.node import Node

from mvsim_ros2.frames import Pose
from mvsim_ros2.ros.messages import qos, state_messages
from mvsim_ros2.ros.publishers.topics import Topic, TYPES
from mvsim_ros2.simulation import Simulation


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
