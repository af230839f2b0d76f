# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Outlines of wheels that steer, for planar rays."""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled

Array = NDArray[np.float64]

# columns of shapes: x, y [m] and toe [rad] of a wheel in the frame of its body, half its diameter
# and half its width [m]
SHAPE = 5


@compiled
def steer(wheels: NDArray[np.void], rows: NDArray[np.int64], first: NDArray[np.int64],
          shapes: Array, outlines: Array) -> None:
    """
    Turn the outlines of wheels as they are steered now.

    :param wheels: records of all wheels.
    :param rows: which of them these are, shape (n,).
    :param first: of the four segments of each, shape (n,).
    :param shapes: shape (n, SHAPE).
    :param outlines: segments of all movers in the frames of their bodies [m], shape (Q, 4), to
        change.
    """
    for k in range(len(rows)):
        x, y, toe, length, width = shapes[k]
        angle = toe + wheels[rows[k]]['steer']
        cosine, sine = math.cos(angle), math.sin(angle)
        for corner in range(4):
            along = length if 0 < corner < 3 else -length
            aside = width if corner > 1 else -width
            at_x, at_y = x + cosine * along - sine * aside, y + sine * along + cosine * aside
            begins, ends = first[k] + corner, first[k] + (corner + 3) % 4
            outlines[begins, 0], outlines[begins, 1] = at_x, at_y
            outlines[ends, 2], outlines[ends, 3] = at_x, at_y
