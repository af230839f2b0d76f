# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The topic `/clock`."""

from collections.abc import Callable
import time

from rclpy.node import Node

from mvsim_ros2.messages import qos
from mvsim_ros2.messages import state_messages
from mvsim_ros2.ros.publishers.ros_message_types import TYPES
from mvsim_ros2.ros.publishers.topic import Topic


class ClockTopic:
    """Publishes simulated time, so and so often at most a second of the wall clock."""

    def __init__(self, node: Node, rate: float,
                 now: Callable[[], float] = time.monotonic) -> None:
        """
        Advertise the topic.

        :param rate: most messages a second of the wall clock.
        :param now: wall clock [s].
        """
        self.topic = Topic(node, TYPES.rosgraph_msgs.Clock, '/clock', qos.CLOCK)
        self._period = 1.0 / rate
        self._now = now
        self._due = now()

    def publish(self, time_ns: int) -> None:
        """Publish the simulated time if somebody listens and the last message is old enough."""
        now = self._now()
        if self.topic.wanted and now >= self._due:
            self.topic.publish(state_messages.clock(TYPES, time_ns))
            # half a period of patience keeps the mean rate where the loop is a bit late
            self._due = max(self._due, now - 0.5 * self._period) + self._period
