# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Routes in regular patterns, from the origin, at first along x."""

import math

import numpy as np

from mvsim_ros2.errors import TrajectoryError
from mvsim_ros2.trajectories.route import Route

FINE = 0.05  # rad between the points of an arc


def lawn_mower(length: float = 10.0, width: float = 6.0, spacing: float = 1.5) -> Route:
    """
    Return lanes side by side, each to the left of the one before, joined by half circles.

    :param length: of the straight part of a lane [m].
    :param width: from the first lane to the farthest that there may be [m].
    :param spacing: from lane to lane [m].
    :raises TrajectoryError: where a number is not above 0.
    """
    _check(length=length, width=width, spacing=spacing)
    points = []
    turns = math.pi * _fractions(math.pi)
    for lane in range(int(width / spacing + 1e-9) + 1):
        y, forth = lane * spacing, lane % 2 == 0
        ends = (0.0, length) if forth else (length, 0.0)
        if lane:
            side = -1.0 if forth else 1.0  # which end the turn into this lane is at
            points += [(ends[0] + side * 0.5 * spacing * math.sin(angle),
                        y - spacing + 0.5 * spacing * (1.0 - math.cos(angle)))
                       for angle in turns]
        points += [(ends[0], y), (ends[1], y)]
    return Route.through(points, name='lawn_mower')


def figure_of_eight(radius: float = 3.0) -> Route:
    """
    Return two circles that touch at the origin, the left one first; a loop.

    :param radius: of both [m].
    :raises TrajectoryError: where it is not above 0.
    """
    _check(radius=radius)
    angles = 2.0 * math.pi * _fractions(2.0 * math.pi)
    circle = radius * np.stack([np.sin(angles), 1.0 - np.cos(angles)], axis=1)
    return Route.through(np.concatenate([circle, circle * [1.0, -1.0]]), name='eight')


def _fractions(angle: float) -> np.ndarray:
    """Return where the points of an arc lie, from 0 to 1."""
    return np.linspace(0.0, 1.0, math.ceil(angle / FINE) + 1)


def _check(**sizes: float) -> None:
    for name, size in sizes.items():
        if not 0.0 < size < math.inf:
            raise TrajectoryError(f'the {name} of the pattern is {size}: it must be above 0')
