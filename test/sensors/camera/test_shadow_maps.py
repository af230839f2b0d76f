# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Maps of the shadows of the sun: what is in them, near and far, and what is drawn again."""

from copy import copy
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
import pytest
from small_scenes import box, Drawers, place, scene_of, sheet, view_from

from mvsim_ros2.scene.camera_view import CameraView
from mvsim_ros2.scene.rough import RoughMeshes
from mvsim_ros2.scene.scene import Lighting, Scene
from mvsim_ros2.scene.shapes.geometry_meshes import cylinder, sphere, wheel
from mvsim_ros2.sensors.opengl.context import gl_thread
from mvsim_ros2.sensors.opengl.culling import add_rectangle
from mvsim_ros2.sensors.opengl.mesh_buffers import MeshBuffers
from mvsim_ros2.sensors.opengl.renderer import GlRenderer
from mvsim_ros2.sensors.opengl.shadow import Shadows
from mvsim_ros2.world.spec import GeometrySpec

TOWERS = [(-150.0, 30.0), (-60.0, 0.0), (0.0, 0.0), (50.0, 40.0), (90.0, -80.0), (160.0, 10.0)]
EYES = {'above': ((0.0, 0.0, 150.0), 0.0, 1.57), 'at one end': ((-190.0, 0.0, 12.0), 0.0, 0.05),
        'at the other': ((190.0, 10.0, 30.0), 3.1, 0.15)}
SIZE = 256
SOLIDS = {
    'wheel': wheel(0.3, 0.2),
    'cylinder': cylinder(GeometrySpec(kind='cylinder', radius=0.3, length=0.5), 1.0),
    'sphere': sphere(GeometrySpec(kind='sphere', radius=0.4), 1.0)}


def maps_of(scene: Scene, size: int) -> tuple[MeshBuffers, Shadows]:
    """Return the buffers of a scene and its maps."""
    buffers = gl_thread().run(MeshBuffers, gl_thread().context, scene)
    return buffers, gl_thread().run(
        Shadows, gl_thread(), scene, buffers, RoughMeshes(scene), size)


def draws_as_new(kept: GlRenderer, scene: Scene, view: CameraView) -> NDArray[np.uint8]:
    """Check that what a renderer has drawn before changes nothing; return its image."""
    image, new = (each.render(view, ('colour',)).colour for each in (kept, GlRenderer(scene)))
    np.testing.assert_array_equal(image, new)
    assert image is not None
    return image


@pytest.mark.parametrize('eye', EYES)
def test_far_shadows_are_those_by_rays(drawers: Drawers, eye: str) -> None:
    """
    Both renderers agree in nearly every pixel in the shadow of towers up to 350 m away.

    :reference: rays of this package
    """
    sun = np.array([0.5, 0.3, 0.6]) / np.linalg.norm([0.5, 0.3, 0.6])
    lighting = Lighting(towards_light=tuple(sun.tolist()))
    tower = box()
    scene = scene_of(
        [(sheet(250.0), place((0, 0, 0))),
         *((tower, place((x, y, 8.0), (10.0, 10.0, 16.0), 0.3)) for x, y in TOWERS)],
        labels=(1, *(3 for _ in TOWERS)), lighting=lighting)
    position, yaw, pitch = EYES[eye]
    view = view_from(position, yaw, pitch, fx=160.0, fy=160.0, far=1000.0)
    by_gl, by_rays = (draw(view, ('colour', 'ids')) for draw in drawers(scene))
    ground = (by_rays.ids[..., 1] == 1) & (by_gl.ids[..., 1] == 1)
    levels = np.unique(by_rays.colour[ground][:, 0])
    assert len(levels) > 1, 'some of the ground is in the shade'
    limit = 0.5 * (float(levels.min()) + float(levels.max()))
    shaded, too = by_rays.colour[..., 0] < limit, by_gl.colour[..., 0] < limit
    wrong = (shaded != too)[ground].sum() / shaded[ground].sum()
    print(f'{100.0 * wrong:.1f} % of {shaded[ground].sum()} pixels in the shade')
    assert wrong < 0.02


def test_what_moves_far_away_has_its_shadow_still(drawers: Drawers) -> None:
    """
    A distant object that moves takes its shadow with it and leaves none behind.

    :reference: rays of this package
    """
    scene = scene_of(
        [(sheet(60.0), place((0, 0, 0))), (box(), place((0, 2.5, 0.5))),
         (box(), place((1, 1, 0.5)))], labels=(1, 3, 3), moving=(2,),
        lighting=Lighting(towards_light=(0.5, 0.5, 0.7)))
    by_gl, by_rays = drawers(scene)
    for away in (3.0, 6.0, 10.0, 4.0):
        scene.transform[2, :2, 3] = away, 0.25 * away
        one, other = (draw(view_from((-1.5, 0, 2), pitch=0.2), ('colour',)).colour.astype(int)
                      for draw in (by_gl, by_rays))
        assert (np.abs(one - other).max(axis=-1) > 20).sum() < 40


