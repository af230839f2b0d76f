# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What a pass of OpenGL draws comes in the order that is asked for."""

import numpy as np
import pytest
from small_scenes import box, place, scene_of, sheet

from mvsim_ros2.sensors.opengl.context import gl_thread
from mvsim_ros2.sensors.opengl.draw_list import DrawList
from mvsim_ros2.sensors.opengl.mesh_buffers import MeshBuffers


@pytest.mark.parametrize('count', [0, 1, 5, 23])
def test_parts_come_group_by_group_in_the_order_of_their_first_items(
        count: int, gl: None) -> None:
    random = np.random.default_rng(count)
    meshes = [box(), box(), sheet(1.0), box(), sheet(2.0)]  # closed ones before open ones
    scene = scene_of([(meshes[i], place(random.uniform(-5, 5, 3), 1.0 + i, 0.3 * n))
                      for n, i in enumerate(random.integers(0, 5, 30))])
    context = gl_thread().context
    buffers = gl_thread().run(MeshBuffers, context, scene)
    drawn = gl_thread().run(DrawList, context, buffers)
    turn = random.normal(size=(3, 3))
    for _ in range(2):  # what one pass leaves behind is none of the next one
        items = np.sort(random.choice(30, count, replace=False))
        centre, order = random.normal(size=(count, 3)), random.permutation(count)
        gl_thread().run(drawn.fill, items, turn, centre, order)
        parts = list(dict.fromkeys(buffers.part[items[order]].tolist()))
        parts.sort(key=lambda part: buffers.group[part])
        first = 0
        for row, part in zip(drawn._rows, parts, strict=False):
            of_part = [n for n in order if buffers.part[items[n]] == part]
            assert row.tolist() == [buffers.commands[part, 0], len(of_part),
                                    buffers.commands[part, 2], 0, first]
            for n, words in zip(of_part, drawn._words[first:], strict=False):
                matrix = np.column_stack([turn @ buffers.linear[items[n]], centre[n]])
                np.testing.assert_allclose(words[:12].view(np.float32), matrix.ravel(), 1e-6)
                np.testing.assert_array_equal(words[12:], buffers.words[items[n], 12:])
            first += len(of_part)
        assert first == count and drawn._spans[-1] == len(parts)
        for group in buffers.groups:
            begin, end = drawn._spans[group.number:group.number + 2]
            assert all(buffers.group[part] == group.number for part in parts[begin:end])
