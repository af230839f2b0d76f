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
"""The topic `/clock`."""

from collections.abc import Callable
import time

from rclpy.node import Node

from mvsim_ros2.messages import qos
from mvsim_ros2.messages import states
from mvsim_ros2.ros.message_types import TYPES
from mvsim_ros2.ros.topic import Topic


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
            self.topic.publish(states.clock(TYPES, time_ns))
            # half a period of patience keeps the mean rate where the loop is a bit late
            self._due = max(self._due, now - 0.5 * self._period) + self._period
