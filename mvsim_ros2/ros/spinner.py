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


class Spinner:
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
