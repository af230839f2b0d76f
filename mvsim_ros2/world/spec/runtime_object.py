# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Objects that are only seen, and come and go while a simulation runs."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import SceneError
from mvsim_ros2.frames import Pose

MOST = 10_000  # objects at one time


@dataclass(frozen=True, eq=False)
class RuntimeObject:
    """
    Coloured triangles that cameras see; nothing touches them, and no LiDAR meets them.

    >>> import numpy as np
    >>> from mvsim_ros2 import Pose
    >>> from mvsim_ros2.world.spec import RuntimeObject
    >>> corners = np.array([[[0, 0, 0], [1, 0, 0], [0, 1, 0]]], float)
    >>> red = np.array([[1, 0, 0, 1]], float)
    >>> RuntimeObject('mark', Pose(x=2.0), corners, red).name
    'mark'
    """

    name: str
    pose: Pose  # of the frame of the corners, in the world
    corners: NDArray[np.float64]  # of triangles, shape (F, 3, 3) [m]
    colours: NDArray[np.float64]  # of the triangles: sRGB and opacity, 0 to 1, shape (F, 4)

    def __post_init__(self) -> None:
        """
        Check the arrays.

        :raises SceneError: where a shape is another one, or a number is not finite.
        """
        count = len(self.corners)
        if self.corners.shape != (count, 3, 3) or self.colours.shape != (count, 4):
            raise SceneError(f'object {self.name!r} has corners {self.corners.shape} and colours '
                             f'{self.colours.shape}: give shapes (F, 3, 3) and (F, 4)')
        if not (np.isfinite(self.corners).all() and np.isfinite(self.colours).all()):
            raise SceneError(f'object {self.name!r} has numbers that are not finite')
