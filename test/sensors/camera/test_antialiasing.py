# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Edges of colour images are smooth, by both renderers."""

from collections.abc import Callable
from dataclasses import replace
import os
from pathlib import Path
from queue import SimpleQueue
import subprocess
import sys

import numpy as np
import pytest
from small_scenes import box, each_way_to_smooth, place, scene_of, sheet, view_from

from mvsim_ros2.scene.camera_view import CameraFrame, CameraView
from mvsim_ros2.scene.scene import Lighting, Material, Scene, Texture
from mvsim_ros2.sensors.opengl.context import gl_thread
from mvsim_ros2.sensors.opengl.renderer import GlRenderer
from mvsim_ros2.sensors.raycast.image.edges import (
    EACH, in_tiles, LEFT, RAY, rays_within, RIGHT, SAMPLES, SOME_RAYS, take_means)
from mvsim_ros2.sensors.raycast.image.ray_renderer import pinhole_rays, RayRenderer
from mvsim_ros2.sensors.raycast.image.sample_looks import tell_samples
from mvsim_ros2.sensors.raycast.ray_scene import RayScene

Drawer = Callable[[Scene], Callable[..., CameraFrame]]

# white things in front of black
NIGHT = Lighting(sky_colour=(0.0, 0.0, 0.0), ambient_colour=(1.0, 1.0, 1.0),
                 light_colour=(0.0, 0.0, 0.0))
NO_LINES = np.zeros((0, 2, 2), np.int32), np.zeros((0, 3))
FACING = {'pitch': -np.pi / 2}
SMOOTH = replace(view_from((0, 0, 0)), antialiasing=True)


def white(texture: Texture | None = None) -> Material:
    """Return a material that is white in an even light."""
    return Material((1.0, 1.0, 1.0, 1.0), texture)


@each_way_to_smooth
def test_the_area_of_a_turned_square_is_exact(drawer: Drawer) -> None:
    draw = drawer(scene_of([(sheet(0.5, white()), place((4, 0, 0), **FACING))], lighting=NIGHT))
    area = SMOOTH.fx * SMOOTH.fy / 4 ** 2
    for roll in (0.1, 0.3, 0.7):
        turned = view_from((0, 0, 0), roll=roll)
        smooth = draw(replace(turned, antialiasing=True), ('colour',)).colour.sum() / 765
        assert abs(smooth - area) < 0.0015 * area


@each_way_to_smooth
def test_a_moving_edge_moves_the_brightness_evenly(drawer: Drawer) -> None:
    draw = drawer(scene_of([(sheet(9.0, white()), place((4, 9, 0), **FACING))], lighting=NIGHT))
    view = replace(view_from((0, 0, 0), roll=0.2), antialiasing=True)
    places = np.linspace(0, 2, 9)  # of a pixel
    sums = [draw(replace(view, cx=view.cx + part), ('colour',)).colour[100:140, :, 0].sum()
            / 255 / 40 for part in places]
    np.testing.assert_allclose(np.abs(np.diff(sums)), 0.25, atol=0.04)


@each_way_to_smooth
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


@each_way_to_smooth
def test_depths_and_ids_stay_sharp(drawer: Drawer) -> None:
    draw = drawer(scene_of([(box(), place((4, 0, 0), yaw=0.4, roll=0.3)),
                            (sheet(9.0), place((8, 0, 0), **FACING))]))
    smooth, rough = draw(SMOOTH), draw(view_from((0, 0, 0)))
    np.testing.assert_array_equal(smooth.depth, rough.depth)
    np.testing.assert_array_equal(smooth.ids, rough.ids)
    changed = (smooth.colour != rough.colour).any(axis=-1)
    assert 0.001 < changed.mean() < 0.03


@pytest.mark.parametrize('smoothed, unlike', [
    pytest.param(False, 0.002, id='samples'), pytest.param(True, 0.0002, id='rays')])
