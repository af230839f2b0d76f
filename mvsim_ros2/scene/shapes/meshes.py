# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Mesh files as triangles.

Axes and units follow Assimp, as in MVSim: COLLADA files are scaled by their unit and rotated to y
up. Other formats of trimesh are unchanged. What it does not read is read by Assimp itself: other
formats, and COLLADA files of which parts are missing.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from io import BytesIO
import json
import logging
from pathlib import Path
import struct
from typing import Any
import xml.etree.ElementTree as ElementTree

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.base.files import open_file, read_bytes
from mvsim_ros2.errors import SceneError
from mvsim_ros2.frames import Array

_LOG = logging.getLogger(__name__)

# rotation to y up, as the COLLADA importer of Assimp
_Y_UP = {
    'X_UP': np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]),
    'Y_UP': np.eye(3),
    'Z_UP': np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]]),
}


@dataclass(frozen=True, eq=False)
class TriangleMesh:
    """Triangles of all parts of a mesh file."""

    vertices: Array  # (V, 3) [m]
    faces: NDArray[np.int64]  # (F, 3): numbers of vertices


@lru_cache(maxsize=128)
def load_mesh(path: str) -> TriangleMesh:
    """
    Return the triangles of a mesh file (dae, stl, obj, ply, glb, fbx and others).

    Files are cached.
    """
    parts, axes = read_parts(path)
    first = np.cumsum([0, *(len(part.vertices) for part in parts)])
    return TriangleMesh(
        np.concatenate([np.asarray(part.vertices, float) for part in parts]) @ axes.T,
        np.concatenate([np.asarray(part.faces, np.int64) + start
                        for part, start in zip(parts, first, strict=False)]))


def read_parts(path: str) -> tuple[list[Any], Array]:
    """
    Return the surfaces of a mesh file, and the matrix (3, 3) to the axes of this package.

    :returns: the surfaces as `trimesh.Trimesh` in the frame of the file.
    """
    suffix = Path(path).suffix.lower()
    try:
        import trimesh
        if suffix == '.dae':
            import collada  # noqa: F401
    except ImportError as error:
        raise SceneError(f'reading the mesh {path} needs {error.name}: install it with '
                         '"pip install trimesh pycollada"') from error
    check_mesh(path)
    known = suffix[1:] in trimesh.available_formats()
    # a COLLADA file that refers to what is missing would lose triangles without a word
    whole = {'ignore_broken': False} if suffix == '.dae' else {}
    try:
        if not known:
            raise SceneError(f'{suffix or "its"} files are not known')
        parts, axes = _read_with_trimesh(path, **whole)
    except Exception as error:  # noqa: B902 (readers raise anything where a file is broken)
        if known and not whole:
            raise SceneError(f'the mesh {path} cannot be read: {_reason(error)}') from error
        try:
            parts, axes = read_with_assimp(path), np.eye(3)
        except SceneError as other:
            fault = SceneError(f'the mesh {path} cannot be read: {_reason(error)}; {other}')
            if not known:
                raise fault from other
            try:
                parts, axes = _read_with_trimesh(path)
            except Exception:  # noqa: B902 (as above: the first error says what is wrong)
                raise fault from other
            if parts:
                _LOG.warning('the mesh %s may lack parts: %s; %s', path, _reason(error), other)
    finite = all(np.shape(part.vertices)[1:] == (3,) and np.isfinite(part.vertices).all()
                 for part in parts)
    if not all(np.shape(part.faces)[1:] == (3,) and np.min(part.faces) >= 0
               and np.max(part.faces) < len(part.vertices) for part in parts):
        raise SceneError(f'the mesh {path} cannot be read: a triangle has a vertex that is not '
                         'there')
    if not parts or not finite:
        raise SceneError(f'the mesh {path} has no triangles, or vertices that are not finite')
    return parts, axes


def _reason(error: Exception) -> str:
    return str(error) or type(error).__name__


def _read_with_trimesh(path: str, **options: Any) -> tuple[list[Any], Array]:
    """Return what `read_parts` does."""
    import trimesh
    parts = [part for part in trimesh.load_scene(path, process=False, **options).dump()
             if len(getattr(part, 'faces', ()))]
    return parts, _collada_axes(path) if path.lower().endswith('.dae') else np.eye(3)


def _collada_axes(path: str) -> Array:
    """Return the matrix (3, 3) from a COLLADA file to metres and y up."""
    unit, up = 1.0, 'Y_UP'
    for _, element in ElementTree.iterparse(path):
        tag = element.tag.rpartition('}')[2]
        if tag == 'unit':
            unit = float(element.get('meter', '1'))
        elif tag == 'up_axis':
            up = (element.text or '').strip()
        elif tag == 'asset':
            break
    return unit * _Y_UP.get(up, _Y_UP['Y_UP'])


_BASE_COLOUR, _DIFFUSE = 12, 1  # kinds of textures of Assimp


def read_with_assimp(path: str) -> list[Any]:
    """
    Return the surfaces of a mesh file as `trimesh.Trimesh`, in metres and y up as Assimp has it.

    An image that is missing leaves the colour of its material, with a warning.
    """
    try:
        import assimp_py
    except ImportError as error:
        raise SceneError(f'reading it needs {error.name}: install it with "pip install assimp-py"'
                         ) from error
    try:
        scene = assimp_py.import_file(
            path, assimp_py.Process_Triangulate | assimp_py.Process_JoinIdenticalVertices
            | assimp_py.Process_GenSmoothNormals | assimp_py.Process_SortByPType)
    except (RuntimeError, ValueError, OSError) as error:
        raise SceneError(f'{error}') from error
    looks = [_material(entry, Path(path)) for entry in scene.materials]
    return [part for node, matrix in _nodes(scene.root_node, np.eye(4))
            for part in (_part(scene.meshes[number], matrix, looks)
                         for number in node.mesh_indices) if part is not None]


