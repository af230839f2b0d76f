# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Occupancy maps and height maps as data."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.base.short_repr import ShortRepr

FINEST, COARSEST = 1e-3, 100.0  # m; sizes of cells of occupancy maps
SOLID = 50  # values of an occupancy map above it stop bodies and rays


@dataclass(frozen=True, eq=False)
class OccupancyMap(ShortRepr):
    """
    Cells of an occupancy map, row 0 at the lowest y.

    `values` has shape (rows, columns), int8, ROS convention: 0 free .. 100 occupied, -1
    unknown. A cell is solid where its value is above `SOLID`.
    """

    values: NDArray[np.int8]
    resolution: float  # m per cell
    x_min: float  # m, left edge of column 0
    y_min: float  # m, lower edge of row 0

    @property
    def solid(self) -> NDArray[np.bool_]:
        """Cells that stop bodies and rays, shape (rows, columns)."""
        return self.values > SOLID

    @property
    def decided(self) -> 'OccupancyMap':
        """
        Return the same map in the three values that navigation distinguishes.

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
