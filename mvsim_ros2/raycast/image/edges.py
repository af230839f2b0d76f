# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Antialiasing: pixels on edges are drawn again with several rays.

An edge runs between pixels that see different things, faces at an angle, parallel faces one
behind the other, or sun and shadow, and through what has holes; where the colours on both sides
are the same there is nothing to smooth. The places of the rays in a pixel are those of the usual
pattern of four samples of graphics cards, one in each quarter. A sample is drawn where an edge
runs between the pixel and one of the two neighbours beside that quarter; else it lies between the
middles of three pixels that see the same, and looks like them.
"""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled

Array = NDArray[np.float64]

# places in a pixel, from its centre, right and down
SAMPLES = np.array([(0.375, 0.125), (0.875, 0.375), (0.125, 0.625), (0.625, 0.875)]) - 0.5
LEFT, RIGHT, ABOVE, BELOW, EACH = 0b0101, 0b1010, 0b0011, 0b1100, 0b1111  # samples on sides
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


def edges_of(marks: NDArray[np.float32], colour: NDArray[np.uint8], directions: Array,
             rotation: Array) -> NDArray[np.uint8]:
    """
    Return the samples to draw of an image drawn by rays, shape (height, width).

    :param marks: what pixels see, shape (height, width, `MARKS`).
    :param colour: of pixels, shape (height, width, 3).
    :param directions: of the pixels in the optical frame, shape (height, width, 3).
    :param rotation: from that frame to the world, of the normals, shape (3, 3).
    """
    height, width = marks.shape[:2]
    edges = np.zeros((height, width), np.uint8)
    _find_edges(marks.reshape(-1, MARKS), colour.reshape(-1, 3), directions.reshape(-1, 3),
                rotation, width, edges.reshape(-1))
    return edges


@compiled(counted=False)
def _find_edges(marks: NDArray[np.float32], colour: NDArray[np.uint8], directions: Array,
                rotation: Array, width: int, edges: NDArray[np.uint8]) -> None:
    """Set the samples of pixels on edges, all in one row; see `edges_of`."""
    count = marks.shape[0]
    for p in range(count):
        if marks[p, INSTANCE] == HOLED:
            edges[p] = EACH
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
            edges[p] |= RIGHT if k == 0 else BELOW
            edges[q] |= LEFT if k == 0 else ABOVE


def rays_within(directions: Array,
                edges: NDArray[np.uint8]) -> tuple[Array, NDArray[np.int64]]:
    """
    Return the directions of the chosen samples, shape (n, 3), and the pixel of each, (n,).

    :param directions: of all pixels, shape (height, width, 3); zero outside of the lens.
    :param edges: samples of pixels, shape (height, width).
    """
    count = _count(edges.reshape(-1))
    rays, pixels = np.empty((count, 3)), np.empty(count, np.int64)
    _spread(directions, edges, SAMPLES, rays, pixels)
    return rays, pixels


@compiled(counted=False)
def _count(edges: NDArray[np.uint8]) -> int:
    """Return the number of samples."""
    count = 0
    for p in range(len(edges)):
        if edges[p]:
            for k in range(4):
                count += edges[p] >> k & 1
    return count


@compiled(counted=False)
def _spread(directions: Array, edges: NDArray[np.uint8], samples: Array, rays: Array,
            pixels: NDArray[np.int64]) -> None:
    """Fill in the directions of samples: the pixel's, and steps to its neighbours in the lens."""
    height, width = edges.shape
    n = 0
    for row in range(height):
        for column in range(width):
            if edges[row, column] == 0:
                continue
            left, right = max(column - 1, 0), min(column + 1, width - 1)
            above, below = max(row - 1, 0), min(row + 1, height - 1)
            wide, high = max(right - left, 1), max(below - above, 1)
            across = 1.0 if _seen(directions, row, left) and (
                _seen(directions, row, right) and _seen(directions, row, column)) else 0.0
            along = 1.0 if _seen(directions, above, column) and (
                _seen(directions, below, column) and _seen(directions, row, column)) else 0.0
            for k in range(len(samples)):
                if edges[row, column] >> k & 1 == 0:
                    continue
                pixels[n] = row * width + column
                u, v = across * samples[k, 0] / wide, along * samples[k, 1] / high
                for i in range(3):
                    rays[n, i] = (
                        directions[row, column, i]
                        + u * (directions[row, right, i] - directions[row, left, i])
                        + v * (directions[below, column, i] - directions[above, column, i]))
                n += 1


@compiled(inner=True, counted=False)
def _seen(directions: Array, row: int, column: int) -> bool:
    """Return whether a pixel lies within the lens."""
    return bool(directions[row, column, 0] != 0.0 or directions[row, column, 1] != 0.0
                or directions[row, column, 2] != 0.0)


@compiled(counted=False)
def put_means(samples: NDArray[np.uint8], pixels: NDArray[np.int64],
              colour: NDArray[np.uint8]) -> None:
    """
    Put the means of samples into pixels; samples that were not drawn look like the pixel.

    :param samples: colours, shape (n, 3).
    :param pixels: of the samples, those of one pixel in a row, shape (n,).
    :param colour: of all pixels, shape (height * width, 3).
    """
    first = 0
    while first < len(pixels):
        pixel, last = pixels[first], first + 1
        while last < len(pixels) and pixels[last] == pixel:
            last += 1
        for i in range(3):
            total = (4 - (last - first)) * int(colour[pixel, i]) + 2
            for n in range(first, last):
                total += int(samples[n, i])
            colour[pixel, i] = total // 4
        first = last
