# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The window of the node in the browser."""

from collections.abc import Callable, Mapping
from functools import partial
import math
from typing import Any

from nav_msgs.msg import Path
import numpy as np
from numpy.typing import NDArray
from rclpy.node import Node

from mvsim_ros2.errors import WindowError
from mvsim_ros2.frames import Pose
from mvsim_ros2.ros.messages.settings import Settings
from mvsim_ros2.ros.simulation_loop import SimulationLoop
from mvsim_ros2.ros.world_context import WorldContext
from mvsim_ros2.window.page import Page
from mvsim_ros2.window.recorders import Recorders
from mvsim_ros2.window.window import Window


class NodeWindow:
    """
    A window that follows the loop of the node, and does what its services and parameters do.

    That comes from threads of the window and is done by the loop. While a browser is there,
    sensors without subscribers measure too.
    """

    def __init__(self, loop: SimulationLoop, post: Callable[[Callable[[], None]], None],
                 page: Page) -> None:
        self._loop, self._post = loop, post
        self.window = Window(loop.simulation, self, page)  # of the present world

    @property
    def running(self) -> bool:
        """Return whether time goes on."""
        return not self._loop.paused

    @property
    def speed(self) -> float:
        """Return the wanted simulated seconds a second, inf for as fast as possible."""
        return self._loop.pacer.factor or math.inf

    @property
    def recorders(self) -> Recorders:
        """Return what records bags and films of it."""
        return self._loop.recorders

    def set_running(self, running: bool) -> None:
        """Go on, or stand still."""
        self._post(self._loop.resume if running else self._loop.pause)

    def set_speed(self, speed: float) -> None:
        """Set the wanted speed, inf for as fast as possible."""
        self._post(partial(self._loop.set_realtime_factor, 0.0 if math.isinf(speed) else speed))

    def step(self, count: int) -> None:
        """Go some steps and stand still after them."""
        def step() -> None:
            self._loop.pause()
            self._loop.step(count)

        self._post(step)

    def reset(self, seed: int | None) -> None:
        """Go back to the start, with another seed where one is given."""
        def reset() -> None:
            if seed is not None:
                self._loop.seed = seed
            self._loop.reset()

        self._post(reset)

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Go to a state that was kept."""
        self._post(partial(self._loop.restore, snapshot))

    def switch_sensor(self, name: str, on: bool) -> None:
        """Let a sensor measure where it has to, or never."""
        self._post(partial(self._loop.switch_sensor, name, on))

    def update(self) -> None:
        """Do what browsers want, and let them see the present state."""
        if self.window.update():
            self._loop.update()
        self._loop.watched = self.window.clients > 0

    def show_path(self, name: str, points: NDArray[np.float64]) -> None:
        """Draw a path in place of the one of that name, points (n, 3) [m]; any thread may."""
        self.window.curves.put(name, points)

    def show(self, context: WorldContext) -> None:
        """Show another context, on the same port."""
        port, overlays = self.window.page.port, self.window.overlays
        self.window.close()
        page = Page(context.simulation.world.path, port)
        self.window = Window(context.simulation, self, page)
        self.window.overlays = overlays


Show = Callable[[str, NDArray[np.float64]], None]


class PathSubscribers:
    """Shows what comes on the topics of the parameter `viewer_paths`."""

    def __init__(self, node: Node, settings: Settings, context: Callable[[], WorldContext],
                 show: Show) -> None:
        """Subscribe; `show` draws the points (n, 3) of a named path in the world frame [m]."""
        self._node, self._settings = node, settings
        self._context, self._show = context, show
        self._warned: set[str] = set()  # topics
        for topic in filter(None, settings.viewer_paths):
            node.create_subscription(Path, topic, partial(self._take, topic), 1)

    def _take(self, topic: str, message: Path) -> None:
        places = [each.pose.position for each in message.poses]
        points = np.array([(p.x, p.y, p.z) for p in places], float).reshape(-1, 3)
        frame = self._frames().get(message.header.frame_id.lstrip('/'))
        try:
            if frame is None:
                raise WindowError(f'the frame {message.header.frame_id!r} is not known here: '
                                  'paths in the frames of world and odometry are shown')
            self._show(topic, frame.transform(points))
        except WindowError as error:
            if topic not in self._warned:
                self._warned.add(topic)
                self._node.get_logger().warning(f'{topic}: {error}')

    def _frames(self) -> dict[str, Pose]:
        """Return the world, and where the odometry of each vehicle began, by frame."""
        context = self._context()
        vehicles = context.simulation.vehicles
        return {context.names.frames(name).odom: vehicle.spec.init_pose
                for name, vehicle in vehicles.items()} | {self._settings.map_frame: Pose()}
