# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Objects in view of a camera or in parts of a map, and whether a camera may be inside them."""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.scene.camera_view import CameraView

_BORDER = 2  # texels around casters that are drawn again
_WASTE = 16384  # texels that take as long to copy as it takes to begin


def axes_along(ahead: Array) -> Array:
    """Return the rotation to a frame whose last axis is a unit vector."""
    right = np.cross(ahead, np.eye(3)[np.argmin(np.abs(ahead))])
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(ahead, right), ahead])


def sides_of(view: CameraView) -> Array:
    """Return the planes around a view, shape (5, 4): (x, y, z, 1) times each is >= 0 within."""
    normals = np.array([[1.0, 0.0, (view.cx + 0.5) / view.fx],
                        [-1.0, 0.0, (view.width - 0.5 - view.cx) / view.fx],
                        [0.0, 1.0, (view.cy + 0.5) / view.fy],
                        [0.0, -1.0, (view.height - 0.5 - view.cy) / view.fy], [0.0, 0.0, 1.0]])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    normals = normals @ view.pose[:3, :3].T
    return np.column_stack([normals, -normals @ view.pose[:3, 3]])


@compiled(counted=False, brief=True)
def find_items(
        centre: Array, radius: Array, linear: Array, half: Array, closed: NDArray[np.bool_],
        shown: NDArray[np.bool_], instance: NDArray[np.intp], level: NDArray[np.uint8],
        levels: NDArray[np.uint8], rotation: Array, position: Array, sides: Array, near: float,
        far: float, items: NDArray[np.intp], place: Array) -> tuple[int, bool]:
    """
    Fill in the items in view and where their centres are in the camera frame.

    :param centre: of all items in the world, shape (K, 3), as `radius`, `closed` and `shown`,
        `instance` and `level`.
    :param linear: of their maps to the world, shape (K, 3, 3), and `half` of the sides of their
        boxes before, shape (K, 3).
    :param levels: how rough instances are drawn, shape (N,).
    :param rotation: from the camera to the world, shape (3, 3), and its `position`.
    :param sides: tangents of the angles between the axis and left, right, top and bottom.
    :returns: how many there are, and whether the camera may be within a closed one.
    """
    left, right, top, bottom = sides[0], sides[1], sides[2], sides[3]
    across, along = max(left, right), max(top, bottom)
    reach = near * math.sqrt(1.0 + across * across + along * along)
    count, within = 0, False
    for n in range(len(centre)):
        if not shown[n] or level[n] != levels[instance[n]]:
            continue
        for i in range(3):
            place[count, i] = 0.0
            for k in range(3):
                place[count, i] += (centre[n, k] - position[k]) * rotation[k, i]
        x, y, z, size = place[count, 0], place[count, 1], place[count, 2], radius[n]
        if (x + left * z <= -size * math.sqrt(1.0 + left * left)
                or right * z - x <= -size * math.sqrt(1.0 + right * right)
                or y + top * z <= -size * math.sqrt(1.0 + top * top)
                or bottom * z - y <= -size * math.sqrt(1.0 + bottom * bottom)
                or z <= -size or z >= far + size):
            continue
        within = within or (closed[n] and math.sqrt(x * x + y * y + z * z) < size + reach
                            and reaches(position, centre[n], linear[n], half[n], reach))
        items[count] = n
        count += 1
    return count, within


@compiled(counted=False)
def reaches(position: Array, centre: Array, linear: Array, half: Array, reach: float) -> bool:
    """
    Return whether a sphere about a position may cut a box, filled: True wherever it does.

    :param centre: of the box, shape (3,).
    :param linear: map of a box that is not turned to this one, shape (3, 3).
    :param half: of the sides of that box, shape (3,).
    :param reach: radius of the sphere.
    """
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        away = wide = square = 0.0  # along the normal of two faces
        for a in range(3):
            b, c = (a + 1) % 3, (a + 2) % 3
            normal = linear[b, j] * linear[c, k] - linear[c, j] * linear[b, k]
            away += normal * (position[a] - centre[a])
            wide += normal * linear[a, i]
            square += normal * normal
        if abs(away) > abs(wide) * half[i] + reach * math.sqrt(square):
            return False
    return True


@compiled(counted=False)
def _first(place: float, radius: float, size: int) -> int:
    """Return the first texel, in one direction, of what is at a place in a map, -1 to 1."""
    return max(0, math.floor(0.5 * size * (1.0 + place - radius) - _BORDER))


@compiled(counted=False)
def _end(place: float, radius: float, size: int) -> int:
    """Return the texel after the last one likewise."""
    return min(size, math.ceil(0.5 * size * (1.0 + place + radius) + _BORDER))


@compiled(counted=False)
def touches(x: float, y: float, radius: float, size: int, rectangles: NDArray[np.int64],
            count: int) -> bool:
    """Return whether a sphere in a map is in one of the rectangles."""
    left, bottom = _first(x, radius, size), _first(y, radius, size)
    right, top = _end(x, radius, size), _end(y, radius, size)
    for n in range(count):
        if left < rectangles[n, 2] and right > rectangles[n, 0] and (
                bottom < rectangles[n, 3] and top > rectangles[n, 1]):
            return True
    return False


@compiled(counted=False)
def add_rectangle(x: float, y: float, radius: float, size: int,
                  rectangles: NDArray[np.int64], count: int) -> int:
    """
    Add a rectangle around a sphere in a map to others; those near each other become one.

    :param x: of the sphere, from -1 to 1, as `y`, and `radius` in the same unit.
    :param size: side of the map [px].
    :param rectangles: left, bottom, right, top [px], shape (n, 4), of which there are `count`.
    :returns: how many there are now.
    """
    left, bottom = _first(x, radius, size), _first(y, radius, size)
    right, top = _end(x, radius, size), _end(y, radius, size)
    n = 0
    while n < count:
        other = rectangles[n]
        first, low = min(left, other[0]), min(bottom, other[1])
        end, high = max(right, other[2]), max(top, other[3])
        if (end - first) * (high - low) > _WASTE + (right - left) * (top - bottom) + (
                other[2] - other[0]) * (other[3] - other[1]):
            n += 1
            continue
        left, bottom, right, top = first, low, end, high
        count -= 1
        for i in range(4):
            rectangles[n, i] = rectangles[count, i]
        n = 0  # it may be near others now
    rectangles[count, 0], rectangles[count, 1] = left, bottom
    rectangles[count, 2], rectangles[count, 3] = right, top
    return count + 1
