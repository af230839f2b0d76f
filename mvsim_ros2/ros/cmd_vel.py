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
"""Velocity commands: the topic `cmd_vel` of each vehicle, as Twist or as TwistStamped."""

from collections.abc import Callable
from functools import partial
import math
from typing import Any

from geometry_msgs.msg import Twist
from geometry_msgs.msg import TwistStamped
from rclpy.node import Node

from mvsim_ros2.errors import ControllerError
from mvsim_ros2.handles import VehicleHandle
from mvsim_ros2.messages.qos import COMMAND
from mvsim_ros2.ros.inbox import Inbox
from mvsim_ros2.ros.qos import profile

TYPES: dict[str, type[Any]] = {'twist': Twist, 'twist_stamped': TwistStamped}
WARN_PERIOD = 5.0  # s


class TwistInput:
    """
    What reaches one vehicle of the velocity commands.

    Commands are held until the next one, or until none came for `timeout_ns` of simulated
    time: then the vehicle is told to stop.
    """

    def __init__(self, node: Node, prefix: str, vehicle: VehicleHandle, inbox: Inbox,
                 now_ns: Callable[[], int]) -> None:
        """
        Prepare for commands; `listen` subscribes to them.

        :param prefix: of the topic, '' or ending in a slash.
        :param now_ns: simulated time [ns], called by the simulation loop.
        """
        self._logger = node.get_logger()
        self.topic = node.resolve_topic_name(f'{prefix}cmd_vel')
        self._vehicle = vehicle
        self._inbox = inbox
        self._now_ns = now_ns
        self._subscriptions: list[tuple[Node, Any]] = []
        self._last_ns: int | None = None  # time of the command in force
        self.taken = self.refused = self.run_out = 0  # commands so far

    def listen(self, node: Node, kind: str) -> None:
        """Subscribe to commands of one type, with any node of this process."""
        self._subscriptions.append((node, node.create_subscription(
            TYPES[kind], self.topic, self._take, profile(COMMAND))))

    def withdraw(self) -> None:
        """Take no more commands, after the vehicle has gone."""
        for node, subscription in self._subscriptions:
            node.destroy_subscription(subscription)
        self._subscriptions.clear()

    def _take(self, message: Twist | TwistStamped) -> None:
        """Leave a command for the simulation loop."""
        twist = message.twist if isinstance(message, TwistStamped) else message
        numbers = twist.linear.x, twist.angular.z, twist.linear.y
        if all(map(math.isfinite, numbers)):
            self._inbox.post(partial(self._apply, *numbers))
        else:
            self.refused += 1
            self._logger.warning(
                f'{self.topic}: a command with NaN or infinite numbers is ignored',
                throttle_duration_sec=WARN_PERIOD)

    def _apply(self, vx: float, wz: float, vy: float) -> None:
        if not self._subscriptions:  # the vehicle went while the command was on its way
            return
        try:
            self._vehicle.set_twist(vx, wz, vy)
        except ControllerError as error:
            self.refused += 1
            self._logger.warning(f'{self.topic}: {error}', throttle_duration_sec=WARN_PERIOD)
        else:
            self.taken += 1
            self._last_ns = self._now_ns()

    def forget(self) -> None:
        """Forget the command in force, after the vehicle has been reset."""
        self._last_ns = None

    def expire(self, timeout_ns: int) -> None:
        """Stop the vehicle where the last command is older than `timeout_ns`."""
        if self._last_ns is not None and self._now_ns() - self._last_ns >= timeout_ns:
            self._vehicle.set_twist(0.0, 0.0)
            self._last_ns = None
            self.run_out += 1
