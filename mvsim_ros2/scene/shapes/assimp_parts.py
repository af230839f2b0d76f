# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Mesh files that trimesh does not read, through Assimp (`assimp-py`), as surfaces of trimesh."""

from collections.abc import Iterator
from io import BytesIO
import logging
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import SceneError

Array = NDArray[np.float64]

_LOG = logging.getLogger(__name__)
_BASE_COLOUR, _DIFFUSE = 12, 1  # kinds of textures of Assimp


def read_with_assimp(path: str) -> list[Any]:
    """
    Return the surfaces of a mesh file as `trimesh.Trimesh`, in metres and y up as Assimp has it.

    An image that is missing leaves the colour of its material, with a warning.

    :raises SceneError: where Assimp cannot read the file, or is not installed.
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
