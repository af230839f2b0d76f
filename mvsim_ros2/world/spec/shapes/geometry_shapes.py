# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The kinds of simple solids (`<geometry>`): outline, height and mesh."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
import math

import numpy as np

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world.spec.common import Footprint, GeometrySpec, Polygon
from mvsim_ros2.world.spec.shapes.outlines import circle, rectangle

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
