# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Borders of shadows in smooth images are straight, and where they belong."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
import pytest
from small_scenes import box, each_way_to_smooth, pixels_of, place, scene_of, sheet, view_from

from mvsim_ros2.scene.camera_view import CameraFrame, CameraView
from mvsim_ros2.scene.scene import Lighting, Material, Scene, Texture
from mvsim_ros2.sensors.opengl.renderer import GlRenderer
from mvsim_ros2.sensors.opengl.smoothing import Smoother
from mvsim_ros2.sensors.raycast.image import bands, ray_renderer
from mvsim_ros2.sensors.raycast.image.edges import (
    DARK_BESIDE, EACH, Edges, HALF_LIT, LIT_BESIDE, NEIGHBOURS)
from mvsim_ros2.sensors.raycast.image.ray_renderer import RayRenderer
from mvsim_ros2.sensors.raycast.ray_block import BLOCK
from mvsim_ros2.sensors.raycast.ray_scene import RayScene

Drawer = Callable[[Scene], Callable[..., CameraFrame]]
Array = NDArray[np.float64]

SUN = np.array([0.5, 0.3, 0.8])
SIZE = {'width': 640, 'height': 480, 'fx': 500.0, 'fy': 500.0, 'cx': 320.0, 'cy': 240.0}
REACH = 8.0  # px, on both sides of the border


def offsets(image: NDArray[np.uint8], ends: Array) -> Array:
    """
    Return how far a border lies from a line, at many places along it [px].

    It lies where as much of the way across is dark as it should be: the light along the way adds
    up to that of an edge at this place.

    :param ends: of the line in the image, shape (2, 2): columns and rows.
    """
    light = image.astype(float).mean(axis=2) ** 2
    along = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
    across = np.array([-along[1], along[0]])
    length = float(np.linalg.norm(ends[1] - ends[0]))
    steps = np.linspace(-REACH, REACH, 161)
    found = []
    for way in np.arange(30.0, length - 15.0, 0.5):
        places = ends[0] + way * along + steps[:, np.newaxis] * across
        column, row = np.floor(places).astype(int).T
        u, v = (places - np.floor(places)).T
        levels = ((1 - v) * ((1 - u) * light[row, column] + u * light[row, column + 1])
                  + v * ((1 - u) * light[row + 1, column] + u * light[row + 1, column + 1]))
        one, other = levels[:10].mean(), levels[-10:].mean()
        assert abs(one - other) > 0.2 * max(one, other), 'there is a border'
        share = ((levels - other) / (one - other)).mean()
        found.append((2.0 * share - 1.0) * REACH)
    return np.array(found)


def smoothed_by_rays(scene: Scene) -> tuple[RayRenderer, list[NDArray[np.uint8]], Smoother]:
    """Return a renderer by rays, the sides it smooths, and what does so."""
    by_rays = RayRenderer(RayScene(scene))
    found: list[NDArray[np.uint8]] = []

    def smooth(view: CameraView, edges: Edges, colour: NDArray[np.uint8]) -> None:
        found.append(edges.sides)
        by_rays.smooth(view, edges, colour)
    return by_rays, found, smooth


@each_way_to_smooth
@pytest.mark.parametrize('yaw', [0.0, 0.15, 0.3])
def test_the_shadow_of_a_box_has_straight_borders(
        drawer: Drawer, yaw: float, request: pytest.FixtureRequest) -> None:
    """
    Borders of shadows are straight, within 0.3 pixel by rays and 1 pixel by OpenGL.

    :reference: projection along the light
    :figure: images/sensors_edges.png
    """
    by_rays = request.node.callspec.params['drawer'] != 'gl'
    towards = SUN / np.linalg.norm(SUN)
    lighting = Lighting(towards_light=(towards[0], towards[1], towards[2]))
    tall = place((0, 0, 0.5), 1.0, yaw)
    draw = drawer(scene_of([(sheet(12.0), place((0, 0, 0))), (box(), tall)], lighting=lighting))
    view = replace(view_from((-1.5, -0.8, 4.5), pitch=1.35, roll=0.1, **SIZE),
                   antialiasing=True)
    top = (np.array([[x, y, 0.5, 1.0] for x, y in (
        (-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5))]) @ tall.T)[:, :3]
    fallen = pixels_of(view, top - top[:, 2:] / towards[2] * towards)
    image = draw(view, ('colour',)).colour
    for ends in (fallen[[0, 1]], fallen[[2, 0]]):  # of the two edges away from the sun
        away = offsets(image, ends)
        along = np.arange(len(away))
        bent = away - np.polyval(np.polyfit(along, away, 1), along)
        print(f'off by {away.mean():.2f} px, residual {np.abs(bent).max():.2f} px')
        assert np.abs(bent).max() < (0.3 if by_rays else 1.0)
        assert abs(away.mean()) < (0.1 if by_rays else 1.5)  # of maps it is a texel


