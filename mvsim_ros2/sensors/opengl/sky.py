# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The sky box of an image, and ambient occlusion: how much of the sky surfaces see."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import SceneError
from mvsim_ros2.scene.camera_view import CameraView
from mvsim_ros2.scene.lighting import RADIUS
from mvsim_ros2.scene.scene import Lighting
from mvsim_ros2.sensors.opengl.context import GlThread
from mvsim_ros2.sensors.opengl.map_shaders import sky_program
from mvsim_ros2.sensors.opengl.shaders import set_uniforms
from mvsim_ros2.sensors.raycast.image.openness import FLAT, LEAST, SPACING

UNIT = 4  # of the texture
Finder = Callable[[CameraView], NDArray[np.float32]]


class OpenSky:
    """Holds the grid of a view as a texture; used in the thread of the context."""

    def __init__(self, context: Any, find: Finder | None) -> None:
        """Start without a grid; for what finds that of a view see `OpennessCaster.look`."""
        self._context = context
        self._find = find
        self._texture: Any = None

    def uniforms(self, view: CameraView) -> dict[str, Any]:
        """Return what the shaders need of the grid, which is bound."""
        if self._find is None:
            raise SceneError('this renderer has no rays, with which ambient occlusion is found')
        grid = self._find(view)
        size = grid.shape[1], grid.shape[0]
        if self._texture is None or self._texture.size != size:
            self._texture = self._context.texture(size, 4, dtype='f4')
            self._texture.filter = self._context.NEAREST, self._context.NEAREST
        self._texture.write(np.ascontiguousarray(grid))
        self._texture.use(UNIT)
        return {'open_last': np.array([view.width - 1.0, view.height - 1.0]),
                'open_grid': np.array([SPACING, FLAT / view.fx, LEAST])}


class Sky:
    """Draws the sky box on the background; used in the thread of the context."""

    def __init__(self, gl: GlThread, lighting: Lighting) -> None:
        """Load the faces of a sky, and the disc of its sun."""
        self._gl, self._disc = gl, np.array(lighting.disc_colour)
        faces, towards = lighting.sky, np.array(lighting.towards_light)
        assert faces is not None
        self._towards_sun = towards / np.linalg.norm(towards)
        size = faces.shape[1]
        self._texture = gl.context.texture_array(
            (size, size, 6), 3, np.ascontiguousarray(faces), alignment=1)
        self._texture.filter = gl.context.LINEAR, gl.context.LINEAR
        self._texture.repeat_x = self._texture.repeat_y = False
        self._programs: dict[tuple[tuple[str, ...], bool], tuple[Any, Any]] = {}

    def draw(self, view: CameraView, layers: tuple[str, ...]) -> None:
        """Draw the sky into some layers of the bound framebuffer."""
        context, kind = self._gl.context, (layers, view.hdr)
        if kind not in self._programs:
            program = sky_program(context, *kind)
            set_uniforms(program, {
                'sky': 0, 'infinite': np.array([np.inf]),
                'far': np.array([0.0 if self._gl.reversed_depth else 1.0, 1.0])})
            self._programs[kind] = program, context.vertex_array(program, [])
        program, vertex_array = self._programs[kind]
        wide = RADIUS * view.fx
        set_uniforms(program, {
            'towards_sun': self._towards_sun, 'disc': self._disc,
            'sun': np.array([wide, max(wide, 0.5), view.fx]),
            'ray_scale': np.array([view.width / view.fx, view.height / view.fy,
                                   -(view.cx + 0.5) / view.fx, -(view.cy + 0.5) / view.fy]),
            'rotation': np.ascontiguousarray(view.pose[:3, :3].T)})
        self._texture.use(0)
        vertex_array.render(context.TRIANGLES, 3)
