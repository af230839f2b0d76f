# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Nodes of the scene in the browser; only changes are sent."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
import viser

from mvsim_ros2.frames import Pose

RGB = tuple[int, int, int]


def change(handle: Any, **values: Any) -> None:
    """Set attributes of a node or a control of the panel, those that have other values."""
    for name, value in values.items():
        if getattr(handle, name) != value:
            setattr(handle, name, value)


def show(nodes: Iterable[Any], on: bool) -> None:
    """Show nodes, or hide them."""
    for node in nodes:
        change(node, visible=on)


class Nodes(dict[Any, Any]):
    """Nodes by a key, made when they are first drawn."""

    def __init__(self, server: viser.ViserServer) -> None:
        super().__init__()
        self._scene = server.scene

    def lines(self, key: Any, name: str, segments: NDArray[np.float32], colour: RGB,
              thickness: float = 1.5, position: Any = None, visible: bool = True) -> None:
        """Draw segments, shape (n, 2, 3) [m], replacing the segments of this key."""
        if key in self:
            self[key].points = segments
        else:
            self[key] = self._scene.add_line_segments(
                name, segments, colour, thickness=thickness, thickness_units='screen',
                visible=visible)
        if position is not None:
            self[key].position = position

    def dots(self, key: Any, name: str, points: NDArray[np.float32],
             colours: RGB | NDArray[np.uint8], size: float, precision: Any = 'float32') -> None:
        """Draw points, shape (n, 3) [m], replacing the points of this key."""
        if key in self:
            self[key].points = points.astype(precision)
            if isinstance(colours, np.ndarray):
                self[key].colors = colours
        else:
            self[key] = self._scene.add_point_cloud(
                name, points, colours, point_size=size, point_shape='circle',
                point_shading='flat', precision=precision)

    def forget(self, key: Any) -> None:
        """Remove a node, if it is there."""
        if key in self:
            self.pop(key).remove()

    def clear(self) -> None:
        """Remove all nodes."""
        for key in list(self):
            self.forget(key)


class Places:
    """Where nodes are; motions that are too small to be seen are not sent."""

    def __init__(self, least: float) -> None:
        """Begin without nodes; what changes by less than this is not sent [m, rad]."""
        self._least = least
        self._known: dict[str, NDArray[np.float64]] = {}

    def put(self, name: str, node: Any, pose: Pose) -> None:
        """Put the node of a thing to a pose."""
        numbers = np.array([pose.x, pose.y, pose.z, pose.yaw, pose.pitch, pose.roll])
        old = self._known.get(name)
        if old is None or np.abs(numbers - old).max() >= self._least:
            self._known[name] = numbers
            x, y, z, w = pose.quaternion
            node.position = pose.position
            node.wxyz = np.array([w, x, y, z])

    def forget(self, name: str) -> None:
        """Forget a thing that is gone."""
        self._known.pop(name, None)
