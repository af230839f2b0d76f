# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Calls of OpenGL by machine code do what those of moderngl do."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from small_scenes import box, place, scene_of, view_from

from mvsim_ros2.jit.kernel import Kernel, use_machine_code
from mvsim_ros2.sensors.opengl import gl_calls, image_reader
from mvsim_ros2.sensors.opengl.context import gl_thread
from mvsim_ros2.sensors.opengl.gl_calls import GlCalls
from mvsim_ros2.sensors.opengl.renderer import GlRenderer

SHADERS = """
#version 330
uniform vec4 rows[3];
uniform vec3 axis;
void main() {
    gl_Position = vec4(dot(rows[0], rows[1]) + axis.x, rows[2]);
}
""", """
#version 330
out vec4 colour;
void main() {
    colour = vec4(1.0);
}
"""


@pytest.fixture(params=['compiled', 'plain'])
def in_gl(request: pytest.FixtureRequest, gl: None,
          monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Return what runs a function in the thread of OpenGL; calls are compiled, or are not."""
    kernel = gl_calls._call
    if isinstance(kernel, Kernel):
        monkeypatch.setattr(
            gl_calls, '_call', kernel.dispatcher if request.param == 'compiled' else kernel.plain)
    return gl_thread().run


def test_rows_are_read_as_they_are(in_gl: Callable[..., Any]) -> None:
    context, width, height = gl_thread().context, 7, 6

    def read() -> tuple[np.ndarray[Any, Any], ...]:
        size = width, height
        target = context.framebuffer(
            [context.renderbuffer(size), context.renderbuffer(size)],
            gl_thread().depth_buffer(size))
        target.use()
        gl_thread().fill_depth(0.25)
        for number in range(2):
            gl_thread().fill_image(number, np.array([number, 0.2, 0.4, 0.6], np.float32))
        target.scissor = 0, 3, width, 2  # some rows differ
        gl_thread().fill_image(1, np.array([0.0, 1.0, 0.0, 1.0], np.float32))
        target.scissor = None
        pixels, depth = np.zeros((4, width, 4), np.uint8), np.zeros((4, width), np.float32)
        calls = GlCalls()
        calls.add_reading(-1, 2, depth)
        calls.add_reading(1, 2, pixels)
        calls()
        whole = np.frombuffer(target.read(components=4, attachment=1), np.uint8)
        return pixels, whole.reshape(height, width, 4), depth

    pixels, whole, depth = in_gl(read)
    np.testing.assert_array_equal(pixels, whole[2:])
    assert len(np.unique(pixels, axis=0)) == 2 and (depth == np.float32(0.25)).all()


def test_uniforms_are_set_where_there_are_any(in_gl: Callable[..., Any]) -> None:
    rows, axis = np.arange(12, dtype=np.float32).reshape(3, 4), np.ones(3, np.float32)

    def ask() -> tuple[list[tuple[float, ...]], tuple[float, ...]]:
        program = gl_thread().context.program(*SHADERS)
        calls = GlCalls()
        calls.add('glUseProgram', program.glo)
        for name, value in (('rows', rows), ('axis', axis), ('none', axis)):
            calls.add_uniform(program, name, value)
        calls()
        axis[:] = 2.0, 3.0, 4.0
        calls()  # with what is there now
        return program['rows'].value, program['axis'].value

    found, turned = in_gl(ask)
    assert found == [tuple(row) for row in rows.tolist()] and turned == (2.0, 3.0, 4.0)


def test_images_do_not_depend_on_the_threads_that_read_them(
        gl: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of an odd size, so that bands differ."""
    assert use_machine_code()
    renderer = GlRenderer(scene_of([(box(), place((4, 0.6, 0), yaw=0.4))]))
    view = replace(
        view_from((0, 0, 0)), width=101, height=75, fx=60.0, fy=60.0, cx=50.0, cy=37.0)
    monkeypatch.setattr(image_reader, 'FEW', 1)
    found = []
    for count in (1, 2, 3, 7):
        monkeypatch.setattr(image_reader, 'band_count', lambda: count)
        frame = renderer.render(view, ('colour', 'depth'))
        assert frame.colour is not None and frame.depth is not None
        found.append((frame.colour.tobytes(), frame.depth.tobytes()))
    assert len(set(found)) == 1
    assert len(np.unique(frame.colour)) > 3 and np.isfinite(frame.depth).any()
