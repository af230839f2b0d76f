# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Bounds of entities for `simulation_interfaces`, and overlap with them."""

from collections.abc import Callable
import itertools
import math
from typing import Any, Protocol

from geometry_msgs.msg import Vector3
import numpy as np

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.world.spec.common import Footprint
from mvsim_ros2.world.spec.outlines import placed

EMPTY, BOX, CONVEX, SPHERE = 0, 1, 2, 3  # of simulation_interfaces/msg/Bounds


class Body(Protocol):
    """An object with an outline and a pose."""

    @property
    def pose(self) -> Pose:
        """Pose in the world."""

    @property
    def footprint(self) -> Footprint:
        """Outline in its frame, without a polygon where it is not solid."""


def fill_bounds(message: Any, handle: Body) -> None:
    """Fill in the bounding box of a body in its own frame, none where it is not solid."""
    if not handle.footprint.polygon:
        return
    low, high = _box(handle, Pose())
    message.type = BOX
    message.points = [Vector3(x=x, y=y, z=z) for x, y, z in (high.tolist(), low.tolist())]


def within(message: Any) -> Callable[[Body], bool]:
    """Return the predicate that the solid body of an entity overlaps with bounds in the world."""
    if message.type == EMPTY:
        return lambda handle: True
    intersects = _test(message)
    return lambda handle: bool(handle.footprint.polygon) and intersects(handle)


def _test(message: Any) -> Callable[[Body], bool]:
    points = np.array([(each.x, each.y, each.z) for each in message.points], float)
    if message.type not in (BOX, CONVEX, SPHERE):
        raise MvsimError('bounds are boxes (1), convex hulls (2) or spheres (3)')
    if message.type == CONVEX:
        if len(points) < 3 or not np.isfinite(points).all() or np.linalg.matrix_rank(
                points - points[0]) < 2:
            raise MvsimError('a convex hull has three or more points that are not on one line')
        return lambda handle: _intersects_hull(handle, points)
    if points.shape != (2, 3) or not np.isfinite(points).all():
        raise MvsimError('a box has two corners, a sphere its centre and its radius as x of a '
                         'second point, all with finite numbers')
    if message.type == SPHERE:
        return lambda handle: _intersects_sphere(handle, points[0], float(points[1, 0]))
    corners = np.array(list(itertools.product(*points.T)))
    return lambda handle: _intersects_hull(handle, corners)


def _box(handle: Body, pose: Pose) -> tuple[Array, Array]:
    """Return the lowest and highest corner of the bounding box of a body at a pose."""
    footprint = handle.footprint
    outline = np.array(placed(footprint.polygon, pose))
    return (np.array([*outline.min(axis=0), pose.z + footprint.zmin]),
            np.array([*outline.max(axis=0), pose.z + footprint.zmax]))


def _intersects_hull(handle: Body, points: Array) -> bool:
    """
    Return whether a body and a convex hull intersect.

    The body is a prism: they do where the plan of the hull between its sides meets its outline.
    """
    first, last = _box(handle, handle.pose)
    between = [points[(points[:, 2] >= first[2]) & (points[:, 2] <= last[2])]]
    for level in (first[2], last[2]):  # where lines from point to point cross a side
        below, above = points[points[:, 2] < level], points[points[:, 2] > level]
        share = (level - below[:, None, 2]) / (above[None, :, 2] - below[:, None, 2])
        between.append((below[:, None] + share[..., None] * (
            above[None] - below[:, None])).reshape(-1, 3))
    plan = _hull_in_plan(np.concatenate(between)[:, :2])
    outline = np.array(placed(handle.footprint.polygon, handle.pose))
    edges = [np.roll(each, -1, axis=0) - each for each in (plan, outline)]
    for across in np.concatenate(edges) @ np.array([[0.0, -1.0], [1.0, 0.0]]):
        a, b = plan @ across, outline @ across
        if a.max(initial=-math.inf) < b.min() or b.max() < a.min(initial=math.inf):
            return False
    return len(plan) > 0


def _hull_in_plan(points: Array) -> Array:
    """Return the corners of the convex hull of points in the plane (monotone chain)."""
    ordered = sorted(set(map(tuple, points.tolist())))
    chains: list[list[tuple[float, ...]]] = []
    for way in (ordered, ordered[::-1]):
        chain: list[tuple[float, ...]] = []
        for p in way:
            while len(chain) > 1 and (
                    (chain[-1][0] - chain[-2][0]) * (p[1] - chain[-2][1])
                    <= (chain[-1][1] - chain[-2][1]) * (p[0] - chain[-2][0])):
                chain.pop()
            chain.append(p)
        chains.append(chain[:-1] or chain)
    return np.array(chains[0] + chains[1]).reshape(-1, 2)


def _intersects_sphere(handle: Body, centre: Array, radius: float) -> bool:
    """Return whether a body and a sphere intersect."""
    first, last = _box(handle, handle.pose)
    outline = np.array(placed(handle.footprint.polygon, handle.pose))
    edges = np.roll(outline, -1, axis=0) - outline
    to = centre[:2] - outline
    distance = 0.0
    if (edges[:, 0] * to[:, 1] - edges[:, 1] * to[:, 0]).min() < 0.0:  # outside
        share = ((to * edges).sum(axis=1) / (edges * edges).sum(axis=1)).clip(0.0, 1.0)
        distance = float(np.hypot(*(to - share[:, None] * edges).T).min())
    above = max(first[2] - centre[2], centre[2] - last[2], 0.0)
    return math.hypot(distance, above) <= radius
