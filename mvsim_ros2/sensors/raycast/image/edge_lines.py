# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Edges of meshes as lines in images: they say what samples of pixels see, without rays.

A line that crosses the way between the centres of two pixels with an edge between them is that
edge where one of the pixels shows a face that ends there, by its depth. Samples beyond the line
look like the pixel there. Where several lines cross the way, such faces or what is in front of
what one of the pixels shows end there: samples between the first and the last are left to rays,
and so are all where neither of these is that of such a face, or where they are not about parallel.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.scene.camera_view import CameraView
from mvsim_ros2.scene.scene import Mesh, Scene
from mvsim_ros2.sensors.raycast.image.edges import BELOW, Edges, RIGHT
from mvsim_ros2.sensors.raycast.ray_scene import middle_of
from mvsim_ros2.sensors.raycast.target import Target

Array = NDArray[np.float64]

_SAME = 0.02  # px between lines that are taken for one
_OFF = 1e-4  # of the depth, between a pixel and the plane of a face that it shows
_OFF_SLOPE = 1e-3  # the same, of the change of depth from a pixel to the next
_BEHIND = 0.98  # of the depth of the farther pixel: what lies there may be in front of it
_EXACT = 2e-7  # of depths
_SHORTEST = 1e-3  # px
# columns of edges in the image: column, row, and their change from start to end; place of the
# start in the camera [m], depth of the end; instance, and row of `Outlines.edges`
COLUMN, LINE, FROM, TO, INSTANCE, ROW = 0, 1, 4, 7, 8, 9
_SEEN_WIDTH, _SOME = 10, 4096
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


class Lines(NamedTuple):
    """The lines of the edges of meshes in an image."""

    outlines: Outlines
    turned: Array  # (N, 3, 3): from normals of meshes to those in the camera
    seen: Array  # (n, _SEEN_WIDTH): edges in the image, see above
    numbers: NDArray[np.int32]  # scratch, of all pixels; none where lines are not looked for


NO_LINES = Lines(NO_OUTLINES, np.zeros((0, 3, 3)), np.zeros((0, _SEEN_WIDTH)),
                 np.zeros(0, np.int32))


class EdgeLines:
    """The lines of an image; their memory is kept for the next."""

    def __init__(self, outlines: Outlines) -> None:
        """Take the edges of a scene."""
        self._outlines = outlines
        self._seen = np.empty((_SOME, _SEEN_WIDTH))
        self._turned = np.empty((len(outlines.ends), 3, 3))
        self._count = 0
        self._numbers = np.zeros(0, np.int32)  # of pixels of images, in the list of those on edges

    def project(self, view: CameraView, target: Target, datum: Array,
                seen: NDArray[np.bool_], levels: NDArray[np.uint8]) -> None:
        """
        Find out where the edges are in an image.

        :param target: the scene, and its `datum`.
        :param seen: whether instances are, shape (N,), and how rough, see `scene.rough`.
        """
        lens = np.array([view.fx, view.fy, view.cx, view.cy, view.width, view.height])
        while True:
            self._count = _project(
                self._outlines, target.forward[-1], target.inverse, seen, levels,
                view.pose[:3, 3] - datum, np.ascontiguousarray(view.pose[:3, :3]), lens,
                view.near, self._turned, self._seen, np.empty((3, 4)), np.empty((3, 4)))
            if self._count <= len(self._seen):
                break
            self._seen = np.empty((2 * self._count, _SEEN_WIDTH))

    def found(self, width: int, height: int) -> Lines:
        """Return what was projected, for an image of a size."""
        if len(self._numbers) != width * height:
            self._numbers = np.zeros(width * height, np.int32)
        return Lines(self._outlines, self._turned, self._seen[:self._count], self._numbers)


