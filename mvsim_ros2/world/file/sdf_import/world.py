# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A document of SDF as the tags of a world file: models, ground, lights, actors."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
import math
import re

import numpy as np
from PIL import Image

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.world.file.document.tree import Node, Warn
from mvsim_ros2.world.file.sdf_import.blocks import block_node, colour_of, scenery_nodes
from mvsim_ros2.world.file.sdf_import.frames import Scope
from mvsim_ros2.world.file.sdf_import.includes import find, Includes, missing, modern
from mvsim_ros2.world.file.sdf_import.models import Model, model_of
from mvsim_ros2.world.file.urdf_import.convert import vehicle_class
from mvsim_ros2.world.file.urdf_import.description.xml_values import (
    attribute, degrees, element, find as find_in, Findings, is_true, Numbers, numbers_of,
    pose_text, sdf_pose, text_of, value, written, xml)
from mvsim_ros2.world.file.urdf_import.robot import read_robot
from mvsim_ros2.world.file.urdf_import.sensors import sensor_nodes
from mvsim_ros2.world.spec import Source

Idle = Callable[[Source, str, str], None]

_NO_EFFECT = 'Gazebo reads it, and nothing here acts on it: see docs/gazebo.md'
_GROUND = 100.0  # m, of a plane without a size
_LARGEST_MAP = 1025  # pixels of a height map in one direction
# tags that are read, by the tag that holds them
_READ = {name: frozenset(tags.split()) for name, tags in {
    'sdf': 'world model light actor include',
    'world': 'model include frame light actor gravity spherical_coordinates',
    'model': 'link joint frame model pose static plugin',
    'link': 'pose inertial visual collision sensor light',
    'visual': 'pose geometry material transparency', 'collision': 'pose geometry surface',
    'light': 'pose diffuse specular attenuation direction spot cast_shadows intensity',
    'actor': 'pose script', 'joint': 'parent child pose axis'}.items()}


def world_of(root: Node, warn: Warn, idle: Idle,
             choices: dict[str, Findings] | None = None) -> list[Node]:
    """Return the tags of a world file that a document of SDF, or a robot description, makes."""
    return list(_World(warn, idle, {} if choices is None else choices).nodes(root))


def only_model(root: Node, warn: Warn) -> Node:
    """Return the robot description of an `<sdf>` with one model."""
    modern(root)
    node = Includes(warn).completed(replace(root, tag='world'), (root.source.file,))
    models = [child for child in node.children if child.tag == 'model']
    if len(models) != 1:
        raise WorldFileError(f'{root.source}: it has {len(models)} models outside of a world: a '
                             'vehicle is made of one; convert worlds by convert-sdf')
    return model_of(models[0], np.eye(4), warn).robot


