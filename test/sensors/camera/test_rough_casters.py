# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Round things throw their shadows in OpenGL by fewer faces, which nobody sees."""

from dataclasses import replace

import numpy as np
import pytest
from small_scenes import box, place, scene_of, sheet, view_from

from mvsim_ros2.scene.rough import RoughMeshes
from mvsim_ros2.scene.scene import Lighting
from mvsim_ros2.scene.shapes.geometry_meshes import cylinder, sphere, wheel
from mvsim_ros2.sensors.opengl.renderer import GlRenderer
from mvsim_ros2.world.spec import GeometrySpec

SOLIDS = {
    'wheel': wheel(0.3, 0.2),
    'cylinder': cylinder(GeometrySpec(kind='cylinder', radius=0.3, length=0.5), 1.0),
    'sphere': sphere(GeometrySpec(kind='sphere', radius=0.4), 1.0)}


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
