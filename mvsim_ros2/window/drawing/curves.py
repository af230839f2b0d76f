# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Lines that others hand in: planned paths, estimated trajectories."""

import threading

import numpy as np
from numpy.typing import ArrayLike, NDArray
import viser

from mvsim_ros2.errors import WindowError
from mvsim_ros2.window.choices import Choices
from mvsim_ros2.window.drawing.marks import PLANNED
from mvsim_ros2.window.drawing.nodes import Nodes, RGB, show
from mvsim_ros2.window.frame import Frame

_LIFT = 0.05  # m above the ground, of points without a height
_MOST = 5000  # points of a line; longer ones are thinned evenly


class Curves:
    """Draws lines by their names; any thread may set them."""

    def __init__(self, server: viser.ViserServer, choices: Choices) -> None:
        self._choices = choices
        self._lock = threading.Lock()
        self._new: dict[str, tuple[NDArray[np.float32], RGB]] = {}
        self._nodes = Nodes(server)

    def put(self, name: str, points: ArrayLike, colour: RGB = PLANNED) -> None:
        """
        Draw a line, in place of the one of that name; fewer than two points draw none.

        :param points: in the world frame, shape (n, 2) or (n, 3) [m].
        :param colour: red, green, blue, from 0 to 255.
        :raises WindowError: where they have another shape, or are not finite.
        """
        line = np.asarray(points, np.float32)
        if not line.size:
            line = np.zeros((0, 3), np.float32)
        if line.ndim != 2 or line.shape[1] not in (2, 3) or not np.isfinite(line).all():
            raise WindowError(f'the path {name!r} is no array of finite points (n, 2) or (n, 3)')
        if line.shape[1] == 2:
            line = np.column_stack([line, np.full(len(line), _LIFT, np.float32)])
        if len(line) > _MOST:
            line = line[np.linspace(0, len(line) - 1, _MOST).astype(np.int64)]
        with self._lock:
            self._new[name] = line, colour

    def draw(self, _: Frame) -> None:
        """Show what was set since the last frame."""
        with self._lock:
            new, self._new = self._new, {}
        for name, (line, colour) in new.items():
            self._nodes.forget(name)
            if len(line) > 1:
                self._nodes.lines(
                    name, f'/curves/{name.strip("/") or "path"}',
                    np.stack([line[:-1], line[1:]], axis=1), colour, 3.5,
                    visible=self._choices.planned)
        show(self._nodes.values(), self._choices.planned)
