# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Records of the surfaces that make up the ground, from what they are surfaces of."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.world.spec.block import BlockSpec
from mvsim_ros2.world.spec.common import Footprint, GeometrySpec
from mvsim_ros2.world.spec.elements.horizontal_plane import HorizontalPlaneSpec
from mvsim_ros2.world.spec.grid import HeightMap
from mvsim_ros2.world.spec.shapes.geometry_shapes import shape_of

Array = NDArray[np.float64]
Records = NDArray[np.void]

FLAT, RAMP, BUMP, MAP = range(4)  # values of `kind`
SURFACE = np.dtype([(name, np.int64) for name in (
    'kind',
    'present',  # 0: does not count
    'first', 'count',  # where its outline starts, and its vertices: 0 is the rectangle itself
    'start', 'rows', 'columns',  # of a map: where its heights start, and how many there are
)] + [(name, np.float64) for name in (
    'x', 'y', 'z', 'cos', 'sin',  # pose of its frame in the world; tilt does not count
    'rise',  # how fast that rises by itself, in the last step
    'x_min', 'x_max', 'y_min', 'y_max',  # rectangle around it, in its frame
    'top',  # height of a flat surface, and of a bump in its middle
    'slope',  # of a ramp: rise over run
    'half_width',  # of a bump
    'resolution',  # of a map: size of a cell
    'low', 'high',  # smallest and largest height in its frame
)])


def plane_row(plane: HorizontalPlaneSpec) -> dict[str, float]:
    """Return the values of a horizontal plane."""
    return {'kind': FLAT, 'x_min': plane.x_min, 'x_max': plane.x_max, 'y_min': plane.y_min,
            'y_max': plane.y_max}


def map_row(grid: HeightMap) -> dict[str, float]:
    """Return the values of an elevation map."""
    rows, columns = grid.values.shape
    return {'kind': MAP, 'present': 1, 'rows': rows, 'columns': columns, 'cos': 1.0,
            'resolution': grid.resolution, 'x_min': grid.x_min, 'y_min': grid.y_min,
            'x_max': grid.x_min + rows * grid.resolution,
            'y_max': grid.y_min + columns * grid.resolution,
            'low': float(grid.values.min()), 'high': float(grid.values.max())}


def surfaces_of(rows: Sequence[Mapping[str, float]]) -> Records:
    """Return surfaces with these values."""
    surfaces = np.zeros(len(rows), SURFACE)
    for name in set().union(*rows):
        surfaces[name] = [row.get(name, 0) for row in rows]
    return surfaces


def sizes_of(surfaces: Records) -> Array:
    """Return how far from their origins surfaces reach [m]."""
    sizes: Array = np.hypot(*(
        np.maximum(np.abs(surfaces[low]), np.abs(surfaces[high]))
        for low, high in (('x_min', 'x_max'), ('y_min', 'y_max'))))
    return sizes


def carries(block: BlockSpec) -> bool:
    """Return whether wheels can stand on a block."""
    return block.static or block.intangible or block.animation is not None


def block_row(block: BlockSpec, footprint: Footprint) -> dict[str, float]:
    """Return the top of a block; the shape of a ramp or bump is that of its geometry."""
    x, y = zip(*footprint.polygon, strict=True)
    row = {'count': len(footprint.polygon), 'x_min': min(x), 'x_max': max(x), 'y_min': min(y),
           'y_max': max(y)}
    solid = block.geometry
    if solid is not None and shape_of(solid).profile is not None:
        return row | _UNEVEN[solid.kind](solid, min(x), max(x))
    top = footprint.zmax
    return {**row, 'kind': FLAT, 'top': top, 'low': top, 'high': top}


def _ramp(solid: GeometrySpec, start: float, end: float) -> dict[str, float]:
    slope = solid.lz / solid.lx
    return {'kind': RAMP, 'slope': slope, 'low': slope * start, 'high': slope * end}


def _bump(solid: GeometrySpec, start: float, end: float) -> dict[str, float]:
    return {'kind': BUMP, 'top': solid.lz, 'half_width': 0.5 * solid.ly, 'high': solid.lz}


# kinds of `SHAPES` that are not flat on top, as kernels know them
_UNEVEN = {'ramp': _ramp, 'semi_cylinder_bump': _bump}
