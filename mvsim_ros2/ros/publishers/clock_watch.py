# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A look-out for others that publish `/clock`: time would jump between them."""

from collections.abc import Callable
import time

from rclpy.node import Node

PERIOD = 1.0  # s of the wall clock between two looks


class ClockWatch:
    """Warns of every other publisher of the clock, once."""

    def __init__(self, node: Node, topic: str, now: Callable[[], float] = time.monotonic) -> None:
        """
        Watch a topic.

        :param topic: fully qualified name of the clock of this node.
        :param now: wall clock [s].
        """
        self._node, self._topic, self._now = node, topic, now
        self._due = now()
        self._known: set[bytes] = set()  # endpoints that have been warned of

    def look(self) -> None:
        """Look at the graph, where due."""
        if self._now() < self._due:
            return
        self._due = self._now() + PERIOD
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
