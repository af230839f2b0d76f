# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The plane that a block rests on.

Of all that are nowhere below the ground it is the lowest at the centre of mass. The ground is
looked up at points below the block. Where they do not lie in one plane it is the facet of their
upper convex hull above the centre of mass, which is found by exchanging the corners of a triangle
(the dual simplex method for a linear programme in three unknowns).
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.ground.terrain import ground_below, NO_RELIEF, Relief
from mvsim_ros2.physics.state.example_arguments import ROW, TABLE
from mvsim_ros2.world.spec.common import Polygon

Array = NDArray[np.float64]

REACH = 0.1  # m; ground so much above the underside of a block counts
INSET = 0.01  # m; so far inside its outline the ground is looked up
GRID = 5  # points along and across, besides the corners
SMOOTH = 1e-7  # m; heights that differ by less are the same
EXCHANGES = 100


def support_points(polygon: Polygon, middle: tuple[float, float]) -> Array:
    """
    Return the points of a convex outline at which its ground is looked up, shape (n, 2).

    The corners come first, then points of a grid, the middle among them.

    :param middle: its centre of mass.
    """
    corners = np.array(polygon, float)
    away = corners - middle
    length = np.linalg.norm(away, axis=1, keepdims=True)
    corners = middle + away * np.maximum(1.0 - INSET / np.maximum(length, 1e-9), 0.75)
    parts = np.linspace(-1.0, 1.0, GRID)
    low, high = corners.min(axis=0), corners.max(axis=0)
    grid = np.stack(np.meshgrid(parts, parts), -1).reshape(-1, 2) * 0.5 * (high - low) + (
        0.5 * (low + high))
    ahead = np.roll(corners, -1, axis=0) - corners
    rise = grid[:, None] - corners
    inside = np.all(ahead[:, 0] * rise[..., 1] > ahead[:, 1] * rise[..., 0], axis=1)
    return np.concatenate([corners, grid[inside], [middle]])


@compiled(inlined=True)
def _plane(points: Array, a: int, b: int, c: int) -> tuple[float, float, float, float]:
    """
    Return height and slopes of the plane through three points, at x = y = 0.

    :returns: and the least of the three shares by which they make up that place, -1 where they
        stand on one line.
    """
    bx, by = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1]
    cx, cy = points[c, 0] - points[a, 0], points[c, 1] - points[a, 1]
    whole = bx * cy - by * cx
    if abs(whole) < 1e-9:
        return 0.0, 0.0, 0.0, -1.0
    up_b, up_c = points[b, 2] - points[a, 2], points[c, 2] - points[a, 2]
    slope_x, slope_y = (up_b * cy - up_c * by) / whole, (up_c * bx - up_b * cx) / whole
    height = points[a, 2] - slope_x * points[a, 0] - slope_y * points[a, 1]
    of_b = (cx * points[a, 1] - cy * points[a, 0]) / whole
    of_c = (by * points[a, 0] - bx * points[a, 1]) / whole
    return height, slope_x, slope_y, min(of_b, of_c, 1.0 - of_b - of_c)


@compiled
def highest_facet(points: Array, corners: int) -> tuple[float, float, float]:
    """
    Return the plane that rests on points, above x = y = 0: height there, slopes along x and y.

    :param points: x, y and height of each, shape (n, 3); the first are the corners of a convex
        outline around 0, counter-clockwise, the last one is 0.
    """
    basis = np.array((0, 1, 2))
    best = -1.0
    for k in range(1, corners - 1):
        inside = _plane(points, 0, k, k + 1)[3]
        if inside > best:
            best = inside
            basis[1], basis[2] = k, k + 1
    height, slope_x, slope_y, _ = _plane(points, basis[0], basis[1], basis[2])
    for _ in range(EXCHANGES):
        worst, most = -1, SMOOTH
        for k in range(len(points) - 1):
            above = points[k, 2] - (height + slope_x * points[k, 0] + slope_y * points[k, 1])
            if above > most:
                worst, most = k, above
        if worst < 0:
            break
        leaves, top, best = -1, -math.inf, -1.0
        for k in range(3):
            kept = basis[k]
            basis[k] = worst
            at, _, _, inside = _plane(points, basis[0], basis[1], basis[2])
            basis[k] = kept
            if inside > -1e-9 and (at > top + SMOOTH or at > top - SMOOTH and inside > best):
                leaves, top, best = k, at, inside
        if leaves < 0:
            break
        basis[leaves] = worst
        height, slope_x, slope_y, _ = _plane(points, basis[0], basis[1], basis[2])
    # above an edge or corner of the hull it leans no more than it has to
    height, part = max(height, points[len(points) - 1, 2]), 0.0
    for k in range(len(points)):
        rises = slope_x * points[k, 0] + slope_y * points[k, 1]
        if rises > 0.0 and points[k, 2] > height + part * rises:
            part = min((points[k, 2] - height) / rises, 1.0)
    return height, part * slope_x, part * slope_y


@lazy_kernel(NO_RELIEF, TABLE, 0, ROW, ROW, 0.0, 0.0, 0.0)
def supported(relief: Relief, local: Array, corners: int, middle: Array, pose: Array,
              slope_x: float, slope_y: float, reach: float) -> tuple[float, float, float]:
    """
    Return the plane that a block would rest on: height of its origin, slopes in the world.

    :param local: points below it in its frame, see `support_points`; the first are corners.
    :param middle: its centre of mass in its frame.
    :param pose: x y z yaw pitch roll.
    :param slope_x: of its underside as it is; so slope_y.
    :param reach: how far above that the ground may be [m].
    """
    cosine, sine = math.cos(pose[3]), math.sin(pose[3])
    com_x = cosine * middle[0] - sine * middle[1]
    com_y = sine * middle[0] + cosine * middle[1]
    points = np.empty((len(local), 3))
    for k in range(len(local)):
        x = cosine * local[k, 0] - sine * local[k, 1]
        y = sine * local[k, 0] + cosine * local[k, 1]
        points[k, 0], points[k, 1] = x - com_x, y - com_y
        points[k, 2] = ground_below(
            relief, pose[0] + x, pose[1] + y, pose[2] + slope_x * x + slope_y * y + reach)
    height, slope_x, slope_y = highest_facet(points, corners)
    return height - slope_x * com_x - slope_y * com_y, slope_x, slope_y