@pytest.mark.parametrize('material, planes', [
    pytest.param(Material((0.7, 0.6, 0.5, 1.0)), True, id='bare'),
    pytest.param(Material((0.9, 0.8, 0.7, 1.0), Texture(np.random.default_rng(1).integers(
        180, 255, (32, 32, 4), np.uint8) | np.uint8([[[0, 0, 0, 255]]]))), True, id='textured'),
    pytest.param(Material((1.0, 1.0, 1.0, 1.0)), False, id='brighter than images can be')])
@pytest.mark.parametrize('turned', [False, True], ids=['on the ground', 'on a slope'])
def test_borders_on_planes_look_as_by_rays(
        gl_with_rays: None, material: Material, planes: bool, turned: bool) -> None:
    towards = SUN / np.linalg.norm(SUN)
    bright = {} if planes else {'light_colour': (2.0, 2.0, 2.0)}
    lighting = Lighting(towards_light=(towards[0], towards[1], towards[2]),
                        ambient_lean=(0.1, 0.05, 0.1), **bright)
    slope = place((0, 0, 0), roll=0.3 * turned, pitch=0.2 * turned)
    scene = scene_of([(sheet(12.0, material), slope), (box(), place((0, 0, 0.7), 1.0, 0.3))],
                     lighting=lighting)
    view = replace(view_from((-4.0, -1.5, 2.0), pitch=0.4, roll=0.1, **SIZE), antialiasing=True)
    by_rays, found, smooth = smoothed_by_rays(scene)
    images = [draw(view, ('colour',)).colour for draw in (
        GlRenderer(scene, smoother=smooth).render, by_rays.render)]
    half = found[0] & HALF_LIT != 0
    if not planes:
        assert not half.any()
        return
    error = np.abs(np.asarray(images[0], float) - np.asarray(images[1])).max(axis=-1)[half]
    print(f'{half.sum()} pixels, error {np.percentile(error, [50, 95, 99])}')
    assert half.sum() > 200
    assert np.percentile(error, 98) <= 2


@pytest.mark.parametrize('material', [
    pytest.param(Material((0.7, 0.6, 0.5, 1.0)), id='bare'),
    pytest.param(Material((1.0, 1.0, 1.0, 1.0)), id='as bright as images can be')])
def test_shadows_finer_than_their_map_is_are_found_by_rays_to_the_sun(
        gl_with_rays: None, material: Material) -> None:
    """Where texels are smaller than pixels one is lit and the next dark, none in between."""
    towards = SUN / np.linalg.norm(SUN)
    lighting = Lighting(towards_light=(towards[0], towards[1], towards[2]))
    posts = [(box(), place((x, y, 1.0), 2.0, 0.3 * x))
             for x in (-6.0, 0.0, 6.0) for y in (-5.0, 1.0)]
    scene = scene_of([(sheet(12.0, material), place((0, 0, 0))), *posts], lighting=lighting)
    view = replace(view_from((-22.0, -8.0, 14.0), pitch=0.55, yaw=0.3, **SIZE),
                   antialiasing=True)
    by_rays, found, smooth = smoothed_by_rays(scene)
    rough, fine = (np.asarray(draw(view, ('colour',)).colour, float) for draw in (
        GlRenderer(scene, shadow_size=4096, smoother=smooth).render, by_rays.render))
    sides = found[0]
    half = np.pad(sides & HALF_LIT != 0, 1)
    near = half[:-2, 1:-1] | half[2:, 1:-1] | half[1:-1, :-2] | half[1:-1, 2:] | half[1:-1, 1:-1]
    alone = (sides & (LIT_BESIDE | DARK_BESIDE) != 0) & (sides & (EACH | NEIGHBOURS) == 0) & ~near
    error = np.abs(rough - fine).max(axis=-1)[alone]
    print(f'{alone.sum()} pixels, error {np.percentile(error, [50, 95, 99])}')
    assert alone.sum() > 100
    assert np.percentile(error, 98) <= 2


