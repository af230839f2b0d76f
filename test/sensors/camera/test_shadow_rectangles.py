# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What of a shadow map is drawn again."""

from copy import copy
from dataclasses import replace
from itertools import pairwise

import numpy as np
from small_scenes import box, place, scene_of, sheet, view_from

from mvsim_ros2.scene.rough import RoughMeshes
from mvsim_ros2.scene.scene import Lighting
from mvsim_ros2.sensors.opengl.context import gl_thread
from mvsim_ros2.sensors.opengl.mesh_buffers import MeshBuffers
from mvsim_ros2.sensors.opengl.renderer import GlRenderer
from mvsim_ros2.sensors.opengl.shadow import add_rectangle, Shadows

SIZE = 256


def test_rectangles_hold_all_spheres_and_are_not_near_each_other() -> None:
    random = np.random.default_rng(1)
    for size, count in ((SIZE, 1), (SIZE, 40), (16 * SIZE, 40)):
        centre = random.uniform(-1.1, 1.1, (count, 2)).repeat(3, axis=0)
        radius = random.uniform(0.11, 0.3, 3 * count) * SIZE / size
        rectangles, kept = np.empty((3 * count, 4), np.int64), 0
        for (x, y), reach in zip(centre, radius, strict=True):
            if max(abs(x), abs(y)) < 1.0 + reach:
                kept = add_rectangle(x, y, reach, size, rectangles, kept)
        found = rectangles[:kept]
        assert ((found >= 0) & (found <= size)).all()
        assert (found[:, 2:] > found[:, :2]).all()
        ends = 0.5 * size * (1.0 + np.hstack([centre, centre]) + np.outer(
            radius, (-1.0, -1.0, 1.0, 1.0)))
        ends = np.clip(ends, 0.0, size)
        ends = ends[(ends[:, 2:] > ends[:, :2]).all(axis=1)]
        inside = ((found[:, None, :2] <= ends[:, :2]) & (found[:, None, 2:] >= ends[:, 2:])).all(
            axis=2)
        assert inside.any(axis=0).all()
        area = (found[:, 2:] - found[:, :2]).prod(axis=1)
        both = (np.maximum(found[:, None, 2:], found[:, 2:])
                - np.minimum(found[:, None, :2], found[:, :2])).prod(axis=2)
        others = ~np.eye(kept, dtype=bool)
        assert (both > area[:, None] + area)[others].all()
        assert kept == 1 if size == SIZE else 10 < kept < count


def test_a_map_that_is_kept_is_as_one_that_is_new(gl: None) -> None:
    """Of what moves, some stands for a while in the shade of the rest, and one leaves the map."""
    scene = scene_of([(sheet(9.0), place((0, 0, 0))), *(
        (box(), place((i % 3 - 1, i // 3 - 1, 0.3 + 0.1 * i), 0.8, 0.3 * i)) for i in range(9))],
        moving=(2, 3, 4, 6, 8, 9))
    bright = copy(scene)
    bright.lighting = replace(scene.lighting, shadows=False)
    view = view_from((-6, 0, 4), pitch=0.5)
    kept, without = GlRenderer(scene), GlRenderer(bright)
    random = np.random.default_rng(3)
    for step in range(9):
        moving = np.flatnonzero(scene.moving)[step % 3:]
        scene.transform[moving, :2, 3] += random.uniform(-0.7, 0.7, (len(moving), 2))
        scene.transform[9, 0, 3] = 400.0 if step % 4 == 0 else 0.5
        image, new = (each.render(view, ('colour',)).colour for each in (kept, GlRenderer(scene)))
        np.testing.assert_array_equal(image, new, err_msg=f'after {step} steps')
        assert (image != without.render(view, ('colour',)).colour).any(axis=-1).sum() > 300


def test_what_moves_out_of_view_is_drawn_when_it_comes_into_view(gl: None) -> None:
    """Among boxes that move, stand, or come back, a camera looks about."""
    count = 24
    random = np.random.default_rng(5)
    scene = scene_of([(sheet(30.0), place((0, 0, 0))), *(
        (box(), place((*random.uniform(-9, 9, 2), 0.4), (0.8, 0.5, 0.8), 0.3 * i))
        for i in range(count))], moving=tuple(range(1, count + 1)),
        lighting=Lighting(towards_light=(0.5, 0.3, 0.8)))
    begin = scene.transform.copy()
    kept = GlRenderer(scene)
    for step in range(16):
        moved = 1 + random.permutation(count)[:12]
        if step % 4 == 3:
            scene.transform[moved] = begin[moved]
        else:
            scene.transform[moved, :2, 3] += random.uniform(-1.0, 1.0, (12, 2))
        view = view_from((0, 0, 3), yaw=1.7 * step, pitch=0.35)
        image, new = (each.render(view, ('colour',)).colour for each in (kept, GlRenderer(scene)))
        np.testing.assert_array_equal(image, new, err_msg=f'after {step} steps')


def test_what_comes_back_is_drawn_where_what_was_beside_it_left_the_map(gl: None) -> None:
    scene = scene_of([(sheet(30.0), place((0, 0, 0))), (box(), place((-4, 0, 0.5))),
                      (box(), place((-4, -0.9, 0.5)))], moving=(1, 2),
                     lighting=Lighting(towards_light=(-0.5, 0.5, 0.7)))
    kept = GlRenderer(scene)
    for places, yaw in (((-4.0, -4.0), np.pi), ((-9.0, 4.0), 0.0), ((-4.0, 4.0), np.pi)):
        scene.transform[1:, 0, 3] = places
        view = view_from((0, 0, 1.5), yaw=yaw, pitch=0.2)
        image, new = (each.render(view, ('colour',)).colour for each in (kept, GlRenderer(scene)))
        np.testing.assert_array_equal(image, new, err_msg=f'boxes at {places}')


def test_shadows_that_cannot_be_in_view_are_not_drawn(gl: None) -> None:
    scene = scene_of([(sheet(30.0), place((0, 0, 0))),
                      (box(), place((-3, 0, 0.5))), (box(), place((3, 0, 0.5)))], moving=(1, 2),
                     lighting=Lighting(towards_light=(0.3, 0.0, 1.0)))
    buffers = gl_thread().run(MeshBuffers, gl_thread().context, scene)
    shadows = gl_thread().run(
        Shadows, gl_thread(), scene, buffers, RoughMeshes(scene), SIZE)
    depths = []
    for ahead in (0.0, 0.2):
        scene.transform[1:, 1, 3] = ahead
        gl_thread().run(buffers.place)
        for yaw in (0.0, np.pi):
            shadow_map, _ = gl_thread().run(
                shadows.map_for, view_from((0, 0, 1.5), yaw=yaw, pitch=0.2))
            data = gl_thread().run(shadow_map.texture.read)
            depths.append(np.frombuffer(data, np.uint8).copy())
    assert [bool((one != other).any()) for one, other in pairwise(depths)] == [True, True, True]
    changed = [one != other for one, other in pairwise(depths)]
    assert not (changed[0] & changed[1]).any()  # the one in front, then the one behind