def test_both_renderers_smooth_alike(
        gl_with_rays: None, smoothed: bool, unlike: float) -> None:
    scene = scene_of([(box(), place((4, 0, 0), yaw=0.4, roll=0.3)),
                      (box(), place((3, 1, 0.3), 0.4, 0.2, 0.1)), (sheet(9.0), place((0, 0, -1)))])
    by_rays = RayRenderer(RayScene(scene))
    by_gl = GlRenderer(scene, smoother=by_rays.smooth if smoothed else None)
    one, other = (renderer.render(SMOOTH, ('colour',)).colour for renderer in (by_gl, by_rays))
    assert one is not None and other is not None
    error = np.abs(one.astype(int) - other).max(axis=-1)
    assert (error > 24).mean() < unlike and error.mean() < 1.0


@pytest.mark.parametrize('alike', ['faces', 'one behind the other', 'colours of a plane'])
def test_edges_within_a_thing_are_smooth(gl_with_rays: None, alike: str) -> None:
    red, blue = Material((0.9, 0.1, 0.1, 1.0)), Material((0.1, 0.1, 0.9, 1.0))
    scene = scene_of({
        'faces': [(box(), place((3, 0, 0), yaw=0.7, roll=0.1))],
        'one behind the other': [(sheet(0.5), place((2, 0, 0), roll=0.4, **FACING)),
                                 (sheet(9.0), place((0, 0, -1)))],
        'colours of a plane': [(sheet(0.5, red), place((2, -0.3, -0.4), **FACING)),
                               (sheet(5.0, blue), place((2.0001, 0, 0), **FACING))],
    }[alike], lighting=Lighting(towards_light=(-0.8, -0.3, 0.5)))
    scene.thing[:] = 1
    by_rays = RayRenderer(RayScene(scene))
    by_gl = GlRenderer(scene, smoother=by_rays.smooth)
    smooth, rough, wanted = (each.colour for each in (
        by_gl.render(SMOOTH, ('colour',)), by_gl.render(replace(SMOOTH, antialiasing=False)),
        by_rays.render(SMOOTH, ('colour',))))
    assert smooth is not None and rough is not None and wanted is not None
    off, before = (np.abs(each.astype(int) - wanted).max(axis=-1) > 8 for each in (smooth, rough))
    assert before.sum() > 50 and off.sum() < 0.02 * before.sum()


def test_rays_are_cast_on_the_side_of_the_edge_alone() -> None:
    directions = pinhole_rays(8, 6, 10.0, 10.0, 3.5, 2.5)
    sides = np.zeros((6, 8), np.uint8)
    sides[:, 3], sides[:, 4], sides[5, 7] = RIGHT, LEFT, EACH
    on_edges = np.flatnonzero(sides).astype(np.int32)
    looks = np.empty(len(on_edges), np.uint16)
    count = tell_samples(sides, on_edges, 0, 0, *NO_LINES, SAMPLES, looks)
    chosen, firsts = np.empty((2, len(looks)), np.int32)
    assert in_tiles(on_edges, looks, 8, firsts, np.zeros(2, np.int64), chosen) == len(chosen)
    rays, pixels = np.empty((count, 3)), np.empty(count, np.int64)
    lens = np.array([10.0, 10.0, 3.5, 2.5])
    rays_within(
        directions, lens, (6, 8), on_edges, looks, chosen, SAMPLES, rays, pixels, firsts)
    places = 10.0 * rays[:, :2] + (3.5, 2.5)
    np.testing.assert_array_equal(np.bincount(pixels, minlength=48).reshape(6, 8),
                                  2 * (sides > 0) + 2 * (sides == EACH))
    row, column = np.divmod(pixels, 8)
    offset = places - np.stack([column, row], axis=-1)
    assert (offset[column == 3, 0] > 0).all() and (offset[column == 4, 0] < 0).all()
    assert np.abs(offset).max() == pytest.approx(0.375)
    colour = np.full((48, 3), 100, np.uint8)
    take_means(np.full((count, 3), 200, np.uint8), firsts, on_edges, looks, 8, colour.copy(),
               colour)
    np.testing.assert_array_equal(
        colour[:, 0].reshape(6, 8), 100 + 50 * (sides > 0) + 50 * (sides == EACH))


