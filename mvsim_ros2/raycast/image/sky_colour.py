# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The sky box, as rays see it that meet nothing."""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled

_FRONT, _BACK, _DOWN, _UP, _LEFT, _RIGHT = range(6)  # as `Lighting.sky`


@compiled(inner=True)
def paint_sky(sky: NDArray[np.uint8], x: float, y: float, z: float,
              colour: NDArray[np.uint8], pixel: int) -> None:
    """
    Fill in the colour of a pixel that looks into a direction of the world.

    :param sky: faces, see `Lighting.sky`.
    :param colour: shape (pixels, 3).
    """
    ahead, aside, high = abs(x), abs(y), abs(z)
    if ahead >= aside and ahead >= high:
        face = _FRONT if x > 0.0 else _BACK
        right, down, depth = -y if x > 0.0 else y, -z, ahead
    elif high >= aside:
        face = _UP if z > 0.0 else _DOWN
        right, down, depth = -y, x if z > 0.0 else -x, high
    else:
        face = _LEFT if y > 0.0 else _RIGHT
        right, down, depth = x if y > 0.0 else -x, -z, aside
    size = sky.shape[1]
    u = min(max((0.5 + 0.5 * right / depth) * size - 0.5, 0.0), size - 1.0)
    v = min(max((0.5 + 0.5 * down / depth) * size - 0.5, 0.0), size - 1.0)
    column, row = int(u), int(v)
    next_column, next_row = min(column + 1, size - 1), min(row + 1, size - 1)
    u, v = u - column, v - row
    for i in range(3):
        above = (1.0 - u) * sky[face, row, column, i] + u * sky[face, row, next_column, i]
        below = ((1.0 - u) * sky[face, next_row, column, i]
                 + u * sky[face, next_row, next_column, i])
        colour[pixel, i] = int((1.0 - v) * above + v * below + 0.5)
