# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Image rendering by OpenGL, with the sky box."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.scene.camera_view import (
    ALL_LAYERS, CameraFrame, CameraView, COLOUR, empty_frame, hidden_instances, Layer)
from mvsim_ros2.scene.rough import RoughMeshes
from mvsim_ros2.scene.scene import Scene
from mvsim_ros2.sensors.opengl.context import ALPHA_TO_COVERAGE, gl_thread
from mvsim_ros2.sensors.opengl.culling import find_items
from mvsim_ros2.sensors.opengl.draw_list import DrawList, Translucent
from mvsim_ros2.sensors.opengl.image_reader import FORMATS, ImageReader
from mvsim_ros2.sensors.opengl.lamps import lamp_uniforms, LampShadows
from mvsim_ros2.sensors.opengl.mesh_buffers import DETAIL_UNIT, Group, MeshBuffers
from mvsim_ros2.sensors.opengl.shaders import (
    ALL_FACES, Light, set_uniforms, SUNNY_FACES, Surface, surface_program, TURNED_FACES)
from mvsim_ros2.sensors.opengl.shadow import SHADOW_UNIT, Shadows, WHOLE_SHADOW_UNIT
from mvsim_ros2.sensors.opengl.sky import Finder, OpenSky, Sky, UNIT

_FINER = 2  # side of shadow maps of smooth images, of that of others


@dataclass(frozen=True, eq=False)
class _Surfaces:
    """A group of parts with its program."""

    group: Group
    program: Any
    vertex_array: Any


