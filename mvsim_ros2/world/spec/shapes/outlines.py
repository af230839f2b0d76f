# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Plan outlines: convex polygons in metres, counter-clockwise, of at most 16 vertices.

They come from specs alone. Physics makes its bodies from them, sensors and pictures what they
show, so that all agree on what is solid.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec.common import Colour, Polygon
from mvsim_ros2.world.spec.fields import Source

MAX_VERTICES = 16  # of a Box2D polygon
SHORTEST_EDGE = 0.005  # m; Box2D cannot hold shorter ones (half its linear slop)
FRICTION, RESTITUTION = 0.5, 0.01  # of contacts, as in the original
SKIN = 2.5e-3  # m, of chassis, blocks and walls, as in the original
_FAR = 1e9  # m; nothing reaches so far


@dataclass(frozen=True)
class StaticOutline:
    """
    One convex piece of something solid that no force moves.

    In the world frame, or in the frame of its body if keyframes or a path move it.
    """

    name: str  # of what it is a piece of; pieces of one name that follow each other are one body
    polygon: Polygon  # convex, counter-clockwise [m]
    zmin: float  # m
    zmax: float  # m
    source: Source = Source()
    friction: float = FRICTION  # of contacts
    restitution: float = RESTITUTION
    skin: float = SKIN  # m; how far outside the polygon the engine keeps other bodies
    colour: Colour = (0.63, 0.63, 0.63, 1.0)
    reflectivity: float = 0.5  # share of the light of a LiDAR that comes back


def convex_hull(points: ArrayLike, what: str, source: Source) -> Polygon:
    """
    Return the convex hull of `points`, counter-clockwise, without collinear vertices.

    Andrew's monotone chain.

    :param points: shape (n, 2) [m].
    :param what: owner of the points, for messages.
    """
    hull = _hull(points) if isinstance(points, tuple) else None
    return hull or _checked_hull(points, what, source)


@lru_cache(maxsize=4096)
def _hull(points: Polygon) -> Polygon | None:
    """Return a hull that many things may have; None where it is not possible."""
    try:
        return _checked_hull(points, '', Source())
    except WorldFileError:
        return None


def _checked_hull(points: ArrayLike, what: str, source: Source) -> Polygon:
    cloud = np.asarray(points, float).reshape(-1, 2)
    if not np.all(np.abs(cloud) < _FAR):
        raise WorldFileError(f'{source}: {what} has a vertex that is not a finite number')
    ordered = sorted({(float(x), float(y)) for x, y in cloud})
    halves: list[list[tuple[float, float]]] = []
    for run in (ordered, ordered[::-1]):
        half: list[tuple[float, float]] = []
        for point in run:
            while len(half) > 1 and _turn(half[-2], half[-1], point) <= 1e-9:
                half.pop()
            half.append(point)
        halves.append(half[:-1])
    hull = tuple(halves[0] + halves[1])
    if len(hull) < 3:
        raise WorldFileError(
            f'{source}: the outline of {what} has no area: give three or more <pt> that do not '
            'lie on one line')
    if len(hull) > MAX_VERTICES:
        raise WorldFileError(
            f'{source}: the convex outline of {what} has {len(hull)} vertices: at most '
            f'{MAX_VERTICES} are possible, leave some out')
    return hull


def _turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def rectangle(x0: float, y0: float, x1: float, y1: float) -> Polygon:
    """Return the rectangle from its smallest to its largest x and y [m]."""
    return (x0, y0), (x1, y0), (x1, y1), (x0, y1)


def circle(radius: float, count: int = MAX_VERTICES) -> Polygon:
    """Return a regular polygon with `count` vertices on a circle around the origin [m]."""
    angles = 2 * np.pi * np.arange(count) / count
    return tuple((float(radius * np.cos(a)), float(radius * np.sin(a))) for a in angles)


def placed(polygon: Polygon, pose: Pose) -> Polygon:
    """Return a polygon of a body that stands at `pose` in the world frame, seen in plan."""
    cosine, sine = float(np.cos(pose.yaw)), float(np.sin(pose.yaw))
    return tuple((pose.x + cosine * x - sine * y, pose.y + sine * x + cosine * y)
                 for x, y in polygon)
