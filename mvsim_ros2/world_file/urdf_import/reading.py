# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads values of URDF (attributes, metres, radians) and of the SDF in its Gazebo tags (text)."""

from collections.abc import Iterable
from collections.abc import Iterator
import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.frames import Pose
from mvsim_ros2.world_file.tree import Node

Array = NDArray[np.float64]
Numbers = tuple[float, ...]

LARGEST = 1e9  # of any length, mass or angle


def attribute(node: Node, name: str) -> str:
    """
    Return an attribute.

    :raises WorldFileError: where there is none.
    """
    if not node.attributes.get(name, '').strip():
        raise WorldFileError(f'{node.source}: <{node.tag}> lacks {name}: write {name}="..."')
    return node.attributes[name].strip()


def numbers(node: Node, name: str, count: int, default: Numbers | None = None) -> Numbers:
    """
    Return the numbers in an attribute.

    :param default: what holds where there is no attribute; without it one is mandatory.
    :raises WorldFileError: where they are not `count` finite numbers.
    """
    if default is not None and name not in node.attributes:
        return default
    return _parse(attribute(node, name), count, f'{node.source}: {name} of <{node.tag}>')


def number(node: Node, name: str, default: float | None = None) -> float:
    """Return the number in an attribute, as `numbers` does."""
    return numbers(node, name, 1, None if default is None else (default,))[0]


def origin(node: Node) -> Array:
    """Return the matrix (4, 4) of the `<origin>` in a node; without one the unit matrix."""
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
    """
    Return the number in the text down a path of tags.

    :raises WorldFileError: where it is no finite number.
    """
    found = find(node, *path)
    if found is None or not found.text.strip():
        return default
    return _parse(found.text, 1, f'{found.source}: <{found.tag}>')[0]


def sdf_pose(node: Node) -> Array:
    """Return the matrix (4, 4) of the `<pose>` x y z roll pitch yaw in a node of SDF."""
    found = node.child('pose')
    if found is None or not found.text.strip():
        return np.eye(4)
    x, y, z, roll, pitch, yaw = _parse(found.text, 6, f'{found.source}: <pose>')
    return Pose(x, y, z, yaw, pitch, roll).matrix


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
