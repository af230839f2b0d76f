# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Ambient occlusion in OpenGL: the grid that rays found, see `raycast.image.openness`."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import SceneError
from mvsim_ros2.scene.camera_view import CameraView
from mvsim_ros2.sensors.raycast.image.openness import FLAT, LEAST, SPACING

UNIT = 4  # of the texture
Finder = Callable[[CameraView], NDArray[np.float32]]


class OpenSky:
    """Holds the grid of a view as a texture; used in the thread of the context."""

    def __init__(self, context: Any, find: Finder | None) -> None:
        """
        Start without a grid.

        :param find: returns the grid of a view, see `OpennessCaster.look`.
        """
        self._context = context
        self._find = find
        self._texture: Any = None

    def uniforms(self, view: CameraView) -> dict[str, Any]:
        """
        Return what the shaders need of the grid, which is bound.

        :raises SceneError: where there is nothing that finds it.
        """
        if self._find is None:
            raise SceneError('this renderer has no rays, with which ambient occlusion is found')
        grid = self._find(view)
        size = grid.shape[1], grid.shape[0]
        if self._texture is None or self._texture.size != size:
            self._texture = self._context.texture(size, 4, dtype='f4')
            self._texture.filter = self._context.NEAREST, self._context.NEAREST
        self._texture.write(np.ascontiguousarray(grid))
        self._texture.use(UNIT)
        return {'open_last': np.array([view.width - 1.0, view.height - 1.0]),
                'open_grid': np.array([SPACING, FLAT / view.fx, LEAST])}