@compiled(counted=False)
def _project(
        outlines: Outlines, forward: Array, inverse: Array, seen: NDArray[np.bool_],
        levels: NDArray[np.uint8], origin: Array, rotation: Array, lens: Array, near: float,
        turned: Array, found: Array, matrix: Array, places: Array) -> int:
    """
    Fill in where edges are in the image; return how many there are, filled in or not.

    :param forward: from the meshes to the target, shape (N, 3, 4), and `inverse`.
    :param origin: of the camera in the target, and the `rotation` to the target.
    :param lens: fx, fy, cx, cy, width and height.
    :param turned: from normals of the meshes to those in the camera, shape (N, 3, 3).
    :param found: see above, shape (n, _SEEN_WIDTH).
    :param matrix: scratch, as `places`.
    """
    rows, kinds, ends, radii = outlines
    lens_x, lens_y, middle_x, middle_y = lens[0], lens[1], lens[2], lens[3]
    wide = max(middle_x + 0.5, lens[4] - 0.5 - middle_x) / lens_x
    high = max(middle_y + 0.5, lens[5] - 0.5 - middle_y) / lens_y
    eye, start, end = places[0], places[1], places[2]
    count = 0
    for n in range(len(ends)):
        level = levels[n]
        if not seen[n] or ends[n, level, 0] == ends[n, level, 1]:
            continue
        square = 0.0
        for i in range(3):
            eye[i] = inverse[n, i, 3]
            for j in range(3):
                eye[i] += inverse[n, i, j] * origin[j]
                square += forward[n, i, j] ** 2
                matrix[i, j] = turned[n, i, j] = 0.0
                for k in range(3):
                    matrix[i, j] += rotation[k, i] * forward[n, k, j]
                    turned[n, i, j] += rotation[k, i] * inverse[n, j, k]
            matrix[i, 3] = 0.0
            for k in range(3):
                matrix[i, 3] += rotation[k, i] * (forward[n, k, 3] - origin[k])
        radius = radii[n] * math.sqrt(square)
        x, y, z = matrix[0, 3], matrix[1, 3], matrix[2, 3]
        if z + radius < near or abs(x) - wide * z > radius * math.sqrt(1.0 + wide * wide) or (
                abs(y) - high * z > radius * math.sqrt(1.0 + high * high)):
            continue
        for row in range(ends[n, level, 0], ends[n, level, 1]):
            if kinds[row] != BORDER:
                one = other = 0.0
                for i in range(3):
                    way = eye[i] - rows[row, START + i]
                    one += way * rows[row, ONE + i]
                    other += way * rows[row, OTHER + i]
                if (one > 0.0) == (other > 0.0) and (kinds[row] != CREASE or one <= 0.0):
                    continue
            for i in range(3):
                start[i] = end[i] = matrix[i, 3]
                for j in range(3):
                    start[i] += matrix[i, j] * rows[row, START + j]
                    end[i] += matrix[i, j] * rows[row, END + j]
            if start[2] < near:
                start, end = end, start
            if start[2] <= near:
                continue
            if end[2] < near:
                part = (start[2] - near) / (start[2] - end[2])
                for i in range(3):
                    end[i] = start[i] + part * (end[i] - start[i])
            u, v = lens_x * start[0] / start[2] + middle_x, lens_y * start[1] / start[2] + middle_y
            du = lens_x * end[0] / end[2] + middle_x - u
            dv = lens_y * end[1] / end[2] + middle_y - v
            if du * du + dv * dv < _SHORTEST ** 2 or (
                    math.ceil(min(u, u + du)) > math.floor(max(u, u + du))
                    and math.ceil(min(v, v + dv)) > math.floor(max(v, v + dv))):
                continue  # it crosses no way
            if count < len(found):
                found[count, COLUMN], found[count, LINE] = u, v
                found[count, COLUMN + 2], found[count, LINE + 2] = du, dv
                for i in range(3):
                    found[count, FROM + i] = start[i]
                found[count, TO] = end[2]
                found[count, INSTANCE], found[count, ROW] = n, row
            count += 1
    return count


