# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Edges of meshes as lines in images: they say what samples of pixels see, without rays.

A line that crosses the way between the centres of two pixels with an edge between them is that
edge where one of the pixels shows a face that ends there, by its depth. Samples beyond the line
look like the pixel there. Other lines in front of what one of the pixels shows leave it to rays.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.raycast.image.edges import BELOW
from mvsim_ros2.raycast.image.edges import Edges
from mvsim_ros2.raycast.image.edges import RIGHT
from mvsim_ros2.raycast.image.outlines import BORDER
from mvsim_ros2.raycast.image.outlines import CREASE
from mvsim_ros2.raycast.image.outlines import END
from mvsim_ros2.raycast.image.outlines import ONE
from mvsim_ros2.raycast.image.outlines import OTHER
from mvsim_ros2.raycast.image.outlines import Outlines
from mvsim_ros2.raycast.image.outlines import START
from mvsim_ros2.raycast.target import Target
from mvsim_ros2.scene.camera_view import CameraView

Array = NDArray[np.float64]

_MOST = 2 ** 16  # lines in an image; what others cross is left to rays
SEVERAL = -1  # mark of a way that more than one line crosses
_SAME = 0.02  # px between lines that are taken for one
_OFF = 1e-4  # of the depth, between a pixel and the plane of a face that it shows
_OFF_SLOPE = 1e-3  # the same, of the change of depth from a pixel to the next
_BEHIND = 0.98  # of the depth of the farther pixel: what lies there may be in front of it
_EXACT = 2e-7  # of depths


class EdgeLines:
    """The lines of an image; their memory is kept for the next."""

    def __init__(self, outlines: Outlines) -> None:
        """Take the edges of a scene."""
        self._outlines = outlines
        self._crossings = np.zeros((0, 0, 2), np.int32)
        self._lines = np.empty((_MOST, 3))

    def cross(self, view: CameraView, edges: Edges, target: Target, datum: Array,
              seen: NDArray[np.bool_]) -> tuple[NDArray[np.int32], Array]:
        """
        Return the lines that cross the ways from pixels to those below and to the right.

        :param edges: where they are looked for.
        :param target: the scene, and its `datum`.
        :param seen: whether instances are, shape (N,).
        :returns: the number of the line from 1 on, 0 for none or `SEVERAL`, of both ways, shape
            (height, width, 2), which the caller fills with zeros again; and a, b, c of lines
            a u + b v + c = 0, with the distance in pixels on the left, shape (n, 3).
        """
        if self._crossings.shape[:2] != edges.sides.shape:
            self._crossings = np.zeros((*edges.sides.shape, 2), np.int32)
        _cross(
            self._outlines, target.forward[-1], target.inverse, seen, view.pose[:3, 3] - datum,
            np.ascontiguousarray(view.pose[:3, :3]),
            np.array([view.fx, view.fy, view.cx, view.cy]), view.near, edges.scale, edges.shift,
            np.array([view.width, view.height]), edges.sides.reshape(-1),
            edges.depth.reshape(-1), self._crossings.reshape(-1, 2), self._lines,
            np.empty((3, 4)), np.empty((4, 3)), np.empty((2, 4)))
        return self._crossings, self._lines


