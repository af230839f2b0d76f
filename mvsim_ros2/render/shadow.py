# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Shadow maps of the directional light; only regions with moved casters are redrawn."""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.render.context import GlThread
from mvsim_ros2.render.map_shaders import cast_program
from mvsim_ros2.render.mesh_buffers import DrawList
from mvsim_ros2.render.mesh_buffers import MeshBuffers
from mvsim_ros2.scene.scene import Scene

Array = NDArray[np.float64]

SHADOW_UNIT, WHOLE_SHADOW_UNIT = 1, 5  # of the textures
_WIDEST = 40.0  # m: half the side of a map
_STEP = 20.0  # m between the maps of a wide world
_MARGIN = 2.0  # m map_for shadow casters
_DEPTH_MARGIN = 50.0  # m, for vertical motion
_SLOPE, _TEXELS = 2.0, 1.0  # bias against self-shadowing
_ROUGH = 8e-3  # m: texels in which coarse meshes look like others
_KEPT = 5  # number of cached maps
_CEILING, _FLAT = 0.5, 1e-3  # m above the lowest ground; height of flat ground


class Shadows:
    """Shadow maps map_for camera positions."""

    def __init__(self, gl: GlThread, scene: Scene, buffers: MeshBuffers, size: int) -> None:
        """
        Collect the shadow casters, which exclude ground that is not a ceiling.

        :param size: side of a map [px].
        """
        self.buffers = buffers
        self.gl = gl
        self.size = size
        context = gl.context
        towards = np.asarray(scene.lighting.towards_light, float)
        depth = -towards / np.linalg.norm(towards)
        right = np.cross(depth, np.eye(3)[np.argmin(np.abs(depth))])
        right /= np.linalg.norm(right)
        self.axes = np.stack([right, np.cross(depth, right), depth])  # world to light
        casts = buffers.casts & ~_is_ground(scene)[buffers.instance]
        is_mover = np.zeros(len(casts), bool)
        is_mover[buffers.movers] = True
        self.static = np.flatnonzero(casts & ~is_mover)
        self.movers = np.flatnonzero(casts & is_mover)
        self.any = bool(scene.lighting.shadows and casts.any())
        if not self.any:
            return
        place = buffers.first_centre[casts] @ self.axes.T
        radius = buffers.radius[casts, None]
        low, high = (place - radius).min(axis=0), (place + radius).max(axis=0)
        self._middle = 0.5 * (low + high)
        self._half = float(0.5 * (high - low)[:2].max()) + _MARGIN
        self.depth = low[2] - _DEPTH_MARGIN, high[2] + _DEPTH_MARGIN
        self.draw_list = DrawList(context, buffers)
        self.programs = {holes: cast_program(context, holes)
                         for holes in {group.holes for group in buffers.groups}}
        self.arrays = {holes: buffers.bind(context, program, self.draw_list.instances, not holes)
                       for holes, program in self.programs.items()}
        self._maps: dict[tuple[int, int] | None, _ShadowMap] = {}

    def map_for(self, position: Array) -> tuple['_ShadowMap', '_ShadowMap']:
        """
        Return the updated maps for a camera position in the world.

        :returns: a fine one around the camera, and what is beyond it: the same one, or that of the
            whole scene.
        """
        away = self.axes @ position - self._middle
        whole = self._map(None, self._middle[:2], self._half)
        if self._half <= _WIDEST and np.abs(away[:2]).max() <= self._half:
            return whole, whole
        cell = int(np.round(away[0] / _STEP)), int(np.round(away[1] / _STEP))
        return self._map(cell, self._middle[:2] + _STEP * np.array(cell), _WIDEST), whole

    def _map(self, cell: tuple[int, int] | None, middle: Array, half: float) -> '_ShadowMap':
        """Return an updated map, the one of a cell or that of the whole scene."""
        shadow_map = self._maps.pop(cell, None)
        if shadow_map is None:
            if len(self._maps) == _KEPT:
                del self._maps[next(iter(self._maps))]
            shadow_map = _ShadowMap(self, middle, half)
        self._maps[cell] = shadow_map  # in order of last use
        shadow_map.update()
        return shadow_map


def _is_ground(scene: Scene) -> NDArray[np.bool_]:
    """Return whether instances are ground other than flat ceilings, shape (N,)."""
    ground: NDArray[np.bool_] = scene.label == Scene.LABELS.index('ground')
    spans = {}
    for i in np.flatnonzero(ground):
        vertices = scene.meshes[scene.mesh[i]].vertices
        heights = vertices @ scene.first[i, 2, :3] + scene.first[i, 2, 3]
        spans[i] = heights.min(), heights.max()
    lowest = min((low for low, _ in spans.values()), default=0.0)
    for i, (low, high) in spans.items():
        ground[i] = low <= lowest + _CEILING or high > low + _FLAT
    return ground


