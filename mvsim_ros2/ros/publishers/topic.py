# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A publisher that knows whether somebody listens."""

from typing import Any

from rclpy.node import Node
from rclpy.qos_overriding_options import InvalidQosOverridesError
from rclpy.qos_overriding_options import QoSOverridingOptions

from mvsim_ros2.messages.qos import Qos
from mvsim_ros2.messages.settings import ParameterError
from mvsim_ros2.ros.publishers.qos_profiles import profile


class Topic:
    """
    A topic to publish on.

    Its quality of service can be overridden by the parameters
    ``qos_overrides.<topic>.publisher.<policy>``.
    """

    def __init__(self, node: Node, message_type: type[Any], name: str, qos: Qos) -> None:
        """
        Advertise it.

        :raises ParameterError: where an override is not possible.
        """
        try:
            self._publisher = node.create_publisher(
                message_type, name, profile(qos),
                qos_overriding_options=QoSOverridingOptions.with_default_policies())
        except (InvalidQosOverridesError, RuntimeError) as error:
            raise ParameterError(f'topic {name}: {error}') from error
        self._node = node
        self.wanted = False  # somebody listened when `refresh` looked

    @property
    def name(self) -> str:
        """Full name on the graph."""
        return self._publisher.topic_name

    def refresh(self) -> None:
        """Look whether somebody listens."""
        self.wanted = self._publisher.get_subscription_count() > 0

    def withdraw(self) -> None:
        """Take it off the graph."""
        self._node.destroy_publisher(self._publisher)

    def publish(self, message: Any) -> None:
        """Send a message."""
        self._publisher.publish(message)
