# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Time: stamps of messages, the topic `/clock`, and other publishers of it."""

from collections.abc import Callable
import time

from rclpy.node import Node

from mvsim_ros2.ros.messages import qos
from mvsim_ros2.ros.messages.cdr import clock_bytes
from mvsim_ros2.ros.publishers.topics import Topic, TYPES

WATCH_PERIOD = 1.0  # s of the wall clock between two looks at the graph


class Stamps:
    """
    Stamps for simulated times.

    On the wall clock a state has the time at which it was reached. Measurements since the previous
    state have times in between.
    """

    def __init__(self, wall: bool, now: Callable[[], int] = time.time_ns) -> None:
        self.wall, self._now = wall, now
        self._before = self._reached = now() if wall else 0  # on the wall clock [ns]
        self._state_ns, self._speed = 0, 0.0

    def reach(self, time_ns: int, factor: float) -> None:
        """Note that a state was reached; `factor` is the wanted real-time factor, 0: none."""
        if self.wall:
            self._before, self._reached = self._reached, max(self._reached, self._now())
            self._state_ns, self._speed = time_ns, factor

    def of(self, time_ns: int) -> int:
        """Return the stamp [ns] of a simulated time, which only grows with it."""
        if not self.wall:
            return time_ns
        if not self._speed:
            return self._reached
        return max(self._before, self._reached - round((self._state_ns - time_ns) / self._speed))


class ClockWatch:
    """Warns of every other publisher of the clock, once."""

    def __init__(self, node: Node, topic: str, now: Callable[[], float] = time.monotonic) -> None:
        self._node, self._topic, self._now = node, topic, now
        self._due = now()
        self._known: set[bytes] = set()  # endpoints that have been warned of

    def look(self) -> None:
        """Look at the graph, where due."""
        if self._now() < self._due:
            return
        self._due = self._now() + WATCH_PERIOD
        if self._node.count_publishers(self._topic) < 2:
            return
        found = self._node.get_publishers_info_by_topic(self._topic)
        others = {bytes(each.endpoint_gid): f'{each.node_namespace.rstrip("/")}/{each.node_name}'
                  for each in found}
        own = self._node.get_fully_qualified_name()
        names = sorted(others.values())
        if own in names:
            names.remove(own)
        if set(others) - self._known and names:
            self._node.get_logger().warning(
                f'{self._topic} has another publisher, {", ".join(names)}: time jumps for all who '
                'use it. End the other one, or give this simulator another ROS_DOMAIN_ID, or its '
                'own clock: -r /clock:=NAME/clock')
        self._known |= set(others)


class ClockTopic:
    """Publishes simulated time at a limited rate."""

    def __init__(self, node: Node, rate: float, now: Callable[[], float] = time.monotonic) -> None:
        self.topic = Topic(node, TYPES.rosgraph_msgs.Clock, '/clock', qos.CLOCK)
        self._period = 1.0 / rate
        self._now = now
        self._due = now()

    def publish(self, time_ns: int) -> None:
        """Publish the simulated time if it has subscribers and is due."""
        now = self._now()
        if self.topic.has_subscribers and now >= self._due:
            self.topic.publish(clock_bytes(time_ns))
            # up to half a period of delay is compensated, to keep the mean rate
            self._due = max(self._due, now - 0.5 * self._period) + self._period
