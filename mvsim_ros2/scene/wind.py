# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Plants that sway in the wind.

Each leans as a whole, by a shear along its height. The lean is its share in a wind of 10 m/s, and
grows with the square of the speed, like drag. Gusts travel with the wind; about its mean lean a
plant swings like a pendulum of its height, with a phase that its place determines. So the same
time gives the same scene.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.scene.scene import Scene

_SPEED = 10.0  # m/s, in which plants lean by their share
_MOST = 0.5  # largest mean lean
_GUST_LENGTH = 60.0  # m, along the wind
_GUST, _SWING, _ASIDE = 0.4, 0.25, 0.15  # amplitudes, in mean leans
_GRAVITY, _LOWEST = 9.81, 0.1  # m/s^2, m


class Wind:
    """The lean of some instances of a scene, by time."""

    def __init__(self, wind: tuple[float, float], scene: Scene, sways: Array) -> None:
        """Prepare the instances of a scene; each leans by its sway in a wind of 10 m/s."""
        self.rows: NDArray[np.int64] = np.flatnonzero(sways)
        upright = scene.transform[self.rows]
        heights = np.array([(scene.meshes[mesh].vertices @ place[2, :3]).max() for mesh, place in
                            zip(scene.mesh[self.rows].tolist(), upright, strict=True)])
        places, speed = upright[:, :2, 3], math.hypot(*wind)
        self._along = np.array(wind) / speed
        self._mean = np.minimum(sways[self.rows] * (speed / _SPEED) ** 2, _MOST)
        self._gust_rate = 2.0 * math.pi * speed / _GUST_LENGTH
        self._gust_phase = 2.0 * math.pi / _GUST_LENGTH * (places @ self._along)
        self._rate = np.sqrt(_GRAVITY / np.maximum(heights, _LOWEST))
        self._phase = 37.0 * places[:, 0] + 59.0 * places[:, 1]

    def lean(self, time: float) -> Array:
        """Return how far each leans along x and y per metre of height, shape (N, 2)."""
        swing = self._rate * time + self._phase
        along = 1.0 + _GUST * np.sin(self._gust_phase - self._gust_rate * time) + (
            _SWING * np.sin(swing))
        aside = _ASIDE * np.sin(1.3 * swing)
        x, y = self._along
        lean: Array = self._mean[:, None] * np.stack(
            [along * x - aside * y, along * y + aside * x], axis=1)
        return lean

    def bend(self, time: float, transform: Array) -> None:
        """Lean the instances, in their transforms (N, 4, 4), from where they stand upright."""
        lean = self.lean(time)
        upwards = transform[self.rows, 2, :3]
        for axis in range(2):
            transform[self.rows, axis, :3] += lean[:, axis, None] * upwards
