# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A robot described by URDF: links with shapes and inertia, joints, poses at joint angles of 0."""

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
import math
from types import MappingProxyType
from typing import TypeVar

import numpy as np

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.frames import Array
from mvsim_ros2.world.file.document.tree import Node
from mvsim_ros2.world.file.report import did_you_mean
from mvsim_ros2.world.file.urdf_import.description.xml_values import (
    attribute, LARGEST, number, numbers, origin)
from mvsim_ros2.world.spec import Source
from mvsim_ros2.world.spec.common import Colour, Polygon
from mvsim_ros2.world.spec.outlines import convex_hull, MAX_VERTICES

SOLIDS = ('box', 'cylinder', 'sphere', 'mesh')
_SMALLEST_CORNER = 1e-3  # m; closer corners are merged
_MOMENTS = ('ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz')
_ENDLESS = 20.0  # rad, and so on; limits of joints beyond are none, such as 1e16

KINDS = ('fixed', 'continuous', 'revolute', 'prismatic', 'floating', 'planar')


@dataclass(frozen=True, eq=False)
class Shape:
    """A `<visual>` or `<collision>`."""

    kind: str  # one of SOLIDS
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
        if self.kind == 'mesh':
            return np.zeros((0, 3))
        turn = 2.0 * math.pi * np.arange(MAX_VERTICES) / MAX_VERTICES
        around = np.stack([np.cos(turn), np.sin(turn)], axis=1) / math.cos(math.pi / MAX_VERTICES)
        ends = (-0.5, 0.5)
        if self.kind == 'box':
            points = np.array([(x, y, z) for x in ends for y in ends for z in ends]) * self.sizes
        elif self.kind == 'cylinder':
            points = np.concatenate([np.column_stack([
                self.sizes[0] * around, np.full(len(turn), z * self.sizes[1])]) for z in ends])
        else:  # a sphere has no axis
            ring = np.column_stack([around, 0.0 * turn])
            return self.pose[:3, 3] + self.sizes[0] * np.vstack([ring, (0, 0, 1), (0, 0, -1)])
        return points @ self.pose[:3, :3].T + self.pose[:3, 3]


def shapes_of(link: Node, tag: str, colours: Mapping[str, Colour | None]) -> tuple[Shape, ...]:
    """Return the shapes of a link."""
    return tuple(_shape(node, colours) for node in link.children if node.tag == tag)


def _shape(node: Node, colours: Mapping[str, Colour | None]) -> Shape:
    geometry = node.child('geometry')
    if geometry is None or not geometry.children:
        raise WorldFileError(f'{node.source}: <{node.tag}> lacks a <geometry>: give it a '
                             f'{", ".join(SOLIDS)}')
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
                             f'{", ".join(SOLIDS)}{did_you_mean(solid.tag, SOLIDS)}')
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


@dataclass(frozen=True, eq=False)
class Link:
    """A rigid body."""

    name: str
    inertial: Inertial | None
    visuals: tuple[Shape, ...]
    collisions: tuple[Shape, ...]
    source: Source


@dataclass(frozen=True, eq=False)
class Joint:
    """A connection of two links."""

    name: str
    kind: str  # one of KINDS
    parent: str
    child: str
    pose: Array  # of the child in the parent at joint angle 0, (4, 4)
    axis: Array  # in the child, unit vector
    lower: float | None  # of the joint angle [rad]
    upper: float | None
    effort: float | None  # N m
    velocity: float | None  # rad/s
    damping: float  # N m s/rad
    mimic: str  # the joint whose motion it copies, '' for none
    source: Source

    @property
    def moves(self) -> bool:
        """Whether it is not fixed."""
        return self.kind != 'fixed'


Part = TypeVar('Part', Link, Joint)


@dataclass(frozen=True, eq=False)
class Robot:
    """A tree of links and joints."""

    name: str
    links: Mapping[str, Link]
    joints: Mapping[str, Joint]
    root: str
    poses: Mapping[str, Array]  # of each link in the root, at joint angles of 0, (4, 4)
    extensions: tuple[Node, ...]  # elements other than links, joints and materials
    source: Source

    def axis(self, joint: Joint) -> Array:
        """Return the axis of a joint in the frame of the root."""
        axis: Array = self.poses[joint.child][:3, :3] @ joint.axis
        return axis

    def is_virtual(self, name: str) -> bool:
        """Return whether joints on both sides copy a joint on the centre line."""
        sides = {float(np.sign(self.poses[joint.child][1, 3]))
                 for joint in self.joints.values() if joint.mimic == name}
        return {1.0, -1.0} <= sides and abs(self.poses[self.joints[name].child][1, 3]) < 1e-3

    def above(self, link: str) -> Iterator[Joint]:
        """Yield the joints from a link to the root."""
        by_child = {joint.child: joint for joint in self.joints.values()}
        while link in by_child:
            yield by_child[link]
            link = by_child[link].parent

    def below(self, link: str, without: Set[str] = frozenset()) -> list[str]:
        """Return a link and its descendants."""
        found = [link]
        for name in found:
            found += [joint.child for joint in self.joints.values()
                      if joint.parent == name and joint.name not in without]
        return found


