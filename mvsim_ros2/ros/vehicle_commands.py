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
"""What reaches one vehicle of the commands on its topics."""

from collections.abc import Callable
from functools import partial
import re
from typing import Any

from rclpy.node import Node

from mvsim_ros2.errors import ControllerError
from mvsim_ros2.handles import VehicleHandle
from mvsim_ros2.messages.qos import COMMAND
from mvsim_ros2.ros.command_kinds import command_kinds
from mvsim_ros2.ros.command_kinds import CommandKind
from mvsim_ros2.ros.inbox import Inbox
from mvsim_ros2.ros.lock_step import LockStep
from mvsim_ros2.ros.orders import Orders
from mvsim_ros2.ros.qos import profile

MOST = 1e6  # m/s, rad/s, N m: beyond, the physics leaves the numbers


class VehicleCommands:
    """
    Takes the commands of one vehicle.

    A command is held until the next one, or until none came for `timeout_ns` of simulated
    time: then the vehicle stops. In lock step commands with another stamp than that of the
    present states are refused.
    """

    def __init__(self, node: Node, prefix: str, vehicle: VehicleHandle, inbox: Inbox,
                 now_ns: Callable[[], int], lock: LockStep) -> None:
        """
        Prepare for commands; `listen` subscribes to them.

        :param prefix: of the topics, '' or ending in a slash.
        :param now_ns: simulated time [ns], called by the simulation loop.
        """
        self._logger = node.get_logger()
        self._prefix = node.resolve_topic_name(f'{prefix}cmd_vel').removesuffix('cmd_vel')
        self._vehicle, self._orders = vehicle, Orders(vehicle)
        self._inbox, self._now_ns, self._lock = inbox, now_ns, lock
        self._subscriptions: list[tuple[Node, Any]] = []
        self._last_ns: int | None = None  # time of the command in force
        self._said: set[str] = set()
        self._awaited = _awaited(vehicle)
        self.taken = self.refused = self.run_out = 0  # commands so far

    def topic(self, kind: str) -> str:
        """Return the full name of the topic of a kind of commands."""
        return self._prefix + command_kinds()[kind].topic

    def listen(self, node: Node, kind: str) -> None:
        """Subscribe to one kind of commands, with any node of this process."""
        known = command_kinds()[kind]
        if known.suits(self._vehicle):
            self._subscriptions.append((node, node.create_subscription(
                known.message_type, self.topic(kind), partial(self._take, kind),
                profile(COMMAND))))

    def withdraw(self) -> None:
        """Take no more commands, after the vehicle has gone."""
        for node, subscription in self._subscriptions:
            node.destroy_subscription(subscription)
        self._subscriptions.clear()

    def _take(self, name: str, message: Any) -> None:
        """Leave a command for the simulation loop."""
        kind = command_kinds()[name]
        numbers = kind.read(message)
        if not all(abs(number) <= MOST for number in numbers):  # NaN is no number below it
            self._refuse(name, f'a command with NaN, infinite or huge numbers, beyond {MOST:g}, '
                         'is ignored')
            return
        stamp = None
        if kind.stamp is not None:
            header = kind.stamp(message)
            stamp = header.sec * 1_000_000_000 + header.nanosec
        self._inbox.post(partial(self._apply, name, kind, numbers, stamp))

    def _apply(self, name: str, kind: CommandKind, numbers: tuple[float, ...],
               stamp: int | None) -> None:
        if not self._subscriptions:  # the vehicle went while the command was on its way
            return
        if kind.awaited:
            fault = self._lock.fault(stamp)
            if fault:
                self._refuse(name, fault)
                return
        try:
            kind.give(self._orders, *numbers)
        except ControllerError as error:
            self._refuse(name, str(error))
            return
        self.taken += 1
        if kind.awaited:
            self._lock.answer(self._prefix)
        if kind.drives:
            self._last_ns = self._now_ns()

    def _refuse(self, name: str, reason: str) -> None:
        """Count a command that is not followed, and say why, once."""
        self.refused += 1
        known = name + re.sub(r'[\d.]+', '#', reason)  # the same with other numbers is no news
        if known not in self._said:
            self._said.add(known)
            self._logger.warning(f'{self.topic(name)}: {reason} (said once)')

    @property
    def is_late(self) -> bool:
        """Return whether a lock step waits for a command of it."""
        return bool(self._awaited) and not self._lock.has_answered(self._prefix)

    @property
    def awaited_topic(self) -> str:
        """Return the topic on which a lock step waits for its commands."""
        return self.topic(self._awaited)

    def forget(self) -> None:
        """Forget the commands in force, after the vehicle has been reset."""
        self._orders.forget()
        self._last_ns = None

    def expire(self, timeout_ns: int) -> None:
        """Stop the vehicle where the last command is older than `timeout_ns`."""
        if self._last_ns is not None and self._now_ns() - self._last_ns >= timeout_ns:
            self._orders.stop()
            self._last_ns = None
            self.run_out += 1


def _awaited(vehicle: VehicleHandle) -> str:
    """Return the kind of stamped commands that a vehicle follows, '' for none."""
    if vehicle.spec.animation is not None or vehicle.torques_taken:
        return ''
    if vehicle.accepts_twist:
        return 'twist_stamped'
    return 'ackermann_stamped' if 'ackermann_stamped' in command_kinds() else ''
