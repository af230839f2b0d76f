# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Models of SDF as robot descriptions (URDF), the form that is converted."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.world.file.document.tree import Node, Warn
from mvsim_ros2.world.file.report import did_you_mean
from mvsim_ros2.world.file.sdf_import.blocks import colour_of, solid_of
from mvsim_ros2.world.file.sdf_import.frames import APART, Scope, WORLD
from mvsim_ros2.world.file.sdf_import.includes import find
from mvsim_ros2.world.file.urdf_import.description.xml_values import (
    attribute, element, is_true, sdf_place, text_of, value, written)
from mvsim_ros2.world.spec import Source

_TURNING, _KINDS = 'revolute', ('fixed', 'continuous', 'revolute', 'prismatic')
_HELD = ('ball', 'universal', 'screw', 'revolute2', 'gearbox')  # read as if they were fixed
_ENDLESS = 1e8  # rad; joints with larger limits turn without an end
_MOMENTS = ('ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz')
_GROUNDS = ('plane', 'heightmap')
_PLACED = ('visual', 'collision', 'inertial', 'sensor', 'light')  # in a link


@dataclass(frozen=True)
class Model:
    """A robot description, where it stands, and whether it can move."""

    robot: Node  # <robot>
    pose: Array  # of its root link in the world, (4, 4)
    height: float = 0.0  # of the frame of the model in the world [m]
    static: bool = False
    # what is no part of a robot: planes, height maps, lights, with their poses in the world
    others: tuple[tuple[Node, Array], ...] = ()


def model_of(node: Node, place: Array, warn: Warn) -> Model:
    """
    Return a `<model>`, with those in it.

    :param place: pose in the world, (4, 4).
    """
    return _Flattened(node, place, warn).model()


