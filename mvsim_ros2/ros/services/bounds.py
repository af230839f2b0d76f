# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Bounds of entities for `simulation_interfaces`: boxes and spheres, and overlap with them."""

from collections.abc import Callable
import math
from typing import Any

from geometry_msgs.msg import Vector3
import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.frames import Pose
from mvsim_ros2.handles import BodyHandle
from mvsim_ros2.ros.services.results import RequestError
from mvsim_ros2.ros.services.results import UNSUPPORTED
from mvsim_ros2.spec.shapes.outlines import placed

EMPTY, BOX, SPHERE = 0, 1, 3  # of simulation_interfaces/msg/Bounds
Array = NDArray[np.float64]


def fill_bounds(message: Any, handle: BodyHandle) -> None:
    """
    Fill in the bounding box of the solid body of an entity, in its own frame.

    :param message: a simulation_interfaces/msg/Bounds.
    """
    low, high = _box(handle, Pose())
    message.type = BOX
    message.points = [Vector3(x=x, y=y, z=z) for x, y, z in (high.tolist(), low.tolist())]


def within(message: Any) -> Callable[[BodyHandle], bool]:
    """
    Return the predicate that the solid body of an entity overlaps with bounds in the world.

    :param message: a simulation_interfaces/msg/Bounds; empty ones contain everything.
    :raises RequestError: for convex hulls.
    :raises MvsimError: where the points do not define such bounds.
    """
    points = np.array([(each.x, each.y, each.z) for each in message.points], float)
    if message.type == EMPTY:
        return lambda handle: True
    if message.type not in (BOX, SPHERE):
        raise RequestError(UNSUPPORTED, 'bounds must be boxes (1) or spheres (3)')
    if points.shape != (2, 3) or not np.isfinite(points).all():
        raise MvsimError('a box has two corners, a sphere its centre and its radius as x of a '
                         'second point, all with finite numbers')
    if message.type == SPHERE:
        return lambda handle: _intersects_sphere(handle, points[0], float(points[1, 0]))
    return lambda handle: _intersects_box(handle, points.min(axis=0), points.max(axis=0))


def _box(handle: BodyHandle, pose: Pose) -> tuple[Array, Array]:
    """Return the lowest and highest corner of the bounding box of a body at a pose."""
    footprint = handle.footprint
    outline = np.array(placed(footprint.polygon, pose))
    return (np.array([*outline.min(axis=0), pose.z + footprint.zmin]),
            np.array([*outline.max(axis=0), pose.z + footprint.zmax]))


def _intersects_box(handle: BodyHandle, low: Array, high: Array) -> bool:
    """Return whether a body and a box intersect (separating axis theorem)."""
    first, last = _box(handle, handle.pose)
    if (first > high).any() or (last < low).any():
        return False
    outline = np.array(placed(handle.footprint.polygon, handle.pose))
    corners = np.array([(x, y) for x in (low[0], high[0]) for y in (low[1], high[1])])
    edges = np.roll(outline, -1, axis=0) - outline
    outward = np.stack([edges[:, 1], -edges[:, 0]], axis=1)  # the outline is counter-clockwise
    ends = (outline * outward).sum(axis=1)
    return bool(((corners @ outward.T).min(axis=0) <= ends).all())


def _intersects_sphere(handle: BodyHandle, centre: Array, radius: float) -> bool:
    """Return whether a body and a sphere intersect."""
    first, last = _box(handle, handle.pose)
    outline = np.array(placed(handle.footprint.polygon, handle.pose))
    edges = np.roll(outline, -1, axis=0) - outline
    to = centre[:2] - outline
    beside = 0.0
    if (edges[:, 0] * to[:, 1] - edges[:, 1] * to[:, 0]).min() < 0.0:  # outside
        share = ((to * edges).sum(axis=1) / (edges * edges).sum(axis=1)).clip(0.0, 1.0)
        beside = float(np.hypot(*(to - share[:, None] * edges).T).min())
    above = max(first[2] - centre[2], centre[2] - last[2], 0.0)
    return math.hypot(beside, above) <= radius
