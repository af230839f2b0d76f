# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Antialiasing of images made by rays: pixels on edges are drawn again with several rays.

An edge runs between pixels that see different things, faces at an angle, parallel faces one
behind the other, or sun and shadow, and through what has holes. The places of the rays in a pixel
are those of the usual pattern of four samples of graphics cards.
"""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled

Array = NDArray[np.float64]

# places in a pixel, from its centre, right and down
SAMPLES = np.array([(0.375, 0.125), (0.875, 0.375), (0.125, 0.625), (0.625, 0.875)]) - 0.5
INSTANCE, DISTANCE, NORMAL = 0, 1, 2  # columns of marks: what a pixel sees
HOLED = -2.0  # instance of marks of what has holes
LIT = 5  # whether the sun shines on it
MARKS = 6
_SAME_NORMAL = 0.97  # cosine
_SAME_PLANE = 3e-3  # offset of planes, of the distance


def edge_pixels(marks: NDArray[np.float32], directions: Array,
                rotation: Array) -> NDArray[np.intp]:
    """
    Return the numbers of the pixels on edges.

    :param marks: what pixels see, shape (height, width, `MARKS`).
    :param directions: of the pixels in the optical frame, shape (height, width, 3).
    :param rotation: from that frame to the world, of the normals, shape (3, 3).
    """
    height, width = marks.shape[:2]
    edges = np.zeros(height * width, np.bool_)
    _find_edges(marks.reshape(-1, MARKS), directions.reshape(-1, 3), rotation, width,
                edges)
    return np.flatnonzero(edges)


@compiled(counted=False)
def _find_edges(marks: NDArray[np.float32], directions: Array, rotation: Array, width: int,
                edges: NDArray[np.bool_]) -> None:
    """Set which pixels are on edges, all in one row."""
    count = marks.shape[0]
    for p in range(count):
        if marks[p, INSTANCE] == HOLED:
            edges[p] = True
        for k in range(2):
            q = p + 1 if k == 0 else p + width
            if q >= count or k == 0 and q % width == 0:
                continue
            if marks[p, INSTANCE] == marks[q, INSTANCE]:
                if marks[p, INSTANCE] < 0.0:
                    continue
                straight = offset_p = offset_q = 0.0
                near, far = marks[p, DISTANCE], marks[q, DISTANCE]
                a = far * directions[q, 0] - near * directions[p, 0]
                b = far * directions[q, 1] - near * directions[p, 1]
                c = far * directions[q, 2] - near * directions[p, 2]
                for i in range(3):
                    one, other = marks[p, NORMAL + i], marks[q, NORMAL + i]
                    step = rotation[i, 0] * a + rotation[i, 1] * b + rotation[i, 2] * c
                    straight += one * other
                    offset_p += one * step
                    offset_q += other * step
                limit = _SAME_PLANE * min(near, far)
                if straight >= _SAME_NORMAL and abs(offset_p) <= limit and (
                        abs(offset_q) <= limit) and marks[p, LIT] == marks[q, LIT]:
                    continue
            edges[p] = edges[q] = True


def rays_within(directions: Array, pixels: NDArray[np.intp]) -> Array:
    """
    Return the directions of the samples of some pixels, shape (pixels * samples, 3).

    :param directions: of all pixels, shape (height, width, 3); zero outside of the lens.
    """
    height, width = directions.shape[:2]
    row, column = np.divmod(pixels, width)
    middle = directions[row, column]
    steps = []
    for down, right in ((0, 1), (1, 0)):
        before = directions[np.maximum(row - down, 0), np.maximum(column - right, 0)]
        after = directions[np.minimum(row + down, height - 1),
                           np.minimum(column + right, width - 1)]
        inside = (down * (row > 0) + right * (column > 0)) * 1 + (
            down * (row < height - 1) + right * (column < width - 1)) * 1
        seen = before.any(axis=1) & after.any(axis=1) & middle.any(axis=1) & (inside > 0)
        steps.append(np.where(seen[:, None], (after - before) / np.maximum(inside, 1)[:, None],
                              0.0))
    across, along = steps
    result: Array = (middle[:, None] + SAMPLES[:, :1] * across[:, None]
                     + SAMPLES[:, 1:] * along[:, None])
    return result.reshape(-1, 3)