class _Flattened:
    """The links and joints of a model and those in it, in the frame of the model."""

    def __init__(self, node: Node, place: Array, warn: Warn) -> None:
        self._node, self._place, self._warn = node, place, warn
        self._links: dict[str, tuple[Node, Scope, Array]] = {}  # with the pose of their scope
        self._frames: dict[str, Array] = {}  # of URDF: a link is at the joint that it hangs on
        self._joints: dict[str, tuple[str, Node, Scope, str]] = {}  # by the child
        self._plugins: list[Node] = []
        self._static = _stands(node)
        self._others: list[tuple[Node, Array]] = []
        parts = list(Scope(node).nested())
        for prefix, scope, at in parts:
            for name, child in scope.members.items():
                if child.tag == 'link':
                    self._links[prefix + name] = child, scope, at
                    self._frames[prefix + name] = at @ scope.pose(name, child.source)
            self._plugins += [_prefixed(child, prefix, scope) for child in scope.node.children
                              if child.tag == 'plugin']
        for prefix, scope, at in parts:
            for joint in scope.members.values():
                if joint.tag == 'joint':
                    self._add(joint, prefix, scope, at)

    def _add(self, joint: Node, prefix: str, scope: Scope, at: Array) -> None:
        """Add a joint, which moves the frame of its child."""
        name, kind = attribute(joint, 'name'), attribute(joint, 'type')
        if kind not in (*_KINDS, *_HELD):
            raise WorldFileError(f'{joint.source}: joint {name!r} has the type {kind!r}: there '
                                 f'are {", ".join((*_KINDS, *_HELD))}{did_you_mean(kind, _KINDS)}')
        ends = [text_of(joint, tag) for tag in ('parent', 'child')]
        if WORLD in ends:
            self._static = True
            return
        parent, child = (prefix + scope.link(each, joint.source) if each else '' for each in ends)
        if not (parent in self._links and child in self._links):
            raise WorldFileError(f'{joint.source}: joint {name!r} needs a link of the model in '
                                 '<parent> and <child>')
        above = parent
        while above in self._joints:
            above = self._joints[above][0]
        if child in self._joints or above == child:
            self._warn(joint.source, f'joint {name!r} closes a loop of links, which no vehicle '
                       'has: it is left out')
            return
        self._joints[child] = parent, joint, scope, prefix
        self._frames[child] = at @ scope.pose(name, joint.source)

    def model(self) -> Model:
        """Return the description."""
        children = [part for name in self._links for part in self._link(name)]
        first = next((name for name in self._links if name not in self._joints), '')
        children += [self._joint(name) if name in self._joints else self._connected(
            f'{_plain(name)}_fixed', 'fixed', first, name, self._links[name][0])
            for name in self._links if name != first]
        children += [element('gazebo', node.source, children=[node]) for node in self._plugins]
        robot = element('robot', self._node.source, children=children,
                        attributes={'name': self._node.attributes.get('name', '')})
        return Model(robot, self._place @ self._frames.get(first, np.eye(4)),
                     float(self._place[2, 3]), self._static, tuple(self._others))

    def _connected(self, name: str, kind: str, parent: str, child: str, node: Node,
                   said: Sequence[Node] = ()) -> Node:
        """Return a joint of URDF."""
        return element('joint', node.source, attributes={'name': name, 'type': kind}, children=[
            element('parent', node.source, attributes={'link': _plain(parent)}),
            element('child', node.source, attributes={'link': _plain(child)}),
            _origin(node.source, np.linalg.inv(self._frames[parent]) @ self._frames[child]),
            *said])

    def _joint(self, child: str) -> Node:
        parent, joint, scope, prefix = self._joints[child]
        name, kind = attribute(joint, 'name'), attribute(joint, 'type')
        if kind in _HELD and kind != 'ball':  # balls are casters, which roll as they are pushed
            self._warn(joint.source, f'joint {name!r} ({kind}) does not move: it stays at 0')
        axis, said = joint.child('axis'), list[Node]()
        if kind not in _KINDS:
            kind = 'fixed'
        elif axis is not None and kind != 'fixed':
            kind, said = _axis(kind, axis, name, scope)
        return self._connected(_plain(prefix + name), kind, parent, child, joint, said)

    def _link(self, name: str) -> Iterator[Node]:
        """Yield a link, and what the tags of Gazebo say of it."""
        link, scope, at = self._links[name]
        own = attribute(link, 'name')
        offset = np.linalg.inv(self._frames[name]) @ at  # of the model in the link of URDF
        parts: list[Node] = []
        said: list[Node] = []
        for node in link.children:
            if node.tag not in _PLACED:
                continue
            pose = offset @ scope.placed(node, own)
            if node.tag in ('visual', 'collision'):
                parts += self._shape(node, pose, self._frames[name])
                mu = text_of(node, 'surface', 'friction', 'ode', 'mu')
                said += [element('mu1', node.source, mu)] if mu and node.tag == 'collision' else []
            elif node.tag == 'inertial' and node.child('mass') is not None:
                parts.append(_inertial(node, pose, self._warn))
            elif node.tag == 'sensor':
                said.append(replace(node, children=[
                    *(child for child in node.children if child.tag != 'pose'),
                    sdf_place(node.source, pose)]))
            elif node.tag == 'light':
                self._others.append((node, self._place @ self._frames[name] @ pose))
        yield element('link', link.source, children=parts, attributes={'name': _plain(name)})
        if said:
            yield element('gazebo', link.source, children=said,
                          attributes={'reference': _plain(name)})

    def _shape(self, node: Node, pose: Array, frame: Array) -> Iterator[Node]:
        geometry = node.child('geometry')
        if geometry is None or not geometry.children:
            raise WorldFileError(f'{node.source}: <{node.tag}> lacks a <geometry>')
        solid = geometry.children[0]
        if solid.tag in _GROUNDS:
            self._others.append((node, self._place @ frame @ pose))
            return
        made = solid_of(solid)
        if made is None:
            if solid.tag != 'empty':
                self._warn(solid.source, f'<{solid.tag}> of SDF is left out: box, cylinder, '
                           'sphere, capsule, cone, ellipsoid and mesh are read')
            return
        tag, attributes = made
        path = find(attributes.get('filename', ''), solid.source.file) if tag == 'mesh' else None
        if path is not None:
            attributes = {**attributes, 'filename': f'file://{path}'}
        if solid.child('submesh') is not None:
            self._warn(solid.source, '<submesh> is not read: the whole mesh is used')
        colour = colour_of(node)
        yield element(node.tag, node.source, children=[
            _origin(node.source, pose), element('geometry', geometry.source, children=[
                element(tag, solid.source, attributes=attributes)]),
            *([element('material', node.source, children=[element(
                'color', node.source, attributes={'rgba': colour})])] if colour else [])])


