# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The command subscriptions of one vehicle."""

from collections.abc import Callable
from functools import partial
import re
from typing import Any

from rclpy.node import Node

from mvsim_ros2.errors import ControllerError
from mvsim_ros2.ros.commands.command_kinds import command_kinds, CommandKind, CommandWatchdog
from mvsim_ros2.ros.main_thread_queue import MainThreadQueue
from mvsim_ros2.ros.messages.qos import COMMAND
from mvsim_ros2.ros.pacing import LockStep
from mvsim_ros2.ros.publishers.topics import profile
from mvsim_ros2.simulation.handles import VehicleHandle

MAX_VALUE = 1e6  # m/s, rad/s, N m: beyond, the physics overflows


class VehicleSubscriber:
    """
    Subscribes to the commands of one vehicle.

    A command holds until the next one, or until it expires in simulated time: then the vehicle
    stops. In lock step, commands whose stamp differs from the present state are ignored.
    """

    def __init__(self, node: Node, prefix: str, vehicle: VehicleHandle, queue: MainThreadQueue,
                 now_ns: Callable[[], int], lock: LockStep) -> None:
        """Prepare; `subscribe` listens below a prefix, '' or ending in a slash."""
        self._logger = node.get_logger()
        self._node, self._prefix = node, prefix
        self.vehicle, self._watchdog = vehicle, CommandWatchdog(vehicle)
        self._queue, self._now_ns, self._lock = queue, now_ns, lock
        self._subscriptions: list[tuple[Node, Any]] = []
        self._last_ns: int | None = None  # time of the command in force
        self._reported: set[str] = set()
        self._awaited = _awaited(vehicle)
        self.accepted = self.refused = self.expired = 0  # commands so far

    def unresolved(self, kind: str) -> str:
        """Return the name of the topic of a kind of commands, before remaps of the node."""
        return self._prefix + command_kinds()[kind].topic

    def topic(self, kind: str) -> str:
        """Return the full name of that topic, after them."""
        return self._node.resolve_topic_name(self.unresolved(kind))

    def subscribe(self, node: Node, kind: str) -> None:
        """Subscribe to one kind of commands, with any node of this process."""
        known = command_kinds()[kind]
        if known.applies_to(self.vehicle):
            # another node has no remaps of its own, and to remap twice could lead elsewhere
            topic = self.unresolved(kind) if node is self._node else self.topic(kind)
            self._subscriptions.append((node, node.create_subscription(
                known.message_type, topic, partial(self._take, kind), profile(COMMAND))))

    def destroy(self) -> None:
        """Remove the subscriptions, after the vehicle has been removed."""
        for node, subscription in self._subscriptions:
            node.destroy_subscription(subscription)
        self._subscriptions.clear()

    def _take(self, name: str, message: Any) -> None:
        """Enqueue a command for the simulation loop."""
        kind = command_kinds()[name]
        try:
            numbers = kind.read(self.vehicle, message)
        except ControllerError as error:
            self._refuse(name, str(error))
            return
        if not all(abs(number) <= MAX_VALUE for number in numbers):  # false for NaN
            self._refuse(name, 'a command with NaN, infinite or huge numbers, beyond '
                         f'{MAX_VALUE:g}, is ignored')
            return
        stamp = None
        if kind.stamp is not None:
            header = kind.stamp(message)
            stamp = header.sec * 1_000_000_000 + header.nanosec
        self._queue.post(partial(self._apply, name, kind, numbers, stamp))

    def _apply(self, name: str, kind: CommandKind, numbers: tuple[float, ...],
               stamp: int | None) -> None:
        if not self._subscriptions:  # the vehicle was removed meanwhile
            return
        if kind.awaited:
            fault = self._lock.fault(stamp)
            if fault:
                self._refuse(name, fault)
                return
        try:
            kind.apply(self._watchdog, *numbers)
        except ControllerError as error:
            self._refuse(name, str(error))
            return
        self.accepted += 1
        if kind.awaited:
            self._lock.answers.add(self._prefix)
        if kind.expires:
            self._last_ns = self._now_ns()

    def _refuse(self, name: str, reason: str) -> None:
        """Count a rejected command, and log the reason once."""
        self.refused += 1
        known = name + re.sub(r'[\d.]+', '#', reason)  # other numbers make no other reason
        if known not in self._reported:
            self._reported.add(known)
            self._logger.warning(f'{self.topic(name)}: {reason} (reported once)')

    @property
    def is_late(self) -> bool:
        """Return whether lock step waits for a command of this vehicle."""
        return bool(self._awaited) and self._prefix not in self._lock.answers

    @property
    def awaited_topic(self) -> str:
        """Return the topic on which lock step waits for its commands."""
        return self.topic(self._awaited)

    def reset(self) -> None:
        """Drop the commands in force, after the vehicle has been reset."""
        self._watchdog.reset()
        self._last_ns = None

    def expire(self, timeout_ns: int) -> None:
        """Stop the vehicle if the last command is at least `timeout_ns` old."""
        if self._last_ns is not None and self._now_ns() - self._last_ns >= timeout_ns:
            self._watchdog.stop()
            self._last_ns = None
            self.expired += 1


def _awaited(vehicle: VehicleHandle) -> str:
    """Return the kind of stamped commands that a vehicle follows, '' for none."""
    if vehicle.spec.animation is not None or vehicle.torques_taken or not vehicle.commands:
        return ''
    if 'set_joints' in vehicle.commands:
        return 'joints'
    if vehicle.accepts_twist:
        return 'twist_stamped'
    return 'ackermann_stamped' if 'ackermann_stamped' in command_kinds() else ''
