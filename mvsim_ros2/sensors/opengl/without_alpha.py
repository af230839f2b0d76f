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
    copy_colours(pixels.reshape(-1).view(np.uint32), as_words(image), image.reshape(-1), 0,
                 pixels.size // 4)


def as_words(image: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Return the same memory as words of four bytes, without those beyond the last whole one."""
    return image.reshape(-1)[:image.size // 4 * 4].view(np.uint32)


@compiled(counted=False)
def copy_colours(source: NDArray[np.uint32], target: NDArray[np.uint32],
                 image: NDArray[np.uint8], begin: int, end: int) -> None:
    """
    Copy the colours of some pixels, three words of each four, of which the first byte is lowest.

    :param source: red, green, blue and opacity of each pixel.
    :param target: red, green and blue, as words; `image` is the same memory as bytes.
    :param begin: number of the first pixel, a multiple of four, and the `end` of them.
    """
    whole = (end - begin) // 4
    fours, threes = source[begin:begin + 4 * whole], target[begin // 4 * 3:]
    for n in range(whole):
        a, b, c, d = fours[4 * n], fours[4 * n + 1], fours[4 * n + 2], fours[4 * n + 3]
        threes[3 * n] = (a & _THREE) | (b << _REST)
        threes[3 * n + 1] = ((b >> _BYTE) & _TWO) | (c << _PAIR)
        threes[3 * n + 2] = ((c >> _PAIR) & _ONE) | (d << _BYTE)
    for p in range(begin + 4 * whole, end):
        for i in range(3):
            image[3 * p + i] = np.uint8(source[p] >> np.uint32(8 * i) & _ONE)
