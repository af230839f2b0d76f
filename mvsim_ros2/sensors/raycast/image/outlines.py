# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The edges of meshes that can show in images: where faces end or meet at an angle."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.scene.scene import Mesh, Scene
from mvsim_ros2.sensors.raycast.ray_scene import middle_of

Array = NDArray[np.float64]

START, END, ONE, OTHER = 0, 3, 6, 9  # columns of `Outlines.edges`: ends, normals of the faces
_WIDTH = 12
# seen where one face alone looks away; where one does not; always
OUTLINE, CREASE, BORDER = 0, 1, 2
_ROUND = [[0, 1], [1, 2], [2, 0]]  # corners of the sides of a face
_PLANE = 1.0 - 1e-6  # cosine between faces from which on they lie in one plane
_SHARP = 0.97  # cosine below which an edge between faces that are both seen is one in images
_SMOOTH = 1e-3  # between normals at one corner that are taken for one
_MOST = 20_000  # edges of a mesh: to go through more costs more than to cast rays at them


class Outlines(NamedTuple):
    """Edges of the instances of a scene; frames of meshes are those of `Target`."""

    edges: NDArray[np.float32]  # (E, 12): see above
    kinds: NDArray[np.uint8]  # (E,)
    # (N, L, 2): first of an instance, and the one after its last, of its mesh and of rough ones
    ends: NDArray[np.int64]
    radius: Array  # (N,): of its mesh about the middle [m]


NO_OUTLINES = Outlines(np.zeros((0, _WIDTH), np.float32), np.zeros(0, np.uint8),
                       np.zeros((0, 1, 2), np.int64), np.zeros(0))


def outlines_of(scene: Scene) -> Outlines:
    """Return the edges of a scene; meshes with very many have none."""
    edges, kinds, count = [np.zeros((0, _WIDTH), np.float32)], [np.zeros(0, np.uint8)], 0
    levels = 1 + max((len(mesh.rough) for mesh in scene.meshes), default=0)
    ends = np.zeros((len(scene.meshes), levels, 2), np.int64)
    radius = np.zeros(len(scene.meshes))
    for number, mesh in enumerate(scene.meshes):
        for level, each in enumerate([mesh, *(rough for _, rough in mesh.rough)]):
            vertices = each.vertices - middle_of(mesh)
            found, kind = _edges_of(each, vertices)
            if len(found) > _MOST:
                found, kind = found[:0], kind[:0]
            edges.append(found)
            kinds.append(kind)
            ends[number, level] = count, count + len(found)
            count += len(found)
            radius[number] = max(
                radius[number], np.linalg.norm(vertices, axis=1).max(initial=0.0))
    return Outlines(np.concatenate(edges), np.concatenate(kinds), ends[scene.mesh],
                    radius[scene.mesh])


def _edges_of(mesh: Mesh, vertices: Array) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    """Return the edges of a mesh with these vertices, and their kinds."""
    places, number = np.unique(vertices, axis=0, return_inverse=True)
    corners = number.reshape(-1)[mesh.faces].astype(np.int64)
    a, b, c = np.moveaxis(places[corners], 1, 0)
    normals = np.cross(b - a, c - a)
    size = np.linalg.norm(normals, axis=1)
    corners, material = corners[size > 0.0], mesh.face_material[size > 0.0]
    shading = mesh.normals[mesh.faces[size > 0.0]]
    normals = normals[size > 0.0] / size[size > 0.0, np.newaxis]
    sides = corners[:, _ROUND].reshape(-1, 2)
    shades = shading[:, _ROUND].reshape(-1, 2, 3)
    turned = sides[:, 0] > sides[:, 1]
    sides[turned], shades[turned] = sides[turned, ::-1], shades[turned, ::-1]
    key = sides[:, 0] * len(places) + sides[:, 1]
    order = np.argsort(key, kind='stable')
    _, first, faces = np.unique(key[order], return_index=True, return_counts=True)
    left = order[first]
    right = order[np.minimum(first + 1, len(order) - 1)] if len(order) else left
    one, other = left // 3, right // 3
    cosine = np.einsum('ki,ki->k', normals[one], normals[other])
    coloured = material[one] != material[other]
    bent = (cosine < _SHARP) & (np.abs(shades[left] - shades[right]).max(axis=(1, 2)) > _SMOOTH)
    kind = np.where(faces != 2, BORDER, np.where(bent | coloured, CREASE, OUTLINE)).astype(
        np.uint8)
    kept = (faces != 2) | coloured | (cosine < _PLANE)
    ends = places[sides[order[first]]].reshape(-1, 6)
    return (np.hstack([ends, normals[one], normals[other]])[kept].astype(np.float32),
            kind[kept])
