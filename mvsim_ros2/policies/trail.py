# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Where robots have been: what a policy without a state of its own remembers."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.floating[Any]]


class Trail:
    """Places where robots were some times ago; before the first one known, that one."""

    def __init__(self, ages: Sequence[float], period: float, count: int = 1) -> None:
        """
        Begin at the origin.

        :param ages: ages of the places that are returned [s].
        :param period: from one call of `note` to the next [s].
        :param count: of the robots.
        """
        self._steps = np.array([max(1, round(age / period)) for age in ages], int)
        self._places = np.zeros((count, int(self._steps.max(initial=0)) + 1, 2))
        self._now = 0

    def begin(self, row: int, x: float, y: float) -> None:
        """Forget where a robot has been; it is at (x, y) [m]."""
        self._places[row] = x, y

    def note(self, pose: Array) -> None:
        """Take note of where all robots are: x, y [m], yaw [rad], shape (count, 3)."""
        self._now = (self._now + 1) % self._places.shape[1]
        self._places[:, self._now] = pose[:, :2]

    def seen_from(self, pose: Array) -> Array:
        """
        Return x and y of the places in the frames of the robots, shape (count, 2 * ages) [m].

        :param pose: of the robots now, shape (count, 3).
        """
        places = self._places[:, (self._now - self._steps) % self._places.shape[1]]
        away = places - pose[:, None, :2]
        cosine, sine = np.cos(pose[:, 2, None]), np.sin(pose[:, 2, None])
        return np.stack([cosine * away[..., 0] + sine * away[..., 1],
                         cosine * away[..., 1] - sine * away[..., 0]], axis=-1).reshape(
                             len(pose), -1)
