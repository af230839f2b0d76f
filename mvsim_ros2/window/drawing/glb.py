# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Parts of a scene as binary glTF 2.0, which browsers draw.

https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
import io
import json
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.scene.scene import Mesh, Texture

LARGEST = 1024  # px of a side of a texture; larger ones are made smaller
_FLOAT, _SHORT, _INT = 5126, 5123, 5125  # glTF: float32, uint16, uint32
_VERTICES, _FACES = 34962, 34963  # glTF: what a buffer view holds
_UNLIT = 'KHR_materials_unlit'  # an extension of glTF
_ROUGHNESS = 0.85  # 0 shines, 1 is dull


@dataclass(frozen=True, eq=False)
class Piece:
    """A mesh somewhere, in a colour."""

    mesh: Mesh
    transform: Array  # (4, 4): from the mesh to the frame of the file
    colour: tuple[float, float, float, float]  # sRGB and alpha, multiplied with the materials
    one_sided: bool = False  # seen only from outside
    unlit: bool = False  # as bright as its colour, whatever the light


@dataclass(frozen=True)
class _Look:
    """What faces that are drawn together share."""

    texture: Texture | None
    alpha: float
    one_sided: bool
    unlit: bool


@dataclass(frozen=True, eq=False)
class _Triangles:
    """Corners with their attributes, and triangles of them."""

    points: Array  # (V, 3)
    normals: Array  # (V, 3)
    uv: NDArray[np.float32]  # (V, 2), row 0 of the texture at v = 1
    colours: Array  # (V, 3): linear, 0 to 1
    faces: NDArray[np.int64]  # (F, 3)


def glb(pieces: Sequence[Piece]) -> bytes:
    """Return a file with all pieces; pieces of one look are one mesh."""
    looks: dict[_Look, list[_Triangles]] = {}
    for piece in pieces:
        for look, triangles in _split(piece):
            looks.setdefault(look, []).append(triangles)
    file = _File()
    for look, parts in looks.items():
        file.add(look, _joined(parts))
    return file.content()


def linear(colour: Array) -> Array:
    """Return sRGB values from 0 to 1 as linear ones."""
    return np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)


def _split(piece: Piece) -> list[tuple[_Look, _Triangles]]:
    """Return the faces of a piece by material, in the frame of the file."""
    mesh, turn = piece.mesh, piece.transform[:3, :3]
    points = mesh.vertices @ turn.T + piece.transform[:3, 3]
    mirrored = np.linalg.det(turn) < 0
    normals = mesh.normals @ np.linalg.inv(turn)  # by the inverse transposed
    normals = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    result = []
    for number, material in enumerate(mesh.materials):
        faces = mesh.faces[mesh.face_material == number]
        if not len(faces):
            continue
        used, corners = np.unique(faces, return_inverse=True)
        corners = corners.reshape(-1, 3)
        red, green, blue, alpha = np.multiply(material.colour, piece.colour).clip(0.0, 1.0)
        look = _Look(material.texture, round(float(alpha), 3), piece.one_sided,
                     piece.unlit)
        result.append((look, _Triangles(
            points[used], normals[used], mesh.uv[used],
            np.tile(linear(np.array([red, green, blue])), (len(used), 1)),
            corners[:, ::-1] if mirrored else corners)))
    return result


def _joined(parts: Sequence[_Triangles]) -> _Triangles:
    firsts = np.cumsum([0, *(len(part.points) for part in parts)])
    return _Triangles(
        np.concatenate([part.points for part in parts]),
        np.concatenate([part.normals for part in parts]),
        np.concatenate([part.uv for part in parts]),
        np.concatenate([part.colours for part in parts]),
        np.concatenate([part.faces + first
                        for part, first in zip(parts, firsts[:-1], strict=True)]))


