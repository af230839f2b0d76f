# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Images of a scene by OpenGL."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import runs_machine_code
from mvsim_ros2.render.context import gl_thread
from mvsim_ros2.render.mesh_buffers import DrawList
from mvsim_ros2.render.mesh_buffers import Group
from mvsim_ros2.render.mesh_buffers import MeshBuffers
from mvsim_ros2.render.pixels import without_alpha
from mvsim_ros2.render.shaders import set_uniforms
from mvsim_ros2.render.shaders import surface_program
from mvsim_ros2.render.shadow import Shadows
from mvsim_ros2.render.sky import Sky
from mvsim_ros2.scene.camera_view import ALL_LAYERS
from mvsim_ros2.scene.camera_view import CameraFrame
from mvsim_ros2.scene.camera_view import CameraView
from mvsim_ros2.scene.camera_view import empty_frame
from mvsim_ros2.scene.camera_view import hidden_instances
from mvsim_ros2.scene.camera_view import Layer
from mvsim_ros2.scene.scene import Scene

Array = NDArray[np.float64]

# components and type of the pixels of a layer in memory of the card and in arrays
_FORMATS = {'colour': (4, 3, 'f1'), 'depth': (1, 1, 'f4'), 'ids': (2, 2, 'u2')}


@dataclass(frozen=True, eq=False)
class _Surfaces:
    """How a group of parts is drawn."""

    group: Group
    program: Any
    vertex_array: Any


