# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Frames of SDF: the frame of each pose, and the link of each frame.

The rules follow SDF 1.7 and later, which give older files the poses that they had. Each model is a
scope of names; `a::b` is b in the nested model a.
"""

from collections.abc import Iterator

import numpy as np

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.frames import Array
from mvsim_ros2.world.file.document.tree import Node
from mvsim_ros2.world.file.report import instead_of
from mvsim_ros2.world.file.urdf_import.description.xml_values import sdf_pose, text_of
from mvsim_ros2.world.spec import Source

MODEL, WORLD, APART = '__model__', 'world', '::'
_FRAMES = ('link', 'joint', 'frame', 'model')


class Scope:
    """The frames in a model or a world, and in its models."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.members: dict[str, Node] = {}
        for child in node.children:
            name = child.attributes.get('name', '').strip()
            if child.tag not in _FRAMES:
                continue
            if not name or name in self.members:
                what = f'the name {name!r} is taken at {self.members[name].source}' if (
                    name) else f'<{child.tag}> has no name'
                raise WorldFileError(f'{child.source}: {what}: give it another name')
            self.members[name] = child
        self.models = {name: Scope(child) for name, child in self.members.items()
                       if child.tag == 'model'}
        self._poses: dict[str, Array | None] = {'': np.eye(4), MODEL: np.eye(4)}
        if node.tag == WORLD:
            self._poses[WORLD] = np.eye(4)

    def pose(self, name: str, source: Source) -> Array:
        """
        Return the pose of a frame in the model or world, matrix (4, 4).

        :param name: '' for the model's own frame.
        """
        known = self._poses.get(name)
        if known is not None:
            return known
        if name in self._poses:
            raise WorldFileError(f'{source}: the pose of {name!r} is relative to itself, in a '
                                 'circle: give one of the frames another relative_to')
        self._poses[name] = None
        if name not in self.members:
            model, inner = self._split(name, source)
            found = self.pose(model, source) @ self.models[model].pose(inner, source)
        else:
            node = self.members[name]
            found = self.placed(node, self._usual(node))
            if node.tag == 'model':
                held = node.attributes.get('placement_frame', '')
                found = found @ np.linalg.inv(self.models[name].pose(held, node.source))
        self._poses[name] = found
        return found

    def placed(self, node: Node, usual: str = '') -> Array:
        """
        Return the pose of a tag by its `<pose>`, in the model or world.

        :param usual: frame of a pose that names none.
        """
        place = node.child('pose')
        base = '' if place is None else place.attributes.get('relative_to', '').strip()
        return self.pose(base or usual, node.source) @ sdf_pose(node)

    def _usual(self, node: Node) -> str:
        """Return the frame that a pose is relative to where it names none."""
        if node.tag == 'joint':
            return text_of(node, 'child')
        return node.attributes.get('attached_to', '').strip() if node.tag == 'frame' else ''

    def link(self, name: str, source: Source) -> str:
        """Return the link that a frame belongs to, '' where a model has none."""
        self.pose(name, source)
        if name in ('', MODEL):
            return self._canonical()
        node = self.members.get(name)
        if node is None:
            model, inner = self._split(name, source)
        elif node.tag == 'model':
            model, inner = name, ''
        else:
            return name if node.tag == 'link' else self.link(self._usual(node), node.source)
        return f'{model}{APART}{self.models[model].link(inner, source)}'

    def _canonical(self) -> str:
        given = self.node.attributes.get('canonical_link', '').strip()
        first = next((name for name, node in self.members.items() if node.tag == 'link'), '')
        nested = next((f'{name}{APART}{inner}' for name, scope in self.models.items()
                       if (inner := scope._canonical())), '')
        return given or first or nested

    def _split(self, name: str, source: Source) -> tuple[str, str]:
        """Return the nested model of a name, and the name in it."""
        model, apart, inner = name.partition(APART)
        if not apart or model not in self.models:
            raise WorldFileError(f'{source}: there is no link, joint, frame or model {name!r}'
                                 f'{instead_of(name, self.members)}')
        return model, inner

    def nested(self, prefix: str = '', at: Array | None = None,
               ) -> Iterator[tuple[str, 'Scope', Array]]:
        """Yield this model and those in it: before their names, the scope, the pose (4, 4)."""
        at = np.eye(4) if at is None else at
        yield prefix, self, at
        for name, scope in self.models.items():
            yield from scope.nested(f'{prefix}{name}{APART}',
                                    at @ self.pose(name, scope.node.source))
