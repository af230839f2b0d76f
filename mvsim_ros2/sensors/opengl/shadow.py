# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Shadow maps of the directional light; only regions with moved casters are redrawn.

Where neither the shadow that such a caster threw nor the one it throws can be in view, it is
redrawn later.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.scene.camera_view import CameraView
from mvsim_ros2.scene.rough import RoughMeshes
from mvsim_ros2.scene.scene import Scene
from mvsim_ros2.sensors.opengl.context import GlThread
from mvsim_ros2.sensors.opengl.culling import add_rectangle, axes_along, sides_of, touches
from mvsim_ros2.sensors.opengl.draw_list import DrawList
from mvsim_ros2.sensors.opengl.map_shaders import cast_program
from mvsim_ros2.sensors.opengl.mesh_buffers import MeshBuffers

SHADOW_UNIT, WHOLE_SHADOW_UNIT = 1, 5  # of the textures
_WIDEST = 40.0  # m: half the side of a map
_STEP = 20.0  # m between the maps of a wide world
_MARGIN = 1.5  # m map_for shadow casters
_DEPTH_MARGIN = 50.0  # m, for vertical motion
_SLOPE, _TEXELS = 2.0, 1.0  # texels: bias against shadows of faces on themselves
_OFF = 1.0 / 3.0  # texels by which the outlines of casters may be off
_STILL, _MOVED, _LATER = range(3)  # casters: as drawn, to be drawn, to be drawn some day
_WIDER_STEP = 1.25  # ratio of the sides of maps of the whole scene
_FARTHEST = 4.0  # of the first of these; what has moved much farther has no shadow
_KEPT = 5  # number of cached maps
_WIDER = 4.0  # texels by which shadows may be wider than casters
_LONGEST = 1e6  # m: of a shadow
_CEILING, _FLAT = 0.5, 1e-3  # m above the lowest ground; height of flat ground