class _ShadowMap:
    """Depth from the light of a square of the world."""

    def __init__(self, shadows: Shadows, middle: Array, half: float) -> None:
        self._shadows = shadows
        near, far = shadows.depth
        scale = np.array([1 / half, 1 / half, 1 / (far - near)])
        self._linear = scale[:, None] * shadows.axes  # to -1..1, and 0..1 for the depth
        self._offset = -scale * np.array([*middle, near])
        texel = 2 * half / shadows.size
        self._is_rough = texel > _ROUGH
        self._bias = _TEXELS * texel / (far - near)
        context = shadows.gl.context
        size = shadows.size, shadows.size
        static = context.depth_texture(size)
        static.compare_func, static.filter = '', (context.NEAREST, context.NEAREST)
        static.repeat_x = static.repeat_y = False
        target = context.framebuffer(depth_attachment=static)
        target.use()
        context.depth_func = '<'
        target.clear(depth=1.0)
        self._draw(shadows.static)
        if len(shadows.movers):
            self.texture = context.depth_texture(size)
            self._target = context.framebuffer(depth_attachment=self.texture)
            self._static = target
            self._drawn = None
        else:
            self.texture = static
        self.texture.compare_func = '<='
        self.texture.filter = context.LINEAR, context.LINEAR
        self.texture.repeat_x = self.texture.repeat_y = False

    _drawn: tuple[Array, Array] | None = None  # transforms of the moving items in the map

    def matrix(self) -> Array:
        """Return the matrix from the world to texture coordinates and depth, shape (4, 4)."""
        matrix = np.eye(4)
        matrix[:3, :3] = self._linear
        matrix[:3, 3] = self._offset
        matrix[2, 3] -= self._bias
        matrix[:2] = 0.5 * matrix[:2] + 0.5 * matrix[3]
        return matrix

    def beyond(self, other: '_ShadowMap') -> Array:
        """
        Return how places in this map are places in another one, shape (4,).

        Factor of both texture coordinates, and what is added to them and to the depth.
        """
        here, there = self.matrix(), other.matrix()
        factor = there[0, :3] @ here[0, :3] / (here[0, :3] @ here[0, :3])
        return np.array([factor, *(there - factor * here)[:2, 3], (there - here)[2, 3]])

    def update(self) -> None:
        """Redraw the regions of moved casters."""
        shadows, buffers = self._shadows, self._shadows.buffers
        movers = shadows.movers
        if not len(movers):
            return
        now = buffers.linear[movers], buffers.centre[movers]
        if self._drawn is None:
            rectangles = np.array([[0, 0, shadows.size, shadows.size]])
        else:
            moved = (now[1] != self._drawn[1]).any(axis=1) | (
                now[0] != self._drawn[0]).any(axis=(1, 2))
            if not moved.any():
                return
            rectangles = rectangles_around(
                self._drawn[1][moved] @ self._linear.T + self._offset,
                buffers.radius[movers[moved]] * np.linalg.norm(self._linear[0]), shadows.size)
        self._drawn = now
        shadows.gl.copy_depth(self._static, self._target, rectangles)
        shadows.gl.context.depth_func = '<'
        self._draw(movers)

    def _draw(self, items: NDArray[np.intp]) -> None:
        shadows, buffers = self._shadows, self._shadows.buffers
        context = shadows.gl.context
        parts = buffers.part[items]
        if self._is_rough:
            parts = buffers.coarse[parts]
            order = np.argsort(parts, kind='stable')
            items, parts = items[order], parts[order]
        centre = buffers.centre[items] @ self._linear.T + self._offset
        radius = buffers.radius[items] * np.linalg.norm(self._linear[0])
        inside = (np.abs(centre[:, :2]) < 1 + radius[:, None]).all(axis=1)
        items, centre, parts = items[inside], centre[inside], parts[inside]
        turn = self._linear
        if not shadows.gl.reversed_depth:  # then clip depth runs from -1
            centre[:, 2] = 2 * centre[:, 2] - 1
            turn = turn * np.array([[1.0], [1.0], [2.0]])
        shadows.draw_list.fill(items, turn, centre, parts)
        context.polygon_offset = _SLOPE, 0.0
        context.front_face = 'cw'
        for group in buffers.groups:
            if group.holes:
                group.texture.use(0)
            context.enable_only(context.DEPTH_TEST | (context.CULL_FACE if group.closed else 0))
            shadows.draw_list.draw(shadows.arrays[group.holes], group)
        context.enable_only(context.DEPTH_TEST)
        context.polygon_offset = 0.0, 0.0


def rectangles_around(centre: Array, radius: Array, size: int) -> NDArray[np.int64]:
    """
    Return the rectangles of a map around spheres, without those that lie in others.

    :param centre: from -1 to 1, shape (n, 3), and `radius` in the same unit, shape (n,).
    :param size: side of the map [px].
    :returns: left, bottom, right, top [px], shape (n, 4).
    """
    found = np.empty((len(centre), 4), np.int64)
    return found[:_fill_rectangles(centre, radius, size, found)]


@compiled(counted=False)
def _fill_rectangles(centre: Array, radius: Array, size: int, found: NDArray[np.int64]) -> int:
    """Fill in the rectangles around spheres; return how many there are."""
    count = 0
    for n in range(len(centre)):
        reach = radius[n] + 4.0 / size
        left = max(0, math.floor(0.5 * size * (1.0 + centre[n, 0] - reach)))
        bottom = max(0, math.floor(0.5 * size * (1.0 + centre[n, 1] - reach)))
        right = min(size, math.ceil(0.5 * size * (1.0 + centre[n, 0] + reach)))
        top = min(size, math.ceil(0.5 * size * (1.0 + centre[n, 1] + reach)))
        within = left >= right or bottom >= top
        kept = 0
        for k in range(count):
            within = within or (found[k, 0] <= left and found[k, 1] <= bottom
                                and found[k, 2] >= right and found[k, 3] >= top)
            if not (left <= found[k, 0] and bottom <= found[k, 1] and right >= found[k, 2]
                    and top >= found[k, 3]) or within:
                for i in range(4):
                    found[kept, i] = found[k, i]
                kept += 1
        count = kept
        if not within:
            found[count, 0], found[count, 1] = left, bottom
            found[count, 2], found[count, 3] = right, top
            count += 1
    return count
