# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The meshes of a scene in graphics memory, divided into parts for culling.

A part has neighbouring triangles of one mesh with the same texture. An item is a part of an
instance, which is drawn or culled as a whole.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.scene.scene import Mesh, Scene, Texture
from mvsim_ros2.sensors.opengl.shaders import set_uniforms
from mvsim_ros2.sensors.opengl.vertex_shader import (
    INSTANCE_FORMAT, INSTANCE_NAMES, VERTEX_FORMAT, VERTEX_NAMES)
from mvsim_ros2.sensors.raycast.opacity import ANYTHING, FULL, SOLID
from mvsim_ros2.world.spec.common import MaterialSpec

_VERTEX = np.dtype([('position', '3f4'), ('normal', '3f4'), ('uv', '2f4'), ('colour', '4u1')])
_INSTANCE = np.dtype([('matrix', '(3,4)f4'), ('tint', '4f4'), ('ids', '2u2'),
                      ('glow', 'f4'), ('casts', 'f4')])
DETAIL_UNIT = 6  # of the textures of details
_MOST_TRIANGLES = 4096  # in a part
_SAME_NORMAL = 1e-6  # 1 - cosine


@dataclass(frozen=True, eq=False)
class Group:
    """Parts with the same texture, drawn by one call."""

    texture: Any  # of moderngl, None for none
    bumps: Any  # the same, a normal map
    detail: Any  # the same, of the ground nearby
    detail_scale: tuple[float, float]
    matter: MaterialSpec
    holes: bool  # some pixels of the texture are transparent
    closed: bool  # only outer faces are visible, unless from inside or where they are translucent
    flat: bool  # faces are plane: their vertices have their normals
    number: int  # among the groups

    @property
    def shines(self) -> bool:
        """Return whether it gives off or mirrors light."""
        return self.matter.specular > 0.0 or self.matter.emissive is not None

    def use(self, program: Any) -> None:
        """Let a program draw with its textures and its matter."""
        if self.texture:
            self.texture.use(0)
        if self.bumps:
            self.bumps.use(2)
        if self.detail:
            self.detail.use(DETAIL_UNIT)
            set_uniforms(program, {'detail_scale': np.array(self.detail_scale)})
        if self.shines:
            set_uniforms(program, {
                'specular': np.array([self.matter.specular, self.matter.shininess]),
                'emissive': np.array((self.matter.emissive or (0.0, 0.0, 0.0))[:3]) ** 2})


@dataclass(frozen=True, eq=False)
class _Part:
    mesh: int
    texture: Texture | None
    bumps: Texture | None
    detail: Texture | None
    detail_scale: tuple[float, float]
    matter: MaterialSpec
    closed: bool
    flat: bool
    opacity: float
    centre: Array  # (3,) in the mesh frame
    half: Array  # (3,) of the sides of its box
    radius: float
    vertices: NDArray[np.void]
    indices: NDArray[np.uint32]
    level: int = 0  # how rough its mesh is, see `scene.rough`


