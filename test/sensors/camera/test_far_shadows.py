# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Shadows of the sun fall everywhere in wide worlds, from wherever one looks."""

from collections.abc import Callable

import numpy as np
import pytest
from small_scenes import box, place, scene_of, sheet, view_from

from mvsim_ros2.scene.camera_view import CameraFrame
from mvsim_ros2.scene.rough import RoughMeshes
from mvsim_ros2.scene.scene import Lighting, Scene
from mvsim_ros2.sensors.opengl.context import gl_thread
from mvsim_ros2.sensors.opengl.mesh_buffers import MeshBuffers
from mvsim_ros2.sensors.opengl.shadow import Shadows

Drawer = Callable[..., CameraFrame]
TOWERS = [(-150.0, 30.0), (-60.0, 0.0), (0.0, 0.0), (50.0, 40.0), (90.0, -80.0), (160.0, 10.0)]
EYES = {'above': ((0.0, 0.0, 150.0), 0.0, 1.57), 'at one end': ((-190.0, 0.0, 12.0), 0.0, 0.05),
        'at the other': ((190.0, 10.0, 30.0), 3.1, 0.15)}


@pytest.mark.parametrize('eye', EYES)
def test_as_by_rays(drawers: Callable[[Scene], tuple[Drawer, Drawer]], eye: str) -> None:
    """
    Nearly every pixel in the shade of towers up to 350 m away is so in both renderers.

    :reference: our rays
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


def test_what_moves_far_away_has_its_shadow_still(
        drawers: Callable[[Scene], tuple[Drawer, Drawer]]) -> None:
    """
    Nor is there one where it was.

    :reference: our rays
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
    buffers = gl_thread().run(MeshBuffers, gl_thread().context, scene)
    shadows = gl_thread().run(Shadows, gl_thread(), scene, buffers, RoughMeshes(scene), 256)
    near, whole = gl_thread().run(shadows.map_for, view_from((0, 0, 1)))
    assert near is whole
    corners = np.array([(x, y, z, 1.0) for x in (-20, 20) for y in (-20, 20) for z in (0, 4)])
    seen = corners @ whole.matrix[:2].T
    assert ((seen > 0.0) & (seen < 1.0)).all()
