# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Visuals of links as `<visual>` of a world file."""

from collections.abc import Iterable, Iterator
from pathlib import Path
import re

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.base.registry import named
from mvsim_ros2.errors import MvsimError, ResourceError
from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.world.file.document.tree import Node
from mvsim_ros2.world.file.resources.resources import local_path
from mvsim_ros2.world.file.urdf_import.description.xml_values import degrees, element, written
from mvsim_ros2.world.file.urdf_import.robot import Robot, Shape
from mvsim_ros2.world.spec.common import Colour, SMALLEST_SCALE

_GREY: Colour = (0.78, 0.78, 0.78, 1.0)  # without a material
_SIZES = {'box': ('lx', 'ly', 'lz'), 'cylinder': ('radius', 'length'), 'sphere': ('radius',)}
_SIDES = '24'  # of a cylinder or sphere
_HEAD = 65536  # bytes at the start of a COLLADA file that contain its axes
_UP_AXIS = re.compile(rb'<up_axis>\s*(\w+)\s*</up_axis>')
# from y up, the convention of world files, to the axes of the file, that of URDF
_AXES = {b'Z_UP': Pose(roll=0.5 * np.pi).matrix, b'X_UP': Pose(yaw=-0.5 * np.pi).matrix}


def colour_text(colour: Colour | None) -> str:
    """Return a colour as #RRGGBBAA, '' for none."""
    if colour is None:
        return ''
    return '#' + bytes(round(255 * part) for part in colour).hex()


def visual_nodes(robot: Robot, links: Iterable[str], frame: Array) -> Iterator[Node]:
    """
    Yield the visuals of links, or their collision shapes where they have none.

    :param frame: matrix (4, 4) from the root to the frame of the result.
    """
    for name in links:
        link = robot.links[name]
        for shape in link.visuals or link.collisions:
            pose = frame @ robot.poses[name] @ shape.pose
            yield _mesh(shape, pose) if shape.kind == 'mesh' else _solid(shape, pose)


def _solid(shape: Shape, pose: Array) -> Node:
    colour = element('model_color', shape.source, colour_text(shape.colour or _GREY))
    sizes = dict(zip(_SIZES[shape.kind], shape.sizes, strict=True))
    corner = [-0.5 * sizes.get(name, 0.0) for name in ('lx', 'ly', 'lz')]
    corner[2] -= 0.5 * sizes.get('length', 0.0)
    geometry = element('geometry', shape.source, attributes={
        'type': shape.kind, **{name: written(size) for name, size in sizes.items()},
        'vertex_count': '' if shape.kind == 'box' else _SIDES})
    return _visual(shape, pose @ Pose(*corner).matrix, [geometry, colour])


def mesh_uri(shape: Shape) -> str:
    """Return the address of a mesh as world files have it."""
    if shape.uri.startswith('model://'):
        return 'package://' + shape.uri.removeprefix('model://')
    if '://' not in shape.uri:
        return str((Path(shape.source.file).parent / shape.uri).absolute())
    return shape.uri


def points_of(shape: Shape, link: Array) -> Array:
    """Return points that span a shape of a link, (n, 3); none where a mesh is not available."""
    return placed_points(shape.corners() if shape.kind != 'mesh' else mesh_of(shape)[0], link)


def placed_points(points: Array, pose: Array) -> Array:
    """Return points of a frame, (n, 3), in the one in which it has the pose."""
    return points @ pose[:3, :3].T + pose[:3, 3]


def mesh_of(shape: Shape) -> tuple[Array, NDArray[np.int64]]:
    """Return the corners in the link of a mesh, (n, 3), and of its triangles (m, 3); or none."""
    try:
        path = local_path(mesh_uri(shape), Path(shape.source.file).parent)
        mesh = named('mvsim_ros2.scene.shapes.meshes:load_mesh')(str(path))
    except (MvsimError, OSError, ValueError):  # the loader of the world warns of it
        return np.zeros((0, 3)), np.zeros((0, 3), int)
    vertices: Array = mesh.vertices
    if path.suffix.lower() == '.dae':
        vertices = vertices @ collada_axes(path)[:3, :3].T
    return placed_points(vertices * shape.sizes, shape.pose), mesh.faces


def _mesh(shape: Shape, pose: Array) -> Node:
    uri = mesh_uri(shape)
    suffix, scale = Path(uri).suffix.lower(), np.array(shape.sizes)
    scale[abs(scale) < SMALLEST_SCALE] = SMALLEST_SCALE
    if suffix == '.dae':
        try:
            axes = collada_axes(local_path(uri, Path(shape.source.file).parent))
            pose, scale = pose @ axes, abs(axes[:3, :3].T) @ scale
        except (ValueError, ResourceError):
            pass  # missing; the loader warns of it
    content = [element('model_uri', shape.source, uri),
               element('model_scale', shape.source, written(*np.unique(scale) if np.ptp(
                   scale) == 0.0 else scale))]
    if suffix == '.stl':
        content.append(element('model_color', shape.source, colour_text(shape.colour or _GREY)))
    return _visual(shape, pose, content)


def collada_axes(path: str | Path) -> Array:
    """
    Return the rotation of a COLLADA file from y up, the convention of world files, to its axes.

    :returns: matrix (4, 4); the identity for an unreadable file.
    """
    try:
        with open(path, 'rb') as file:
            named = _UP_AXIS.search(file.read(_HEAD))
    except OSError:
        return np.eye(4)
    return _AXES.get(named[1] if named else b'', np.eye(4))


def _visual(shape: Shape, pose: Array, content: list[Node]) -> Node:
    place = Pose.from_matrix(pose)
    numbers = {'model_offset_x': written(place.x), 'model_offset_y': written(place.y),
               'model_offset_z': written(place.z), 'model_yaw': degrees(place.yaw),
               'model_pitch': degrees(place.pitch), 'model_roll': degrees(place.roll)}
    return element('visual', shape.source, children=[*content, *(
        element(tag, shape.source, text) for tag, text in numbers.items() if text != '0')])