class GlRenderer:
    """Renders a scene by OpenGL; the arrays of the scene are read for each image."""

    def __init__(self, scene: Scene, shadow_size: int | None = None,
                 openness: Finder | None = None) -> None:
        """
        Load a scene.

        :param shadow_size: side of shadow maps [px]; None for a default by renderer.
        :param openness: finds the ambient occlusion of a view; None: no view has it.
        :raises RenderContextError: where OpenGL is not available.
        """
        self._scene = scene
        self._gl = gl_thread()
        self._gl.collect()
        self._open_sky = OpenSky(self._gl.context, openness)
        self._gl.run(self._load, shadow_size or (1024 if self._gl.software else 4096))

    def render(self, view: CameraView, layers: tuple[Layer, ...] = ALL_LAYERS,
               out: CameraFrame | None = None) -> CameraFrame:
        """
        Render the present state of the scene.

        :param layers: layers to render.
        :param out: frame of the same size and layers, whose arrays are filled and returned.
        """
        frame = out or empty_frame(view.width, view.height, layers, view.hdr)
        if not view.antialiasing or 'colour' not in layers:
            self._gl.run(self._render, view, layers, frame)
        else:
            self._gl.run(self._render, view, COLOUR, frame, self._gl.samples)
            others = tuple(layer for layer in layers if layer != 'colour')
            if others:
                self._gl.run(self._render, view, others, frame)
        return frame

    def _load(self, shadow_size: int) -> None:
        context = self._gl.context
        self._buffers = MeshBuffers(context, self._scene)
        self._rough = RoughMeshes(self._scene)
        self._draw_list = DrawList(context, self._buffers)
        self._glass = Translucent(self._gl, self._buffers)
        self._shadows = Shadows(
            self._gl, self._scene, self._buffers, self._rough, shadow_size)
        self._fine_shadows: Shadows | None = None  # of smooth images
        self._surfaces: dict[
            tuple[tuple[Layer, ...], bool, bool, bool, bool, bool], list[_Surfaces]] = {}
        self._lenses: dict[tuple[Any, ...], tuple[float, ...]] = {}  # that programs draw for
        self._items_of: dict[tuple[int, str, bool], NDArray[np.bool_]] = {}
        self._targets: dict[tuple[Any, ...], Any] = {}
        self._reader = ImageReader(self._gl)
        lamps = self._scene.lamps
        self._lamps = lamps if lamps is not None and len(lamps) else None
        self._lamp_shadows = LampShadows(
            self._gl, self._buffers, shadow_size // 4) if lamps and lamps.any_casts else None
        lighting = self._scene.lighting
        self._towards = np.array(lighting.towards_light, float)
        self._length = np.linalg.norm(self._towards)
        self._axis = np.array(lighting.ambient_axis, float)
        self._sky = Sky(self._gl, lighting) if lighting.sky is not None else None
        # values of the background
        self._empty: dict[Layer, NDArray[Any]] = {
            'colour': np.array([*lighting.sky_colour, 1], np.float32),
            'depth': np.full(4, np.inf, np.float32), 'ids': np.zeros(4, np.uint32),
            'normals': np.zeros(4, np.float32)}

    def _render(self, view: CameraView, layers: tuple[Layer, ...], frame: CameraFrame,
                samples: int = 0) -> None:
        """Fill in a frame; for the samples see `_draw`."""
        self._reader.read(self._draw(view, layers, samples), view, layers, frame)

    def _draw(self, view: CameraView, layers: tuple[Layer, ...], samples: int = 0) -> Any:
        """
        Say what is to be drawn, and return the framebuffer into which it is.

        :param samples: of a pixel, 0 for one.
        """
        context, reverse = self._gl.context, self._gl.reversed_depth
        images = self._reader.images(layers)
        occlusion = view.occlusion_reach > 0.0 and 'colour' in layers
        self._buffers.place()
        shadows: dict[str, Any] = {}
        context.enable_only(context.DEPTH_TEST)
        if self._shadows.any and 'colour' in layers:
            shadows = self._shadows_of(view, samples)
        self._fill(view)
        # software OpenGL looks into maps of shadows for faces that look away from the sun too
        parted = (self._gl.software and 'to_shadow' in shadows and not self._within
                  and not self._glass.any)
        kind = images, samples > 0, occlusion, 'to_whole' in shadows, parted, view.hdr
        if kind not in self._surfaces:
            self._prepare(*kind)
        lamps = self._lamps_of(view) if self._lamps and 'colour' in layers else {}
        sky = self._open_sky.uniforms(view) if occlusion else {}
        target = self._target(view, images, samples)
        target.use()
        self._gl.fill_depth(0.0 if reverse else 1.0)
        for number, layer in enumerate(images):
            empty = self._empty[layer]
            self._gl.fill_image(number, empty * empty if view.hdr else empty)
        context.depth_func = '>' if reverse else '<'
        context.front_face = 'cw'  # the first row of the image is its top
        uniforms = self._directions(view) | shadows | lamps | sky
        lens = view.width, view.height, view.fx, view.fy, view.cx, view.cy, view.near, view.far
        if self._lenses.get(kind) != lens:  # else programs have kept the rest
            self._lenses[kind] = lens
            uniforms |= self._uniforms(view)
        done = set()
        for surfaces in self._surfaces[kind]:
            if id(surfaces.program) not in done:
                done.add(id(surfaces.program))
                set_uniforms(surfaces.program, uniforms)
            surfaces.group.use(surfaces.program)
            culled = surfaces.group.closed and not self._within
            context.enable_only(context.DEPTH_TEST | (context.CULL_FACE if culled else 0))
            if samples and surfaces.group.holes:
                context.enable_direct(ALPHA_TO_COVERAGE)
            self._draw_list.draw(surfaces.vertex_array, surfaces.group)
            if samples and surfaces.group.holes:
                context.disable_direct(ALPHA_TO_COVERAGE)
        if self._sky and 'colour' in layers:
            context.enable_only(context.DEPTH_TEST)
            context.depth_func = '>=' if reverse else '<='
            self._sky.draw(view, images)
        if self._glass.any:
            context.depth_func = '>' if reverse else '<'
            self._glass.draw(target, images, 'depth' in layers, [
                surfaces.program for surfaces in self._surfaces[kind]])
        if samples:
            resolved = self._target(view, images, 0)
            self._gl.resolve(target, resolved)
            target = resolved
        return target

    def _shadows_of(self, view: CameraView, samples: int) -> dict[str, Any]:
        """Return where shadows of the sun fall as uniforms, with their maps."""
        shadows = self._shadows
        if samples and not self._gl.software:  # finer ones, so that borders are straight
            if self._fine_shadows is None:
                self._fine_shadows = Shadows(
                    self._gl, self._scene, self._buffers, self._rough, _FINER * shadows.size)
            shadows = self._fine_shadows
        near, whole = shadows.map_for(view)
        near.texture.use(SHADOW_UNIT)
        uniforms = {'to_shadow': (near.matrix @ view.pose)[:3], 'shadow_bias': near.bias}
        if whole is not near:
            whole.texture.use(WHOLE_SHADOW_UNIT)
            uniforms['to_whole'] = near.beyond(whole)
        return uniforms

    def _lamps_of(self, view: CameraView) -> dict[str, Any]:
        """Return the lamps that light a view as uniforms, with their shadow maps."""
        assert self._lamps is not None
        table = self._lamps.nearest(view.pose[:3, 3])
        uniforms = lamp_uniforms(table, view)
        if self._lamp_shadows:
            self._lamp_shadows.update(table)
            uniforms |= self._lamp_shadows.uniforms(view.pose[:3, :3])
        return uniforms

    def _directions(self, view: CameraView) -> dict[str, Array]:
        """Return where light comes from as uniforms, in the camera frame."""
        rotation = view.pose[:3, :3]
        return {'towards_light': self._towards @ rotation / self._length,
                'ambient_axis': self._axis @ rotation}

    def _uniforms(self, view: CameraView) -> dict[str, Array]:
        """Return the uniforms that do not depend on where the camera is."""
        lighting = self._scene.lighting
        near, far = view.near, view.far
        reach = np.array([-near, near * far]) / (far - near) if self._gl.reversed_depth else \
            np.array([far + near, -2 * near * far]) / (far - near)
        return {
            'lens': np.array([2 * view.fx / view.width, (2 * view.cx + 1) / view.width - 1,
                              2 * view.fy / view.height, (2 * view.cy + 1) / view.height - 1]),
            'range': reach,
            'pixel_look': np.array([1 / view.fx, 1 / view.fy, -(view.cx + 0.5) / view.fx,
                                    -(view.cy + 0.5) / view.fy]),
            'light': np.array(lighting.light_colour),
            'light_specular': np.array(lighting.light_specular),
            'ambient': np.array(lighting.ambient_colour),
            'ambient_lean': np.array(lighting.ambient_lean),
            'air': np.array(lighting.air_colour) ** 2,
            'extinction': np.array([lighting.extinction])}

    def _fill(self, view: CameraView) -> None:
        """Frustum culling: fill the draw list with the items in view, in the camera frame."""
        buffers = self._buffers
        rotation = np.ascontiguousarray(view.pose[:3, :3], float)
        sides = np.array([(view.cx + 0.5) / view.fx, (view.width - 0.5 - view.cx) / view.fx,
                          (view.cy + 0.5) / view.fy, (view.height - 0.5 - view.cy) / view.fy])
        items, place = np.empty(len(buffers.part), np.intp), np.empty((len(buffers.part), 3))
        count, self._within = find_items(
            buffers.centre, buffers.radius, buffers.linear, buffers.half, buffers.closed,
            self._shown(view), buffers.instance, buffers.level, self._rough.levels(view), rotation,
            np.ascontiguousarray(view.pose[:3, 3], float), sides, view.near, view.far, items,
            place)
        items, place = items[:count], place[:count]
        if self._glass.any:
            opaque = buffers.opaque[items]
            clear = items[~opaque]
            self._glass.fill(clear, rotation.T @ buffers.linear[clear], place[~opaque])
            items, place = items[opaque], place[opaque]
        # front to back, so that occluded fragments are not shaded
        self._draw_list.fill(items, np.ascontiguousarray(rotation.T), place,
                             np.argsort(place[:, 2], kind='stable'))

    def _shown(self, view: CameraView) -> NDArray[np.bool_]:
        """Return which items are neither invisible nor hidden from a view."""
        key = view.vehicle, view.sensor, view.hide_vehicle
        if key not in self._items_of:
            self._items_of[key] = self._buffers.seen & ~hidden_instances(self._scene, view)[
                self._buffers.instance]
        return self._items_of[key]

    def _prepare(self, layers: tuple[Layer, ...], coverage: bool, occlusion: bool,
                 far_shadows: bool, parted: bool, hdr: bool) -> None:
        context = self._gl.context
        light = Light(self._shadows.any, far_shadows, self._lamps is not None,
                      self._lamp_shadows is not None, self._scene.lighting.extinction > 0.0,
                      occlusion, hdr)
        programs: dict[Surface, tuple[Any, Any]] = {}
        surfaces = []
        for group in self._buffers.groups:
            flat = group.flat and not (
                group.bumps or group.shines or light.lamps or light.weather or occlusion)
            for faces in ((SUNNY_FACES, TURNED_FACES) if parted and flat and group.closed
                          else (ALL_FACES,)):
                kind = Surface(group.texture is not None, group.holes, group.bumps is not None,
                               group.detail is not None, group.shines, flat, faces)
                if kind not in programs:
                    program = surface_program(
                        context, layers, kind, light, coverage, not self._gl.software)
                    set_uniforms(program, {
                        'image': 0, 'shadow': SHADOW_UNIT, 'bumps': 2, 'lamp_shadow': 3,
                        'detail': DETAIL_UNIT, 'openness': UNIT,
                        'whole_shadow': WHOLE_SHADOW_UNIT})
                    programs[kind] = program, self._buffers.bind(
                        context, program, self._draw_list.instances,
                        'colour' not in layers and not group.holes)
                surfaces.append(_Surfaces(group, *programs[kind]))
        key = layers, coverage, occlusion, far_shadows, parted, hdr
        self._surfaces[key] = surfaces

    def _target(self, view: CameraView, layers: tuple[Layer, ...], samples: int) -> Any:
        size = view.width, view.height
        key = *size, layers, samples, view.hdr
        if key not in self._targets:
            context = self._gl.context
            self._targets[key] = context.framebuffer(
                [context.renderbuffer(size, FORMATS[layer][0], samples=samples,
                                      dtype='f4' if view.hdr and layer == 'colour'
                                      else FORMATS[layer][2]) for layer in layers],
                self._gl.depth_buffer(size, samples))
        return self._targets[key]
