# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Shapes of visualization_msgs/Marker as triangles."""

from collections.abc import Sequence
import math
from typing import Any

import numpy as np

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.ros.messages.state_messages import pose_of
from mvsim_ros2.world.spec.view import RuntimeObject

# numbers of visualization_msgs/Marker
CUBE, SPHERE, CYLINDER, LINE_STRIP, LINE_LIST, TRIANGLE_LIST = 1, 2, 3, 4, 5, 11
KINDS = 'CUBE, SPHERE, CYLINDER, LINE_STRIP, LINE_LIST and TRIANGLE_LIST'
MOST = 100_000  # triangles of a marker
_SIDES = 24  # of what is round
_THINNEST = 0.005  # m, width of lines
# corners of a box: x, y and z low or high; its sides as indices of corners
_BOX = np.array([[(i >> axis) & 1 for axis in range(3)] for i in range(8)]) - 0.5
_SIDES_OF_BOX = np.array([[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2],
                          [1, 3, 7, 5]])


class MarkerError(MvsimError):
    """Raised when a marker cannot be shown."""


def object_of(marker: Any, name: str) -> RuntimeObject:
    """Return what a marker shows."""
    makers = {**dict.fromkeys(_SOLIDS, _solid), LINE_STRIP: _lines, LINE_LIST: _lines,
              TRIANGLE_LIST: _triangles}
    if marker.type not in makers:
        raise MarkerError(f'markers of type {marker.type} are not shown, but {KINDS}')
    corners, colours = makers[marker.type](marker)
    if len(corners) > MOST:
        raise MarkerError(f'it has {len(corners)} triangles: make several markers of it, at most '
                          f'{MOST} each')
    if colours is None:
        colours = np.tile(_colour(marker.color), (len(corners), 1))
    if not (np.isfinite(corners).all() and np.isfinite(colours).all()):
        raise MarkerError('it has numbers that are not finite')
    return RuntimeObject(name, _pose(marker.pose), corners, colours)


def _pose(message: Any) -> Pose:
    p, q = message.position, message.orientation
    numbers = np.array([p.x, p.y, p.z, q.x, q.y, q.z, q.w])
    if not np.isfinite(numbers).all() or np.abs(numbers[:3]).max() > 1e6:
        raise MarkerError('its pose has numbers that are not finite, or beyond 1e6 m')
    if not numbers[3:].any():  # left out: as RViz takes it
        return Pose(p.x, p.y, p.z)
    return pose_of(message)


def _colour(message: Any) -> tuple[float, ...]:
    return message.r, message.g, message.b, message.a


def _scale(marker: Any) -> Array:
    return np.array([marker.scale.x, marker.scale.y, marker.scale.z], float)


def _points(marker: Any) -> Array:
    return np.array([(each.x, each.y, each.z) for each in marker.points], float).reshape(-1, 3)


def _colours(marker: Any, group: int) -> Array | None:
    """Return the mean colours of points in groups of so many, None where it has one colour."""
    if len(marker.colors) != len(marker.points) or not marker.colors:
        return None
    colours = np.array([_colour(each) for each in marker.colors], float)
    means: Array = colours[:len(colours) // group * group].reshape(-1, group, 4).mean(axis=1)
    return means


def _fans(polygons: Sequence[Array]) -> Array:
    """Return the triangles of convex polygons, shape (F, 3, 3)."""
    return np.array([(each[0], each[i], each[i + 1]) for each in polygons
                     for i in range(1, len(each) - 1)], float).reshape(-1, 3, 3)


def _ring(z: float, radius: float = 0.5) -> Array:
    turns = np.linspace(0.0, 2.0 * math.pi, _SIDES, endpoint=False)
    return np.column_stack([radius * np.cos(turns), radius * np.sin(turns), np.full(_SIDES, z)])


def unit_box() -> Array:
    """Return the triangles of a box of one metre around the origin, shape (12, 3, 3)."""
    return _fans([_BOX[each] for each in _SIDES_OF_BOX])


def _cylinder() -> Array:
    low, high = _ring(-0.5), _ring(0.5)
    around = [np.array([low[i - 1], low[i], high[i], high[i - 1]]) for i in range(_SIDES)]
    return _fans([low[::-1], high, *around])


def _sphere() -> Array:
    angles = np.linspace(-0.5 * math.pi, 0.5 * math.pi, _SIDES // 2 + 1)
    rings = [_ring(0.5 * math.sin(each), 0.5 * math.cos(each)) for each in angles.tolist()]
    return _fans([np.array([low[i - 1], low[i], high[i], high[i - 1]])
                  for low, high in zip(rings, rings[1:], strict=False) for i in range(_SIDES)])


# of one metre in each direction, and what stands for it where it has no height
_SOLIDS = {CUBE: (unit_box(), _fans([(_BOX * [1.0, 1.0, 0.0])[[0, 1, 3, 2]]])),
           CYLINDER: (_cylinder(), _fans([_ring(0.0)])), SPHERE: (_sphere(), _sphere())}


def _solid(marker: Any) -> tuple[Array, None]:
    scale = _scale(marker)
    return _SOLIDS[marker.type][int(scale[2] == 0.0)] * scale, None


def _triangles(marker: Any) -> tuple[Array, Array | None]:
    points = _points(marker)
    if len(points) % 3:
        raise MarkerError(f'it has {len(points)} points: a TRIANGLE_LIST has three for each')
    return points.reshape(-1, 3, 3) * _scale(marker), _colours(marker, 3)


def _lines(marker: Any) -> tuple[Array, Array | None]:
    """Return a bar along each segment, as thick as `scale.x` says."""
    points, colours = _points(marker), _colours(marker, 1)
    if marker.type == LINE_LIST and len(points) % 2:
        raise MarkerError(f'it has {len(points)} points: a LINE_LIST has two for each line')
    step = 2 if marker.type == LINE_LIST else 1
    first, last = points[:-1:step], points[1::step]
    along = last - first
    length = np.linalg.norm(along, axis=1)
    kept = length > 0.0
    first, along, length = first[kept], along[kept], length[kept]
    ahead = along / length[:, None]
    upright = np.abs(ahead[:, 2]) > 0.9
    aside = np.cross(ahead, np.where(upright[:, None], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]))
    aside /= np.linalg.norm(aside, axis=1)[:, None]
    axes = np.stack([along, *(max(marker.scale.x, _THINNEST) * each
                              for each in (aside, np.cross(aside, ahead)))], axis=1)
    bars = first[:, None] + (_BOX + [0.5, 0.0, 0.0]) @ axes
    corners = bars[:, _SIDES_OF_BOX][:, :, [[0, 1, 2], [0, 2, 3]]].reshape(-1, 3, 3)
    if colours is None:
        return corners, None
    means = 0.5 * (colours[:-1:step] + colours[1::step])
    return corners, np.repeat(means[kept], 12, axis=0)