@compiled(counted=False)
def _cross(
        outlines: Outlines, forward: Array, inverse: Array, seen: NDArray[np.bool_],
        origin: Array, rotation: Array, lens: Array, near: float, scale: float, shift: float,
        size: NDArray[np.int64], sides: NDArray[np.uint8], depth: NDArray[np.float32],
        crossings: NDArray[np.int32], lines: Array, matrix: Array, places: Array,
        planes: Array) -> None:
    """
    Fill in crossings and lines; see `EdgeLines.cross`.

    :param forward: from the meshes to the target, shape (N, 3, 4), and `inverse`.
    :param origin: of the camera in the target, and the `rotation` to the target.
    :param lens: fx, fy, cx, cy.
    :param size: width and height.
    :param sides: all pixels in a row, as `depth` and `crossings`.
    :param matrix: scratch, as `places` and `planes`.
    """
    rows, kinds, ends, radii = outlines
    width, height = size[0], size[1]
    lens_x, lens_y, middle_x, middle_y = lens[0], lens[1], lens[2], lens[3]
    wide = max(middle_x + 0.5, width - 0.5 - middle_x) / lens_x
    high = max(middle_y + 0.5, height - 0.5 - middle_y) / lens_y
    eye, start, end, normal = places[0], places[1], places[2], places[3]
    count = 0
    for n in range(len(ends)):
        if not seen[n] or ends[n, 0] == ends[n, 1]:
            continue
        square = 0.0
        for i in range(3):
            eye[i] = inverse[n, i, 3]
            for j in range(3):
                eye[i] += inverse[n, i, j] * origin[j]
                square += forward[n, i, j] ** 2
                matrix[i, j] = 0.0
                for k in range(3):
                    matrix[i, j] += rotation[k, i] * forward[n, k, j]
            matrix[i, 3] = 0.0
            for k in range(3):
                matrix[i, 3] += rotation[k, i] * (forward[n, k, 3] - origin[k])
        radius = radii[n] * math.sqrt(square)
        x, y, z = matrix[0, 3], matrix[1, 3], matrix[2, 3]
        if z + radius < near or abs(x) - wide * z > radius * math.sqrt(1.0 + wide * wide) or (
                abs(y) - high * z > radius * math.sqrt(1.0 + high * high)):
            continue
        for row in range(ends[n, 0], ends[n, 1]):
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
            faces = 1 if kinds[row] == BORDER else 2
            for face in range(faces):  # depths of their planes, of columns and rows
                for i in range(3):
                    normal[i] = 0.0
                    for j in range(3):
                        for m in range(3):
                            normal[i] += rotation[j, i] * inverse[n, m, j] * (
                                rows[row, ONE + 3 * face + m])
                away = normal[0] * start[0] + normal[1] * start[1] + normal[2] * start[2]
                part = scale / away if abs(away) > 1e-9 else 0.0
                planes[face, 0], planes[face, 1] = part * normal[0] / lens_x, (
                    part * normal[1] / lens_y)
                planes[face, 2] = part * normal[2] - middle_x * planes[face, 0] - (
                    middle_y * planes[face, 1])
                planes[face, 3] = _OFF_SLOPE * (abs(planes[face, 0]) + abs(planes[face, 1])) + (
                    _EXACT)
            # columns, rows and depths of both ends
            u, v = lens_x * start[0] / start[2] + middle_x, lens_y * start[1] / start[2] + middle_y
            du = lens_x * end[0] / end[2] + middle_x - u
            dv = lens_y * end[1] / end[2] + middle_y - v
            first = scale / start[2] - shift
            change = scale / end[2] - shift - first
            length = math.sqrt(du * du + dv * dv)
            if length < 1e-3:
                continue
            a, b = -dv / length, du / length
            c = -(a * u + b * v)
            number = 0
            for k in range(2):
                # along columns ways to the pixels below are crossed, along rows those to the right
                at, along, up, across = (u, du, v, dv) if k == 0 else (v, dv, u, du)
                if along == 0.0:
                    continue
                step, stride = (1, width) if k == 0 else (width, 1)
                side = BELOW if k == 0 else RIGHT
                most = size[1 - k]
                for place in range(max(0, math.ceil(min(at, at + along))),
                                   min(size[k] - 1, math.floor(max(at, at + along))) + 1):
                    share = (place - at) / along
                    cut = up + share * across
                    before = int(math.floor(cut))
                    if before < 0 or before >= most - 1:
                        continue
                    p = place * step + before * stride
                    if sides[p] & side == 0:
                        continue
                    found = first + share * change
                    column, line = (place, before) if k == 0 else (before, place)
                    on_face = False
                    for face in range(faces):
                        for i in range(2):
                            x, y = column + i * k, line + i * (1 - k)
                            due = planes[face, 0] * x + planes[face, 1] * y + planes[face, 2]
                            on_face = on_face or abs(due - depth[p + i * stride] - shift) < (
                                _OFF * due + planes[face, 3])
                    if not on_face:
                        if found > _BEHIND * min(depth[p], depth[p + stride]):
                            crossings[p, k] = SEVERAL
                        continue
                    known = crossings[p, k]
                    if known == 0:
                        if number == 0:
                            if count == len(lines):
                                return
                            lines[count, 0], lines[count, 1], lines[count, 2] = a, b, c
                            count += 1
                            number = count
                        crossings[p, k] = number
                    elif known > 0:
                        x, y = (place, cut) if k == 0 else (cut, place)
                        if abs(lines[known - 1, 0] * x + lines[known - 1, 1] * y
                               + lines[known - 1, 2]) > _SAME:
                            crossings[p, k] = SEVERAL
