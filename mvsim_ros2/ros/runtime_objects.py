# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Markers that others publish, shown as objects: `runtime_objects` and `runtime_overlays`."""

from functools import partial
from typing import Any

from rclpy.node import Node
from visualization_msgs.msg import Marker, MarkerArray

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.ros.main_thread_queue import MainThreadQueue
from mvsim_ros2.ros.messages.marker_shapes import MarkerError, object_of
from mvsim_ros2.ros.messages.qos import Qos
from mvsim_ros2.ros.publishers.topics import profile
from mvsim_ros2.ros.simulation_loop import SimulationLoop
from mvsim_ros2.world.spec.view import RuntimeObject

OBJECTS, OVERLAYS = 'runtime_objects', 'runtime_overlays'


class RuntimeObjects:
    """
    Shows the markers of two topics: objects to cameras and the window, overlays to the window.

    A marker is known by its namespace and number, to services by a name such as `boxes/7`. It is
    converted in the thread of the executor, so that large ones do not hold up the simulation.
    """

    def __init__(self, node: Node, loop: SimulationLoop, queue: MainThreadQueue,
                 world_frame: str) -> None:
        self._node, self._loop, self._queue = node, loop, queue
        self._frames = world_frame, 'world', ''
        self._shown: dict[str, dict[tuple[str, int], RuntimeObject]] = {OBJECTS: {}, OVERLAYS: {}}
        self._warned: set[tuple[str, str]] = set()
        loop.on_change.append(self._carry_over)
        for topic in self._shown:
            node.create_subscription(
                MarkerArray, topic, partial(self._take, topic), profile(Qos(100)))

    def _take(self, topic: str, message: MarkerArray) -> None:
        """Convert a message, and hand it to the simulation."""
        changes = []
        for marker in message.markers:
            key, thing = (marker.ns, marker.id), None
            try:
                if marker.action == Marker.ADD:
                    thing = self._object(topic, marker)
                elif marker.action not in (Marker.DELETE, Marker.DELETEALL):
                    raise MarkerError(f'the action {marker.action} is not known')
            except MvsimError as error:
                self._warn(topic, key, error)
                continue
            changes.append((None if marker.action == Marker.DELETEALL else key, thing))
        self._queue.post(partial(self._change, topic, changes))

    def _object(self, topic: str, marker: Any) -> RuntimeObject:
        frame = marker.header.frame_id
        if frame.lstrip('/') not in self._frames:
            raise MarkerError(f'frame {frame!r}: markers must be in {self._frames[0]}')
        overlay = 'overlay ' if topic == OVERLAYS else ''
        return object_of(marker, f'{overlay}{marker.ns}/{marker.id}')

    def _warn(self, topic: str, key: tuple[str, int], error: MvsimError) -> None:
        """Warn of a marker that is not shown, once for each reason."""
        if (topic, str(error)) not in self._warned and len(self._warned) < 100:
            self._warned.add((topic, str(error)))
            self._node.get_logger().warning(
                f'{topic}: the marker {key[0]}/{key[1]} is not shown: {error}')

    def _change(self, topic: str,
                changes: list[tuple[tuple[str, int] | None, RuntimeObject | None]]) -> None:
        """Add, replace and delete; without a key delete all."""
        before, shown = self._shown[topic], dict(self._shown[topic])
        for key, thing in changes:
            if key is None:
                shown.clear()
            elif thing is None:
                shown.pop(key, None)
            else:
                shown[key] = thing
        self._shown[topic] = shown
        try:
            self._show()
        except MvsimError as error:
            self._shown[topic] = before
            self._node.get_logger().warning(f'{topic}: {error}')

    def delete(self, name: str) -> bool:
        """Delete the object with a name, namespace and number; return whether there is one."""
        for shown in self._shown.values():
            for key in [key for key, thing in shown.items() if thing.name == name]:
                del shown[key]
                self._show()
                return True
        return False

    def _carry_over(self) -> None:
        """Show the objects in the world that there is now."""
        if len(self._loop.simulation.runtime_objects) != len(self._shown[OBJECTS]):
            self._show()

    def _show(self) -> None:
        self._loop.simulation.show_objects(self._shown[OBJECTS].values())
        if self._loop.window is not None:
            self._loop.window.window.overlays = tuple(self._shown[OVERLAYS].values())
