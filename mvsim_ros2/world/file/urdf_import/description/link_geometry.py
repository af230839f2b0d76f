# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Shapes, outlines and inertia of links."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world.file.document.tree import Node
from mvsim_ros2.world.file.report import did_you_mean
from mvsim_ros2.world.file.urdf_import.description.xml_values import (
    attribute, number, numbers, origin)
from mvsim_ros2.world.spec import Source
from mvsim_ros2.world.spec.common import Colour, Polygon
from mvsim_ros2.world.spec.shapes.outlines import convex_hull, MAX_VERTICES

Array = NDArray[np.float64]

KINDS = ('box', 'cylinder', 'sphere', 'mesh')
_SMALLEST_CORNER = 1e-3  # m; closer corners are merged
_MOMENTS = ('ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz')


@dataclass(frozen=True, eq=False)
class Shape:
    """A `<visual>` or `<collision>`."""

    kind: str  # one of KINDS
    sizes: tuple[float, ...]  # box: x y z; cylinder: radius, length; sphere: radius; mesh: scale
    uri: str  # of a mesh
    pose: Array  # in the link, (4, 4)
    colour: Colour | None
    source: Source

    @property
    def radius(self) -> float | None:
        """Radius of a wheel of this shape [m], None for other shapes."""
        return self.sizes[0] if self.kind in ('cylinder', 'sphere') else None

    def corners(self) -> Array:
        """Return points in the link that span the shape, (n, 3); empty for a mesh."""
        turn = 2.0 * math.pi * np.arange(MAX_VERTICES) / MAX_VERTICES
        around = np.stack([np.cos(turn), np.sin(turn)], axis=1) / math.cos(math.pi / MAX_VERTICES)
        if self.kind == 'box':
            half = 0.5 * np.array(self.sizes)
            points = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
            points = points * half
        elif self.kind == 'cylinder':
            radius, length = self.sizes
            ring = radius * around
            points = np.concatenate([np.column_stack([ring, np.full(len(ring), z)])
                                     for z in (-0.5 * length, 0.5 * length)])
        elif self.kind == 'sphere':
            radius = self.sizes[0]
            ring = radius * around
            points = np.concatenate([np.column_stack([ring, np.zeros(len(ring))]),
                                     [(0.0, 0.0, radius), (0.0, 0.0, -radius)]])
            return points + self.pose[:3, 3]  # a sphere has no axis
        else:
            points = np.zeros((0, 3))
        return points @ self.pose[:3, :3].T + self.pose[:3, 3]


def shapes_of(link: Node, tag: str, colours: Mapping[str, Colour | None]) -> tuple[Shape, ...]:
    """
    Return the shapes of a link.

    :param tag: `visual` or `collision`.
    :param colours: of the materials of the robot.
    """
    return tuple(_shape(node, colours) for node in link.children if node.tag == tag)


def _shape(node: Node, colours: Mapping[str, Colour | None]) -> Shape:
    geometry = node.child('geometry')
    if geometry is None or not geometry.children:
        raise WorldFileError(f'{node.source}: <{node.tag}> lacks a <geometry>: give it a '
                             f'{", ".join(KINDS)}')
    solid = geometry.children[0]
    uri = ''
    sizes: tuple[float, ...] = (1.0, 1.0, 1.0)
    if solid.tag == 'box':
        sizes = numbers(solid, 'size', 3)
    elif solid.tag == 'cylinder':
        sizes = number(solid, 'radius'), number(solid, 'length')
    elif solid.tag == 'sphere':
        sizes = (number(solid, 'radius'),)
    elif solid.tag == 'mesh':
        uri, sizes = attribute(solid, 'filename'), numbers(solid, 'scale', 3, sizes)
    else:
        raise WorldFileError(f'{solid.source}: <{solid.tag}> is not a geometry: there are '
                             f'{", ".join(KINDS)}{did_you_mean(solid.tag, KINDS)}')
    if solid.tag != 'mesh' and min(sizes) < 0.0:
        raise WorldFileError(f'{solid.source}: the sizes of a {solid.tag} must not be below 0')
    material = node.child('material')
    colour = None
    if material is not None:
        colour = colour_of(material) or colours.get(material.attributes.get('name', ''))
    return Shape(solid.tag, sizes, uri, origin(node), colour, node.source)


