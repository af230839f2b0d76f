# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The ground as kernels read it: surfaces, and how high they are at a place."""

import math
from typing import NamedTuple

import numpy as np

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.ground.surfaces import BUMP, MAP, MOVER, SURFACE


class Relief(NamedTuple):
    """Surfaces as a kernel reads them."""

    active: bool  # False: level ground at height 0, and all vehicles stand on it
    surfaces: Records  # SURFACE
    near: Records  # SURFACE, as many, where those near a vehicle are copied: see `near_vehicle`
    corners: Array  # (C, 2): vertices of all outlines, counter-clockwise, in their frames
    heights: Array  # (H,): of all maps, row by row
    movers: Records  # MOVER


NO_RELIEF = Relief(
    False, np.zeros(0, SURFACE), np.zeros(0, SURFACE), np.zeros((0, 2)), np.zeros(0),
    np.zeros(0, MOVER))


@compiled
def ground_below(relief: Relief, x: float, y: float, limit: float) -> float:
    """Return the height of the highest surface at (x, y) not above `limit`, else 0 [m]."""
    best = highest_below(relief, x, y, limit)
    return best if best > -math.inf else 0.0


@compiled
def highest_below(relief: Relief, x: float, y: float, limit: float) -> float:
    """Return the height of the highest surface at (x, y) not above `limit`, else -inf [m]."""
    best = -math.inf
    for i in range(len(relief.surfaces)):
        surface = relief.surfaces[i]
        if surface['present']:
            dx, dy = x - surface['x'], y - surface['y']
            along = surface['cos'] * dx + surface['sin'] * dy
            across = surface['cos'] * dy - surface['sin'] * dx
            if contains(relief, surface, along, across):
                height = surface['z'] + height_of(surface, relief.heights, along, across)
                if best < height <= limit:
                    best = height
    return best


@compiled(inlined=True)
def contains(relief: Relief, surface: np.void, x: float, y: float) -> bool:
    """Return whether a point of its frame is in the outline of a surface."""
    if not (surface['x_min'] <= x <= surface['x_max']
            and surface['y_min'] <= y <= surface['y_max']):
        return False
    corners, count = relief.corners, surface['count']
    for k in range(count):
        a, b = surface['first'] + k, surface['first'] + (k + 1) % count
        if ((corners[b, 0] - corners[a, 0]) * (y - corners[a, 1])
                - (corners[b, 1] - corners[a, 1]) * (x - corners[a, 0])) < 0.0:
            return False
    return True


@compiled(inlined=True)
def height_of(surface: np.void, heights: Array, x: float, y: float) -> float:
    """Return the height of a surface at a point of its frame, -inf where there is none."""
    if surface['kind'] == BUMP:
        share = min(abs(y) / surface['half_width'], 1.0)
        return float(surface['top'] * math.sqrt(1.0 - share * share))
    if surface['kind'] == MAP:
        columns = surface['columns']
        row_position = (x - surface['x_min']) / surface['resolution']
        column_position = (y - surface['y_min']) / surface['resolution']
        row, column = int(row_position), int(column_position)
        if row >= surface['rows'] - 1 or column >= columns - 1:
            return -math.inf
        u, v = row_position - row, column_position - column
        at = surface['start'] + row * columns + column
        near, far = heights[at], heights[at + columns + 1]
        if v >= u:  # the triangle on the side of +y of the diagonal
            middle = heights[at + 1]
            return float(near + v * (middle - near) + u * (far - middle))
        middle = heights[at + columns]
        return float(near + u * (middle - near) + v * (far - middle))
    return float(surface['top'] + surface['slope'] * x + surface['bank'] * y)
