# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A robot described by URDF: links, joints, and their poses for joint angles of 0."""

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
import math
from types import MappingProxyType
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world.file.document.tree import Node
from mvsim_ros2.world.file.report import did_you_mean
from mvsim_ros2.world.file.urdf_import.description.link_geometry import (
    colour_of, Inertial, inertial_of, Shape, shapes_of)
from mvsim_ros2.world.file.urdf_import.description.xml_values import (
    attribute, LARGEST, number, numbers, origin)
from mvsim_ros2.world.spec import Source
from mvsim_ros2.world.spec.common import Colour

Array = NDArray[np.float64]

_ENDLESS = 20.0  # rad, and so on; limits of joints beyond are none, such as 1e16

KINDS = ('fixed', 'continuous', 'revolute', 'prismatic', 'floating', 'planar')


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
        """
        Return a link and its descendants.

        :param without: joints whose subtrees are excluded.
        """
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
    axis = np.array((1.0, 0.0, 0.0) if along is None else numbers(along, 'xyz', 3))
    length = float(np.linalg.norm(axis))
    if kind not in ('fixed', 'floating') and length < 1e-9:
        raise WorldFileError(f'{node.source}: the axis of joint {name!r} has no length: write '
                             '<axis xyz="0 1 0"/> or another direction')
    lower, upper, effort, velocity = (
        _limit(limit, key) for key in ('lower', 'upper', 'effort', 'velocity'))
    if kind == 'revolute' and None in (lower, upper) and limit is not None and (
            {'lower', 'upper'} <= limit.attributes.keys()):
        kind = 'continuous'
    return Joint(name, kind, ends[0], ends[1], origin(node), axis / max(length, 1e-9), lower,
                 upper, effort, velocity,
                 0.0 if losses is None else abs(number(losses, 'damping', 0.0)),
                 '' if copied is None else copied.attributes.get('joint', ''), node.source)
