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
"""The sky box, as rays see it that meet nothing."""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.compiled import compiled

_FRONT, _BACK, _DOWN, _UP, _LEFT, _RIGHT = range(6)  # as `Lighting.sky`


@compiled(inner=True)
def paint_sky(sky: NDArray[np.uint8], x: float, y: float, z: float,
              colour: NDArray[np.uint8], pixel: int) -> None:
    """
    Fill in the colour of a pixel that looks into a direction of the world.

    :param sky: faces, see `Lighting.sky`.
    :param colour: shape (pixels, 3).
    """
    ahead, aside, high = abs(x), abs(y), abs(z)
    if ahead >= aside and ahead >= high:
        face = _FRONT if x > 0.0 else _BACK
        right, down, depth = -y if x > 0.0 else y, -z, ahead
    elif high >= aside:
        face = _UP if z > 0.0 else _DOWN
        right, down, depth = -y, x if z > 0.0 else -x, high
    else:
        face = _LEFT if y > 0.0 else _RIGHT
        right, down, depth = x if y > 0.0 else -x, -z, aside
    size = sky.shape[1]
    u = min(max((0.5 + 0.5 * right / depth) * size - 0.5, 0.0), size - 1.0)
    v = min(max((0.5 + 0.5 * down / depth) * size - 0.5, 0.0), size - 1.0)
    column, row = int(u), int(v)
    next_column, next_row = min(column + 1, size - 1), min(row + 1, size - 1)
    u, v = u - column, v - row
    for i in range(3):
        above = (1.0 - u) * sky[face, row, column, i] + u * sky[face, row, next_column, i]
        below = ((1.0 - u) * sky[face, next_row, column, i]
                 + u * sky[face, next_row, next_column, i])
        colour[pixel, i] = int((1.0 - v) * above + v * below + 0.5)