def test_rays_of_a_pinhole_camera_need_no_table_of_directions() -> None:
    """To the bit, at the borders of the image too."""
    lens = np.array([13.7, 11.3, 3.3, 2.9])
    pixels = np.arange(48, dtype=np.int32)
    looks = np.full(48, RAY * 0x1111 | SOME_RAYS, np.uint16)
    found = []
    for directions in pinhole_rays(8, 6, *lens), np.zeros((0, 0, 3)):
        rays, numbers = np.empty((192, 3)), np.empty(192, np.int64)
        rays_within(directions, lens, (6, 8), pixels, looks, pixels, SAMPLES, rays, numbers,
                    np.empty(48, np.int32))
        np.testing.assert_array_equal(numbers, np.repeat(pixels, 4))
        found.append(rays)
    np.testing.assert_array_equal(*found)
    middle = 8 * 2 + 3
    np.testing.assert_allclose(
        found[0][4 * middle:4 * middle + 4, :2],
        (np.array([3, 2]) + SAMPLES - lens[2:]) / lens[:2], rtol=1e-12)


def test_panes_have_smooth_outlines(gl_with_rays: None) -> None:
    pane = sheet(0.5, Material((0.9, 0.2, 0.1, 0.3)))
    scene = scene_of([(pane, place((2, 0, 0), roll=0.3, **FACING)),
                      (box(), place((5, 0.4, 0), yaw=1.0)), (sheet(9.0), place((0, 0, -1)))])
    by_rays = RayRenderer(RayScene(scene))
    one = GlRenderer(scene, smoother=by_rays.smooth).render(SMOOTH, ('colour',)).colour
    other = by_rays.render(SMOOTH, ('colour',)).colour
    assert one is not None and other is not None
    assert (np.abs(one.astype(int) - other).max(axis=-1) > 24).mean() < 0.0002


@pytest.mark.parametrize('backend, shadows, by_rays', [
    ('embree', True, True), ('embree', False, True), ('bvh', True, False)])
def test_rays_smooth_where_they_are_faster(
        gl_with_rays: None, monkeypatch: pytest.MonkeyPatch, backend: str, shadows: bool,
        by_rays: bool) -> None:
    monkeypatch.setenv('MVSIM_ROS2_RAYCASTER', backend)
    scene = scene_of([(box(), place((4, 0, 0), yaw=0.4))], lighting=Lighting(shadows=shadows))
    asked = []
    renderer = GlRenderer(
        scene, smoother=lambda view, edges, colour: asked.append(edges.sides.any()))
    renderer.render(SMOOTH)
    assert asked == [True] * by_rays


def test_edges_are_smoothed_when_who_asked_is_ready(gl_with_rays: None) -> None:
    """What it does meanwhile is done before, though it is drawn at the same time."""
    done: list[str] = []
    drawn = SimpleQueue[None]()

    def meanwhile(view: CameraView) -> None:
        gl_thread().start(drawn.put, None)  # comes after the image
        done.append('meanwhile')
        if fault:
            raise fault

    fault: ValueError | None = None
    renderer = GlRenderer(scene_of([(box(), place((4, 0, 0), yaw=0.4))]), meanwhile=meanwhile,
                          smoother=lambda view, edges, colour: done.append('smooth'))
    renderer.render(SMOOTH)
    drawn.get(timeout=60.0)
    assert done == ['meanwhile', 'smooth']
    fault = ValueError('of who asked')
    with pytest.raises(ValueError, match='of who asked'):
        renderer.render(SMOOTH)
    assert done[2:] == ['meanwhile', 'smooth']  # nobody draws any more
    drawn.get(timeout=60.0)  # the thread does not wait for ever


SMOOTHED = """
import hashlib, sys
from dataclasses import replace
import os
from pathlib import Path
import subprocess
import sys
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