def test_borders_longer_than_a_block_of_rays_are_smooth_all_along(
        gl_with_rays: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """One thread casts more rays to the sun than a block holds, one of thirty fewer."""
    scene = scene_of([
        (sheet(12.0), place((0, 0, 0))),
        *((box(), place((0.9 * (i % 4) - 1.4, 0.9 * (i // 4) - 1.4, 1.0), 0.4, 0.2 * i))
          for i in range(16))], lighting=Lighting(towards_light=(0.3, 0.2, 0.9)))
    view = replace(view_from((-4.0, -1.5, 2.0), pitch=0.4, roll=0.1, **SIZE), antialiasing=True)
    images, borders = [], []
    for threads in (1, 30):
        monkeypatch.setattr(ray_renderer, 'band_count', lambda: threads)
        monkeypatch.setattr(bands, 'band_count', lambda: threads)
        _, found, smooth = smoothed_by_rays(scene)
        images.append(GlRenderer(scene, smoother=smooth).render(view, ('colour',)).colour)
        borders.append((found[0] & (HALF_LIT | LIT_BESIDE | DARK_BESIDE) != 0)
                       & (found[0] & (NEIGHBOURS | EACH) == 0))
    assert 10 * BLOCK < 4 * borders[0].sum() < 35 * BLOCK  # strips have a 45th at most
    np.testing.assert_array_equal(images[0], images[1])


@pytest.mark.parametrize('antialiasing', [False, True], ids=['plain', 'smooth'])
@pytest.mark.parametrize('towards', [(0.8, 0.2, 0.6), (0.5, 0.3, 0.8)], ids=['low', 'high'])
def test_no_light_leaks_in_at_the_foot_of_walls(
        gl: None, towards: tuple[float, float, float], antialiasing: bool) -> None:
    """
    Ground behind walls of 5 to 20 cm is dark up to their foot, in a map of 8 cm a texel.

    :reference: rays towards the sun
    """
    walls = [(box(), place((1.5 * i, 2.2 * i, 1), (wide, 3.0, 2.0), 0.3))
             for i, wide in enumerate((0.05, 0.1, 0.2))]
    posts = [(box(), place((x, y, 1))) for x in (-30, 30) for y in (-30, 30)]
    scene = scene_of(
        [(sheet(60.0), place((0, 0, 0))), *walls, *posts],
        (Scene.LABELS.index('ground'), *[3] * 7), lighting=Lighting(towards_light=towards))
    view = replace(view_from((-4.0, 1.0, 3.0), pitch=0.5, **SIZE), antialiasing=antialiasing)
    drawn = [draw(view, ('colour', 'ids')) for draw in (
        GlRenderer(scene, 1024).render, RayRenderer(RayScene(scene)).render)]
    wall = np.asarray(drawn[1].ids)[..., 1] > 1
    foot = np.zeros_like(wall)
    for row in range(1, 13):
        foot[row:] |= wall[:-row]
    ours, rays = (np.asarray(frame.colour, float).mean(axis=2) for frame in drawn)
    leaks, dark = ((ours - rays) * sign > 25 for sign in (1.0, -1.0))
    foot &= ~wall
    print(f'{(leaks & foot).sum()} of {foot.sum()} pixels lit, {(dark & foot).sum()} dark')
    assert foot.sum() > 3000
    assert max((leaks & foot).sum(), (dark & foot).sum()) < 0.006 * foot.sum()