class Shadows:
    """Shadow maps map_for camera positions."""

    def __init__(self, gl: GlThread, scene: Scene, buffers: MeshBuffers, rough: RoughMeshes,
                 size: int) -> None:
        """Collect the shadow casters: no ground but ceilings. The side of a map is in px."""
        self.buffers = buffers
        self.gl = gl
        self.rough = rough
        self.size = size
        context = gl.context
        towards = np.asarray(scene.lighting.towards_light, float)
        self.axes = axes_along(-towards / np.linalg.norm(towards))  # world to light
        self.moving = (scene.moving | scene.swaying)[buffers.instance]
        still = buffers.seen & ~self.moving
        self.lowest = float((buffers.centre[still, 2] - buffers.radius[still]).min(
            initial=np.inf))  # place of what stands [m]
        self.casts = buffers.casts & ~_is_ground(scene)[buffers.instance]
        buffers.packed['casts'] = self.casts
        casts = self.casts & (buffers.level == 0)
        self.any = bool(scene.lighting.shadows and casts.any())
        if not self.any:
            return
        self._movers = np.flatnonzero(casts & self.moving)
        place = buffers.first_centre[casts] @ self.axes.T
        wide = np.where(self.moving[casts, None], buffers.radius[casts, None], np.einsum(
            'kij,kj->ki', np.abs(self.axes @ buffers.linear[casts]), buffers.half[casts]))
        low, high = (place - wide).min(axis=0), (place + wide).max(axis=0)
        self._middle = 0.5 * (low + high)
        self._half = float(0.5 * (high - low)[:2].max()) + _MARGIN
        self.depth = low[2] - _DEPTH_MARGIN, high[2] + _DEPTH_MARGIN
        self.draw_list = DrawList(context, buffers)
        self.programs = {holes: cast_program(context, holes)
                         for holes in {group.holes for group in buffers.groups}}
        self.arrays = {holes: buffers.bind(context, program, self.draw_list.instances, not holes)
                       for holes, program in self.programs.items()}
        self._maps: dict[tuple[int, ...], _ShadowMap] = {}

    def map_for(self, view: CameraView) -> tuple['_ShadowMap', '_ShadowMap']:
        """
        Return the maps for a view, up to date for what it shows.

        :returns: a fine one around the camera, and what is beyond it: the same one, or that of the
            whole scene.
        """
        sides = sides_of(view)
        # where things have moved out of the map, it is wider, in steps, so that it is kept
        buffers, half = self.buffers, self._half
        reach = _reach_of(self._movers, buffers.centre, buffers.radius, self.axes, self._middle,
                          _FARTHEST * half + _WIDEST)
        wider = max(0, math.ceil(math.log(max(reach, half) / half) / math.log(_WIDER_STEP)))
        half *= _WIDER_STEP ** wider
        whole = self._map((wider,), self._middle[:2], half, sides)
        if half <= _WIDEST:
            return whole, whole
        x, y, _ = (self.axes @ view.pose[:3, 3] - self._middle).tolist()
        cell = round(x / _STEP), round(y / _STEP)
        return self._map(cell, self._middle[:2] + _STEP * np.array(cell), _WIDEST,
                         sides), whole

    def _map(self, cell: tuple[int, ...], middle: Array, half: float,
             sides: Array) -> '_ShadowMap':
        """Return a map, the one of a cell or one of the whole scene, updated for a view."""
        shadow_map = self._maps.pop(cell, None)
        if shadow_map is None:
            if len(self._maps) == _KEPT:
                del self._maps[next(iter(self._maps))]
            shadow_map = _ShadowMap(self, middle, half)
        self._maps[cell] = shadow_map  # in order of last use
        shadow_map.update(sides)
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
        matrix = np.eye(4)
        matrix[:3, :3] = self._linear
        matrix[:3, 3] = self._offset
        self.bias = texel / (far - near) * np.array([_TEXELS, _SLOPE])  # see `vertex_shader`
        self._slope = 0.0  # of the bias that is in the map
        if half > _WIDEST:  # looked into for what is far, with the bias of another map
            matrix[2, 3] -= self.bias[0]
            self._slope = _SLOPE
        matrix[:2] = 0.5 * matrix[:2] + 0.5 * matrix[3]
        self.matrix = matrix  # from the world to texture coordinates and depth
        self._margin = _WIDER * texel
        self._reach = float(np.linalg.norm(self._linear[0]))  # of a metre, across the map
        buffers = shadows.buffers
        chosen = shadows.casts & (
            buffers.level == shadows.rough.levels_within(_OFF * texel)[buffers.instance])
        self._movers = np.flatnonzero(chosen & shadows.moving)
        context = shadows.gl.context
        size = shadows.size, shadows.size
        static = context.depth_texture(size)
        static.compare_func, static.filter = '', (context.NEAREST, context.NEAREST)
        static.repeat_x = static.repeat_y = False
        target = context.framebuffer(depth_attachment=static)
        target.use()
        context.depth_func = '<'
        target.clear(depth=1.0)
        still = np.flatnonzero(chosen & ~shadows.moving)
        items, place = np.empty_like(still), np.empty((len(still), 3))
        count = _find_inside(still, buffers.centre, buffers.radius, self._linear, self._offset,
                             self._reach, items, place)
        self._draw(items[:count], place[:count])
        self.texture = static
        if len(self._movers):
            self.texture = context.depth_texture(size)
            self._target = context.framebuffer(depth_attachment=self.texture)
            self._static = target
            whole = np.array([[0, 0, *size]], np.int64)
            shadows.gl.copy_depth(self._static, self._target, whole)
            count = len(self._movers)
            # where they are in the map, nowhere yet
            self._drawn = np.full((count, 3, 3), np.nan), np.full((count, 3), np.nan)
            self._room = (np.empty((count, 4), np.int64), np.empty(count, np.uint8),
                          np.empty(count, np.intp), np.empty((count, 3)))
        self.texture.compare_func = '<='
        self.texture.filter = context.LINEAR, context.LINEAR
        self.texture.repeat_x = self.texture.repeat_y = False

    def beyond(self, other: '_ShadowMap') -> Array:
        """
        Return how places in this map are places in another one, shape (4,).

        Factor of both texture coordinates, and what is added to them and to the depth.
        """
        here, there = self.matrix, other.matrix
        factor = there[0, :3] @ here[0, :3] / (here[0, :3] @ here[0, :3])
        return np.array([factor, *(there - factor * here)[:2, 3], (there - here)[2, 3]])

    def update(self, sides: Array) -> None:
        """
        Redraw the regions of moved casters whose shadows may be in a view.

        :param sides: see `culling.sides_of`.
        """
        if not len(self._movers):
            return
        shadows, buffers = self._shadows, self._shadows.buffers
        rectangles, moved, items, place = self._room
        cleared, count = _find_redrawn(
            self._movers, buffers.linear, buffers.centre, buffers.radius, *self._drawn, sides,
            shadows.axes[2], shadows.lowest, buffers.movers, self._margin, self._linear,
            self._offset, self._reach, shadows.size, rectangles, moved, items, place)
        if cleared:
            shadows.gl.copy_depth(self._static, self._target, rectangles[:cleared])
        if count:
            self._target.use()
            shadows.gl.context.depth_func = '<'
            self._draw(items[:count], place[:count])
            shadows.gl.flush()

    def _draw(self, items: NDArray[np.intp], place: Array) -> None:
        """Draw items that are at places in the bound map."""
        shadows, buffers = self._shadows, self._shadows.buffers
        context = shadows.gl.context
        turn = self._linear
        if not shadows.gl.reversed_depth:  # then clip depth runs from -1
            place = place * (1.0, 1.0, 2.0) - (0.0, 0.0, 1.0)
            turn = turn * np.array([[1.0], [1.0], [2.0]])
        shadows.draw_list.fill(items, turn, place, np.arange(len(items)))
        context.polygon_offset = self._slope, 0.0
        context.front_face = 'cw'
        for group in buffers.groups:
            if group.holes:
                group.texture.use(0)
            context.enable_only(context.DEPTH_TEST | (context.CULL_FACE if group.closed else 0))
            shadows.draw_list.draw(shadows.arrays[group.holes], group)
        context.enable_only(context.DEPTH_TEST)
        context.polygon_offset = 0.0, 0.0


