# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Pixels as OpenGL holds them, and as images do."""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled


@compiled
def without_alpha(pixels: NDArray[np.uint8], image: NDArray[np.uint8]) -> None:
    """
    Fill an image with the colours of some pixels.

    :param pixels: red, green, blue and opacity, shape (n, 4).
    :param image: red, green and blue, shape (n, 3).
    """
    for row in range(len(image)):
        for part in range(3):
            image[row, part] = pixels[row, part]
