# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Walls from the lines of a COLLADA file.

As in MVSim, the walls are the lines of all meshes between pairs of vertices, in metres. x and y of
a file with y up are those of the plan.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from lxml import etree
import numpy as np

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.frames import Array, axis_rotation
from mvsim_ros2.world.spec.walls import wall_outlines, WallsSpec

_TO_Y_UP = {
    'X_UP': ((0, -1, 0), (1, 0, 0), (0, 0, 1)), 'Y_UP': ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    'Z_UP': ((1, 0, 0), (0, 0, 1), (0, -1, 0))}


def with_segments(walls: WallsSpec) -> WallsSpec:
    """
    Return walls with the transformed shape of their mesh.

    Walls that have a shape are returned as they are.
    """
    if walls.shape or walls.model_uri is None or walls.model_uri.path is None:
        return walls
    path = walls.model_uri.path
    try:
        ends = _ends_of_lines(etree.parse(path, etree.XMLParser(resolve_entities=False)))
    except (etree.XMLSyntaxError, OSError, LookupError, OverflowError, RecursionError, TypeError,
            ValueError) as error:
        raise WorldFileError(
            f'{walls.source}: walls are read from the <lines> of a COLLADA file, and {path} '
            f'cannot be read as one ({error}): export it again, or give a <shape>') from error
    if not len(ends):
        raise WorldFileError(f'{walls.source}: the mesh {path} has no <lines> that could be '
                             'walls: draw them as edges without faces, or give a <shape>')
    if walls.transformation is not None:
        matrix = np.asarray(walls.transformation, float)
        ends = ends @ matrix[:3, :3].T + matrix[:3, 3]
    if not np.isfinite(ends).all():
        raise WorldFileError(f'{walls.source}: the mesh {path} has lines that are not finite: '
                             'export it again, or give a <shape>')
    solid = replace(walls, shape=tuple((float(x), float(y)) for x, y, _ in ends),
                    transformation=None)
    wall_outlines(solid)
    return solid


def _ends_of_lines(document: Any) -> Array:
    """Return the ends of all lines of the visual scenes, shape (2 n, 3) [m]."""
    for element in document.iter('{*}*'):
        element.tag = etree.QName(element).localname
    unit = document.find('.//asset/unit')
    scale = 1.0 if unit is None else float(unit.get('meter', '1'))
    axes = np.asarray(_TO_Y_UP[(document.findtext('.//asset/up_axis') or 'Y_UP').strip()], float)
    by_name = {element.get('id'): element for element in document.iter() if element.get('id')}
    ends = [np.zeros((0, 3))]
    for scene in document.iter('visual_scene'):
        for geometry, matrix in _placed(scene, np.eye(4), by_name):
            for lines in geometry.iter('lines'):
                points = _points(lines, by_name)
                ends.append(points @ matrix[:3, :3].T + matrix[:3, 3])
    return np.vstack(ends) @ (scale * axes).T


def _placed(parent: Any, matrix: Array, by_name: dict[str, Any]) -> Iterator[tuple[Any, Array]]:
    """Yield the geometries of a scene or node, each with its transform."""
    for child in parent:
        if child.tag in _TRANSFORMS:
            matrix = matrix @ _TRANSFORMS[child.tag](_numbers(child.text))
        elif child.tag == 'instance_geometry':
            yield by_name[child.get('url', '')[1:]], matrix
        elif child.tag == 'node':
            yield from _placed(child, matrix, by_name)
        elif child.tag == 'instance_node':
            yield from _placed(by_name[child.get('url', '')[1:]], matrix, by_name)


def _numbers(text: str | None) -> Array:
    return np.array((text or '').split(), float)


def _translation(way: Array) -> Array:
    matrix = np.eye(4)
    matrix[:3, 3] = way
    return matrix


def _rotation(axis_and_degrees: Array) -> Array:
    axis, angle = axis_and_degrees[:3], np.radians(axis_and_degrees[3])
    return axis_rotation(axis / np.linalg.norm(axis), float(angle))


_TRANSFORMS: dict[str, Callable[[Array], Array]] = {
    'matrix': lambda rows: rows.reshape(4, 4), 'translate': _translation, 'rotate': _rotation,
    'scale': lambda factors: np.diag([*factors, 1.0])}


def _points(lines: Any, by_name: dict[str, Any]) -> Array:
    """Return the vertices of the lines in order, shape (2 n, 3)."""
    inputs = lines.findall('input')
    entry = _of_semantic('VERTEX', inputs)
    stride = 1 + max(int(each.get('offset', '0')) for each in inputs)
    vertices = by_name[entry.get('source', '')[1:]]
    position = _of_semantic('POSITION', vertices.findall('input'))
    numbers = _numbers(
        by_name[position.get('source', '')[1:]].findtext('float_array')).reshape(-1, 3)
    chosen = np.array((lines.findtext('p') or '').split(), int)[
        int(entry.get('offset', '0'))::stride]
    if len(chosen) % 2:
        raise ValueError('a line has one end only')
    return np.asarray(numbers[chosen], float)


def _of_semantic(semantic: str, inputs: list[Any]) -> Any:
    return [each for each in inputs if each.get('semantic') == semantic][0]
