# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reading of values of URDF and SDF, writing of elements of a world file."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
import math
from types import MappingProxyType
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.world.file.document.tree import Node
from mvsim_ros2.world.spec import Source

Numbers = tuple[float, ...]

LARGEST = 1e9  # limit of lengths, masses and angles
_INDENT = '  '
_NONE: Mapping[str, str] = MappingProxyType({})


def attribute(node: Node, name: str) -> str:
    """Return an attribute."""
    if not node.attributes.get(name, '').strip():
        raise WorldFileError(f'{node.source}: <{node.tag}> lacks {name}: write {name}="..."')
    return node.attributes[name].strip()


def numbers(node: Node, name: str, count: int, default: Numbers | None = None) -> Numbers:
    """
    Return the numbers in an attribute.

    :param default: where the attribute is missing; None for mandatory attributes.
    """
    if default is not None and name not in node.attributes:
        return default
    return _parse(attribute(node, name), count, f'{node.source}: {name} of <{node.tag}>')


def number(node: Node, name: str, default: float | None = None) -> float:
    """Return the number in an attribute, as `numbers` does."""
    return numbers(node, name, 1, None if default is None else (default,))[0]


def origin(node: Node) -> Array:
    """Return the matrix (4, 4) of the `<origin>` in a node, by default the identity."""
    place = node.child('origin')
    if place is None:
        return np.eye(4)
    x, y, z = numbers(place, 'xyz', 3, (0.0, 0.0, 0.0))
    roll, pitch, yaw = numbers(place, 'rpy', 3, (0.0, 0.0, 0.0))
    return Pose(x, y, z, yaw, pitch, roll).matrix


def find(node: Node, *path: str) -> Node | None:
    """Return the first node down a path of tags."""
    found: Node | None = node
    for tag in path:
        found = None if found is None else found.child(tag)
    return found


def text_of(node: Node, *path: str) -> str:
    """Return the text down a path of tags, '' where there is none."""
    found = find(node, *path)
    return '' if found is None else found.text.strip()


def value(node: Node, *path: str, default: float) -> float:
    """Return the number in the text down a path of tags."""
    found = find(node, *path)
    if found is None or not found.text.strip():
        return default
    return _parse(found.text, 1, f'{found.source}: <{found.tag}>')[0]


def numbers_of(node: Node, tag: str, count: int, default: Numbers) -> Numbers:
    """Return the numbers in the text of a child."""
    found = node.child(tag)
    if found is None or not found.text.strip():
        return default
    return _parse(found.text, count, f'{found.source}: <{tag}>')


def is_true(text: str) -> bool:
    """Return whether a text of SDF says yes."""
    return text.strip().lower() in ('1', 'true')


def sdf_pose(node: Node) -> Array:
    """
    Return the matrix (4, 4) of the `<pose>` in a node of SDF, whatever it is relative to.

    It is x y z roll pitch yaw, or x y z and a quaternion x y z w.
    """
    found = node.child('pose')
    if found is None or not found.text.strip():
        return np.eye(4)
    is_quaternion = found.attributes.get('rotation_format') == 'quat_xyzw'
    x, y, z, *turn = _parse(found.text, 7 if is_quaternion else 6, f'{found.source}: <pose>')
    if is_quaternion:
        *axis, w = np.array(turn) / (np.linalg.norm(turn) or 1.0)
        cross = np.cross(np.eye(3), axis)
        matrix = np.eye(4)
        matrix[:3, :3] += 2.0 * (w * cross + cross @ cross)
        matrix[:3, 3] = x, y, z
        return matrix
    if is_true(found.attributes.get('degrees', '')):
        turn = [math.radians(angle) for angle in turn]
    roll, pitch, yaw = turn
    return Pose(x, y, z, yaw, pitch, roll).matrix


def sdf_place(source: Source, pose: Array) -> Node:
    """Return the `<pose>` of SDF of a matrix (4, 4)."""
    place = Pose.from_matrix(pose)
    return element('pose', source, written(
        place.x, place.y, place.z, place.roll, place.pitch, place.yaw))


def all_in(nodes: Iterable[Node], tag: str) -> Iterator[Node]:
    """Yield all nodes called `tag`, at any depth."""
    for node in nodes:
        if node.tag == tag:
            yield node
        yield from all_in(node.children, tag)


def _parse(text: str, count: int, label: str) -> Numbers:
    words = text.split()
    try:
        values = tuple(float(word) for word in words)
    except ValueError:
        values = ()
    if len(values) != count or not all(abs(each) <= LARGEST for each in values):
        wanted = 'a finite number' if count == 1 else f'{count} finite numbers'
        raise WorldFileError(f'{label} is {text.strip()[:60]!r}: write {wanted}, at most '
                             f'{LARGEST:g}')
    return values


def written(*values: float) -> str:
    """Return numbers as text for a world file."""
    return ' '.join(f'{0.0 if abs(each) < 1e-12 else each:.9g}' for each in values)


def degrees(*angles: float) -> str:
    """Return angles [rad] as text in degrees."""
    return written(*map(math.degrees, angles))


def pose_text(matrix: Array) -> str:
    """Return a matrix (4, 4) as text of a `pose_3d`."""
    pose = Pose.from_matrix(matrix)
    return f'{written(pose.x, pose.y, pose.z)} {degrees(pose.yaw, pose.pitch, pose.roll)}'


def element(tag: str, source: Source, text: str = '', children: Iterable[Node] = (),
            attributes: Mapping[str, str] = _NONE) -> Node:
    """Return an element; attributes without text are left out."""
    return Node(tag, {key: text for key, text in attributes.items() if text}, text,
                list(children), source)


def xml(node: Node) -> str:
    """Return the text of an element and all in it, indented."""
    return '\n'.join(_lines(node, '')) + '\n'


def _lines(node: Node, indent: str) -> Iterator[str]:
    attributes = ''.join(f' {key}={quoteattr(text)}' for key, text in node.attributes.items())
    text = escape(node.text.strip())
    if not (node.children or text):
        yield f'{indent}<{node.tag}{attributes}/>'
    elif not node.children:
        yield f'{indent}<{node.tag}{attributes}>{text}</{node.tag}>'
    else:
        yield f'{indent}<{node.tag}{attributes}>'
        for child in node.children:
            yield from _lines(child, indent + _INDENT)
        yield f'{indent}</{node.tag}>'


@dataclass(frozen=True)
class Finding:
    """A difference between a robot description and the vehicle."""

    source: Source
    text: str  # description and remedy
    lost: bool  # False: assumed

    def __str__(self) -> str:
        return f'{self.source}: {self.text}'


@dataclass
class Findings:
    """Distinct findings of one conversion, in order."""

    found: dict[Finding, None] = field(default_factory=dict)
    drive: str = ''  # which class of dynamics was chosen, and why
    slope: str = ''  # the steepest one that it climbs, and why

    def lost(self, source: Source, text: str) -> None:
        """Add something that is not converted."""
        self.found[Finding(source, text, True)] = None

    def assumed(self, source: Source, text: str) -> None:
        """Add something that the description lacks or contradicts."""
        self.found[Finding(source, text, False)] = None
