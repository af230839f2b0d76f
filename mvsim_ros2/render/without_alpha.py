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
    source, target = pixels.reshape(-1), image.reshape(-1)
    whole = len(source) // 16
    _copy(source.view(np.uint32), target[:12 * whole].view(np.uint32))
    target[12 * whole:].reshape(-1, 3)[:] = source[16 * whole:].reshape(-1, 4)[:, :3]


@compiled(counted=False)
def _copy(source: NDArray[np.uint32], target: NDArray[np.uint32]) -> None:
    """Make three words of each four, of which the first byte is the lowest."""
    for n in range(len(target) // 3):
        a, b, c, d = source[4 * n], source[4 * n + 1], source[4 * n + 2], source[4 * n + 3]
        target[3 * n] = (a & _THREE) | (b << _REST)
        target[3 * n + 1] = ((b >> _BYTE) & _TWO) | (c << _PAIR)
        target[3 * n + 2] = ((c >> _PAIR) & _ONE) | (d << _BYTE)
