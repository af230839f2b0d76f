# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""OpenGL and rays show the same in every shipped world."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from small_scenes import scene_of, sheet, view_from

from mvsim_ros2 import load_world
from mvsim_ros2.scene.build import build_scene
from mvsim_ros2.scene.camera_view import CameraView
from mvsim_ros2.scene.scene import Material, Texture
from mvsim_ros2.sensors.opengl.renderer import GlRenderer
from mvsim_ros2.sensors.raycast.image.openness import OpennessCaster
from mvsim_ros2.sensors.raycast.image.ray_renderer import RayRenderer
from mvsim_ros2.sensors.raycast.ray_scene import RayScene
from mvsim_ros2.world.spec.world import WorldSpec

WORLDS = sorted((Path(__file__).resolve().parents[3] / 'worlds').glob('*.world.xml'))
BORDER = 0.001  # share of depths that may differ by more than 1 mm


def views_of(world: WorldSpec) -> list[CameraView]:
    """Return views from the first vehicle, and one from above."""
    x, y, z, yaw = 0.0, 0.0, 0.0, 0.0
    if world.vehicles:
        pose = world.vehicles[0].init_pose
        x, y, z, yaw = pose.x, pose.y, pose.z, pose.yaw
    size = {'width': 640, 'height': 480, 'fx': 500.0, 'fy': 500.0, 'cx': 320.0, 'cy': 240.0}
    return [view_from((x, y, z + 1.2), yaw, 0.1, **size),
            replace(view_from((x, y, z + 1.2), yaw + 2.1, 0.3, **size), occlusion_reach=2.0),
            view_from((x - 15, y - 12, z + 12), 0.67, 0.55, **size)]


@pytest.mark.parametrize('path', WORLDS, ids=[path.name.split('.')[0] for path in WORLDS])
def test_both_renderers_show_the_same(path: Path, gl: None) -> None:
    """
    Of each shipped world OpenGL and rays show the same things in 99.9 % of the pixels.

    :reference: each other
    """
    world = load_world(path)
    scene = build_scene(world)
    rays = RayScene(scene)
    by_rays, caster = RayRenderer(rays), OpennessCaster(rays)
    by_gl = GlRenderer(scene, openness=caster.look)
    for number, view in enumerate(views_of(world)):
        one, other = by_gl.render(view), by_rays.render(view)
        same = (one.ids == other.ids).all(axis=-1)
        both = same & (other.thing > 0)
        error = np.abs(one.depth[both] - other.depth[both])
        edges = float((error > 1e-3).mean())
        colours = np.abs(one.colour[both].astype(int) - other.colour[both]).mean()
        print(f'{path.name}, view {number}: ids equal {same.mean():.5%}, depth differs by '
              f'{1e3 * np.median(error):.5f} mm, edges {edges:.5%}, colours by {colours:.2f}')
        assert same.mean() > 0.999
        assert np.median(error) < 1e-5
        assert edges < BORDER
        assert colours < 3


def test_a_fine_texture_far_away_is_the_same(gl: None) -> None:
    """
    Tiles down to a fifth of a pixel: 0.3 % of the pixels differ by more than 20 of 255.

    :reference: each other
    """
    tiles = np.indices((512, 512)).sum(axis=0) // 8 % 2 * 255
    image = Texture(np.stack([tiles, tiles, 255 - tiles, np.full_like(tiles, 255)], axis=-1)
                    .astype(np.uint8))
    scene = scene_of([(sheet(20.0, Material((1.0, 1.0, 1.0, 1.0), image)), np.eye(4))])
    view = view_from((0.0, 0.0, 1.2), 0.1, 0.15)
    one, other = GlRenderer(scene).render(view), RayRenderer(RayScene(scene)).render(view)
    off = np.abs(one.colour.astype(int) - other.colour).max(axis=-1)
    assert (one.thing > 0).mean() > 0.5
    assert (off > 20).mean() < 0.003, 'with the nearest level alone it is 0.023'
