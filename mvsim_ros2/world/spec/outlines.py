# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Plan outlines: convex polygons in metres, counter-clockwise, of at most 16 vertices.

They come from specs alone; those of simple solids (`<geometry>`) are here too. Physics makes its
bodies from them, sensors and pictures what they show, so that all agree on what is solid.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
import math

import numpy as np
from numpy.typing import ArrayLike

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec.common import Colour, Footprint, GeometrySpec, Polygon
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


CIRCLE_VERTICES = 10  # of a circle whose vertex_count is 0, as in the original
CIRCLE_VERTICES_MAX = 14  # more become a circumscribed polygon of this many, as in the original


@dataclass(frozen=True)
class Profile:
    """The upper side of a solid that is not as high everywhere."""

    axis: int  # along which it changes: 0 is x, 1 is y
    height: Callable[[GeometrySpec, float], float]  # [m] at a place on that axis [m]


@dataclass(frozen=True)
class Shape:
    """A kind of simple solid."""

    sizes: tuple[str, ...]  # that must be above 0
    footprint: Callable[[GeometrySpec], Footprint]  # in its own frame
    mesh: str  # name of the function from a geometry to its mesh, 'module:function'
    profile: Profile | None = None  # None: flat on top


def circle_vertices(geometry: GeometrySpec) -> int:
    """Return how many vertices a circle of a solid has."""
    return max(3, geometry.vertex_count or CIRCLE_VERTICES)


def _circle(g: GeometrySpec) -> Polygon:
    count, radius = circle_vertices(g), g.radius
    if count > CIRCLE_VERTICES_MAX:
        count = CIRCLE_VERTICES_MAX
        radius /= float(np.cos(np.pi / count))
    return circle(radius, count)


_LENGTHS = ('lx', 'ly', 'lz')
_MESHES = 'mvsim_ros2.scene.shapes.geometry_meshes'
SHAPES: Mapping[str, Shape] = {
    'cylinder': Shape(('radius', 'length'), lambda g: Footprint(_circle(g), 0.0, g.length),
                      f'{_MESHES}:cylinder'),
    'sphere': Shape(('radius',), lambda g: Footprint(_circle(g), -g.radius, g.radius),
                    f'{_MESHES}:sphere'),
    'box': Shape(_LENGTHS, lambda g: Footprint(rectangle(0.0, 0.0, g.lx, g.ly), 0.0, g.lz),
                 f'{_MESHES}:box'),
    'ramp': Shape(
        _LENGTHS, lambda g: Footprint(rectangle(0.0, -g.ly / 2, g.lx, g.ly / 2), 0.0, g.lz),
        f'{_MESHES}:ramp', Profile(0, lambda g, x: g.lz / g.lx * x)),
    'semi_cylinder_bump': Shape(
        _LENGTHS, lambda g: Footprint(
            rectangle(-g.lx / 2, -g.ly / 2, g.lx / 2, g.ly / 2), 0.0, g.lz), f'{_MESHES}:bump',
        Profile(1, lambda g, y: g.lz * math.sqrt(max(0.0, 1.0 - (2.0 * y / g.ly) ** 2)))),
}


def shape_of(geometry: GeometrySpec) -> Shape:
    """Return what kind of solid a geometry is."""
    if geometry.kind not in SHAPES:
        raise WorldFileError(f'{geometry.source}: there is no solid of type {geometry.kind!r}: '
                             f'use {", ".join(SHAPES)}')
    return SHAPES[geometry.kind]


def geometry_footprint(geometry: GeometrySpec) -> Footprint:
    """Return outline and height range of a simple solid in its own frame."""
    shape = shape_of(geometry)
    missing = [name for name in shape.sizes if getattr(geometry, name) <= 0]
    if missing:
        raise WorldFileError(f'{geometry.source}: a {geometry.kind} needs '
                             f'{" and ".join(missing)} above 0')
    return shape.footprint(geometry)
