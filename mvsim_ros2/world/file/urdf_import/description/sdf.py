# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Models of SDF as robot descriptions (URDF), the form that is converted."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.frames import Pose
from mvsim_ros2.world.file.document.tree import Node
from mvsim_ros2.world.file.document.xml_repair import Warn
from mvsim_ros2.world.file.report import did_you_mean
from mvsim_ros2.world.file.urdf_import.description.xml_values import (
    attribute, element, sdf_pose, text_of, value, written)

Array = NDArray[np.float64]

_TURNING, _KINDS = 'revolute', ('fixed', 'continuous', 'revolute', 'prismatic')
_HELD = ('ball', 'universal', 'screw', 'revolute2', 'gearbox')  # read as if they were fixed
_ENDLESS = 1e8  # rad; joints with larger limits turn without an end
_MOMENTS = ('ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz')


@dataclass(frozen=True)
class Model:
    """A robot description, where it stands, and whether it can move."""

    robot: Node  # <robot>
    pose: Array  # of its root link in the world, (4, 4)
    height: float = 0.0  # of the frame of the model in the world [m]
    static: bool = False

    @staticmethod
    def of_urdf(robot: Node) -> 'Model':
        """Return a description that stands at the origin."""
        return Model(robot, np.eye(4))


def models_of(root: Node, warn: Warn) -> list[Model]:
    """
    Return the models of an `<sdf>`.

    :param warn: called with source and message of what is left out.
    :raises WorldFileError: where there is none, or one cannot be read.
    """
    models, waiting = [], list(root.children)
    while waiting:
        node = waiting.pop(0)
        if node.tag == 'world':
            waiting += node.children
        elif node.tag == 'model':
            models.append(_model(node, warn))
        elif node.tag == 'include':
            raise WorldFileError(f'{node.source}: <include> of SDF is not followed: put the '
                                 'model itself into the file')
    if not models:
        raise WorldFileError(f'{root.source}: the SDF has no <model>: it needs at least one')
    return models


def _model(model: Node, warn: Warn) -> Model:
    for node in model.children:
        if node.tag in ('model', 'include'):
            raise WorldFileError(f'{node.source}: a <{node.tag}> in a <model> is not read: put '
                                 'its links and joints into the model itself')
    links = {attribute(node, 'name'): node for node in model.children if node.tag == 'link'}
    joints = [node for node in model.children if node.tag == 'joint']
    anchored = [node for node in joints if text_of(node, 'parent') == 'world']
    joints = [node for node in joints if node not in anchored]
    poses = _poses(links)
    # a link of URDF is at the joint that it hangs on
    frames = dict(poses)
    for joint in joints:
        child = _link_of(joint, 'child', links)
        frames[child] = poses[child] @ sdf_pose(joint)
    children: list[Node] = []
    for name, link in links.items():
        children += _link(name, link, np.linalg.inv(frames[name]) @ poses[name], warn)
    children += [_joint(joint, links, frames, warn) for joint in joints]
    hanging = {text_of(joint, 'child') for joint in joints}
    first, *others = [name for name in links if name not in hanging] or ['']
    children += [element('joint', links[name].source, attributes={
        'name': f'{name}_fixed', 'type': 'fixed'}, children=[
            element('parent', links[name].source, attributes={'link': first}),
            element('child', links[name].source, attributes={'link': name}),
            _origin(links[name], np.linalg.inv(frames[first]) @ frames[name])])
        for name in others]
    children += [element('gazebo', node.source, children=[node])
                 for node in model.children if node.tag == 'plugin']
    robot = element('robot', model.source, children=children,
                    attributes={'name': model.attributes.get('name', '')})
    place = sdf_pose(model)
    return Model(robot, place @ frames.get(first, np.eye(4)), float(place[2, 3]),
                 bool(anchored) or text_of(model, 'static') in ('1', 'true'))


def _poses(links: Mapping[str, Node]) -> dict[str, Array]:
    """Return the poses of links in their model."""
    poses: dict[str, Array] = {}
    waiting = dict(links)
    while waiting:
        for name, link in list(waiting.items()):
            place = link.child('pose')
            base = '' if place is None else place.attributes.get('relative_to', '')
            if base in ('', '__model__') or base in poses:
                poses[name] = poses.get(base, np.eye(4)) @ sdf_pose(link)
                del waiting[name]
            elif base not in waiting:
                raise WorldFileError(f'{link.source}: the pose of link {name!r} is relative to '
                                     f'{base!r}, which is no link: only links are followed')
        if len(waiting) > 1 and not set(waiting) - {
                link.child('pose').attributes.get('relative_to')  # type: ignore[union-attr]
                for link in waiting.values()}:
            raise WorldFileError(f'{next(iter(waiting.values())).source}: the poses of links '
                                 'refer to each other in a circle')
    return poses


def _link_of(joint: Node, tag: str, links: Mapping[str, Node]) -> str:
    name = text_of(joint, tag)
    if name not in links:
        raise WorldFileError(f'{joint.source}: the <{tag}> of a joint is {name!r}, which is no '
                             'link of the model')
    return name


