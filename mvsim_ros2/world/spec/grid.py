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
"""Occupancy maps and height maps as data."""

from dataclasses import dataclass
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.short_repr import ShortRepr


@dataclass(frozen=True, eq=False)
class OccupancyMap(ShortRepr):
    """
    Cells of an occupancy map, row 0 at the lowest y.

    `values` has shape (rows, columns), int8, ROS convention: 0 free .. 100 occupied, -1
    unknown. A cell is solid where its value is above 50.
    """

    values: NDArray[np.int8]
    resolution: float  # m per cell
    x_min: float  # m, left edge of column 0
    y_min: float  # m, lower edge of row 0

    @property
    def solid(self) -> NDArray[np.bool_]:
        """Cells that stop bodies and rays, shape (rows, columns)."""
        return self.values > 50

    @property
    def decided(self) -> 'OccupancyMap':
        """
        Return the same map in the three values that navigation tells apart.

        Occupied (100) is what is `solid`, free (0) what is occupied with less than 25 %, the
        default of the map server of Nav2; the rest is unknown (-1). For amcl and the static
        layer of Nav2 a wall of 99 would be none.
        """
        free = (self.values >= 0) & (self.values < 25)
        return replace(self, values=np.select(
            [self.solid, free], [100, 0], default=-1).astype(np.int8))


@dataclass(frozen=True, eq=False)
class HeightMap(ShortRepr):
    """
    Heights at the corners of a grid of square cells.

    `values` has shape (rows, columns), float64 [m]; rows run along x, columns along y. Each
    cell is two triangles, cut along the diagonal from its corner of smallest x and y.
    """

    values: NDArray[np.float64]
    resolution: float  # m per cell
    x_min: float  # m, of row 0
    y_min: float  # m, of column 0
    colours: NDArray[np.uint8] | None = None  # (rows, columns, 3): sRGB of the nodes
