# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Paths of a navigation, such as Nav2's `plan`, in the window."""

from collections.abc import Callable
from functools import partial

from nav_msgs.msg import Path
import numpy as np
from numpy.typing import NDArray
from rclpy.node import Node

from mvsim_ros2.errors import WindowError
from mvsim_ros2.frames import Pose
from mvsim_ros2.ros.messages.settings import Settings
from mvsim_ros2.ros.world_context import WorldContext

Show = Callable[[str, NDArray[np.float64]], None]


class PathSubscribers:
    """Shows what comes on the topics of the parameter `viewer_paths`."""

    def __init__(self, node: Node, settings: Settings, context: Callable[[], WorldContext],
                 show: Show) -> None:
        """
        Subscribe.

        :param context: returns the present world.
        :param show: draws a path, given its name and points (n, 3) in the world frame [m].
        """
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
