# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Mesh files, and the textures of surfaces."""

from functools import lru_cache
from io import BytesIO
import logging
from pathlib import Path
import struct
from typing import Any, TYPE_CHECKING
import zlib

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import SceneError
from mvsim_ros2.frames import Array
from mvsim_ros2.scene.scene import Material, Mesh, Texture
from mvsim_ros2.scene.shapes.geometry_meshes import joined, WHITE, without_slivers
from mvsim_ros2.scene.shapes.meshes import read_parts
from mvsim_ros2.world.spec.common import Colour, Resource

if TYPE_CHECKING:
    from PIL.Image import Image

_LOG = logging.getLogger(__name__)
LARGEST = 2048  # px of a side; larger images are reduced


def texture_of(resource: Resource | None) -> Texture | None:
    """
    Return the texture in a file; None where there is none.

    Loading the world warns of a missing file, this function of a broken one.
    """
    if resource is None or resource.path is None:
        return None
    return _load(resource.path, resource.uri)


def painted(colour: Colour, texture: Texture | None) -> Colour:
    """Return the colour of an instance; a texture is multiplied by its alpha only."""
    return colour if texture is None else (1.0, 1.0, 1.0, colour[3])


@lru_cache(maxsize=128)
def _load(path: str, uri: str) -> Texture | None:
    try:
        from PIL import Image
    except ImportError:
        _LOG.warning('textures need Pillow: install it with `pip install pillow`; plain colours '
                     'are used instead')
        return None
    try:
        # from memory, a chunk that claims to be larger than the file takes no memory
        with Image.open(BytesIO(Path(path).read_bytes())) as image:
            return texture_of_image(image)
    except (OSError, ValueError, SyntaxError, EOFError, struct.error, zlib.error,
            Image.DecompressionBombError) as error:
        _LOG.warning('the texture %s cannot be read, a plain colour is used instead: %s', uri,
                     str(error).partition(' <_io')[0])  # without the name of an object in memory
        return None


def texture_of_image(image: 'Image') -> Texture:
    """Return an image as a texture, reduced where it is very large."""
    if max(image.size) > LARGEST:
        share = LARGEST / max(image.size)
        image = image.resize((max(1, round(image.width * share)),
                              max(1, round(image.height * share))))
    return Texture(np.array(image.convert('RGBA')))


