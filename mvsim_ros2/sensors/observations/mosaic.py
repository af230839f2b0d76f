# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Encodings of images: order of colours, and filters that let one colour through to a pixel."""

import numpy as np
from numpy.typing import NDArray

# colour of the pixels of even rows and of odd rows, from the left
MOSAICS = {'bayer_rggb8': (0, 1, 1, 2), 'bayer_bggr8': (2, 1, 1, 0), 'bayer_gbrg8': (1, 2, 0, 1),
           'bayer_grbg8': (1, 0, 2, 1)}
# neighbours of a pixel
_CROSS = (0, 1), (1, 0), (0, -1), (-1, 0)
_CORNERS = (1, 1), (1, -1), (-1, 1), (-1, -1)


def colours_of(pixels: NDArray[np.uint8], encoding: str) -> NDArray[np.uint8]:
    """
    Return an image in any encoding as red, green and blue, shape (rows, columns, 3).

    Behind colour filters those of the nearest pixels of each colour, their mean where there are
    several.
    """
    if encoding == 'rgb8':
        return pixels
    if encoding == 'bgr8':
        return np.ascontiguousarray(pixels[..., ::-1])
    if encoding == 'mono8':
        return np.repeat(pixels[..., np.newaxis], 3, axis=2)
    image = np.empty((*pixels.shape, 3), np.uint8)
    for part in range(3):
        has = np.zeros(pixels.shape)
        for number, other in enumerate(MOSAICS[encoding]):
            row, column = divmod(number, 2)
            has[row::2, column::2] = other == part
        values = has * pixels
        nearest = values
        known = has > 0
        for steps in (_CROSS, _CORNERS):
            count = _around(has, steps)
            mean = _around(values, steps) / np.maximum(count, 1.0)
            nearest = np.where(known, nearest, mean)
            known = known | (count > 0)
        image[..., part] = np.rint(nearest)
    return image


def _around(values: NDArray[np.float64],
            steps: tuple[tuple[int, int], ...]) -> NDArray[np.float64]:
    """Return the sums of some neighbours of pixels, shape (rows, columns)."""
    rows, columns = values.shape
    padded = np.pad(values, 1)
    sums = np.zeros(values.shape)
    for down, right in steps:
        sums += padded[1 + down:rows + 1 + down, 1 + right:columns + 1 + right]
    return sums
