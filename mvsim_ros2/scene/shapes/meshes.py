# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Mesh files as triangles.

Axes and units follow Assimp, which the original uses: COLLADA files are scaled by their unit and
rotated so that y is up; other formats are unchanged.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
import xml.etree.ElementTree as ElementTree

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import SceneError

Array = NDArray[np.float64]

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
    Return the triangles of a mesh file (dae, stl, obj, ply, glb and others that trimesh reads).

    Files are cached.

    :raises SceneError: where the file cannot be read or has no triangles, or where the
        libraries that read it are not installed.
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
    :raises SceneError: as `load_mesh`.
    """
    suffix = Path(path).suffix.lower()
    try:
        import trimesh
        if suffix == '.dae':
            import collada  # noqa: F401
    except ImportError as error:
        raise SceneError(f'reading the mesh {path} needs {error.name}: install it with '
                         '"pip install trimesh pycollada"') from error
    try:
        parts: list[Any] = [part for part in trimesh.load_scene(path, process=False).dump()
                            if len(getattr(part, 'faces', ()))]
        axes = _collada_axes(path) if suffix == '.dae' else np.eye(3)
        finite = all(np.isfinite(part.vertices).all() for part in parts)
    except Exception as error:  # noqa: B902 (readers raise anything where a file is broken)
        raise SceneError(f'the mesh {path} cannot be read: {error}') from error
    if not parts or not finite:
        raise SceneError(f'the mesh {path} has no triangles, or vertices that are not finite')
    return parts, axes


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