@compiled(counted=False)
def cross_lines(
        lines: Lines, lens: Array, size: NDArray[np.int64], edges: Edges,
        pixels: NDArray[np.int32], crossings: NDArray[np.int32], found: Array,
        planes: Array) -> None:
    """
    Fill in the lines that cross the ways from pixels to those below and to the right.

    :param lens: fx, fy, cx, cy.
    :param size: width and height; first row of a strip, the one after its last, and the number of
        the first of the pixels that lie in the strip or in the row above it.
    :param edges: where lines are looked for, as `pixels`, up to the last of the strip.
    :param crossings: zeros; of both ways from each of these pixels the numbers of the first line
        and the last, from 1 on, 0 for none, negative for one that is not that of a face, all in a
        row: of n pixels 4 n.
    :param found: a, b, c of lines a u + b v + c = 0, with the distance in pixels on the left,
        shape (n, 3).
    :param planes: scratch.
    """
    outlines, turned, seen, numbers = lines
    rows, kinds = outlines.edges, outlines.kinds
    sides, depth = edges.sides.reshape(-1), edges.depth.reshape(-1)
    scale, shift = edges.scale, edges.shift
    width, height, begin, stop, above = size[0], size[1], size[2], size[3], size[4]
    for n in range(above, len(pixels)):
        numbers[np.uintp(pixels[n])] = n
    count = 0
    for n in range(len(seen)):
        u, v, du, dv = (
            seen[n, COLUMN], seen[n, LINE], seen[n, COLUMN + 2], seen[n, LINE + 2])
        if max(v, v + dv) < begin - 1 or min(v, v + dv) > stop:
            continue
        row = int(seen[n, ROW])
        faces = number = 0  # whose planes are known, and of the line
        a = b = c = first = change = 0.0
        for k in range(2):
            # along columns ways to the pixels below are crossed, along rows those to the right
            at, along, up, across = (u, du, v, dv) if k == 0 else (v, dv, u, du)
            if along == 0.0:
                continue
            slope = across / along
            step, stride = (1, width) if k == 0 else (width, 1)
            side = BELOW if k == 0 else RIGHT
            low, high = (0, width) if k == 0 else (begin, stop)
            least, most = (max(0, begin - 1), min(stop, height - 1)) if k == 0 else (
                0, width - 1)
            for place in range(max(low, math.ceil(min(at, at + along))),
                               min(high - 1, math.floor(max(at, at + along))) + 1):
                cut = up + (place - at) * slope
                if cut < least or cut >= most:
                    continue
                begun = int(cut)
                p = place * step + begun * stride
                if sides[np.uintp(p)] & side == 0:
                    continue
                if faces == 0:
                    faces = 1 if kinds[row] == BORDER else 2
                    for face in range(faces):
                        _fill_plane(turned, rows, seen, n, row, face, lens, scale, planes)
                    first = scale / seen[n, FROM + 2] - shift  # depths of both ends
                    change = scale / seen[n, TO] - shift - first
                    length = math.sqrt(du * du + dv * dv)
                    a, b = -dv / length, du / length
                    c = -(a * u + b * v)
                away = first + (place - at) / along * change
                column, line = (place, begun) if k == 0 else (begun, place)
                on_face = False
                for face in range(faces):
                    for i in range(2):
                        x, y = column + i * k, line + i * (1 - k)
                        due = planes[face, 0] * x + planes[face, 1] * y + planes[face, 2]
                        on_face |= abs(due - depth[p + i * stride] - shift) < (
                            _OFF * due + planes[face, 3])
                if not on_face and away <= _BEHIND * min(depth[p], depth[p + stride]):
                    continue
                if number == 0:
                    found[count, 0], found[count, 1], found[count, 2] = a, b, c
                    count += 1
                    number = count
                way, named = 4 * (numbers[p] - above) + 2 * k, number if on_face else -number
                x, y = (place, cut) if k == 0 else (cut, place)
                for last in range(2):
                    known = abs(crossings[way + last]) - 1
                    if known < 0:
                        crossings[way + last] = named
                        continue
                    off = found[known, 0] * x + found[known, 1] * y + found[known, 2]
                    if abs(off) <= _SAME:
                        if on_face:
                            crossings[way + last] = known + 1
                    elif (off / found[known, 1 - k] > 0.0) == (last == 1):
                        crossings[way + last] = named


@compiled(inner=True, counted=False)
def _fill_plane(turned: Array, edges: NDArray[np.float32], seen: Array, n: int, row: int,
                face: int, lens: Array, scale: float, planes: Array) -> None:
    """Fill in how depths of the plane of a face at an edge depend on columns and rows."""
    instance, away = int(seen[n, INSTANCE]), 0.0
    for i in range(3):
        planes[face, i] = 0.0
        for m in range(3):
            planes[face, i] += turned[instance, i, m] * edges[row, ONE + 3 * face + m]
        away += planes[face, i] * seen[n, FROM + i]
    part = scale / away if abs(away) > 1e-9 else 0.0
    planes[face, 0] *= part / lens[0]
    planes[face, 1] *= part / lens[1]
    planes[face, 2] = (part * planes[face, 2] - lens[2] * planes[face, 0]
                       - lens[3] * planes[face, 1])
    planes[face, 3] = _OFF_SLOPE * (abs(planes[face, 0]) + abs(planes[face, 1])) + _EXACT


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
