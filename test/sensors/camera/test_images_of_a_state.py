# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""An image shows a state, whatever was before, and by both renderers the same."""

from dataclasses import replace
from pathlib import Path
import pickle
from typing import Any

from making import simulate
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray
import pytest
from small_scenes import box, Drawers, place, scene_of, sheet, view_from

from mvsim_ros2 import load_world, Pose, Simulation
from mvsim_ros2.scene.build import build_scene
from mvsim_ros2.scene.camera_view import CameraView
from mvsim_ros2.scene.scene import Material, Texture
from mvsim_ros2.sensors.opengl.renderer import GlRenderer
from mvsim_ros2.world.spec.world import WorldSpec

CAMERA = """
    <sensor class="camera" name="{name}"> <pose_3d>-4 1 3 0 25 0</pose_3d>
      <ncols>240</ncols> <nrows>180</nrows> <fx>180</fx> <fy>180</fy> <cx>120</cx> <cy>90</cy>
      <renderer>{renderer}</renderer> {more} <sensor_period>0.1</sensor_period> </sensor>
"""
RADAR = """
    <sensor class="radar" name="radar"> <pose_3d>2.2 0 0.6 0 0 0</pose_3d>
      <sensor_period>0.1</sensor_period> </sensor>
"""
SWEEP = """
    <sensor class="lidar3d" name="sweep"> <rolling>true</rolling> <horz_nrays>16</horz_nrays>
      <sensor_period>0.1</sensor_period> </sensor>
"""
WORLD = """
  <vehicle name="a"> <init_pose>0 0 10</init_pose>
    <dynamics class="differential"> <chassis mass="15" zmin="0.05" zmax="0.6"/> </dynamics>
    {sensors}
  </vehicle>
  <block name="crate"> <init_pose>5 2 40</init_pose> <zmax>1.5</zmax> </block>
  <block name="door"> <init_pose>6 -1 0</init_pose>
    <animation> <time_pose>0 0 0 0</time_pose> <time_pose>3 1 2 90</time_pose> </animation>
  </block>
  <actor name="walker"> <init_pose>4 -2 30</init_pose> </actor>
  {more}
"""
GROUND = """
  <element class="horizontal_plane"> <x_min>-50</x_min> <x_max>50</x_max> <y_min>-50</y_min>
    <y_max>50</y_max> </element>
"""


def simulation(sensors: str, more: str = GROUND) -> Simulation:
    """Return a simulation without noise."""
    found = simulate(WORLD.format(sensors=sensors, more=more), seed=1)
    found.set_noise(False)
    return found


def told(measured: Any) -> list[NDArray[Any]]:
    """Return the arrays of a measurement."""
    return [values for values in vars(measured).values() if isinstance(values, np.ndarray)]


@pytest.mark.parametrize('name, more', [
    ('plain', ''), ('smooth', '<antialiasing>true</antialiasing>'),
    ('open', '<ambient_occlusion>0.7</ambient_occlusion>')])
def test_images_of_a_restored_state(name: str, more: str, renderer: str) -> None:
    sensors = CAMERA.format(name='eye', renderer=renderer, more=more) + RADAR
    first = simulation(sensors)
    first.measure('a/eye')
    first.set_pose('a', Pose(13.37, -7.31, 0.0, 2.5))
    first.set_pose('crate', Pose(9.13, -4.21, 0.0, 0.3))
    first.run(1.0)
    other = simulation(sensors)
    other.restore(pickle.loads(pickle.dumps(first.snapshot())))
    for sensor in ('a/eye', 'a/radar'):
        for here, there in zip(told(first.measure(sensor)), told(other.measure(sensor)),
                               strict=True):
            assert here.tobytes() == there.tobytes()


def test_what_a_sweep_leaves_behind_changes_nothing() -> None:
    movers = ''.join(f"""
  <block name="b{i}"> <init_pose>{9 + 4 * i} {2 * (i % 7) - 6} {31 * i}</init_pose> <zmax>2</zmax>
    <animation> <time_pose>0 0 0 0</time_pose> <time_pose>1 2.3 1.7 77</time_pose> </animation>
  </block>
""" for i in range(20))
    found = []
    for sensors in (RADAR, SWEEP + RADAR):
        run = simulation(sensors, movers)
        found.append([told(each) for each in run.step(round(1.0 / run.dt))
                      if each.sensor == 'a/radar'])
    assert len(found[0]) == len(found[1]) == 10
    for here, there in zip(*found, strict=True):
        for one, same in zip(here, there, strict=True):
            assert one.tobytes() == same.tobytes()


