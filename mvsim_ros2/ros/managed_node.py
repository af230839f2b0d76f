# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The node with a lifecycle, where the parameter `managed` asks for it."""

from collections.abc import Callable

from rclpy.lifecycle import LifecycleNodeMixin, LifecycleState, TransitionCallbackReturn
from rclpy.node import Node

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.ros.main_thread_queue import MainThreadQueue
from mvsim_ros2.ros.messages.settings import Settings
from mvsim_ros2.ros.simulation_loop import SimulationLoop
from mvsim_ros2.ros.world_context import empty_context, load_world_context


class ManagedNode(LifecycleNodeMixin, Node):
    """
    A node that has the services of a lifecycle once `manage` is called, and none before.

    Configured it has loaded its world, which stands; active is the state in which time runs.
    """

    def __init__(self, name: str) -> None:
        Node.__init__(self, name)

    def manage(self, loop: SimulationLoop, queue: MainThreadQueue, settings: Settings) -> None:
        """Offer the services of the lifecycle for a loop that has no world yet."""
        self._loop, self._queue, self._settings = loop, queue, settings
        LifecycleNodeMixin.__init__(self)
        self._wake_executor()

    def _change(self, action: Callable[[], None]) -> TransitionCallbackReturn:
        """Let the loop do something; where it fails, log why and remain in the state before."""
        try:
            self._queue.call(action)
        except MvsimError as error:
            self.get_logger().error(str(error))
            return TransitionCallbackReturn.FAILURE
        return TransitionCallbackReturn.SUCCESS

    def on_configure(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Load the world."""
        def load() -> None:
            with self._loop.loading():
                self._loop.set_context(load_world_context(self._settings, self._settings.world))

        return self._change(load)

    def on_activate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Let time run."""
        return self._change(self._loop.resume)

    def on_deactivate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Let time stand."""
        return self._change(self._loop.pause)

    def on_cleanup(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Take the world away."""
        return self._change(lambda: self._loop.set_context(empty_context(self._settings)))

    def on_shutdown(self, state: LifecycleState) -> TransitionCallbackReturn:
        """End the simulator, once this is answered."""
        self._queue.post(self._loop.stop)
        return TransitionCallbackReturn.SUCCESS
