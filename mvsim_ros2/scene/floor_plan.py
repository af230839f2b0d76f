# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Occupancy map of a horizontal section of the world, as seen by a planar LiDAR."""

from collections.abc import Collection
import math

import numpy as np

from mvsim_ros2.errors import SceneError
from mvsim_ros2.frames import Array
from mvsim_ros2.scene.scene import Scene
from mvsim_ros2.world.spec.grid import OccupancyMap

MARGIN = 1.0  # m of free cells around the world
MOST_CELLS = 64_000_000  # of a map: 400 m by 400 m at 5 cm
_LEFT_OUT = ('ground', 'terrain')  # labels without an outline at the height of a robot


def floor_plan(scene: Scene, height: float, resolution: float,
               without: Collection[str] = ()) -> OccupancyMap:
    """
    Return a map of the outlines of static objects at a height; all other cells are free.

    Solid objects are hollow. Ground and sensors are left out. Height and resolution are in m.
    """
    segments = np.concatenate([np.zeros((0, 4)), *(
        _cut(scene.triangles(i), height) for i in range(len(scene.mesh)) if not scene.moving[i]
        and scene.LABELS[scene.label[i]] not in _LEFT_OUT and not scene.sensor[i]
        and scene.thing_names[scene.thing[i]] not in without)])
    points = segments.reshape(-1, 2) if len(segments) else np.zeros((1, 2))
    low = np.floor((points.min(axis=0) - MARGIN) / resolution) * resolution
    columns, rows = np.ceil((points.max(axis=0) + MARGIN - low) / resolution).astype(int).tolist()
    if columns * rows > MOST_CELLS:
        raise SceneError(
            f'a map of {columns} x {rows} cells of {resolution:g} m is too large, more than '
            f'{MOST_CELLS} cells: take larger cells')
    values = np.zeros((rows, columns), np.int8)
    for segment in segments:
        count = 1 + math.ceil(2 * math.dist(segment[:2], segment[2:]) / resolution)
        along = np.linspace(segment[:2], segment[2:], count)
        at = ((along - low) / resolution).astype(int)
        values[at[:, 1], at[:, 0]] = 100
    return OccupancyMap(values, resolution, float(low[0]), float(low[1]))


def _cut(corners: Array, height: float) -> Array:
    """Return the sections of triangles at a height: x0, y0, x1, y1, shape (n, 4)."""
    above = corners[:, :, 2] >= height
    corners = corners[(above.any(axis=1)) & (~above.all(axis=1))]
    if not len(corners):
        return np.zeros((0, 4))
    start, end = corners, np.roll(corners, -1, axis=1)
    crosses = (start[:, :, 2] >= height) != (end[:, :, 2] >= height)  # two edges of each
    rise = np.where(crosses, end[:, :, 2] - start[:, :, 2], 1.0)
    share = ((height - start[:, :, 2]) / rise)[:, :, None]
    points = (start + share * (end - start))[:, :, :2]
    return np.asarray(points[crosses].reshape(-1, 4))
