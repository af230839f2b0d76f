# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Meshes of the simple solids (`<geometry>`): unit solids, and matrices that give them a size."""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.registry import named
from mvsim_ros2.scene.scene import Mesh
from mvsim_ros2.scene.scene_builder import matrix
from mvsim_ros2.scene.shapes.solids import unit_box
from mvsim_ros2.scene.shapes.solids import unit_bump
from mvsim_ros2.scene.shapes.solids import unit_cylinder
from mvsim_ros2.scene.shapes.solids import unit_ramp
from mvsim_ros2.scene.shapes.solids import unit_sphere
from mvsim_ros2.spec.common import GeometrySpec
from mvsim_ros2.spec.shapes.geometry_shapes import circle_vertices
from mvsim_ros2.spec.shapes.geometry_shapes import shape_of

Sized = tuple[Mesh, NDArray[np.float64]]  # a unit solid, and the matrix (4, 4) to its size

BUMP_SIDES = 24  # of half a circle
SMALLEST_SIZE = 1e-4  # m; so that the matrix has an inverse


def solid_of(geometry: GeometrySpec) -> Sized:
    """
    Return a unit solid and the matrix that brings it to the size of `geometry`.

    :raises WorldFileError: where there is no such kind of solid.
    """
    sized: Sized = named(shape_of(geometry).mesh)(geometry)
    return sized


def _sized(mesh: Mesh, x: float, y: float, z: float) -> Sized:
    return mesh, matrix(scale=(x, y, z))


def _at_least(*sizes: float) -> tuple[float, ...]:
    return tuple(max(size, SMALLEST_SIZE) for size in sizes)


def cylinder(g: GeometrySpec) -> Sized:
    """Return a cylinder about z that stands on z = 0."""
    radius, length = _at_least(g.radius, g.length)
    return _sized(unit_cylinder(circle_vertices(g)), radius, radius, length)


def sphere(g: GeometrySpec) -> Sized:
    """Return a sphere around the origin."""
    radius, = _at_least(g.radius)
    return _sized(unit_sphere(circle_vertices(g)), radius, radius, radius)


def box(g: GeometrySpec) -> Sized:
    """Return a box with a corner at the origin."""
    return _sized(unit_box(), *_at_least(g.lx, g.ly, g.lz))


def ramp(g: GeometrySpec) -> Sized:
    """Return a ramp that rises along x."""
    return _sized(unit_ramp(), *_at_least(g.lx, g.ly, g.lz))


def bump(g: GeometrySpec) -> Sized:
    """Return half a cylinder along x that lies on z = 0."""
    lx, ly, lz = _at_least(g.lx, g.ly, g.lz)
    return _sized(unit_bump(BUMP_SIDES), lx, 0.5 * ly, lz)
