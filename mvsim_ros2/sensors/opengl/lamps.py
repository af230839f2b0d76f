# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Lamps of an image: what the shaders get, and their shadow maps.

The maps are tiles of one texture. A narrow spot light has one tile, every other lamp six, the
faces of a cube about it. They are drawn again where a lamp or something that throws shadows has
moved.
"""

import math
from typing import Any

import numpy as np

from mvsim_ros2.frames import Array
from mvsim_ros2.scene import lamps as column
from mvsim_ros2.scene.camera_view import CameraView
from mvsim_ros2.sensors.opengl.context import GlThread
from mvsim_ros2.sensors.opengl.culling import axes_along
from mvsim_ros2.sensors.opengl.draw_list import DrawList
from mvsim_ros2.sensors.opengl.map_shaders import cast_program
from mvsim_ros2.sensors.opengl.mesh_buffers import MeshBuffers
from mvsim_ros2.sensors.opengl.shaders import MOST_TILES, set_uniforms

_NEAR, _FAR = 0.02, 200.0  # m
_SLOPE = 2.0  # bias against self-shadowing
_WIDEST = math.cos(math.radians(60.0))  # cone that one tile can have
_MARGIN = 1.05  # of the side of a tile
# axes right, down and ahead of the faces of a cube
_CUBE = np.array([[(0, 1, 0), (0, 0, 1), (1, 0, 0)], [(0, 0, 1), (0, 1, 0), (-1, 0, 0)],
                  [(0, 0, 1), (1, 0, 0), (0, 1, 0)], [(1, 0, 0), (0, 0, 1), (0, -1, 0)],
                  [(1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 1, 0), (1, 0, 0), (0, 0, -1)]], float)


class LampShadows:
    """The maps of the lamps of an image; used in the thread of the context."""

    def __init__(self, gl: GlThread, buffers: MeshBuffers, size: int) -> None:
        """Reserve the maps, with tiles of this size [px]."""
        self._gl, self._buffers, self._size = gl, buffers, size
        context = gl.context
        self._items = np.flatnonzero(buffers.casts & (buffers.level == 0))
        self._aside = math.ceil(math.sqrt(MOST_TILES))
        side = self._aside * size
        self._texture = context.depth_texture((side, side))
        self._texture.compare_func = '<='
        self._texture.filter = context.LINEAR, context.LINEAR
        self._target = context.framebuffer(depth_attachment=self._texture)
        self._list = DrawList(context, buffers)
        self._programs = {holes: cast_program(context, holes, True)
                          for holes in {group.holes for group in buffers.groups}}
        self._arrays = {holes: buffers.bind(context, program, self._list.instances, not holes)
                        for holes, program in self._programs.items()}
        self._drawn = b''

    def update(self, lamps: Array) -> None:
        """Draw what has changed; for the table of lamps see `scene.lamps`."""
        frames: list[Array] = []
        places: list[tuple[Array, float]] = []
        tiles = np.zeros((column.MOST, 3))
        for number, lamp in enumerate(lamps):
            if not lamp[column.CASTS]:
                continue
            faces, focal = _faces(lamp)
            tiles[number] = len(frames), len(faces), focal
            frames += list(faces)
            places += [(lamp[column.PLACE:column.PLACE + 3], focal)] * len(faces)
        self._tiles, self._frames = tiles, np.array(frames).reshape(-1, 3, 3)
        buffers = self._buffers
        state = b''.join((tiles.tobytes(), self._frames.tobytes(),
                          np.array([place for place, _ in places]).tobytes(),
                          buffers.centre[buffers.movers].tobytes(),
                          buffers.linear[buffers.movers].tobytes()))
        if state == self._drawn:
            return
        self._drawn = state
        self._target.use()
        self._gl.context.depth_func = '<'
        self._gl.fill_depth(1.0)
        for number, (frame, (place, focal)) in enumerate(zip(frames, places, strict=True)):
            corner = number % self._aside, number // self._aside
            self._target.viewport = (corner[0] * self._size, corner[1] * self._size,
                                     self._size, self._size)
            self._draw(frame, place, focal)

    def uniforms(self, rotation: Array) -> dict[str, Any]:
        """Return what the shaders need of the maps, which are bound, in the frame of a camera."""
        self._texture.use(3)
        frames = np.zeros((MOST_TILES, 3, 3))
        frames[:len(self._frames)] = np.swapaxes(self._frames @ rotation, 1, 2)
        return {'tile_frame': frames, 'lamp_tiles': self._tiles, 'tile_depth': _depth(),
                'tiles_aside': self._aside, 'tile_margin': np.array([0.5 / self._size])}

    def _draw(self, frame: Array, place: Array, focal: float) -> None:
        """Draw one tile."""
        buffers, context = self._buffers, self._gl.context
        centre = (buffers.centre[self._items] - place) @ frame.T
        radius = buffers.radius[self._items]
        wide = math.sqrt(1.0 + 1.0 / focal ** 2)
        inside = (np.abs(centre[:, :2]).max(axis=1)
                  < centre[:, 2] / focal + wide * radius) & (centre[:, 2] > -radius)
        items = self._items[inside]
        self._list.fill(items, frame, centre[inside], np.arange(len(items)))
        depth = _depth()
        if not self._gl.reversed_depth:  # then clip depth runs from -1
            depth = 2.0 * depth - (1.0, 0.0)
        context.polygon_offset = _SLOPE, 0.0
        for group in buffers.groups:
            if group.holes:
                group.texture.use(0)
            program = self._programs[group.holes]
            set_uniforms(program, {'lens': np.array([focal, *depth])})
            self._list.draw(self._arrays[group.holes], group)
        context.polygon_offset = 0.0, 0.0


def _depth() -> Array:
    """Return the depth of a map, 0 to 1, as first number + second / distance ahead."""
    return np.array([_FAR, -_FAR * _NEAR]) / (_FAR - _NEAR)


def _faces(lamp: Array) -> tuple[Array, float]:
    """Return the rotations from the world to the tiles of a lamp, and their focal length."""
    outer = lamp[column.OUTER]
    if outer < _WIDEST:
        return _CUBE, 1.0 / _MARGIN
    return axes_along(lamp[column.AXIS:column.AXIS + 3])[None], outer / (
        _MARGIN * math.sqrt(1.0 - outer ** 2))


def lamp_uniforms(table: Array, view: CameraView) -> dict[str, Any]:
    """Return the lamps of a table that light a view, in the camera frame."""
    count = len(table)
    place, axis, diffuse, specular = (np.zeros((column.MOST, 4)) for _ in range(4))
    fall = np.zeros((column.MOST, 3))
    place[:count, :3] = (table[:, column.PLACE:column.AXIS] - view.pose[:3, 3]) @ (
        view.pose[:3, :3])
    place[:count, 3] = table[:, column.REACH]
    axis[:count, :3] = table[:, column.AXIS:column.DIFFUSE] @ view.pose[:3, :3]
    axis[:count, 3] = table[:, column.INNER]
    diffuse[:count, :3] = table[:, column.DIFFUSE:column.SPECULAR]
    diffuse[:count, 3] = table[:, column.OUTER]
    specular[:count, :3] = table[:, column.SPECULAR:column.FALL]
    fall[:count] = table[:, column.FALL:column.REACH]
    return {'lamp_count': count, 'lamp_place': place, 'lamp_axis': axis,
            'lamp_diffuse': diffuse, 'lamp_specular': specular, 'lamp_fall': fall}