def _nodes(node: Any, above: Array) -> Iterator[tuple[Any, Array]]:
    """Yield a node and all below it, with their matrices (4, 4) to the frame of the file."""
    matrix = above @ np.array(node.transformation, float).reshape(4, 4)
    yield node, matrix
    for child in node.children:
        yield from _nodes(child, matrix)


def _part(mesh: Any, matrix: Array, looks: list[Any]) -> Any:
    """Return a mesh of Assimp, None where it has no triangles."""
    import trimesh
    if not mesh.num_faces or mesh.num_indices != 3 * mesh.num_faces:  # points or lines
        return None
    vertices = np.array(mesh.vertices, float).reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]
    faces = np.array(mesh.indices, np.int64).reshape(-1, 3)
    if np.linalg.det(matrix[:3, :3]) < 0:
        faces = faces[:, ::-1]
    uv = np.zeros((len(vertices), 2))
    if mesh.texcoords:
        uv = np.array(mesh.texcoords[0], float).reshape(len(vertices), -1)[:, :2]
    normals = None
    if mesh.normals is not None:
        normals = np.array(mesh.normals, float).reshape(-1, 3) @ np.linalg.inv(matrix[:3, :3])
        normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    return trimesh.Trimesh(
        vertices, faces, process=False, vertex_normals=normals,
        visual=trimesh.visual.TextureVisuals(uv=uv, material=looks[mesh.material_index]))


def _material(entry: dict[str, Any], path: Path) -> Any:
    """Return a material of Assimp as one of trimesh."""
    import trimesh
    colour = [*entry.get('COLOR_DIFFUSE', (0.7, 0.7, 0.7)), 1.0][:3]
    colour.append(float(entry.get('OPACITY', 1.0)))
    image = None
    names = [name for kind in (_BASE_COLOUR, _DIFFUSE)
             for name in entry.get('TEXTURES', {}).get(kind, ())]
    if names:
        from PIL import Image
        # files of other systems have their separators
        place = path.parent / names[0].replace('\\', '/')
        for file in (place, path.parent / place.name):
            try:
                with Image.open(BytesIO(file.read_bytes())) as opened:
                    image = opened.convert('RGBA')
                break
            except (OSError, ValueError):
                continue
        else:
            _LOG.warning('%s: the image %s is missing or cannot be read: the plain colour of the '
                         'material is used instead', path, names[0])
    return trimesh.visual.material.SimpleMaterial(
        image=image, diffuse=np.rint(255 * np.clip(colour, 0, 1)).astype(np.uint8))


MOST_BYTES = 256_000_000
MOST_NUMBERS = 100_000_000  # in the arrays of a glTF file
MOST_PARTS = 10_000  # copies of surfaces that a file stands for
_ARCHIVES = '.bz2', '.gz', '.zae', '.zip'
_GLTF = '.glb', '.gltf'
_COPIES = '}instance_node', '}instance_geometry', '}instance_controller'


def check_mesh(path: str) -> None:
    """Check the size of a mesh file."""
    suffix = Path(path).suffix.lower()
    try:
        if suffix in _ARCHIVES:
            raise SceneError(f'the mesh {path} is in an archive: unpack it')
        if suffix in _GLTF:
            _check_gltf(read_bytes(path, MOST_BYTES), path)
        elif suffix == '.dae':
            _check_collada(read_bytes(path, MOST_BYTES), path)
        else:
            open_file(path, MOST_BYTES).close()
    except OSError as error:
        raise SceneError(f'the mesh {path} cannot be read: {error.strerror}') from error


def _check_gltf(data: bytes, path: str) -> None:
    """Count what is allocated from the JSON of a file alone; that it is valid, others check."""
    if data[:4] == b'glTF' and len(data) >= 20:
        data = data[20:20 + struct.unpack_from('<I', data, 12)[0]]
    try:
        said: Any = json.loads(data)
        numbers = sum(max(0, int(each.get('count', 0))) for each in said.get('accessors', ()))
        parts = sum('mesh' in each for each in said.get('nodes', ()))
    except (ValueError, TypeError, AttributeError, RecursionError):
        return
    _refuse(path, 4 * numbers, MOST_NUMBERS, 'numbers')
    _refuse(path, parts, MOST_PARTS, 'surfaces')


def _check_collada(data: bytes, path: str) -> None:
    """Count the surfaces of all scenes, whose nodes may refer to others many times."""
    try:
        root = ElementTree.fromstring(data)
    except ElementTree.ParseError:
        return
    nodes = {f'#{each.get("id")}': each for each in root.iter() if each.tag.endswith('}node')}

    @cache
    def surfaces(name: str) -> int:
        return _surfaces_in(nodes[name]) if name in nodes else 0

    def _surfaces_in(part: Any) -> int:
        return sum(surfaces(each.get('url', '')) if 'instance_node' in each.tag else 1
                   for each in part.iter() if each.tag.endswith(_COPIES))

    try:
        count = sum(_surfaces_in(each) for each in root.iter()
                    if each.tag.endswith('}visual_scene'))
    except RecursionError:
        raise SceneError(f'the mesh {path} has a node that holds itself') from None
    _refuse(path, count, MOST_PARTS, 'surfaces')


def _refuse(path: str, count: int, most: int, what: str) -> None:
    if count > most:
        raise SceneError(f'the mesh {path} contains {count} {what}, at most {most} are read: '
                         'make it smaller')
