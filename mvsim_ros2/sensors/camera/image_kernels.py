# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
What cameras compute for each pixel, in one pass each.

`image_noise`, `rgbd` and `through_lens` compute the same by array operations where kernels are not
compiled.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled

Array = NDArray[np.float64]
Floats = NDArray[np.float32]


@compiled(counted=False)
def expose_pixels(
        colour: NDArray[np.uint8], gain: Floats, parts: NDArray[np.uint16], table: Floats,
        image: NDArray[np.uint8]) -> None:
    """
    Fill in the image that is taken.

    :param colour: shape (rows, columns, 3).
    :param gain: of each pixel, shape (rows, columns, 1), or no rows.
    :param parts: random rows of `table`, shape (rows, columns, 3), or no rows.
    :param table: noise, shape (65536,).
    :param image: shape (rows, columns, 3).
    """
    rows, columns = image.shape[0], image.shape[1]
    for v in range(rows):
        for u in range(columns):
            for part in range(3):
                value = np.float32(colour[v, u, part])
                if gain.shape[0] > 0:
                    value *= gain[v, u, 0]
                if parts.shape[0] > 0:
                    value += table[parts[v, u, part]]
                image[v, u, part] = int(min(max(np.rint(value), np.float32(0.0)),
                                            np.float32(255.0)))


@compiled(counted=False)
def take_depths(
        depth: Floats, jump: np.float32, sigma: np.float32, growth: np.float32,
        parts: NDArray[np.uint16], table: Floats, low: np.float32, high: np.float32,
        measured: Floats, first: int, end: int) -> None:
    """
    Fill in what a depth camera measures in some rows; NaN where this is nothing.

    :param depth: true depths, shape (rows, columns) [m].
    :param jump: pixels beside a step of more than this share of their depth are empty; 0: none.
    :param sigma: standard deviation of the noise [m].
    :param growth: what it grows by with the square of the depth [1/m].
    :param parts: random rows of `table`, shape (rows, columns), or no rows.
    :param table: standard normal numbers, shape (65536,).
    :param low: smallest depth that is measured [m].
    :param high: largest one [m].
    :param measured: shape (rows, columns) [m].
    :param first: of the rows, and the one after their last.
    """
    rows, columns = depth.shape
    nothing = np.float32(math.nan)
    for v in range(first, end):
        trues, results = depth[v], measured[v]
        if parts.shape[0] > 0:
            numbers = parts[v]
            for u in range(columns):  # without branches: pixels side by side in registers
                true = trues[u]
                value = true + (sigma + growth * true * true) * table[numbers[u]]
                value = value if true < math.inf else true
                results[u] = value if low <= value and value <= high else nothing
        else:
            for u in range(columns):
                results[u] = trues[u] if low <= trues[u] and trues[u] <= high else nothing
    if jump > 0.0:
        for v in range(first, end):
            for u in range(columns):
                true = depth[v, u]
                if (v > 0 and is_step(true, depth[v - 1, u], jump)
                        or v < rows - 1 and is_step(true, depth[v + 1, u], jump)
                        or u > 0 and is_step(true, depth[v, u - 1], jump)
                        or u < columns - 1 and is_step(true, depth[v, u + 1], jump)):
                    measured[v, u] = nothing


@compiled(inner=True, counted=False)
def is_step(one: np.float32, other: np.float32, jump: np.float32) -> bool:
    """Return whether two neighbours are at quite different depths."""
    return bool(abs(one - other) > jump * min(one, other))


@compiled(counted=False)
def lay_points(
        depth: Floats, rays: Array, pixels: NDArray[np.uint8], shift: Array, lens: Array,
        together: bool, places: Floats, words: NDArray[np.uint32]) -> None:
    """
    Fill in the points of depths with the colours where they are seen, black elsewhere.

    :param depth: shape (rows, columns) [m].
    :param rays: where the pixels of the depths look to at a depth of 1, shape (rows, columns, 3).
    :param pixels: colours, shape (rows, columns, 3), or no rows.
    :param shift: transform from the depth camera to the colour camera, shape (4, 4).
    :param lens: fx, fy, cx, cy of the colour camera [px].
    :param together: whether depths and colours have the same pixels.
    :param places: x, y, z [m] and 0x00RRGGBB of the points, shape (rows, columns, 4).
    :param words: the same memory.
    """
    height, width = pixels.shape[0], pixels.shape[1]
    for v in range(depth.shape[0]):
        for u in range(depth.shape[1]):
            z = depth[v, u]
            places[v, u, 0], places[v, u, 1] = rays[v, u, 0] * z, rays[v, u, 1] * z
            places[v, u, 2] = z
            row, column = -1, -1
            if together:
                row, column = v, u
            elif height > 0:
                x, y = float(places[v, u, 0]), float(places[v, u, 1])
                ahead = shift[2, 0] * x + shift[2, 1] * y + shift[2, 2] * z + shift[2, 3]
                if ahead > 0.0:
                    right = shift[0, 0] * x + shift[0, 1] * y + shift[0, 2] * z + shift[0, 3]
                    down = shift[1, 0] * x + shift[1, 1] * y + shift[1, 2] * z + shift[1, 3]
                    across = np.rint(lens[0] * (right / ahead) + lens[2])
                    along = np.rint(lens[1] * (down / ahead) + lens[3])
                    if 0.0 <= across < width and 0.0 <= along < height:
                        row, column = int(along), int(across)
            colour = 0
            if height > 0 and row >= 0:
                colour = ((int(pixels[row, column, 0]) << 16) + (int(pixels[row, column, 1]) << 8)
                          + int(pixels[row, column, 2]))
            words[v, u, 3] = colour


@compiled(counted=False)
def blend_light(colour: NDArray[np.uint8], first: NDArray[np.int32], right: Floats, down: Floats,
                image: NDArray[np.uint8]) -> None:
    """
    Fill in colours between the pixels of another image: bilinear in light, the square of a colour.

    :param colour: shape (rows, columns, 3).
    :param first: place of the upper left of the four pixels around each, row by row, shape
        (height, width); -1: black.
    :param right: share of the right ones, shape (height, width), as `down`.
    :param image: shape (height, width, 3).
    """
    columns = colour.shape[1]
    for v in range(image.shape[0]):
        for u in range(image.shape[1]):
            if first[v, u] < 0:
                image[v, u, 0] = image[v, u, 1] = image[v, u, 2] = 0
                continue
            row, column = first[v, u] // columns, first[v, u] % columns
            x, y = right[v, u], down[v, u]
            one = np.float32(1.0)
            for part in range(3):
                a, b = np.float32(colour[row, column, part]), np.float32(
                    colour[row, column + 1, part])
                c, d = np.float32(colour[row + 1, column, part]), np.float32(
                    colour[row + 1, column + 1, part])
                light = (one - y) * ((one - x) * a * a + x * b * b) + y * (
                    (one - x) * c * c + x * d * d)
                image[v, u, part] = int(np.sqrt(light) + np.float32(0.5))
