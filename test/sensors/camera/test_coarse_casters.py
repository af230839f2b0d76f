# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Round things throw their shadows in OpenGL by fewer faces, which nobody sees."""

from dataclasses import replace

import numpy as np
import pytest
from small_scenes import box
from small_scenes import place
from small_scenes import scene_of
from small_scenes import sheet
from small_scenes import view_from

from mvsim_ros2.render.renderer import GlRenderer
from mvsim_ros2.scene.scene import Lighting
from mvsim_ros2.scene.shapes.geometry_meshes import cylinder
from mvsim_ros2.scene.shapes.geometry_meshes import sphere
from mvsim_ros2.scene.shapes.geometry_meshes import wheel
from mvsim_ros2.spec import GeometrySpec

SOLIDS = {
    'wheel': wheel(0.3, 0.2),
    'cylinder': cylinder(GeometrySpec(kind='cylinder', radius=0.3, length=0.5), 1.0),
    'sphere': sphere(GeometrySpec(kind='sphere', radius=0.4), 1.0)}


@pytest.mark.parametrize('solid', SOLIDS)
def test_the_faces_for_shadows_are_few_and_within_8_mm(solid: str) -> None:
    mesh, size = SOLIDS[solid]
    assert mesh.coarse is not None and len(mesh.coarse.faces) <= 0.5 * len(mesh.faces)
    for axis in np.eye(3):
        fine, coarse = ((each.vertices @ size[:3, :3].T @ axis).max()
                        for each in (mesh, mesh.coarse))
        assert -1e-9 < fine - coarse < 0.008


@pytest.mark.parametrize('solid', SOLIDS)
@pytest.mark.parametrize('moving', [(), (0,)], ids=['standing', 'moving'])
def test_shadows_are_those_of_all_faces(
        solid: str, moving: tuple[int, ...], gl: None) -> None:
    mesh, size = SOLIDS[solid]
    dark = Lighting(towards_light=(0.6, 0.0, 0.8))
    images = []
    for each, lighting in ((mesh, dark), (replace(mesh, coarse=None), dark),
                           (mesh, replace(dark, shadows=False))):
        scene = scene_of([
            (each, place((0, 0, 0.6)) @ size), (sheet(9.0), place((0, 0, 0))),
            (each, place((7, 0, 0.6)) @ size)], moving=moving, lighting=lighting)
        view = view_from((-3, 0, 2), pitch=0.5)
        images.append(np.asarray(GlRenderer(scene).render(view, ('colour',)).colour, int))
    wrong = (np.abs(images[0] - images[1]).max(axis=-1) > 20).sum()
    right = (np.abs(images[0] - images[2]).max(axis=-1) > 20).sum()
    print(f'{wrong} of {right} pixels')
    assert right > 400 and wrong < 0.03 * right


@pytest.mark.parametrize('size, coarse', [(1024, True), (4096, False)], ids=['rough', 'fine'])
def test_maps_with_small_texels_take_all_faces(size: int, coarse: bool, gl: None) -> None:
    mesh, local = SOLIDS['cylinder']
    images = []
    for each in (mesh, replace(mesh, coarse=box())):
        scene = scene_of([(each, place((0, 0, 0.6)) @ local), (sheet(9.0), place((0, 0, 0))),
                          (mesh, place((7, 0, 0.6)) @ local)])
        images.append(np.asarray(GlRenderer(scene, size).render(
            view_from((-3, 0, 2), pitch=0.5), ('colour',)).colour, int))
    differ = (np.abs(images[0] - images[1]).max(axis=-1) > 20).sum()
    print(f'{differ} pixels differ')
    assert differ > 100 if coarse else differ == 0