class GlRenderer:
    """Draws a scene; the arrays of the scene are read anew for each image."""

    def __init__(self, scene: Scene, shadow_size: int | None = None) -> None:
        """
        Load a scene.

        :param shadow_size: side of shadow maps [px]; None for what is fast.
        :raises RenderContextError: where OpenGL cannot be had.
        """
        self._scene = scene
        self._gl = gl_thread()
        self._gl.collect()
        self._gl.run(self._load, shadow_size or (1024 if self._gl.software else 4096))

    def render(self, view: CameraView, layers: tuple[Layer, ...] = ALL_LAYERS,
               out: CameraFrame | None = None) -> CameraFrame:
        """
        Return what a camera sees, as the instances of the scene stand now.

        :param layers: which layers to make.
        :param out: frame of the same size and layers, whose arrays are filled and returned.
        """
        frame = out or empty_frame(view.width, view.height, layers)
        self._gl.run(self._render, view, layers, frame)
        return frame

    def _load(self, shadow_size: int) -> None:
        context = self._gl.context
        self._arena = MeshBuffers(context, self._scene)
        self._draw_list = DrawList(context, self._arena)
        self._shadows = Shadows(self._gl, self._scene, self._arena, shadow_size)
        self._surfaces: dict[tuple[Layer, ...], list[_Surfaces]] = {}
        self._concealed: dict[tuple[int, str, bool], NDArray[np.bool_]] = {}
        self._targets: dict[tuple[Any, ...], Any] = {}
        self._pixels = np.empty((0, 4), np.uint8)
        sky = self._scene.lighting.sky
        self._sky = Sky(self._gl, sky) if sky is not None else None
        # what is where nothing is drawn
        self._empty: dict[Layer, NDArray[Any]] = {
            'colour': np.array([*self._scene.lighting.sky_colour, 1], np.float32),
            'depth': np.full(4, np.inf, np.float32), 'ids': np.zeros(4, np.uint32)}

    def _render(self, view: CameraView, layers: tuple[Layer, ...], frame: CameraFrame) -> None:
        context = self._gl.context
        if layers not in self._surfaces:
            self._prepare(layers)
        self._arena.place()
        shadow = None
        context.enable_only(context.DEPTH_TEST)
        if self._shadows.any and 'colour' in layers:
            shadow = self._shadows.around(view.pose[:3, 3])
        self._fill(view)
        target = self._target(view.width, view.height, layers)
        target.use()
        reverse = self._gl.reversed_depth
        self._gl.fill_depth(0.0 if reverse else 1.0)
        for number, layer in enumerate(layers):
            self._gl.fill_image(number, self._empty[layer])
        context.depth_func = '>' if reverse else '<'
        context.front_face = 'cw'  # the first row of the image is its top
        uniforms = self._uniforms(view)
        if shadow:
            uniforms['to_shadow'] = (shadow.matrix() @ view.pose)[:3]
            shadow.texture.use(1)
        done = set()
        for surfaces in self._surfaces[layers]:
            if id(surfaces.program) not in done:
                done.add(id(surfaces.program))
                set_uniforms(surfaces.program, uniforms)
            if surfaces.group.texture:
                surfaces.group.texture.use(0)
            culled = surfaces.group.closed and not self._within
            context.enable_only(context.DEPTH_TEST | (context.CULL_FACE if culled else 0))
            self._draw_list.draw(surfaces.vertex_array, surfaces.group)
        if self._sky and 'colour' in layers:
            context.enable_only(context.DEPTH_TEST)
            context.depth_func = '>=' if reverse else '<='
            self._sky.draw(view, layers)
        for number, layer in enumerate(layers):
            self._read(target, number, layer, getattr(frame, layer))

    def _read(self, target: Any, number: int, layer: Layer, image: NDArray[Any]) -> None:
        """Take one layer from the card."""
        _, components, dtype = _FORMATS[layer]
        if layer != 'colour' or not runs_machine_code():
            target.read_into(image, components=components, attachment=number, alignment=1,
                             dtype=dtype)
            return
        size = image.shape[0] * image.shape[1]
        if len(self._pixels) != size:
            self._pixels = np.empty((size, 4), np.uint8)
        # leaving out a component is slow work for OpenGL
        target.read_into(self._pixels, components=4, attachment=number)
        without_alpha(self._pixels, image.reshape(-1, 3))

    def _uniforms(self, view: CameraView) -> dict[str, Array]:
        lighting = self._scene.lighting
        towards = np.asarray(lighting.towards_light, float)
        near, far = view.near, view.far
        reach = np.array([-near, near * far]) / (far - near) if self._gl.reversed_depth else \
            np.array([far + near, -2 * near * far]) / (far - near)
        return {
            'lens': np.array([2 * view.fx / view.width, (2 * view.cx + 1) / view.width - 1,
                              2 * view.fy / view.height, (2 * view.cy + 1) / view.height - 1]),
            'range': reach,
            'towards_light': towards @ view.pose[:3, :3] / np.linalg.norm(towards),
            'light': np.array(lighting.light_colour),
            'ambient': np.array(lighting.ambient_colour),
        }

    def _fill(self, view: CameraView) -> None:
        """Choose the items that can be in view, and place them before the camera."""
        arena = self._arena
        turn, position = view.pose[:3, :3], view.pose[:3, 3]
        place = (arena.centre - position) @ turn
        left, right = (view.cx + 0.5) / view.fx, (view.width - 0.5 - view.cx) / view.fx
        top, bottom = (view.cy + 0.5) / view.fy, (view.height - 0.5 - view.cy) / view.fy
        planes = np.array([[1.0, 0.0, left], [-1.0, 0.0, right], [0.0, 1.0, top],
                           [0.0, -1.0, bottom], [0.0, 0.0, 1.0]])
        planes /= np.linalg.norm(planes, axis=1)[:, None]
        inside = (place @ planes.T > -arena.radius[:, None]).all(axis=1) & arena.seen
        inside &= place[:, 2] < view.far + arena.radius
        if view.sensor or view.hide_vehicle:
            inside &= ~self._hidden(view)
        items = np.flatnonzero(inside)
        reach = view.near * np.sqrt(1 + max(left, right) ** 2 + max(top, bottom) ** 2)
        self._within = bool((arena.closed[items] & (
            np.linalg.norm(place[items], axis=1) < arena.radius[items] + reach)).any())
        # near ones first: what they hide need not be coloured
        items = items[np.lexsort((place[items, 2], arena.part[items]))]
        self._draw_list.fill(items, turn.T @ arena.linear[items], place[items])

    def _hidden(self, view: CameraView) -> NDArray[np.bool_]:
        key = view.vehicle, view.sensor, view.hide_vehicle
        if key not in self._concealed:
            self._concealed[key] = hidden_instances(self._scene, view)[self._arena.instance]
        return self._concealed[key]

    def _prepare(self, layers: tuple[Layer, ...]) -> None:
        context = self._gl.context
        programs: dict[tuple[bool, bool], tuple[Any, Any]] = {}
        for group in self._arena.groups:
            kind = group.texture is not None, group.holes
            if kind not in programs:
                program = surface_program(context, layers, *kind, self._shadows.any)
                set_uniforms(program, {'image': 0, 'shadow': 1})
                programs[kind] = program, self._arena.bind(
                    context, program, self._draw_list.instances,
                    'colour' not in layers and not group.holes)
        self._surfaces[layers] = [
            _Surfaces(group, *programs[group.texture is not None, group.holes])
            for group in self._arena.groups]

    def _target(self, width: int, height: int, layers: tuple[Layer, ...]) -> Any:
        key = width, height, layers
        if key not in self._targets:
            context = self._gl.context
            self._targets[key] = context.framebuffer(
                [context.renderbuffer((width, height), _FORMATS[layer][0],
                                      dtype=_FORMATS[layer][2]) for layer in layers],
                self._gl.depth_buffer((width, height)))
        return self._targets[key]