def test_one_map_has_a_hall_with_long_walls(gl: None) -> None:
    scene = scene_of([(sheet(30.0), place((0, 0, 0))), *(
        (box(), place((x, y, 2.0), (0.3 + abs(2 * y), 0.3 + abs(2 * x), 4.0)))
        for x, y in ((-20, 0), (20, 0), (0, -20), (0, 20)))], labels=(1, 3, 3, 3, 3))
    _, shadows = maps_of(scene, SIZE)
    near, whole = gl_thread().run(shadows.map_for, view_from((0, 0, 1)))
    assert near is whole
    corners = np.array([(x, y, z, 1.0) for x in (-20, 20) for y in (-20, 20) for z in (0, 4)])
    seen = corners @ whole.matrix[:2].T
    assert ((seen > 0.0) & (seen < 1.0)).all()


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
        image = draws_as_new(kept, scene, view)
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
        draws_as_new(kept, scene, view_from((0, 0, 3), yaw=1.7 * step, pitch=0.35))


def test_what_comes_back_is_drawn_where_what_was_beside_it_left_the_map(gl: None) -> None:
    scene = scene_of([(sheet(30.0), place((0, 0, 0))), (box(), place((-4, 0, 0.5))),
                      (box(), place((-4, -0.9, 0.5)))], moving=(1, 2),
                     lighting=Lighting(towards_light=(-0.5, 0.5, 0.7)))
    kept = GlRenderer(scene)
    for places, yaw in (((-4.0, -4.0), np.pi), ((-9.0, 4.0), 0.0), ((-4.0, 4.0), np.pi)):
        scene.transform[1:, 0, 3] = places
        draws_as_new(kept, scene, view_from((0, 0, 1.5), yaw=yaw, pitch=0.2))


def test_shadows_that_cannot_be_in_view_are_not_drawn(gl: None) -> None:
    scene = scene_of([(sheet(30.0), place((0, 0, 0))),
                      (box(), place((-3, 0, 0.5))), (box(), place((3, 0, 0.5)))], moving=(1, 2),
                     lighting=Lighting(towards_light=(0.3, 0.0, 1.0)))
    buffers, shadows = maps_of(scene, SIZE)
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


@pytest.mark.parametrize('solid', SOLIDS)
def test_the_faces_for_shadows_are_few_and_off_by_as_much_as_may_be(solid: str) -> None:
    mesh, size = SOLIDS[solid]
    rough = RoughMeshes(scene_of([(mesh, place((0, 0, 0.6)) @ size)]))
    off = [0.0, *(each * np.linalg.norm(size[:3, :3], 2) for each, _ in mesh.rough)]
    faces = [len(each.faces) for each in (mesh, *(each for _, each in mesh.rough))]
    assert off[3] < 0.013 and faces[3] < 0.17 * faces[0]
    for limit, level in ((0.99 * off[1], 0), (1.01 * off[1], 1), (0.99 * off[2], 1),
                         (1.01 * off[2], 2), (1.01 * off[3], 3), (1.0, 3)):
        assert rough.levels_within(limit).tolist() == [level]


@pytest.mark.parametrize('solid', SOLIDS)
@pytest.mark.parametrize('moving', [(), (0,)], ids=['standing', 'moving'])
def test_shadows_are_those_of_all_faces(
        solid: str, moving: tuple[int, ...], gl: None) -> None:
    mesh, size = SOLIDS[solid]
    dark = Lighting(towards_light=(0.6, 0.0, 0.8))
    images = []
    for each, lighting in ((mesh, dark), (replace(mesh, rough=()), dark),
                           (mesh, replace(dark, shadows=False))):
        scene = scene_of([
            (each, place((0, 0, 0.6)) @ size), (sheet(9.0), place((0, 0, 0))),
            (each, place((7, 0, 0.6)) @ size)], moving=moving, lighting=lighting)
        view = view_from((-3, 0, 2), pitch=0.5)
        images.append(np.asarray(GlRenderer(scene).render(view, ('colour',)).colour, int))
    wrong = np.abs(images[0] - images[1]).max(axis=-1) > 20
    right = np.abs(images[1] - images[2]).max(axis=-1) > 20
    print(f'{wrong.sum()} of {right.sum()} pixels')
    assert right.sum() > 400 and wrong.sum() < 0.07 * right.sum()
    near = [np.roll(right, (v, u), (0, 1)) for v in range(-4, 5) for u in range(-4, 5)]
    border = np.any(near, axis=0) & ~np.all(near, axis=0)  # texels have 29 mm
    assert not (wrong & ~border).any()


@pytest.mark.parametrize('size, rough', [(1024, True), (4096, False)], ids=['wide', 'narrow'])
def test_maps_with_small_texels_take_all_faces(size: int, rough: bool, gl: None) -> None:
    mesh, local = SOLIDS['cylinder']
    images = []
    for each in (replace(mesh, rough=()), replace(mesh, rough=((0.006, box()),))):  # by 3 mm
        scene = scene_of([(each, place((0, 0, 0.6)) @ local), (sheet(9.0), place((0, 0, 0))),
                          (mesh, place((7, 0, 0.6)) @ local)])
        images.append(np.asarray(GlRenderer(scene, size).render(
            view_from((-3, 0, 2), pitch=0.5), ('colour',)).colour, int))
    differ = (np.abs(images[0] - images[1]).max(axis=-1) > 20).sum()
    print(f'{differ} pixels differ')
    assert differ > 100 if rough else differ == 0