class MeshBuffers:
    """All parts in one buffer, and their items."""

    def __init__(self, context: Any, scene: Scene) -> None:
        """Load the meshes of a scene; call it in the thread of the context."""
        self._scene = scene
        # open and large parts last, since most of what is ground or walls is occluded
        mirrored = np.linalg.det(scene.transform[:, :3, :3]) <= 0
        parts = [part for number in np.unique(scene.mesh) for part in _parts(
            int(number), scene.meshes[number], not mirrored[scene.mesh == number].any())]
        rank = {key: number for number, key in enumerate(dict.fromkeys(
            map(_material_key, parts)))}  # not the keys, which hold places in memory
        parts = sorted(parts, key=lambda part: (
            not part.closed, rank[_material_key(part)], part.radius))
        self.vertices = context.buffer(_joined([part.vertices for part in parts], _VERTEX))
        self.indices = context.buffer(_joined(
            _numbered([(len(part.vertices), part.indices) for part in parts]), np.uint32))
        # for passes that need positions only, vertices of equal position are merged
        bare = [_welded(part) for part in parts]
        self.points = context.buffer(_joined([points for points, _ in bare], np.float32))
        self.point_indices = context.buffer(_joined(
            _numbered([(len(points) // 3, indices) for points, indices in bare]), np.uint32))
        self.commands = np.zeros((len(parts), 5), np.uint32)
        self.commands[:, 0] = [len(part.indices) for part in parts]
        self.commands[1:, 2] = np.cumsum(self.commands[:-1, 0])
        keys = [_material_key(part) for part in parts]
        starts = [i for i, key in enumerate(keys) if i == 0 or key != keys[i - 1]]
        self.groups = [_group(context, number, parts[i]) for number, i in enumerate(starts)]
        # of each part
        self.group = np.searchsorted(starts, np.arange(len(parts)), side='right') - 1
        self._fill_items(parts)

    def _fill_items(self, parts: list[_Part]) -> None:
        scene = self._scene
        rows = [np.flatnonzero(scene.mesh == part.mesh) for part in parts]
        counts = [len(row) for row in rows]
        self.instance = np.concatenate([np.zeros(0, np.intp), *rows])
        self.part = np.repeat(np.arange(len(parts)), counts)
        self.level = np.repeat(np.array([part.level for part in parts], np.uint8), counts)
        self._centre, self.half = (np.repeat(np.array(each).reshape(-1, 3), counts, axis=0)
                                   for each in ([part.centre for part in parts],
                                                [part.half for part in parts]))
        transform = scene.transform[self.instance]
        stretch = np.linalg.norm(transform[:, :3, :3], 2, axis=(1, 2)) if len(transform) else 1.0
        self.radius = np.repeat([part.radius for part in parts], counts) * stretch
        self.radius[scene.swaying[self.instance]] *= 1.5  # as far as the wind bends them
        self.linear = transform[:, :3, :3].copy()  # from the mesh to the world frame
        self.centre = np.einsum('kij,kj->ki', self.linear, self._centre) + transform[:, :3, 3]
        first = scene.first[self.instance]
        self.first_centre = np.einsum(
            'kij,kj->ki', first[:, :3, :3], self._centre) + first[:, :3, 3]
        self.movers = np.flatnonzero((scene.moving | scene.swaying)[self.instance])
        self.closed = np.repeat(np.array([part.closed for part in parts], bool), counts)
        opacity = scene.colour[self.instance, 3] * np.repeat(
            np.array([part.opacity for part in parts]), counts)
        self.seen, self.solid, self.opaque = (
            opacity >= least for least in (ANYTHING, SOLID, FULL))
        self.packed = np.zeros(len(self.instance), _INSTANCE)
        self.words = self.packed.view(np.uint32).reshape(-1, _INSTANCE.itemsize // 4)
        self.packed['tint'] = scene.colour[self.instance]
        self.packed['ids'] = np.stack([scene.label, scene.thing], axis=1)[self.instance]
        self.packed['glow'] = scene.glow[self.instance]
        self.casts = self.solid & scene.casts[self.instance]  # also rough ones

    def place(self) -> None:
        """Update the transforms of moving instances, and which give off light."""
        if self._scene.lamps is not None:
            self.packed['glow'] = self._scene.glow[self.instance]
        _place(self.movers, self._scene.transform, self.instance, self._centre, self.linear,
               self.centre)

    def bind(self, context: Any, program: Any, instances: Any, bare: bool) -> Any:
        """Return a vertex array of a program; `bare`: it needs the positions of vertices only."""
        vertices = (self.points, '3f4', 'position') if bare else (
            self.vertices, VERTEX_FORMAT, *VERTEX_NAMES)
        return context.vertex_array(
            program, [vertices, (instances, INSTANCE_FORMAT, *INSTANCE_NAMES)],
            self.point_indices if bare else self.indices, index_element_size=4,
            skip_errors=True)


@compiled(counted=False, brief=True)
def _place(movers: NDArray[np.intp], transform: Array, instance: NDArray[np.intp],
           middle: Array, linear: Array, centre: Array) -> None:
    """
    Fill in where moving items are.

    :param movers: indices of items.
    :param transform: of instances, from the mesh to the world frame, shape (N, 4, 4).
    :param instance: of each item, shape (K,), and `middle` of its part in the mesh frame.
    """
    for item in movers:
        place = transform[instance[item]]
        for i in range(3):
            for j in range(3):
                linear[item, i, j] = place[i, j]
            centre[item, i] = (
                place[i, 0] * middle[item, 0] + place[i, 1] * middle[item, 1]
                + place[i, 2] * middle[item, 2] + place[i, 3])


def _joined(arrays: list[Any], dtype: Any) -> bytes:
    return np.concatenate([np.zeros(1, dtype), *arrays])[1:].tobytes() or bytes(4)


def _numbered(parts: list[tuple[int, NDArray[np.uint32]]]) -> list[NDArray[np.uint32]]:
    """Return indices into the vertices of all parts, from number of vertices and indices."""
    first = np.cumsum([0, *(count for count, _ in parts)])
    return [indices + np.uint32(start) for (_, indices), start in zip(parts, first)]


def _welded(part: _Part) -> tuple[NDArray[np.float32], NDArray[np.uint32]]:
    """Return the distinct positions of the vertices of a part, and the indices of its corners."""
    points, number = _distinct(np.ascontiguousarray(part.vertices['position']))
    return points.ravel(), number[part.indices].astype(np.uint32)


def _distinct(rows: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return those of some rows that differ in a bit, and the number of each among them."""
    whole = rows.view(f'V{rows.nbytes // max(1, len(rows))}').reshape(-1)
    _, first, number = np.unique(whole, return_index=True, return_inverse=True)
    return rows[first], number.reshape(-1)


def _material_key(part: _Part) -> tuple[Any, ...]:
    """Return what parts of a group have in common."""
    matter = part.matter
    return (not part.closed, id(part.texture) if part.texture else 0, part.flat,
            id(part.bumps) if part.bumps else 0, id(part.detail) if part.detail else 0,
            part.detail_scale, matter.specular, matter.shininess,
            matter.emissive or ())


def _group(context: Any, number: int, part: _Part) -> Group:
    """Return the group that a part belongs to."""
    return Group(part.texture and _upload(context, part.texture),
                 part.bumps and _upload(context, part.bumps),
                 part.detail and _upload(context, part.detail), part.detail_scale, part.matter,
                 part.texture is not None and part.texture.has_holes, part.closed, part.flat,
                 number)


def _closed_faces(mesh: Mesh) -> NDArray[np.bool_]:
    """Return which faces belong to what is watertight, oriented outwards and without holes."""
    if any(m.texture and m.texture.has_holes for m in mesh.materials):
        return np.zeros(len(mesh.faces), bool)
    places, number = np.unique(mesh.vertices, axis=0, return_inverse=True)
    faces = number.reshape(-1)[mesh.faces].astype(np.int64)
    piece = np.arange(len(places))
    _join(faces, piece)
    piece = piece[faces[:, 0]]
    edges = faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2) @ np.array([[len(places), 1],
                                                                    [1, len(places)]])
    keys, edge = np.unique(edges, return_inverse=True)
    forth, back = np.moveaxis(edge.reshape(-1, 2), 1, 0)
    open_sides = np.bincount(forth, minlength=len(keys)) != np.bincount(back, minlength=len(keys))
    a, b, c = np.moveaxis(places[faces], 1, 0)
    volume = np.bincount(piece, np.einsum('fi,fi->f', a - places.mean(axis=0), np.cross(
        b - a, c - a)), minlength=len(places))
    closed = volume > 0.0
    closed[piece[np.flatnonzero(open_sides[forth]) // 3]] = False
    return closed[piece]


@compiled(counted=False)
def _join(faces: NDArray[np.int64], piece: NDArray[np.int64]) -> None:
    """
    Give the vertices of faces that hang together the same number.

    :param piece: of the vertices, each its own before.
    """
    for f in range(len(faces)):
        for k in range(3):
            one, other = faces[f, k], faces[f, (k + 1) % 3]
            while piece[one] != one:
                piece[one] = piece[piece[one]]
                one = piece[one]
            while piece[other] != other:
                piece[other] = piece[piece[other]]
                other = piece[other]
            piece[max(one, other)] = min(one, other)
    for vertex in range(len(piece)):
        piece[vertex] = piece[piece[vertex]]


def _is_flat(mesh: Mesh, faces: NDArray[np.integer[Any]]) -> bool:
    """Return whether the vertices of each face have its normal."""
    a, b, c = np.moveaxis(mesh.vertices[faces], 1, 0)
    across = np.cross(b - a, c - a)
    length = np.linalg.norm(across, axis=1)
    normals = mesh.normals[faces]
    sizes = np.linalg.norm(normals, axis=2)
    along = np.abs(np.einsum('fki,fi->fk', normals, across))
    return bool((along >= (1.0 - _SAME_NORMAL) * sizes * length[:, np.newaxis]).all())


def _outer_normals(mesh: Mesh, faces: NDArray[np.integer[Any]]) -> Array:
    """
    Return the normals of the first corners of plane faces, outwards, shape (F, 3).

    Those of the other corners may have other bits, so that the sun shines on one corner alone.
    """
    a, b, c = np.moveaxis(mesh.vertices[faces], 1, 0)
    normals = mesh.normals[faces[:, 0]]
    inwards = np.einsum('fi,fi->f', normals, np.cross(b - a, c - a)) < 0.0
    outer: Array = np.where(inwards[:, np.newaxis], -normals, normals) + 0.0
    return outer


def _upload(context: Any, texture: Texture) -> Any:
    height, width = texture.pixels.shape[:2]
    image = context.texture((width, height), 4, np.ascontiguousarray(texture.pixels[::-1]))
    image.build_mipmaps()
    image.filter = context.LINEAR_MIPMAP_LINEAR, context.LINEAR
    return image


def _parts(number: int, mesh: Mesh, upright: bool) -> list[_Part]:
    """Return the parts of a mesh, see `_parts_of`, with those of its rough ones."""
    return [*_parts_of(number, mesh, upright), *(
        replace(part, level=level) for level, (_, each) in enumerate(mesh.rough, 1)
        for part in _parts_of(number, replace(each, materials=mesh.materials), upright))]


def _parts_of(number: int, mesh: Mesh, upright: bool) -> Iterator[_Part]:
    """
    Yield the parts of a mesh, each of one opacity; faces that are not seen are left out.

    :param upright: no instance is mirrored.
    """
    keys_of = [(id(m.texture), id(m.bumps), id(m.detail), m.detail_scale, m.matter, m.colour[3])
               for m in mesh.materials]
    looks = {key: m for key, m in zip(keys_of, mesh.materials) if m.colour[3] >= ANYTHING}
    # where some faces are translucent the inner side of others is seen
    culled = upright and len({m.colour[3] >= FULL for m in looks.values()}) == 1
    closed = _closed_faces(mesh) if culled else np.zeros(len(mesh.faces), bool)
    count = len(mesh.materials)
    colours = np.round(255 * np.clip([m.colour for m in mesh.materials], 0, 1)).astype(np.uint8)
    for (look, first), whole in product(looks.items(), (True, False)):
        chosen = np.flatnonzero(
            np.array([key == look for key in keys_of])[mesh.face_material] & (closed == whole))
        corners = mesh.vertices[mesh.faces[chosen]].mean(axis=1)
        for rows in _split(corners) if len(chosen) else ():
            faces = mesh.faces[chosen[rows]]
            material = np.repeat(mesh.face_material[chosen[rows]], 3)
            keys, indices = np.unique(
                faces.ravel().astype(np.int64) * count + material, return_inverse=True)
            vertex, material = np.divmod(keys, count)
            points = mesh.vertices[vertex]
            centre = 0.5 * (points.min(axis=0) + points.max(axis=0))
            data = np.zeros(len(vertex), _VERTEX)
            data['position'] = points - centre + 0.0  # which makes 0 of -0
            data['normal'] = mesh.normals[vertex] + 0.0
            data['uv'] = mesh.uv[vertex]
            data['colour'] = colours[material]
            flat = _is_flat(mesh, faces)
            if flat and whole:
                data, indices = data[indices.reshape(-1)], np.arange(faces.size)
                data['normal'] = np.repeat(_outer_normals(mesh, faces), 3, axis=0)
            data, merged = _distinct(data)
            radius = float(np.linalg.norm(points - centre, axis=1).max())
            yield _Part(number, first.texture, first.bumps, first.detail, first.detail_scale,
                        first.matter, whole, flat, first.colour[3], centre,
                        0.5 * np.ptp(points, axis=0), radius, data,
                        merged[indices].astype(np.uint32))


def _split(points: Array) -> list[NDArray[np.intp]]:
    """Return the indices of points in compact sets of limited size."""
    sets, rest = [], [np.arange(len(points))]
    while rest:
        rows = rest.pop()
        if len(rows) <= _MOST_TRIANGLES:
            sets.append(rows)
            continue
        axis = int(np.argmax(np.ptp(points[rows], axis=0)))
        half = len(rows) // 2
        order = np.argpartition(points[rows, axis], half)
        rest += [rows[order[:half]], rows[order[half:]]]
    return sets
