# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
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
