# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Meshes of the simple solids (`<geometry>`): unit solids, and matrices that give them a size.

Round ones deviate from the exact solid by at most a quarter of a millimetre.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.base.registry import named
from mvsim_ros2.frames import Pose
from mvsim_ros2.scene.scene import Mesh
from mvsim_ros2.scene.scene_builder import matrix
from mvsim_ros2.scene.shapes.solids import (
    unit_box, unit_bump, unit_cylinder, unit_ramp, unit_sphere, unit_wheel)
from mvsim_ros2.world.spec import BlockSpec, Footprint, GeometrySpec
from mvsim_ros2.world.spec.shapes.geometry_shapes import circle_vertices, shape_of
from mvsim_ros2.world.spec.shapes.outlines import circle, placed

Sized = tuple[Mesh, NDArray[np.float64]]  # a unit solid, and the matrix (4, 4) to its size

_FEWER = 2, 4, 6  # times fewer sides that rough ones have
_FEWEST = 8  # sides of these
SMALLEST_SIZE = 1e-4  # m; so that the matrix has an inverse


def solid_of(geometry: GeometrySpec, scale: float = 1.0) -> Sized:
    """
    Return a unit solid and the matrix that brings it to the size of `geometry`.

    :param scale: what the result is enlarged by, for the fineness of round solids.
    :raises WorldFileError: where there is no such kind of solid.
    """
    sized: Sized = named(shape_of(geometry).mesh)(geometry, scale)
    return sized


def body_solid_of(geometry: GeometrySpec) -> Sized:
    """Return the same with the number of vertices that the world file asks for, as of bodies."""
    mesh, local = solid_of(geometry)
    if geometry.kind in ('cylinder', 'sphere'):
        count = circle_vertices(geometry)
        mesh = unit_cylinder(count) if geometry.kind == 'cylinder' else unit_sphere(count)
    return mesh, local


def wheel(radius: float, width: float) -> Sized:
    """Return a cylinder about y, centred."""
    return _sized(_enlarged(unit_wheel, side_count(radius), (True, False, True)),
                  radius, width, radius)


@lru_cache(maxsize=64)
def _enlarged(unit: Callable[[int], Mesh], count: int, axes: tuple[bool, bool, bool],
              power: int = 1) -> Mesh:
    """
    Return a unit solid with `count` sides whose vertices are a little outside of the exact one.

    :param axes: along which it is round.
    :param power: 2 for a surface that is curved in both directions.
    """
    def about(sides: int) -> tuple[float, Mesh]:
        factor = vertex_radius(sides) if power == 1 else 2.0 / (
            1.0 + np.cos(np.pi / sides) ** power)
        mesh = unit(sides)
        return factor - 1.0, replace(mesh, vertices=mesh.vertices * np.where(axes, factor, 1.0))

    _, mesh = about(count)
    return replace(mesh, rough=tuple(
        about(count // part) for part in _FEWER if count // part >= _FEWEST))


def _sized(mesh: Mesh, x: float, y: float, z: float) -> Sized:
    return mesh, matrix(scale=(x, y, z))


def _at_least(*sizes: float) -> tuple[float, ...]:
    return tuple(max(size, SMALLEST_SIZE) for size in sizes)


def cylinder(g: GeometrySpec, scale: float) -> Sized:
    """Return a cylinder about z that stands on z = 0."""
    radius, length = _at_least(g.radius, g.length)
    mesh = _enlarged(unit_cylinder, side_count(scale * radius), (True, True, False))
    return _sized(mesh, radius, radius, length)


def sphere(g: GeometrySpec, scale: float) -> Sized:
    """Return a sphere around the origin."""
    radius, = _at_least(g.radius)
    mesh = _enlarged(unit_sphere, side_count(scale * radius, 0.5 * DEVIATION),
                     (True, True, True), 2)
    return _sized(mesh, radius, radius, radius)


def box(g: GeometrySpec, scale: float) -> Sized:
    """Return a box with a corner at the origin."""
    return _sized(unit_box(), *_at_least(g.lx, g.ly, g.lz))


def ramp(g: GeometrySpec, scale: float) -> Sized:
    """Return a ramp that rises along x."""
    return _sized(unit_ramp(), *_at_least(g.lx, g.ly, g.lz))


def bump(g: GeometrySpec, scale: float) -> Sized:
    """Return half a cylinder along x that lies on z = 0."""
    lx, ly, lz = _at_least(g.lx, g.ly, g.lz)
    count = side_count(scale * max(0.5 * ly, lz)) // 2
    return _sized(unit_bump(count), lx, 0.5 * ly, lz)


DEVIATION = 2.5e-4  # m; the largest of a polygon from its circle
ROUND = 'cylinder', 'sphere'  # kinds of solids with a round outline
# numbers of sides, so that solids of similar size share a mesh
_COUNTS = (16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024)
_LEVEL = 1e-3  # rad; a solid at a greater angle to the vertical has no round outline


def side_count(radius: float, deviation: float = DEVIATION) -> int:
    """Return how many sides a polygon needs for a circle of a radius [m]; at most 1024."""
    sides = math.pi / (2.0 * math.atan(math.sqrt(deviation / max(radius, deviation))))
    return next((count for count in _COUNTS if count >= sides), _COUNTS[-1])


def vertex_radius(count: int) -> float:
    """Return the radius of the vertices of a polygon with `count` sides for a circle of 1."""
    return 2.0 / (1.0 + math.cos(math.pi / count))


def round_footprint(block: BlockSpec) -> tuple[Footprint, bool] | None:
    """
    Return the outline of a round block in its own frame, and whether it is a sphere.

    It is that of its geometry, or of its only visual, whatever outline its body has. None: the
    block is not round, or does not stand upright.
    """
    upright = abs(block.init_pose.pitch) < _LEVEL and abs(block.init_pose.roll) < _LEVEL
    if len(block.visuals) == 1 and block.visuals[0].enabled:
        visual = block.visuals[0]
        if visual.geometry is None or visual.geometry.kind not in ROUND:
            return None
        scale = visual.model_scale if block.visual_scale is None else block.visual_scale
        place = Pose(visual.model_offset_x, visual.model_offset_y, visual.model_offset_z)
        upright &= abs(visual.model_pitch) < _LEVEL and abs(visual.model_roll) < _LEVEL
        return _outline(visual.geometry, scale, place, upright)
    if block.visuals or block.geometry is None or block.geometry.kind not in ROUND:
        return None
    return _outline(block.geometry, 1.0, Pose(), upright)


def _outline(geometry: GeometrySpec, scale: float, place: Pose,
             upright: bool) -> tuple[Footprint, bool] | None:
    """Return what `round_footprint` does, of a solid of a size at a place."""
    radius, ball = scale * geometry.radius, geometry.kind == 'sphere'
    if not (upright or ball) or radius <= 0.0:
        return None
    count = side_count(radius)
    polygon = placed(circle(radius * vertex_radius(count), count), place)
    low, high = (-radius, radius) if ball else (0.0, scale * geometry.length)
    return Footprint(polygon, place.z + low, place.z + high), ball