def colour_of(material: Node) -> Colour | None:
    """Return the colour of a `<material>`, None where it has none."""
    own = material.child('color')
    if own is None:
        return None
    red, green, blue, alpha = (min(max(part, 0.0), 1.0) for part in numbers(own, 'rgba', 4))
    return red, green, blue, alpha


def outline(points: Iterable[Array], what: str, source: Source) -> Polygon:
    """
    Return a convex outline in plan of at most 16 vertices that encloses all points.

    Where the hull has more, it is the polygon of the tangents in 16 directions.

    :param points: arrays of shape (n, 3) [m].
    """
    cloud = np.concatenate([np.zeros((0, 3)), *points])[:, :2]
    cloud = np.unique(np.round(cloud / _SMALLEST_CORNER) * _SMALLEST_CORNER, axis=0)
    try:
        return convex_hull(cloud, what, source)
    except WorldFileError:
        if len(cloud) <= MAX_VERTICES:
            raise
    turn = 2.0 * math.pi * np.arange(MAX_VERTICES) / MAX_VERTICES
    normals = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    reach = (cloud @ normals.T).max(axis=0)
    pairs = np.stack([normals, np.roll(normals, -1, axis=0)], axis=1)
    corners = np.linalg.solve(pairs, np.stack([reach, np.roll(reach, -1)], axis=1)[..., None])
    return convex_hull(np.round(corners[..., 0], 3), what, source)


@dataclass(frozen=True, eq=False)
class Inertial:
    """Mass, its centre, and the inertia about that centre, in one frame."""

    mass: float  # kg
    centre: Array  # (3,) [m]
    tensor: Array  # (3, 3) [kg m^2]

    def about(self, axis: Array, point: Array) -> float:
        """Return the inertia about an axis (unit vector) through a point [kg m^2]."""
        arm = self.centre - point
        across = float(arm @ arm - (arm @ axis) ** 2)
        return float(axis @ self.tensor @ axis) + self.mass * across

    def placed(self, pose: Array) -> 'Inertial':
        """Transform it to another frame, in which its frame has the pose (4, 4)."""
        rotation = pose[:3, :3]
        return Inertial(self.mass, rotation @ self.centre + pose[:3, 3],
                        rotation @ self.tensor @ rotation.T)


def inertial_of(link: Node) -> Inertial | None:
    """Return the `<inertial>` of a link in the frame of the link, None where it has none."""
    node = link.child('inertial')
    if node is None:
        return None
    mass_node, moments = node.child('mass'), node.child('inertia')
    if mass_node is None:
        raise WorldFileError(f'{node.source}: <inertial> lacks <mass value="..."/>')
    mass = number(mass_node, 'value')
    if mass < 0.0:
        raise WorldFileError(f'{mass_node.source}: the mass is {mass:g} kg: it must not be below '
                             '0')
    xx, yy, zz, xy, xz, yz = ([0.0] * 6 if moments is None
                              else [number(moments, key, 0.0) for key in _MOMENTS])
    if moments is not None and min(xx, yy, zz) < 0.0:
        raise WorldFileError(f'{moments.source}: ixx, iyy and izz must not be below 0')
    pose = origin(node)
    return Inertial(mass, np.zeros(3), np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
                    ).placed(pose)


def together(parts: Iterable[Inertial]) -> Inertial:
    """Return the sum of bodies in one frame; the inertia is about the common centre of mass."""
    parts = list(parts)
    mass = sum(part.mass for part in parts)
    if mass <= 0.0:
        return Inertial(0.0, np.zeros(3), np.zeros((3, 3)))
    centre: Array = sum((part.mass * part.centre for part in parts), np.zeros(3)) / mass
    tensor = np.zeros((3, 3))
    for part in parts:
        arm = part.centre - centre
        tensor += part.tensor + part.mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    return Inertial(mass, centre, tensor)
