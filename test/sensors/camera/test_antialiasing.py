# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Edges of colour images are smooth, and translucent things show what is behind them."""

from dataclasses import replace
import os
from pathlib import Path
import subprocess
import sys

import numpy as np
import pytest
from small_scenes import (
    box, Drawer, Drawers, pixels_of, place, scene_of, sheet, view_from)

from mvsim_ros2.scene.scene import Lighting, Material, Texture

# white things in front of black
NIGHT = Lighting(sky_colour=(0.0, 0.0, 0.0), ambient_colour=(1.0, 1.0, 1.0),
                 light_colour=(0.0, 0.0, 0.0))
FACING = {'pitch': -np.pi / 2}  # turns a sheet towards the camera
SMOOTH = replace(view_from((0, 0, 0)), antialiasing=True)
RED, WHITE = (1.0, 0.0, 0.0), (1.0, 1.0, 1.0)
PAPER = Material((*WHITE, 1.0))


def test_the_area_of_a_turned_square_is_exact(drawer: Drawer) -> None:
    draw = drawer(scene_of([(sheet(0.5, PAPER), place((4, 0, 0), **FACING))], lighting=NIGHT))
    area = SMOOTH.fx * SMOOTH.fy / 4 ** 2
    for roll in (0.1, 0.3, 0.7):
        turned = view_from((0, 0, 0), roll=roll)
        smooth = draw(replace(turned, antialiasing=True), ('colour',)).colour.sum() / 765
        assert abs(smooth - area) < 0.0015 * area


def test_a_moving_edge_moves_the_brightness_evenly(drawer: Drawer) -> None:
    draw = drawer(scene_of([(sheet(9.0, PAPER), place((4, 9, 0), **FACING))], lighting=NIGHT))
    view = replace(view_from((0, 0, 0), roll=0.2), antialiasing=True)
    places = np.linspace(0, 2, 9)  # of a pixel
    sums = [draw(replace(view, cx=view.cx + part), ('colour',)).colour[100:140, :, 0].sum()
            / 255 / 40 for part in places]
    np.testing.assert_allclose(np.abs(np.diff(sums)), 0.25, atol=0.04)


def test_outlines_of_holes_are_smooth(drawer: Drawer) -> None:
    y, x = np.indices((64, 64)) - 31.5
    pixels = np.full((64, 64, 4), 255, np.uint8)
    pixels[..., 3] = np.where(np.hypot(x, y) < 20, 0, 255)
    scene = scene_of([(sheet(0.5, replace(PAPER, texture=Texture(pixels))),
                       place((2, 0, 0), **FACING))], lighting=NIGHT)
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


@pytest.mark.parametrize('things', ['boxes', 'faces', 'one behind the other', 'pane'])
def test_both_renderers_smooth_the_same_edges(drawers: Drawers, things: str) -> None:
    """Both take samples at the same places, so that their images differ in few pixels."""
    ground = sheet(9.0), place((0, 0, -1))
    pane = sheet(0.5, Material((0.9, 0.2, 0.1, 0.3)))
    scene = scene_of({
        'boxes': [(box(), place((4, 0, 0), yaw=0.4, roll=0.3)),
                  (box(), place((3, 1, 0.3), 0.4, 0.2, 0.1)), ground],
        'faces': [(box(), place((3, 0, 0), yaw=0.7, roll=0.1))],
        'one behind the other': [(sheet(0.5), place((2, 0, 0), roll=0.4, **FACING)), ground],
        'pane': [(pane, place((2, 0, 0), roll=0.3, **FACING)),
                 (box(), place((5, 0.4, 0), yaw=1.0)), ground],
    }[things], lighting=Lighting(towards_light=(-0.8, -0.3, 0.5), shadows=False))
    one, other = (draw(SMOOTH, ('colour',)).colour.astype(float) for draw in drawers(scene))
    error = np.abs(one - other).max(axis=-1)
    assert (error > 8).mean() < 0.002 and error.mean() < 1.0


@pytest.mark.parametrize('width', [0.15, 0.4, 0.8])
def test_what_is_narrower_than_a_pixel_keeps_its_share(drawer: Drawer, width: float) -> None:
    """
    Ten white poles narrower than a pixel have the brightness of their total width.

    :reference: the width of the poles in the image
    """
    far, count = 4.0, 10
    size = 3.0, width * far / SMOOTH.fx, 1.0
    poles = [(sheet(0.5, PAPER), place((far, 0.2137 * (i - 4.5), 0), size, **FACING))
             for i in range(count)]
    view = replace(SMOOTH, pose=view_from((0, 0, 0), roll=0.05).pose)
    image = drawer(scene_of(poles, lighting=NIGHT))(view, ('colour',)).colour
    shares = image[100:140, :, 0].sum(axis=1) / 255 / count
    assert shares.mean() == pytest.approx(width, abs=0.02)


SMOOTHED = """
import hashlib, sys
from dataclasses import replace
sys.path.insert(0, sys.argv[1])
from small_scenes import box, place, scene_of, sheet, view_from
from mvsim_ros2.jit.kernel import use_machine_code
from mvsim_ros2.sensors.raycast.image.ray_renderer import RayRenderer
from mvsim_ros2.sensors.raycast.ray_scene import RayScene
compiled = use_machine_code()
scene = scene_of([(box(), place((4, 0, 0), yaw=0.4, roll=0.3)), (sheet(9.0), place((0, 0, -1)))])
view = replace(view_from((0, 0, 0)), width=32, height=24, fx=25.0, fy=24.0, cx=15.5, cy=11.5)
images = [RayRenderer(RayScene(scene)).render(replace(view, antialiasing=smooth)).colour
          for smooth in (False, True)]
print(compiled, (images[0] != images[1]).any(), hashlib.md5(images[1].tobytes()).hexdigest())
"""


def test_without_machine_code_edges_are_smooth_to_the_same_bits() -> None:
    pytest.importorskip('numba')
    found = [subprocess.run(
        [sys.executable, '-c', SMOOTHED, str(Path(__file__).parent)], stdout=subprocess.PIPE,
        env=os.environ | {'NUMBA_DISABLE_JIT': off}, text=True, check=True).stdout.split()
        for off in ('0', '1')]
    assert [compiled for compiled, _, _ in found] == ['True', 'False']
    assert found[0][1:] == found[1][1:] and found[0][1] == 'True'


EVEN = Lighting(ambient_colour=(1.0, 1.0, 1.0), light_colour=(0.0, 0.0, 0.0))
WALL = sheet(9.0, PAPER), place((6, 0, 0), **FACING)


@pytest.mark.parametrize('alpha', [0.2, 0.5, 0.8])
def test_panes_are_blended_and_have_a_depth_from_one_half_on(drawer: Drawer,
                                                             alpha: float) -> None:
    red, blue = (sheet(2.0, Material((*colour, alpha))) for colour in (RED, (0.0, 0.0, 1.0)))
    # in the order of the scene the near one is first
    frame = drawer(scene_of([(red, place((3, 0, 0), **FACING)), (blue, place((4, 0, 0), **FACING)),
                             WALL], lighting=EVEN))(view_from((0, 0, 0)))
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
    glass = box(Material((*RED, 0.3))), place((3, 0, 0), yaw=0.4)
    frame = drawer(scene_of([glass, WALL], lighting=EVEN))(view_from((0, 0, 0)))
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
