# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Antialiasing: pixels on edges are drawn again with several rays.

An edge runs between pixels that see different things, faces at an angle, parallel faces one
behind the other, or sun and shadow, and through what has holes; where the colours on both sides
are the same there is nothing to smooth. The places of the rays in a pixel are those of the usual
pattern of four samples of graphics cards.
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
_SAME_COLOUR = 3  # of 255


@compiled(inner=True, counted=False)
def _same_colour(colour: NDArray[np.uint8], p: int, q: int) -> bool:
    """Return whether two pixels look alike."""
    for i in range(3):
        if abs(int(colour[p, i]) - int(colour[q, i])) > _SAME_COLOUR:
            return False
    return True


def edge_pixels(marks: NDArray[np.float32], colour: NDArray[np.uint8], directions: Array,
                rotation: Array) -> NDArray[np.intp]:
    """
    Return the numbers of the pixels on edges of an image drawn by rays.

    :param marks: what pixels see, shape (height, width, `MARKS`).
    :param colour: of pixels, shape (height, width, 3).
    :param directions: of the pixels in the optical frame, shape (height, width, 3).
    :param rotation: from that frame to the world, of the normals, shape (3, 3).
    """
    height, width = marks.shape[:2]
    edges = np.zeros(height * width, np.bool_)
    _find_edges(marks.reshape(-1, MARKS), colour.reshape(-1, 3), directions.reshape(-1, 3),
                rotation, width, edges)
    return np.flatnonzero(edges)


@compiled(counted=False)
def _find_edges(marks: NDArray[np.float32], colour: NDArray[np.uint8], directions: Array,
                rotation: Array, width: int, edges: NDArray[np.bool_]) -> None:
    """Set which pixels are on edges, all in one row; see `edge_pixels`."""
    count = marks.shape[0]
    for p in range(count):
        if marks[p, INSTANCE] == HOLED:
            edges[p] = True
        for k in range(2):
            q = p + 1 if k == 0 else p + width
            if q >= count or k == 0 and q % width == 0:
                continue
            if _same_colour(colour, p, q):
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
    rays = np.empty((len(pixels) * len(SAMPLES), 3))
    _spread(directions, pixels, SAMPLES, rays)
    return rays


@compiled(counted=False)
def _spread(directions: Array, pixels: NDArray[np.intp], samples: Array, rays: Array) -> None:
    """Fill in the directions of samples: the pixel's, and steps to its neighbours in the lens."""
    height, width = directions.shape[0], directions.shape[1]
    for n in range(len(pixels)):
        row, column = pixels[n] // width, pixels[n] % width
        left, right = max(column - 1, 0), min(column + 1, width - 1)
        above, below = max(row - 1, 0), min(row + 1, height - 1)
        wide, high = max(right - left, 1), max(below - above, 1)
        across = 1.0 if _seen(directions, row, left) and _seen(directions, row, right) and (
            _seen(directions, row, column)) else 0.0
        along = 1.0 if _seen(directions, above, column) and _seen(directions, below, column) and (
            _seen(directions, row, column)) else 0.0
        for i in range(3):
            u = across * (directions[row, right, i] - directions[row, left, i]) / wide
            v = along * (directions[below, column, i] - directions[above, column, i]) / high
            for k in range(len(samples)):
                rays[n * len(samples) + k, i] = (
                    directions[row, column, i] + samples[k, 0] * u + samples[k, 1] * v)


@compiled(inner=True, counted=False)
def _seen(directions: Array, row: int, column: int) -> bool:
    """Return whether a pixel lies within the lens."""
    return bool(directions[row, column, 0] != 0.0 or directions[row, column, 1] != 0.0
                or directions[row, column, 2] != 0.0)


@compiled(counted=False)
def put_means(samples: NDArray[np.uint8], pixels: NDArray[np.intp],
              colour: NDArray[np.uint8]) -> None:
    """
    Put the means of samples into pixels.

    :param samples: colours, shape (pixels * samples, 3).
    :param colour: of all pixels, shape (height * width, 3).
    """
    count = len(samples) // max(len(pixels), 1)
    for n in range(len(pixels)):
        for i in range(3):
            total = count // 2
            for k in range(count):
                total += int(samples[n * count + k, i])
            colour[pixels[n], i] = total // count
