# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Shadows of the sun fall everywhere in wide worlds, from wherever one looks."""

from collections.abc import Callable

import numpy as np
import pytest
from small_scenes import box
from small_scenes import place
from small_scenes import scene_of
from small_scenes import sheet
from small_scenes import view_from

from mvsim_ros2.scene.camera_view import CameraFrame
from mvsim_ros2.scene.scene import Lighting
from mvsim_ros2.scene.scene import Scene

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
