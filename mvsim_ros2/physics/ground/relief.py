# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The ground as kernels read it: surfaces, and how high they are at a place."""

import math
from typing import NamedTuple

import numpy as np

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.ground.surfaces import BUMP, MAP, MOVER, SURFACE

STEEPEST = 4.0  # slope; steeper ground counts as that
VERTICES = 80  # of a map, that are compared to a plane at most


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
    return surface_below(relief, x, y, limit)[0]


@compiled
def highest_below(relief: Relief, x: float, y: float, limit: float) -> float:
    """Return the height of the highest surface at (x, y) not above `limit`, else -inf [m]."""
    height, _, _, own, _ = surface_below(relief, x, y, limit)
    return height if own >= 0 else -math.inf


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
def shape_at(surface: np.void, heights: Array, x: float, y: float,
             ) -> tuple[int, float, float, float]:
    """
    Return what a surface is like at a point of its frame.

    :returns: number of the triangle of a map; height, -inf where there is none; rise a metre along
        x and y.
    """
    if surface['kind'] == BUMP:
        share = max(min(y / surface['half_width'], 1.0), -1.0)
        rise = -surface['top'] * share / (
            surface['half_width'] * math.sqrt(max(1.0 - share * share, 1e-6)))
        return (0, surface['top'] * math.sqrt(1.0 - share * share), 0.0,
                min(max(rise, -STEEPEST), STEEPEST))
    if surface['kind'] == MAP:
        columns, resolution = surface['columns'], surface['resolution']
        u, v = (x - surface['x_min']) / resolution, (y - surface['y_min']) / resolution
        row, column = math.floor(u), math.floor(v)
        if not (0 <= row < surface['rows'] - 1 and 0 <= column < columns - 1):
            return -1, -math.inf, 0.0, 0.0
        u, v, cell = u - row, v - column, row * columns + column
        at = surface['start'] + cell
        near, far = heights[at], heights[at + columns + 1]
        if v >= u:  # the triangle on the side of +y of the diagonal
            middle = heights[at + 1]
            return (2 * cell + 1, near + v * (middle - near) + u * (far - middle),
                    (far - middle) / resolution, (middle - near) / resolution)
        middle = heights[at + columns]
        return (2 * cell, near + u * (middle - near) + v * (far - middle),
                (middle - near) / resolution, (far - middle) / resolution)
    return (0, surface['top'] + surface['slope'] * x + surface['bank'] * y, surface['slope'],
            surface['bank'])


@compiled(inlined=True)
def height_of(surface: np.void, heights: Array, x: float, y: float) -> float:
    """Return the height of a surface at a point of its frame, -inf where there is none."""
    return shape_at(surface, heights, x, y)[1]


@compiled(inlined=True)
def surface_below(relief: Relief, x: float, y: float, limit: float,
                  ) -> tuple[float, float, float, int, int]:
    """
    Return the highest surface at (x, y) not above `limit`; level at 0 where there is none.

    :returns: height [m], slopes along x and y of the world, row of the surface, -1 for none, and
        number of the triangle of a map.
    """
    best, rise_x, rise_y, own, triangle = -math.inf, 0.0, 0.0, -1, 0
    for i in range(len(relief.surfaces)):
        surface, cosine, sine = (
            relief.surfaces[i], relief.surfaces[i]['cos'], relief.surfaces[i]['sin'])
        along = cosine * (x - surface['x']) + sine * (y - surface['y'])
        across = cosine * (y - surface['y']) - sine * (x - surface['x'])
        if surface['present'] and contains(relief, surface, along, across):
            number, height, slope, bank = shape_at(surface, relief.heights, along, across)
            height += surface['z']
            if best < height <= limit:
                best, own, triangle = height, i, number
                rise_x, rise_y = cosine * slope - sine * bank, sine * slope + cosine * bank
    return best if own >= 0 else 0.0, rise_x, rise_y, own, triangle


@compiled(inlined=True)
def is_above_map(surface: np.void, heights: Array, x: float, y: float, reach: float, up: float,
                 slope: float, bank: float) -> bool:
    """Return whether a plane is above the vertices of a map within reach: see `is_above`."""
    resolution, columns = surface['resolution'], surface['columns']
    row, column = (x - surface['x_min']) / resolution, (y - surface['y_min']) / resolution
    reach /= resolution
    first, last = max(math.floor(row - reach), 0), min(
        math.floor(row + reach) + 2, surface['rows'])
    left, right = max(math.floor(column - reach), 0), min(math.floor(column + reach) + 2, columns)
    if (last - first) * (right - left) > VERTICES:
        return False
    for i in range(first, last):
        height = up + slope * resolution * (i - row)
        for j in range(left, right):
            if heights[surface['start'] + i * columns + j] >= height + (
                    bank * resolution * (j - column)):
                return False
    return True


@compiled(inlined=True)
def is_above(relief: Relief, x: float, y: float, reach: float, z: float, slope_x: float,
             slope_y: float) -> bool:
    """
    Return whether a plane is above the ground around a place; False where that is not sure.

    :param x: in the world [m]; so y.
    :param reach: how far around, along both axes of any frame [m].
    :param z: height of the plane there [m].
    :param slope_x: of the plane along x of the world; so slope_y.
    """
    covered = z - (abs(slope_x) + abs(slope_y)) * reach > 0.0
    for i in range(len(relief.surfaces)):
        surface = relief.surfaces[i]
        along = surface['cos'] * (x - surface['x']) + surface['sin'] * (y - surface['y'])
        across = surface['cos'] * (y - surface['y']) - surface['sin'] * (x - surface['x'])
        outside = max(surface['x_min'] - along, along - surface['x_max'],
                      surface['y_min'] - across, across - surface['y_max'])
        if not surface['present'] or outside > reach:
            continue
        slope = surface['cos'] * slope_x + surface['sin'] * slope_y
        bank, up = surface['cos'] * slope_y - surface['sin'] * slope_x, z - surface['z']
        near = up - (abs(slope) + abs(bank)) * reach <= surface['high']
        if surface['kind'] == MAP:
            if near and not is_above_map(
                    surface, relief.heights, along, across, reach, up, slope, bank):
                return False
            covered = covered or outside + surface['resolution'] < -reach
        elif near and (surface['kind'] == BUMP or (
                up - surface['top'] - surface['slope'] * along - surface['bank'] * across
                <= (abs(slope - surface['slope']) + abs(bank - surface['bank'])) * reach)):
            return False
    return covered