@compiled(counted=False, brief=True)
def _reach_of(movers: NDArray[np.intp], centre: Array, radius: Array, axes: Array,
              middle: Array, most: float) -> float:
    """
    Return half the side of a square, across the light, that has movers [m]; 0 for none.

    :param movers: indices of items.
    :param axes: from the world to the light.
    :param middle: of the square.
    :param most: the greatest; what is beyond it is left out.
    """
    reach = 0.0
    for item in movers:
        far = 0.0
        for i in range(2):
            place = axes[i, 0] * centre[item, 0] + axes[i, 1] * centre[item, 1] + (
                axes[i, 2] * centre[item, 2])
            far = max(far, abs(place - middle[i]) + radius[item])
        if reach < far <= most:
            reach = far
    return reach


@compiled(counted=False, brief=True)
def _find_redrawn(
        movers: NDArray[np.intp], linear: Array, centre: Array, radius: Array,
        drawn_linear: Array, drawn_centre: Array, sides: Array, fall: Array, lowest: float,
        everything: NDArray[np.intp], margin: float, turn: Array, offset: Array, reach: float,
        size: int, rectangles: NDArray[np.int64], moved: NDArray[np.uint8],
        items: NDArray[np.intp], place: Array) -> tuple[int, int]:
    """
    Fill in which rectangles of a map are to be cleared, and what is to be drawn then.

    :param movers: indices of items, shape (m,).
    :param linear: of the maps of all items to the world, shape (K, 3, 3), as `centre`, `radius`.
    :param drawn_linear: of the movers in the map, updated, shape (m, 3, 3), as `drawn_centre`.
    :param sides: of the view, see `culling.sides_of`.
    :param fall: direction of the light.
    :param lowest: place of what stands [m]; `everything`: items that move, also without shadow.
    :param margin: by which shadows may be wider than casters [m].
    :param turn: linear part of the map from the world; `offset`: what is added.
    :param reach: of a metre, across the map.
    :param rectangles: left, bottom, right, top [px], around where things were that have moved;
        shape (m, 4).
    :param moved: whether movers have: `_STILL`, `_MOVED`, or `_LATER` if no shadow is in view;
        shape (m,).
    :param items: that have moved or are in a rectangle, and their places in the map.
    :returns: the number of rectangles and of items.
    """
    cleared, count = 0, 0
    for item in everything:
        lowest = min(lowest, centre[item, 2] - radius[item])
    for m in range(len(movers)):
        item = movers[m]
        moved[m] = _STILL
        for i in range(3):
            if centre[item, i] != drawn_centre[m, i]:
                moved[m] = _MOVED
            for j in range(3):
                if linear[item, i, j] != drawn_linear[m, i, j]:
                    moved[m] = _MOVED
        if moved[m] == _STILL:
            continue
        wide = radius[item] + margin
        if not (_is_shadow_seen(drawn_centre, m, wide, sides, fall, lowest)
                or _is_shadow_seen(centre, item, wide, sides, fall, lowest)):
            moved[m] = _LATER
            drawn_linear[m, 0, 0] = math.nan  # so it has moved, also if it comes back
            continue
        if _put(drawn_centre, m, turn, offset, reach * radius[item], place, 0):
            cleared = add_rectangle(place[0, 0], place[0, 1], reach * radius[item], size,
                                    rectangles, cleared)
        for i in range(3):
            drawn_centre[m, i] = centre[item, i]
            for j in range(3):
                drawn_linear[m, i, j] = linear[item, i, j]
    for m in range(len(movers)):
        item = movers[m]
        if moved[m] != _LATER and _put(
                centre, item, turn, offset, reach * radius[item], place, count) and (
                    moved[m] == _MOVED or touches(
                        place[count, 0], place[count, 1], reach * radius[item], size, rectangles,
                        cleared)):
            items[count] = item
            count += 1
    return cleared, count


