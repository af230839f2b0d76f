# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Colours as OpenGL has them, four bytes a pixel, made those of images, three bytes."""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled

_THREE, _TWO, _ONE = np.uint32(0xFFFFFF), np.uint32(0xFFFF), np.uint32(0xFF)  # low bytes
_BYTE, _PAIR, _REST = np.uint32(8), np.uint32(16), np.uint32(24)  # bits


def without_alpha(pixels: NDArray[np.uint8], image: NDArray[np.uint8]) -> None:
    """
    Copy the colours of pixels into an image.

    :param pixels: red, green, blue and opacity, shape (height, width, 4).
    :param image: red, green and blue, shape (height, width, 3).
    """
    flat = image.reshape(-1)
    _copy_colours(pixels.reshape(-1).view(np.uint32), flat[:flat.size // 4 * 4].view(np.uint32),
                  flat)


@compiled(counted=False)
def _copy_colours(source: NDArray[np.uint32], target: NDArray[np.uint32],
                  image: NDArray[np.uint8]) -> None:
    """
    Copy three bytes of each word of four, of which the first byte is lowest.

    :param source: red, green, blue and opacity of each pixel.
    :param target: red, green and blue, as words; `image` is the same memory as bytes.
    """
    whole = len(source) // 4
    for n in range(whole):
        a, b, c, d = source[4 * n], source[4 * n + 1], source[4 * n + 2], source[4 * n + 3]
        target[3 * n] = (a & _THREE) | (b << _REST)
        target[3 * n + 1] = ((b >> _BYTE) & _TWO) | (c << _PAIR)
        target[3 * n + 2] = ((c >> _PAIR) & _ONE) | (d << _BYTE)
    for p in range(4 * whole, len(source)):
        for i in range(3):
            image[3 * p + i] = np.uint8(source[p] >> np.uint32(8 * i) & _ONE)
