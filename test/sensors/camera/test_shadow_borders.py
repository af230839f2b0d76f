# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Borders of shadows in smooth images are straight, and where they belong."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
import pytest
from small_scenes import Array, box, Drawer, pixels_of, place, scene_of, sheet, view_from

from mvsim_ros2.scene.scene import Lighting, Scene
from mvsim_ros2.sensors.opengl.renderer import GlRenderer
from mvsim_ros2.sensors.raycast.image.ray_renderer import RayRenderer
from mvsim_ros2.sensors.raycast.ray_scene import RayScene

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


@pytest.mark.parametrize('yaw', [0.0, 0.15, 0.3])
def test_the_shadow_of_a_box_has_straight_borders(
        drawer: Drawer, yaw: float, renderer: str) -> None:
    """
    Shadow edges are straight, within 0.3 pixel by rays and 1.8 pixels by OpenGL.

    :reference: projection along the light
    :figure: images/sensors_edges.png
    """
    by_rays = renderer == 'cpu'
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
        assert np.abs(bent).max() < (0.3 if by_rays else 1.8)
        assert abs(away.mean()) < (0.1 if by_rays else 1.5)  # a texel is 2.6


@pytest.mark.parametrize('antialiasing', [False, True], ids=['plain', 'smooth'])
@pytest.mark.parametrize('towards', [(0.8, 0.2, 0.6), (0.5, 0.3, 0.8)], ids=['low', 'high'])
def test_no_light_leaks_in_at_the_foot_of_walls(
        gl: None, towards: tuple[float, float, float], antialiasing: bool) -> None:
    """
    Ground behind walls of 5 to 20 cm is dark up to their foot, with 8 cm per texel of the map.

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
    # in no column light is next to a wall where all ground within three pixels is in the shade
    ground = np.pad(np.where(wall, 0.0, rays), 3, 'edge')
    around = np.lib.stride_tricks.sliding_window_view(ground, (7, 7)).max(axis=(2, 3))
    next_to = foot & (np.roll(wall, 1, 0) | np.roll(wall, 2, 0)) & (
        around < rays[foot].min() + 10.0)
    columns = next_to.any(axis=0)
    print(f'light in {(leaks & next_to).any(axis=0).sum()} of {columns.sum()} columns')
    assert columns.sum() > 100 and not (leaks & next_to).any()