@compiled(counted=False)
def _is_shadow_seen(centre: Array, row: int, radius: float, sides: Array, fall: Array,
                    lowest: float) -> bool:
    """Return whether what is in the shade of a sphere may be in view; not where it is NaN."""
    height = max(0.0, centre[row, 2] + radius - lowest)
    length = height / -fall[2] if -fall[2] * _LONGEST > height else _LONGEST
    for k in range(len(sides)):
        begin = sides[k, 0] * centre[row, 0] + sides[k, 1] * centre[row, 1] + (
            sides[k, 2] * centre[row, 2]) + sides[k, 3]
        along = length * (sides[k, 0] * fall[0] + sides[k, 1] * fall[1] + sides[k, 2] * fall[2])
        if not begin + max(0.0, along) >= -radius:
            return False
    return True


@compiled(counted=False)
def _find_inside(items: NDArray[np.intp], centre: Array, radius: Array, turn: Array,
                 offset: Array, reach: float, found: NDArray[np.intp], place: Array) -> int:
    """Fill in which items are in a map, and where; parameters as of `_find_redrawn`."""
    count = 0
    for item in items:
        if _put(centre, item, turn, offset, reach * radius[item], place, count):
            found[count] = item
            count += 1
    return count


@compiled(counted=False)
def _put(centre: Array, item: int, turn: Array, offset: Array, radius: float, place: Array,
         n: int) -> bool:
    """Fill in the place in a map of the centre of an item; return whether the item is inside."""
    for i in range(3):
        place[n, i] = turn[i, 0] * centre[item, 0] + turn[i, 1] * centre[item, 1] + (
            turn[i, 2] * centre[item, 2]) + offset[i]
    return bool(abs(place[n, 0]) < 1.0 + radius and abs(place[n, 1]) < 1.0 + radius)