class _World:

    def __init__(self, warn: Warn, idle: Idle, choices: dict[str, Findings]) -> None:
        self._warn, self._idle, self._choices = warn, idle, choices
        self._names: set[str] = set()
        self._lights: list[Node] = []
        self._suns = 0
        self._reported: set[str] = set()  # tags without effect

    def nodes(self, root: Node) -> Iterator[Node]:
        """Yield the tags."""
        if root.tag == 'robot':
            yield from self._things(Model(root, np.eye(4)), True)
            return
        modern(root)
        worlds = [child for child in root.children if child.tag == 'world']
        for other in worlds[1:]:
            self._warn(other.source, 'a second <world> in one file is left out: put it into a '
                       'file of its own')
        node = Includes(self._warn).completed(
            worlds[0] if worlds else replace(root, tag='world'), (root.source.file,))
        scope = Scope(node)
        made = [each for child in node.children for each in self._child(child, scope)]
        self._report_idle(replace(node, tag='world' if worlds else 'sdf'))
        if self._lights:
            made.append(element('lights', node.source, children=self._lights))
        yield from made
        if not (made or worlds):
            raise WorldFileError(f'{root.source}: the SDF has no <model> with a shape: it needs '
                                 'a <world>, or at least one')

    def _child(self, child: Node, scope: Scope) -> Iterator[Node]:
        if child.tag == 'model':
            place = scope.pose(attribute(child, 'name'), child.source)
            model = model_of(child, place, self._warn)
            for node, pose in model.others:
                yield from self._other(node, pose, model)
            yield from self._things(model, False)
        elif child.tag == 'robot':
            place = scope.placed(child)
            robot = replace(child, children=[part for part in child.children
                                             if part.tag not in ('pose', 'static')])
            yield from self._things(Model(robot, place, float(place[2, 3])), False)
        elif child.tag == 'light':
            yield from self._other(child, scope.placed(child), None)
        elif child.tag == 'actor':
            yield from self._actor(child, scope.placed(child))
        elif child.tag == 'gravity':
            x, y, z = numbers_of(scope.node, 'gravity', 3, (0.0, 0.0, -9.8))
            if x or y or z > 0.0:
                self._warn(child.source, f'a gravity of {x:g} {y:g} {z:g} does not pull down: '
                           'that of the Earth is used')
            else:
                yield element('gravity', child.source, written(-z))
        elif child.tag == 'spherical_coordinates':
            yield from self._georeference(child)

    def _georeference(self, node: Node) -> Iterator[Node]:
        if value(node, 'heading_deg', default=0.0):
            self._warn(node.source, '<heading_deg> is not read: x points to the east')
        yield element('georeference', node.source, children=_tags(node, {
            new: value(node, old, default=0.0) for new, old in (
                ('latitude', 'latitude_deg'), ('longitude', 'longitude_deg'),
                ('height', 'elevation'))}))

    def _things(self, model: Model, must_drive: bool) -> Iterator[Node]:
        """Yield a vehicle where there are wheels, else blocks."""
        robot = model.robot
        if any(child.tag.startswith('xacro:') for child in robot.children):
            raise WorldFileError(f'{robot.source}: macros of xacro are expanded from files only: '
                                 'give the file, or its expansion')
        if not must_drive and not any(link.child(tag) for link in robot.children for tag in (
                'visual', 'collision', 'sensor')):
            if not model.others:
                self._warn(robot.source, 'a model without a shape is left out: give it a <link> '
                           'with a <collision>')
            return
        name = self._free_name(robot.attributes.get('name', '') or 'robot')
        parts, findings = replace(read_robot(robot), name=name), Findings()
        if model.static:
            sensors, housings = sensor_nodes(replace(parts, root='', poses={
                link: model.pose @ pose for link, pose in parts.poses.items()}), 0.0, '', findings)
            yield from (self._standing(name, sensor) for sensor in sensors)
            for number, block in enumerate(scenery_nodes(
                    parts, model.pose, housings, findings)):
                block.attributes['name'] = self._free_name(name) if number else name
                yield block
        else:
            moves = any(joint.moves for joint in parts.joints.values())
            made = self._vehicle(model, name, findings, must_drive) if moves else None
            for each in () if made else parts.extensions:
                if each.child('sensor'):
                    findings.lost(each.source, 'a <sensor> on a block that moves is left out: '
                                  'make the model static')
            made = made or block_node(parts, model.pose, findings)
            yield from [] if made is None else [made]
        for finding in findings.found:
            if finding.lost:
                self._warn(finding.source, finding.text)

    def _standing(self, model: str, sensor: Node) -> Node:
        """Return a sensor that stands in the world, in a frame of its own."""
        name = self._free_name(f'{model}_{sensor.attributes["name"]}')
        return replace(sensor, attributes=sensor.attributes | {'name': name}, children=[
            child for child in sensor.children if child.tag != 'frame_id'])

    def _vehicle(self, model: Model, name: str, findings: Findings,
                 must_drive: bool) -> Node | None:
        """Return a model with joints as a vehicle, None where it is none, which is said."""
        robot = replace(read_robot(model.robot), name=name)
        pose = model.pose.copy()
        pose[2, 3] = model.height  # the frame of a vehicle is on the ground
        try:
            made = vehicle_class(robot, findings)
        except WorldFileError as error:
            if must_drive:
                raise
            findings.found.clear()
            self._warn(robot.source, f'the model {name!r} does not drive, and is a block: {error}')
            return None
        self._choices[name] = findings
        return element('vehicle', robot.source, attributes={'name': name}, children=[
            *made.children, element('init_pose3d', robot.source, pose_text(pose)),
            element('robot_description', robot.source, xml(model.robot))])

    def _free_name(self, wanted: str) -> str:
        """Return a name that is valid in topics, and that nothing else has."""
        plain = re.sub('[^A-Za-z0-9_]', '_', wanted)
        plain = plain if plain[0].isalpha() else f'n{plain}'
        name, number = plain, 1
        while name in self._names:
            number += 1
            name = f'{plain}_{number}'
        self._names.add(name)
        return name

    def _other(self, node: Node, pose: Array, model: Model | None) -> Iterator[Node]:
        """Yield what is no body: ground, height maps; lights are collected."""
        if node.tag == 'light' and (model is None or model.static):
            self._light(node, pose)
        elif node.tag == 'light':
            self._warn(node.source, 'a <light> of a model that moves is left out: give the '
                       'vehicle a <light_group>')
        elif node.tag == 'collision' and model is not None:
            solid = find_in(node, 'geometry', 'heightmap')
            yield from self._plane(node, pose, model) if solid is None else self._height_map(
                solid, pose)

    def _plane(self, node: Node, pose: Array, model: Model) -> Iterator[Node]:
        plane = find_in(node, 'geometry', 'plane')
        assert plane is not None
        normal = pose[:3, :3] @ numbers_of(plane, 'normal', 3, (0.0, 0.0, 1.0))
        if abs(normal[2]) < 0.999 * np.linalg.norm(normal) or not model.static:
            self._warn(plane.source, 'a <plane> is left out that is not level, or that moves: '
                       'write a <box>')
            return
        seen = next((other for other, _ in model.others if other.tag == 'visual'), node)
        x, y = numbers_of(find_in(seen, 'geometry', 'plane') or plane, 'size', 2,
                          (_GROUND, _GROUND))
        colour = _hexadecimal(map(float, (colour_of(seen) or '0.63 0.63 0.63 1').split()))
        yield element('element', plane.source, attributes={'class': 'horizontal_plane'},
                      children=_tags(plane, {
                          'init_pose3d': pose_text(pose), 'x_min': -0.5 * x, 'x_max': 0.5 * x,
                          'y_min': -0.5 * y, 'y_max': 0.5 * y, 'color': colour}))

    def _height_map(self, node: Node, pose: Array) -> Iterator[Node]:
        """
        Yield an elevation map of a grey image whose columns run along x and rows against y.

        Black is 0, and white the third number of `<size>`.
        """
        x, y, z = numbers_of(node, 'size', 3, (1.0, 1.0, 1.0))
        middle = np.array(numbers_of(node, 'pos', 3, (0.0, 0.0, 0.0))) + pose[:3, 3]
        path = find(text_of(node, 'uri'), node.source.file)
        try:
            if path is None or not path.is_file():
                raise OSError(missing(text_of(node, 'uri')))
            with Image.open(path) as image:
                grey = np.asarray(image.convert('F' if image.mode[0] in 'IF' else 'L'), float)
            white = 255.0 if grey.max() <= 255.0 else 65535.0
        except (OSError, ValueError, Image.DecompressionBombError) as error:
            self._warn(node.source, f'the height map is left out: {error}')
            return
        step = math.ceil(max(grey.shape) / _LARGEST_MAP)
        heights = (middle[2] + z * grey[::step, ::step][::-1].T / white)
        cell = x / max(len(heights) - 1, 1)
        if min(grey.shape) < 2 or abs(y / max(heights.shape[1] - 1, 1) / cell - 1.0) > 0.01:
            self._warn(node.source, 'the height map is left out: its cells are not square, make '
                       f'<size> {x:g} by {x / max(grey.shape[1] - 1, 1) * (len(grey) - 1):g}')
            return
        rows = '\n'.join(' '.join(f'{each:.4f}' for each in row) for row in heights)
        yield element('element', node.source, attributes={'class': 'elevation_map'},
                      children=_tags(node, {
                          'elevation_data_matrix': rows, 'resolution': cell,
                          'corner_min_x': middle[0] - 0.5 * x,
                          'corner_min_y': middle[1] - 0.5 * y}))

    def _light(self, node: Node, pose: Array) -> None:
        kind = node.attributes.get('type', 'point')
        shades, shine = (_shades(node, tag, usual) for tag, usual in (
            ('diffuse', 1.0), ('specular', 0.5)))
        strength = max(*shades, 0.0)
        colour = _hexadecimal(part / (strength or 1.0) for part in shades)
        diffuse = written(strength * value(node, 'intensity', default=1.0))
        specular = written(max(*shine, 0.0))
        towards = pose[:3, :3] @ numbers_of(node, 'direction', 3, (0.0, 0.0, -1.0))
        shadows = 'true' if is_true(text_of(node, 'cast_shadows')) else 'false'
        if kind == 'directional':
            self._suns += 1
            if self._suns > 1:
                self._warn(node.source, 'a second directional <light> is left out: a world has '
                           'one sun')
                return
            x, y, z = -towards
            self._lights += _tags(node, {
                'light_azimuth_deg': degrees(math.atan2(y, x)), 'enable_shadows': shadows,
                'light_elevation_deg': degrees(math.atan2(z, math.hypot(x, y))),
                'light_color': colour, 'light_diffuse': diffuse, 'light_specular': specular})
            return
        said = {'position': written(*pose[:3, 3]), 'color': colour, 'diffuse': diffuse,
                'specular': specular, 'cast_shadows': shadows}
        fading = node.child('attenuation')
        if fading is not None:
            parts = {tag: max(value(fading, tag, default=0.0), 0.0)
                     for tag in ('constant', 'linear', 'quadratic', 'range')}
            if not (parts['constant'] or parts['linear'] or parts['quadratic']):
                parts['constant'] = 1.0
            said |= {'range' if tag == 'range' else f'attenuation_{tag}': written(part)
                     for tag, part in parts.items()}
        if kind == 'spot':
            outer = 0.5 * value(node, 'spot', 'outer_angle', default=1.0)
            inner = 0.5 * value(node, 'spot', 'inner_angle', default=0.9)
            said |= {'direction': written(*towards), 'outer_cutoff_deg': degrees(min(outer, 1.5)),
                     'inner_cutoff_deg': degrees(min(inner, outer, 1.5))}
        self._lights.append(element(f'{"spot" if kind == "spot" else "point"}_light',
                                    node.source, attributes=said))

    def _actor(self, node: Node, pose: Array) -> Iterator[Node]:
        """Yield a person who follows the trajectory of an actor."""
        trajectory = find_in(node, 'script', 'trajectory')
        keys = [] if trajectory is None else [
            (value(key, 'time', default=0.0), np.linalg.inv(pose) @ sdf_pose(key))
            for key in trajectory.children if key.tag == 'waypoint']
        keys.sort(key=lambda key: key[0])
        name = self._free_name(node.attributes.get('name', '') or 'actor')
        place = replace(Pose.from_matrix(pose), z=0.0, pitch=0.0, roll=0.0)
        moves = [element('time_pose3d', node.source, f'{written(time)} {pose_text(at)}')
                 for time, at in keys] if len(keys) > 1 and keys[-1][0] > 0.0 else []
        yield element('actor', node.source, attributes={'name': name}, children=[
            element('init_pose3d', node.source, pose_text(place.matrix)),
            *([element('animation', node.source, children=moves)] if moves else [])])

    def _report_idle(self, node: Node) -> None:
        """Report the tags that nothing acts on, each once, with its first place."""
        known = _READ.get(node.tag)
        for child in () if known is None else node.children:
            label = f'<{child.tag}> in <{node.tag}>'
            if known and child.tag in known:
                self._report_idle(child)
            elif label not in self._reported:
                self._reported.add(label)
                self._idle(child.source, label, _NO_EFFECT)


def _tags(node: Node, values: Mapping[str, str | float]) -> list[Node]:
    """Return a tag for each value, from the place of a node."""
    return [element(tag, node.source, text if isinstance(text, str) else written(text))
            for tag, text in values.items()]


def _shades(light: Node, tag: str, usual: float) -> Numbers:
    """Return the red, green and blue of a light."""
    count = 3 if len(text_of(light, tag).split()) == 3 else 4
    return numbers_of(light, tag, count, (usual,) * count)[:3]


def _hexadecimal(parts: Iterable[float]) -> str:
    """Return a colour of parts from 0 to 1 as the world file has it."""
    return '#' + bytes(round(255 * min(max(part, 0.0), 1.0)) for part in parts).hex()