def texture_of_cells(colours: NDArray[np.uint8]) -> Texture:
    """
    Return the colours (rows, columns, 3) of a grid, row 0 at the bottom, as a texture.

    It is subsampled where it is very large.
    """
    step = -(-max(colours.shape[:2]) // LARGEST)
    pixels = colours[step // 2::step, step // 2::step][::-1]
    opaque = np.full((*pixels.shape[:2], 1), 255, np.uint8)
    return Texture(np.concatenate([pixels, opaque], axis=-1))


_GREY = Material()
_STEPS = 31  # number of levels of face colours, which limits the number of materials


@lru_cache(maxsize=256)
def load_model(path: str, plain: bool = False) -> Mesh:
    """Return a mesh file with its materials; files are cached."""
    parts, axes = read_parts(path)
    linear = Path(path).suffix.lower() in ('.gltf', '.glb')  # colours of materials are
    textures: dict[int, Texture] = {}
    meshes = [without_slivers(_mesh(part, axes, plain, linear, textures)) for part in parts]
    meshes = [mesh for mesh in meshes if len(mesh.faces)]
    if not meshes:
        raise SceneError(f'the mesh {path} has no triangles with an area')
    return joined(*meshes)


def _mesh(part: Any, axes: Array, plain: bool, linear: bool, textures: dict[int, Texture]) -> Mesh:
    """Return one part of a file, a `trimesh.Trimesh`, in the axes of this package."""
    vertices, faces = np.array(part.vertices, float) @ axes.T, np.array(part.faces, np.int32)
    normals = _normals(part)
    uv = getattr(part.visual, 'uv', None)
    if plain or uv is None or len(uv) != len(vertices) or not np.isfinite(uv).all():
        uv = np.zeros((len(vertices), 2))
    flat = _two_faced(part)
    corners = faces[flat].reshape(-1)
    faces[flat] = (len(vertices) + np.arange(len(corners))).reshape(-1, 3)
    vertices = np.concatenate([vertices, vertices[corners]])
    normals = np.concatenate([normals, np.repeat(part.face_normals[flat], 3, axis=0)])
    uv = np.concatenate([np.asarray(uv)[:, :2], np.asarray(uv)[corners, :2]])
    number = np.zeros(len(part.faces), np.int32)
    if plain:
        materials: tuple[Material, ...] = (WHITE,)
    elif part.visual.kind == 'texture':
        materials = (_material(part.visual.material, linear, textures),)
    elif part.visual.kind in ('face', 'vertex'):
        rounded = np.rint(np.asarray(part.visual.face_colors, float) / 255 * _STEPS) / _STEPS
        colours, numbers = np.unique(rounded, axis=0, return_inverse=True)
        number = numbers.astype(np.int32).reshape(-1)
        materials = tuple(Material((r, g, b, a)) for r, g, b, a in colours.tolist())
    else:
        materials = (_GREY,)
    return Mesh(vertices, faces, normals @ (axes.T / np.cbrt(abs(np.linalg.det(axes)))),
                np.asarray(uv, np.float32), number, materials)


def _two_faced(part: Any) -> NDArray[np.bool_]:
    """Return whether faces share a corner with opposite faces of larger area."""
    faces, areas = np.asarray(part.faces), np.asarray(part.area_faces)
    sums = np.zeros((len(part.vertices), 3))
    np.add.at(sums, faces, (areas[:, None] * part.face_normals)[:, None, :])
    along = np.sum(sums[faces] * part.face_normals[:, None, :], axis=2)
    has_side = np.linalg.norm(part.face_normals, axis=1) > 0.5  # those without an area do not
    result: NDArray[np.bool_] = has_side & (along <= 1e-6 * areas[:, None]).any(axis=1)
    return result


def _normals(part: Any) -> Array:
    """
    Return unit normals at the vertices, upwards where there is none.

    They are those of the file, else means of the faces weighted by their angles (Thuermer and
    Wuethrich 1998), as trimesh computes them by scipy, which may be missing.
    """
    from trimesh.exchange.ply import export_ply
    if b' nx\n' in export_ply(part, include_attributes=False).partition(b'end_header')[0]:
        normals = np.array(part.vertex_normals, float)
    else:
        sides = np.linalg.norm(part.face_normals, axis=1) > 0.5  # the others have no area
        weighted = part.face_angles[sides][:, :, None] * part.face_normals[sides][:, None, :]
        normals = np.zeros((len(part.vertices), 3))
        np.add.at(normals, np.asarray(part.faces)[sides], weighted)
    length = np.linalg.norm(normals, axis=1)
    unknown = ~(np.isfinite(length) & (length > 1e-9))
    normals[unknown], length[unknown] = (0.0, 0.0, 1.0), 1.0
    return np.asarray(normals / length[:, None])


def _material(material: Any, linear: bool, textures: dict[int, Texture]) -> Material:
    """Convert a material of trimesh; `textures` is a cache for this file."""
    image = getattr(material, 'image', None)
    if image is None:
        image = getattr(material, 'baseColorTexture', None)
    texture = None
    if image is not None:
        if id(image) not in textures:
            textures[id(image)] = texture_of_image(image)
        texture = textures[id(image)]
    colour = getattr(material, 'baseColorFactor', None)
    if colour is None:
        colour = getattr(material, 'diffuse', None)
    if colour is None:
        return Material((1.0, 1.0, 1.0, 1.0), texture) if texture else _GREY
    red, green, blue, alpha = (float(part) / 255 for part in colour)
    if linear:
        red, green, blue = (
            12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055
            for part in (red, green, blue))
    return Material((red, green, blue, alpha), texture)