def test_shadows_do_not_depend_on_when_a_scene_is_loaded(gl: None) -> None:
    images = []
    for late in (False, True):
        scene = scene_of([(sheet(20.0), place((0.0, 0.0, 0.0))), (box(), place((2.0, 0.0, 0.5)))],
                         labels=(1, 3), moving=(1,))
        if late:
            scene.transform[1] = place((6.23, 1.57, 0.5), yaw=0.4)
        renderer = GlRenderer(scene)
        renderer.render(view_from((0.0, 0.0, 2.0), pitch=0.4))
        scene.transform[1] = place((6.23, 1.57, 0.5), yaw=0.4)
        images.append(renderer.render(view_from((0.0, 0.0, 2.0), pitch=0.3)).colour)
    assert images[0] is not None and images[1] is not None
    assert images[0].tobytes() == images[1].tobytes()


def test_where_textures_lie_in_memory_changes_nothing(gl: None) -> None:
    colours = np.full((2, 2, 4), 255, np.uint8), np.full((2, 2, 4), 255, np.uint8)
    colours[0][..., 0] = colours[1][..., 1] = 0
    images = []
    for lower in (0, 1):  # which of the two coincident squares has the lower address
        pair = sorted((Texture(colours[0]), Texture(colours[1])), key=id)
        textures = pair[lower], pair[1 - lower]
        for texture, colour in zip(textures, colours, strict=True):
            object.__setattr__(texture, 'pixels', colour)
        scene = scene_of([(sheet(2.0, Material((1.0, 1.0, 1.0, 1.0), texture=texture)),
                           place((4.0, 0.0, 0.0), pitch=-np.pi / 2)) for texture in textures])
        images.append(GlRenderer(scene).render(view_from((0.0, 0.0, 0.0))).colour)
    assert images[0] is not None and images[1] is not None
    assert images[0].tobytes() == images[1].tobytes()


WORLDS = sorted((Path(__file__).resolve().parents[3] / 'worlds').glob('*.world.xml'))
BORDER = 0.0001  # share of depths that may differ by more than 1 mm from all around


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
def test_both_renderers_show_the_same(path: Path, drawers: Drawers) -> None:
    """
    In every shipped world, OpenGL and rays show the same objects in 99.9 % of the pixels.

    :reference: each other
    """
    world = load_world(path)
    renderers = drawers(build_scene(world))
    for number, view in enumerate(views_of(world)):
        one, other = (draw(view) for draw in renderers)
        same = (one.ids == other.ids).all(axis=-1)
        both = same & (other.thing > 0)
        error = np.abs(one.depth[both] - other.depth[both])
        # at an edge, such as of a leaf, a pixel may see what the next one sees
        around = sliding_window_view(np.pad(other.depth, 1, 'edge'), (3, 3))[both]
        between = ((one.depth[both] > around.min(axis=(1, 2)) - 1e-3)
                   & (one.depth[both] < around.max(axis=(1, 2)) + 1e-3))
        edges = float((~between).mean())
        colours = np.abs(one.colour[both].astype(int) - other.colour[both]).mean()
        print(f'{path.name}, view {number}: ids equal {same.mean():.5%}, depth differs by '
              f'{1e3 * np.median(error):.5f} mm, edges {edges:.5%}, colours by {colours:.2f}')
        assert same.mean() > 0.999
        assert np.median(error) < 1e-5
        assert edges < BORDER
        assert colours < 3


def test_a_fine_texture_far_away_is_the_same(drawers: Drawers) -> None:
    """
    With tiles as small as a fifth of a pixel, 0.3 % of the pixels differ by more than 20 of 255.

    :reference: each other
    """
    tiles = np.indices((512, 512)).sum(axis=0) // 8 % 2 * 255
    image = Texture(np.stack([tiles, tiles, 255 - tiles, np.full_like(tiles, 255)], axis=-1)
                    .astype(np.uint8))
    scene = scene_of([(sheet(20.0, Material((1.0, 1.0, 1.0, 1.0), image)), np.eye(4))])
    one, other = (draw(view_from((0.0, 0.0, 1.2), 0.1, 0.15)) for draw in drawers(scene))
    off = np.abs(one.colour.astype(int) - other.colour).max(axis=-1)
    assert (one.thing > 0).mean() > 0.5
    assert (off > 20).mean() < 0.003, 'with the nearest level alone it is 0.023'
