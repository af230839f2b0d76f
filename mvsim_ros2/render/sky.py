# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The sky box behind everything."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.render.context import GlThread
from mvsim_ros2.render.shaders import set_uniforms
from mvsim_ros2.render.shaders import sky_program
from mvsim_ros2.scene.camera_view import CameraView


class Sky:
    """Draws images of the sky on what nothing was drawn on; for the thread of the context."""

    def __init__(self, gl: GlThread, faces: NDArray[np.uint8]) -> None:
        """Load the faces, see `Lighting.sky`."""
        self._gl = gl
        size = faces.shape[1]
        self._texture = gl.context.texture_array(
            (size, size, 6), 3, np.ascontiguousarray(faces), alignment=1)
        self._texture.filter = gl.context.LINEAR, gl.context.LINEAR
        self._texture.repeat_x = self._texture.repeat_y = False
        self._programs: dict[tuple[str, ...], tuple[Any, Any]] = {}

    def draw(self, view: CameraView, layers: tuple[str, ...]) -> None:
        """Draw the sky into some layers of the target in use."""
        context = self._gl.context
        if layers not in self._programs:
            program = sky_program(context, layers)
            set_uniforms(program, {
                'sky': 0, 'infinite': np.array([np.inf]),
                'far': np.array([0.0 if self._gl.reversed_depth else 1.0, 1.0])})
            self._programs[layers] = program, context.vertex_array(program, [])
        program, vertex_array = self._programs[layers]
        set_uniforms(program, {
            'look': np.array([view.width / view.fx, view.height / view.fy,
                              -(view.cx + 0.5) / view.fx, -(view.cy + 0.5) / view.fy]),
            'turn': np.ascontiguousarray(view.pose[:3, :3].T)})
        self._texture.use(0)
        vertex_array.render(context.TRIANGLES, 3)
