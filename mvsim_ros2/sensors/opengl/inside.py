# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Whether a camera may be inside of what it sees."""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled

Array = NDArray[np.float64]


@compiled(counted=False)
def reaches(position: Array, centre: Array, linear: Array, half: Array, reach: float) -> bool:
    """
    Return whether a sphere about a position may cut a box, filled: True wherever it does.

    :param centre: of the box, shape (3,).
    :param linear: map of a box that is not turned to this one, shape (3, 3).
    :param half: of the sides of that box, shape (3,).
    :param reach: radius of the sphere.
    """
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        away = wide = square = 0.0  # along the normal of two faces
        for a in range(3):
            b, c = (a + 1) % 3, (a + 2) % 3
            normal = linear[b, j] * linear[c, k] - linear[c, j] * linear[b, k]
            away += normal * (position[a] - centre[a])
            wide += normal * linear[a, i]
            square += normal * normal
        if abs(away) > abs(wide) * half[i] + reach * math.sqrt(square):
            return False
    return True
