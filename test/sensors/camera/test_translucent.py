# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Cameras and what is neither opaque nor invisible, by both renderers."""

from collections.abc import Callable

import numpy as np
import pytest
from small_scenes import box, pixels_of, place, scene_of, sheet, view_from

from mvsim_ros2.scene.camera_view import CameraFrame
from mvsim_ros2.scene.scene import Lighting, Material, Scene, Texture

Drawer = Callable[[Scene], Callable[..., CameraFrame]]

EVEN = Lighting(ambient_colour=(1.0, 1.0, 1.0), light_colour=(0.0, 0.0, 0.0))
RED, WHITE = (1.0, 0.0, 0.0), (1.0, 1.0, 1.0)
FACING = {'pitch': -np.pi / 2}  # turns a sheet towards the camera


@pytest.mark.parametrize('alpha', [0.2, 0.5, 0.8])
def test_panes_are_blended_and_have_a_depth_from_one_half_on(drawer: Drawer,
                                                             alpha: float) -> None:
    wall = sheet(9.0, Material((*WHITE, 1.0)))
    red, blue = (sheet(2.0, Material((*colour, alpha))) for colour in (RED, (0.0, 0.0, 1.0)))
    # in the order of the scene the near one is first
    frame = drawer(scene_of([(red, place((3, 0, 0), **FACING)), (blue, place((4, 0, 0), **FACING)),
                             (wall, place((6, 0, 0), **FACING))], lighting=EVEN))(
        view_from((0, 0, 0)))
    expected = alpha * np.array(RED) + (1 - alpha) * (
        alpha * np.array([0.0, 0.0, 1.0]) + (1 - alpha) * np.array(WHITE))
    np.testing.assert_allclose(frame.colour[120, 160], 255 * expected, atol=1.6)
    assert frame.thing[120, 160] == (1 if alpha >= 0.5 else 3)
    assert frame.depth[120, 160] == pytest.approx(3.0 if alpha >= 0.5 else 6.0, abs=1e-4)
    sky = drawer(scene_of([(red, place((3, 0, 0), **FACING))], lighting=EVEN))(
        view_from((0, 0, 0)), ('colour',)).colour[120, 160]
    np.testing.assert_allclose(
        sky, 255 * (alpha * np.array(RED) + (1 - alpha) * np.array(EVEN.sky_colour)), atol=1.6)


def test_both_faces_of_a_translucent_solid_count(drawer: Drawer) -> None:
    glass = box(Material((*RED, 0.3)))
    wall = sheet(9.0, Material((*WHITE, 1.0)))
    frame = drawer(scene_of([(glass, place((3, 0, 0), yaw=0.4)),
                             (wall, place((6, 0, 0), **FACING))], lighting=EVEN))(
        view_from((0, 0, 0)))
    np.testing.assert_allclose(frame.colour[120, 160], [255, 255 * 0.49, 255 * 0.49], atol=1.6)


def test_light_passes_what_has_no_depth_and_holes(drawer: Drawer) -> None:
    pixels = np.full((4, 4, 4), 255, np.uint8)
    pixels[:, :2, 3] = 0
    sun = Lighting(towards_light=(0.0, 0.0, 1.0))
    roofs = [(sheet(1.0, Material((*WHITE, alpha))), place((0, y, 2)))
             for alpha, y in ((0.3, -3.0), (0.7, 0.0))]
    cut = sheet(1.0, Material(texture=Texture(pixels)))
    view = view_from((-7, 0.4, 1.2), pitch=0.15)
    frame = drawer(scene_of([(sheet(9.0), np.eye(4)), *roofs, (cut, place((0, 3, 2)))],
                            labels=(1, 3, 3, 3), lighting=sun))(view)
    places = [(0, -2.3, 0), (0, 0.4, 0), (-0.5, 2.5, 0), (0.5, 2.5, 0), (-1.4, 0.4, 0)]
    thin, thick, hole, solid, free = (
        int(frame.colour[v, u].sum()) for u, v in np.rint(pixels_of(view, places)).astype(int))
    assert thin == hole == free and thick == solid < 0.8 * free
