# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A thread that serves the callbacks of a node."""

from threading import Event
from threading import Thread
from typing import Any

from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node

try:  # half the work per message, where there is one
    from rclpy.experimental.events_executor import EventsExecutor
except ImportError:
    EventsExecutor = SingleThreadedExecutor

PATIENCE = 0.1  # s after which a quiet thread looks whether it shall end


def spin_until(stop: Event, node: Node, context: Context) -> None:
    """Serve the callbacks of `node` until `stop` is set."""
    executor: Any = EventsExecutor(context=context)
    executor.add_node(node)
    # not `spin`: shutting that down from another thread blocks in the events executor
    while not stop.is_set():
        executor.spin_once(timeout_sec=PATIENCE)
    executor.remove_node(node)
    executor.shutdown()


class ExecutorThread:
    """A context in which a thread serves the callbacks of a node."""

    def __init__(self, node: Node) -> None:
        """Prepare the thread."""
        self._stop = Event()
        self._thread = Thread(target=spin_until, args=(self._stop, node, node.context))

    def __enter__(self) -> None:
        """Start the thread."""
        self._thread.start()

    def __exit__(self, *unused: object) -> None:
        """End the thread."""
        self._stop.set()
        self._thread.join()