def _link(name: str, link: Node, offset: Array, warn: Warn) -> Iterator[Node]:
    """Yield a link, and what Gazebo's tags say of it; `offset` is its frame in that of URDF."""
    parts: list[Node] = []
    for node in link.children:
        if node.tag in ('visual', 'collision'):
            parts += _shape(node, offset @ sdf_pose(node), warn)
    inertial = link.child('inertial')
    if inertial is not None and inertial.child('mass') is not None:
        moments = inertial.child('inertia')
        parts.append(element('inertial', inertial.source, children=[
            _origin(inertial, offset @ sdf_pose(inertial)),
            element('mass', inertial.source, attributes={
                'value': written(value(inertial, 'mass', default=0.0))}),
            *([] if moments is None else [element('inertia', moments.source, attributes={
                key: written(value(moments, key, default=0.0)) for key in _MOMENTS})])]))
    yield element('link', link.source, children=parts, attributes={'name': name})
    said = [replace(node, children=[
        *(child for child in node.children if child.tag != 'pose'),
        _sdf_place(node, offset @ sdf_pose(node))])
        for node in link.children if node.tag == 'sensor']
    for node in link.children:
        if node.tag == 'collision' and text_of(node, 'surface', 'friction', 'ode', 'mu'):
            said.append(element('mu1', node.source,
                                text_of(node, 'surface', 'friction', 'ode', 'mu')))
    if said:
        yield element('gazebo', link.source, children=said, attributes={'reference': name})


def _shape(node: Node, pose: Array, warn: Warn) -> Iterator[Node]:
    geometry = node.child('geometry')
    if geometry is None or not geometry.children:
        raise WorldFileError(f'{node.source}: <{node.tag}> lacks a <geometry>')
    solid = geometry.children[0]
    attributes = {
        'box': {'size': text_of(solid, 'size')},
        'cylinder': {'radius': text_of(solid, 'radius'), 'length': text_of(solid, 'length')},
        'sphere': {'radius': text_of(solid, 'radius')},
        'mesh': {'filename': text_of(solid, 'uri'), 'scale': text_of(solid, 'scale')},
    }.get(solid.tag)
    if attributes is None:
        warn(solid.source, f'<{solid.tag}> of SDF is left out: box, cylinder, sphere and mesh '
             'are read')
        return
    colour = text_of(node, 'material', 'diffuse').split()
    yield element(node.tag, node.source, children=[
        _origin(node, pose), element('geometry', geometry.source, children=[
            element(solid.tag, solid.source, attributes=attributes)]),
        *([element('material', node.source, children=[element(
            'color', node.source, attributes={'rgba': ' '.join([*colour, '1'][:4])})])]
          if len(colour) in (3, 4) else [])])


def _joint(joint: Node, links: Mapping[str, Node], frames: Mapping[str, Array],
           warn: Warn) -> Node:
    name, kind = attribute(joint, 'name'), attribute(joint, 'type')
    if kind in _HELD:
        if kind != 'ball':  # balls are casters, which roll as they are pushed
            warn(joint.source, f'joint {name!r} ({kind}) does not move: it stays at 0')
        kind = 'fixed'
    if kind not in _KINDS:
        raise WorldFileError(f'{joint.source}: joint {name!r} has the type {kind!r}: there are '
                             f'{", ".join((*_KINDS, *_HELD))}{did_you_mean(kind, _KINDS)}')
    parent, child = (_link_of(joint, tag, links) for tag in ('parent', 'child'))
    said: list[Node] = []
    axis = joint.child('axis')
    if axis is not None:
        along = axis.child('xyz')
        direction = np.array(_numbers(axis, 'xyz') or (0.0, 0.0, 1.0))
        if len(direction) != 3:
            raise WorldFileError(f'{axis.source}: <xyz> of joint {name!r} needs 3 numbers')
        if along is not None and along.attributes.get('expressed_in') == '__model__':
            direction = frames[child][:3, :3].T @ direction
        said.append(element('axis', axis.source, attributes={'xyz': written(*direction)}))
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
    return element('joint', joint.source, attributes={'name': name, 'type': kind}, children=[
        element('parent', joint.source, attributes={'link': parent}),
        element('child', joint.source, attributes={'link': child}),
        _origin(joint, np.linalg.inv(frames[parent]) @ frames[child]), *said])


def _numbers(node: Node, *path: str) -> tuple[float, ...]:
    """Return the numbers down a path of tags; unlike in other tags they may be infinite."""
    text = text_of(node, *path)
    try:
        return tuple(map(float, text.split()))
    except ValueError as error:
        raise WorldFileError(f'{node.source}: <{path[-1]}> is {text[:60]!r}: write '
                             'numbers') from error


def _origin(node: Node, pose: Array) -> Node:
    place = Pose.from_matrix(pose)
    return element('origin', node.source, attributes={
        'xyz': written(place.x, place.y, place.z),
        'rpy': written(place.roll, place.pitch, place.yaw)})


def _sdf_place(node: Node, pose: Array) -> Node:
    place = Pose.from_matrix(pose)
    return element('pose', node.source, written(
        place.x, place.y, place.z, place.roll, place.pitch, place.yaw))