def read_robot(root: Node) -> Robot:
    """Return the robot described by a `<robot>`."""
    colours = {node.attributes.get('name', ''): colour_of(node)
               for node in root.children if node.tag == 'material'}
    links = _named((_link(node, colours) for node in root.children if node.tag == 'link'))
    if not links:
        raise WorldFileError(f'{root.source}: the robot has no <link>: a robot needs at least '
                             'one')
    joints = _named((_joint(node, links) for node in root.children
                     if node.tag == 'joint' and 'type' in node.attributes))
    parents: dict[str, Joint] = {}
    for joint in joints.values():
        if joint.child in parents:
            raise WorldFileError(
                f'{joint.source}: link {joint.child!r} is the child of joint '
                f'{parents[joint.child].name!r} already: a link has one parent')
        parents[joint.child] = joint
    roots = [name for name in links if name not in parents]
    if len(roots) != 1:
        what = f'roots {", ".join(roots)}' if roots else 'no root, its joints go in a circle'
        raise WorldFileError(f'{root.source}: the robot has {what}: connect all links to one '
                             'root by joints')
    poses = {roots[0]: np.eye(4)}
    waiting = [roots[0]]
    while waiting:
        name = waiting.pop()
        for joint in joints.values():
            if joint.parent == name:
                poses[joint.child] = poses[name] @ joint.pose
                waiting.append(joint.child)
    if len(poses) < len(links):
        lost = next(name for name in links if name not in poses)
        raise WorldFileError(f'{links[lost].source}: link {lost!r} hangs on joints that go in a '
                             'circle: connect it to the root')
    return Robot(root.attributes.get('name', '') or 'robot', links, joints, roots[0],
                 MappingProxyType(poses),
                 tuple(node for node in root.children
                       if node.tag not in ('link', 'joint', 'material')), root.source)


def _named(parts: Iterator[Part]) -> Mapping[str, Part]:
    found: dict[str, Part] = {}
    for part in parts:
        if part.name in found:
            raise WorldFileError(f'{part.source}: the name {part.name!r} is taken at '
                                 f'{found[part.name].source}: give another one')
        found[part.name] = part
    return MappingProxyType(found)


def _link(node: Node, colours: Mapping[str, Colour | None]) -> Link:
    return Link(attribute(node, 'name'), inertial_of(node), shapes_of(node, 'visual', colours),
                shapes_of(node, 'collision', colours), node.source)


def _limit(limit: Node | None, key: str) -> float | None:
    """Return a limit of a joint, None where there is none, or one that is never reached."""
    if limit is None or key not in limit.attributes:
        return None
    try:
        value = float(limit.attributes[key])
    except ValueError:
        value = math.nan
    if math.isnan(value):
        raise WorldFileError(f'{limit.source}: {key} of <limit> is '
                             f'{limit.attributes[key][:60]!r}: write a number')
    return None if abs(value) > (_ENDLESS if key in ('lower', 'upper') else LARGEST) else value


def _joint(node: Node, links: Mapping[str, Link]) -> Joint:
    name, kind = attribute(node, 'name'), attribute(node, 'type')
    if kind not in KINDS:
        raise WorldFileError(f'{node.source}: joint {name!r} has the type {kind!r}: there are '
                             f'{", ".join(KINDS)}{did_you_mean(kind, KINDS)}')
    ends = []
    for tag in ('parent', 'child'):
        child = node.child(tag)
        if child is None:
            raise WorldFileError(f'{node.source}: joint {name!r} lacks <{tag} link="..."/>')
        link = attribute(child, 'link')
        if link not in links:
            raise WorldFileError(f'{child.source}: joint {name!r} names the link {link!r}, which '
                                 f'does not exist{did_you_mean(link, links)}')
        ends.append(link)
    along, limit, losses, copied = (
        node.child(tag) for tag in ('axis', 'limit', 'dynamics', 'mimic'))
    axis = np.array((1.0, 0.0, 0.0) if along is None or kind in ('fixed', 'floating')
                    else numbers(along, 'xyz', 3))
    length = float(np.linalg.norm(axis))
    if length < 1e-9:
        raise WorldFileError(f'{node.source}: the axis of joint {name!r} has no length: write '
                             '<axis xyz="0 1 0"/> or another direction')
    lower, upper, effort, velocity = (
        _limit(limit, key) for key in ('lower', 'upper', 'effort', 'velocity'))
    if kind == 'revolute' and None in (lower, upper) and limit is not None and (
            {'lower', 'upper'} <= limit.attributes.keys()):
        kind = 'continuous'
    return Joint(name, kind, ends[0], ends[1], origin(node), axis / length, lower,
                 upper, effort, velocity,
                 0.0 if losses is None else abs(number(losses, 'damping', 0.0)),
                 '' if copied is None else copied.attributes.get('joint', ''), node.source)
