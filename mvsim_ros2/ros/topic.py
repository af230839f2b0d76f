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
"""A publisher that knows whether somebody listens."""

from typing import Any

from rclpy.node import Node
from rclpy.qos_overriding_options import InvalidQosOverridesError
from rclpy.qos_overriding_options import QoSOverridingOptions

from mvsim_ros2.messages.qos import Qos
from mvsim_ros2.messages.settings import ParameterError
from mvsim_ros2.ros.qos import profile


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