def _stands(model: Node) -> bool:
    """Return whether a model does not move, by its own word or by that of all models in it."""
    inner = [child for child in model.children if child.tag == 'model']
    return is_true(text_of(model, 'static')) or (
        model.child('link') is None and inner != [] and all(map(_stands, inner)))


def _axis(kind: str, axis: Node, name: str, scope: Scope) -> tuple[str, list[Node]]:
    """Return the kind of a joint, and what URDF says of its axis."""
    along = axis.child('xyz')
    direction = np.array(_numbers(axis, 'xyz') or (0.0, 0.0, 1.0))
    if len(direction) != 3:
        raise WorldFileError(f'{axis.source}: <xyz> of joint {name!r} needs 3 numbers')
    base = '' if along is None else along.attributes.get('expressed_in', '')
    if base:
        turned = np.linalg.inv(scope.pose(name, axis.source)) @ scope.pose(base, axis.source)
        direction = turned[:3, :3] @ direction
    said = [element('axis', axis.source, attributes={'xyz': written(*direction)})]
    limits = {key: _numbers(axis, 'limit', key) for key in (
        'lower', 'upper', 'effort', 'velocity')}
    given = {key: written(*each) for key, each in limits.items()
             if each and 0.0 <= abs(each[0]) < _ENDLESS}
    for key in ('effort', 'velocity'):  # below 0 they are unlimited
        if given.get(key, '').startswith('-'):
            del given[key]
    if kind == _TURNING and not {'lower', 'upper'} <= given.keys():
        kind = 'continuous'
    said += [element('limit', axis.source, attributes=given)] if given else []
    damping = value(axis, 'dynamics', 'damping', default=0.0)
    said += [element('dynamics', axis.source, attributes={
        'damping': written(damping)})] if damping else []
    copied = axis.child('mimic')
    if copied is not None and copied.attributes.get('joint', '').strip():
        said.append(element('mimic', copied.source, attributes={
            'joint': copied.attributes['joint'].strip()}))
    return kind, said


def _numbers(node: Node, *path: str) -> tuple[float, ...]:
    """Return the numbers down a path of tags; unlike in other tags they may be infinite."""
    text = text_of(node, *path)
    try:
        return tuple(map(float, text.split()))
    except ValueError as error:
        raise WorldFileError(f'{node.source}: <{path[-1]}> is {text[:60]!r}: write '
                             'numbers') from error


def _inertial(node: Node, pose: Array, warn: Warn) -> Node:
    moments = node.child('inertia')
    if moments is not None and any('nan' in text_of(moments, key).lower() for key in _MOMENTS):
        warn(moments.source, 'the <inertia> is nan, and is left out: give it numbers')
        moments = None
    return element('inertial', node.source, children=[
        _origin(node.source, pose),
        element('mass', node.source, attributes={
            'value': written(value(node, 'mass', default=0.0))}),
        *([] if moments is None else [element('inertia', moments.source, attributes={
            key: written(value(moments, key, default=0.0)) for key in _MOMENTS})])])


def _origin(source: Source, pose: Array) -> Node:
    place = Pose.from_matrix(pose)
    return element('origin', source, attributes={
        'xyz': written(place.x, place.y, place.z),
        'rpy': written(place.roll, place.pitch, place.yaw)})


def _plain(name: str) -> str:
    """Return the name of a part of a nested model as frames of ROS have it."""
    return name.replace(APART, '/')


def _prefixed(plugin: Node, prefix: str, scope: Scope) -> Node:
    """Return a plugin of a nested model with the whole names of its joints and links."""
    if not prefix:
        return plugin
    return replace(plugin, children=[replace(
        child, text=_plain(prefix + child.text.strip()) if child.text.strip() in scope.members
        else child.text) for child in plugin.children])