class _File:
    """A glTF file that grows."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._json: dict[str, list[Any]] = {
            name: [] for name in ('bufferViews', 'accessors', 'materials', 'meshes', 'nodes',
                                  'images', 'textures')}
        self._textures: dict[int, int] = {}

    def add(self, look: _Look, triangles: _Triangles) -> None:
        """Append triangles as a mesh with a node of its own."""
        points = triangles.points.astype('<f4')
        colours = np.ones((len(points), 4))
        colours[:, :3] = triangles.colours
        uv = np.array(triangles.uv, '<f4')
        uv[:, 1] = 1.0 - uv[:, 1]  # glTF: the top row is at 0
        attributes = {
            'POSITION': self._accessor(points, _FLOAT, 'VEC3', _VERTICES, {
                'min': points.min(axis=0).tolist(), 'max': points.max(axis=0).tolist()}),
            'NORMAL': self._accessor(
                triangles.normals.astype('<f4'), _FLOAT, 'VEC3', _VERTICES),
            'TEXCOORD_0': self._accessor(uv, _FLOAT, 'VEC2', _VERTICES),
            'COLOR_0': self._accessor(np.rint(65535 * colours).astype('<u2'), _SHORT, 'VEC4',
                                      _VERTICES, {'normalized': True}),
        }
        faces = self._accessor(
            triangles.faces.reshape(-1, 1).astype('<u4'), _INT, 'SCALAR', _FACES)
        self._json['meshes'].append({'primitives': [{
            'attributes': attributes, 'indices': faces, 'material': self._material(look)}]})
        self._json['nodes'].append({'mesh': len(self._json['meshes']) - 1})

    def content(self) -> bytes:
        """Return the file."""
        document = {name: items for name, items in self._json.items() if items}
        head = json.dumps({
            'asset': {'version': '2.0', 'generator': 'mvsim_ros2'}, 'scene': 0,
            'scenes': [{'nodes': list(range(len(self._json['nodes'])))}],
            'buffers': [{'byteLength': len(self._data)}], **document}).encode()
        head += b' ' * (-len(head) % 4)
        body = bytes(self._data) + b'\0' * (-len(self._data) % 4)
        chunks = (struct.pack('<I4s', len(head), b'JSON') + head
                  + struct.pack('<I4s', len(body), b'BIN\0') + body)
        return struct.pack('<4sII', b'glTF', 2, 12 + len(chunks)) + chunks

    def _view(self, data: bytes, target: int | None = None) -> int:
        self._data += b'\0' * (-len(self._data) % 4)
        view = {'buffer': 0, 'byteOffset': len(self._data), 'byteLength': len(data)}
        self._data += data
        self._json['bufferViews'].append(
            view if target is None else view | {'target': target})
        return len(self._json['bufferViews']) - 1

    def _accessor(self, values: NDArray[Any], component: int, kind: str, target: int,
                  more: dict[str, Any] | None = None) -> int:
        self._json['accessors'].append({
            'bufferView': self._view(np.ascontiguousarray(values).tobytes(), target),
            'componentType': component, 'count': len(values), 'type': kind, **(more or {})})
        return len(self._json['accessors']) - 1

    def _material(self, look: _Look) -> int:
        surface: dict[str, Any] = {
            'metallicFactor': 0.0, 'roughnessFactor': _ROUGHNESS,
            'baseColorFactor': [1.0, 1.0, 1.0, look.alpha]}
        material: dict[str, Any] = {
            'pbrMetallicRoughness': surface, 'doubleSided': not look.one_sided}
        if look.texture is not None:
            surface['baseColorTexture'] = {'index': self._texture(look.texture)}
        if look.alpha < 1.0:
            material['alphaMode'] = 'BLEND'
        elif look.texture is not None and look.texture.pixels[..., 3].min() < 128:
            material |= {'alphaMode': 'MASK', 'alphaCutoff': 0.5}
        if look.unlit:
            material['extensions'] = {_UNLIT: {}}
            self._json['extensionsUsed'] = [_UNLIT]
        self._json['materials'].append(material)
        return len(self._json['materials']) - 1

    def _texture(self, texture: Texture) -> int:
        if id(texture) not in self._textures:
            kind, data = _image_file(texture)
            self._json['images'].append({'mimeType': kind, 'bufferView': self._view(data)})
            self._json['textures'].append({'source': len(self._json['images']) - 1})
            self._textures[id(texture)] = len(self._json['textures']) - 1
        return self._textures[id(texture)]


@lru_cache(maxsize=128)
def _image_file(texture: Texture) -> tuple[str, bytes]:
    """Return media type and bytes of a texture: JPEG, or PNG where parts are clear."""
    from PIL import Image
    image = Image.fromarray(texture.pixels)
    if max(image.size) > LARGEST:
        share = LARGEST / max(image.size)
        image = image.resize((max(1, round(image.width * share)),
                              max(1, round(image.height * share))))
    file = io.BytesIO()
    if texture.pixels[..., 3].min() < 255:
        image.save(file, 'PNG')
        return 'image/png', file.getvalue()
    image.convert('RGB').save(file, 'JPEG', quality=88)
    return 'image/jpeg', file.getvalue()


def hidden_from(piece: Piece, side: NDArray[np.float64]) -> Piece:
    """
    Return a plane or a thick wall that is not seen from one side of the world.

    Of a thick wall the faces that look there are left out; a plane of no thickness is turned
    round where it looks there.
    """
    mesh, turn = piece.mesh, piece.transform[:3, :3]
    a, b, c = (mesh.vertices[mesh.faces[:, i]] @ turn.T for i in range(3))
    normals = np.cross(b - a, c - a)
    if np.linalg.det(turn) < 0:
        normals = -normals
    lengths = np.maximum(np.linalg.norm(normals, axis=1), 1e-12)
    there = normals @ side / lengths > 0.5
    if there.all():
        shown = replace(mesh, faces=mesh.faces[:, ::-1], normals=-mesh.normals)
    else:
        shown = replace(mesh, faces=mesh.faces[~there], face_material=mesh.face_material[~there])
    return replace(piece, mesh=shown, one_sided=True)
