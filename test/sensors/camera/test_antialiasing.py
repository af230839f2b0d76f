# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Edges of colour images are smooth, by both renderers."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
import pytest
from small_scenes import box
from small_scenes import place
from small_scenes import scene_of
from small_scenes import sheet
from small_scenes import view_from

from mvsim_ros2.raycast.image.ray_renderer import RayRenderer
from mvsim_ros2.raycast.ray_scene import RayScene
from mvsim_ros2.render.renderer import GlRenderer
from mvsim_ros2.scene.camera_view import CameraFrame
from mvsim_ros2.scene.scene import Lighting
from mvsim_ros2.scene.scene import Material
from mvsim_ros2.scene.scene import Scene
from mvsim_ros2.scene.scene import Texture

Drawer = Callable[[Scene], Callable[..., CameraFrame]]

# white things in front of black
NIGHT = Lighting(sky_colour=(0.0, 0.0, 0.0), ambient_colour=(1.0, 1.0, 1.0),
                 light_colour=(0.0, 0.0, 0.0))
FACING = {'pitch': -np.pi / 2}
SMOOTH = replace(view_from((0, 0, 0)), antialiasing=True)


def white(texture: Texture | None = None) -> Material:
    """Return a material that is white in an even light."""
    return Material((1.0, 1.0, 1.0, 1.0), texture)


def test_the_area_of_a_turned_square_is_exact(drawer: Drawer) -> None:
    draw = drawer(scene_of([(sheet(0.5, white()), place((4, 0, 0), **FACING))], lighting=NIGHT))
    area = SMOOTH.fx * SMOOTH.fy / 4 ** 2
    for roll in (0.1, 0.3, 0.7):
        turned = view_from((0, 0, 0), roll=roll)
        smooth = draw(replace(turned, antialiasing=True), ('colour',)).colour.sum() / 765
        assert abs(smooth - area) < 0.0015 * area


def test_a_moving_edge_moves_the_brightness_evenly(drawer: Drawer) -> None:
    draw = drawer(scene_of([(sheet(9.0, white()), place((4, 9, 0), **FACING))], lighting=NIGHT))
    view = replace(view_from((0, 0, 0), roll=0.2), antialiasing=True)
    places = np.linspace(0, 2, 9)  # of a pixel
    sums = [draw(replace(view, cx=view.cx + part), ('colour',)).colour[100:140, :, 0].sum()
            / 255 / 40 for part in places]
    np.testing.assert_allclose(np.abs(np.diff(sums)), 0.25, atol=0.04)


def test_outlines_of_holes_are_smooth(drawer: Drawer) -> None:
    y, x = np.indices((64, 64)) - 31.5
    pixels = np.full((64, 64, 4), 255, np.uint8)
    pixels[..., 3] = np.where(np.hypot(x, y) < 20, 0, 255)
    scene = scene_of([(sheet(0.5, white(Texture(pixels))), place((2, 0, 0), **FACING))],
                     lighting=NIGHT)
    frame = drawer(scene)(SMOOTH, ('colour',))
    area = SMOOTH.fx * SMOOTH.fy / 2 ** 2
    hole = area - frame.colour[..., 0].sum() / 255
    assert hole == pytest.approx(np.pi * (20 / 64) ** 2 * area, rel=0.02)
    grey = (frame.colour[..., 0] > 20) & (frame.colour[..., 0] < 235)
    assert grey[70:170, 110:210].sum() > 150  # 239 pixels lie on the outline


def test_depths_and_ids_stay_sharp(drawer: Drawer) -> None:
    draw = drawer(scene_of([(box(), place((4, 0, 0), yaw=0.4, roll=0.3)),
                            (sheet(9.0), place((8, 0, 0), **FACING))]))
    smooth, rough = draw(SMOOTH), draw(view_from((0, 0, 0)))
    np.testing.assert_array_equal(smooth.depth, rough.depth)
    np.testing.assert_array_equal(smooth.ids, rough.ids)
    changed = (smooth.colour != rough.colour).any(axis=-1)
    assert 0.001 < changed.mean() < 0.03


def test_both_renderers_smooth_alike(gl: None) -> None:
    scene = scene_of([(box(), place((4, 0, 0), yaw=0.4, roll=0.3)),
                      (box(), place((3, 1, 0.3), 0.4, 0.2, 0.1)), (sheet(9.0), place((0, 0, -1)))])
    images: list[NDArray[np.int64]] = [
        renderer.render(SMOOTH, ('colour',)).colour.astype(int)  # type: ignore[union-attr]
        for renderer in (GlRenderer(scene), RayRenderer(RayScene(scene)))]
    error = np.abs(images[0] - images[1]).max(axis=-1)
    assert (error > 24).mean() < 0.002 and error.mean() < 1.0
