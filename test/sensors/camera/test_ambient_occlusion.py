# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Things nearby take ambient light from surfaces: as closed forms say, in both renderers."""

from dataclasses import replace

from making import simulate
import numpy as np
from numpy.typing import NDArray
import pytest
from small_scenes import (
    Array, box, Drawer, Drawers, looks_of, place, scene_of, sheet, view_from)

from mvsim_ros2.scene.camera_view import CameraView
from mvsim_ros2.scene.scene import Lighting, Material
from mvsim_ros2.sensors.observations import Observation

AMBIENT = 0.8
EVEN = Lighting(light_colour=(0.0, 0.0, 0.0), ambient_colour=(AMBIENT,) * 3,
                ambient_lean=(0.0, 0.0, 0.0), shadows=False)
WHITE = Material((1.0, 1.0, 1.0, 1.0))
SIZE = {'width': 640, 'height': 480, 'fx': 500.0, 'fy': 500.0, 'cx': 319.5, 'cy': 239.5}


def openness(image: NDArray[np.uint8]) -> Array:
    """Return the share of the ambient light in pixels of white things."""
    return (image[..., 0] / 255.0) ** 2 / AMBIENT


def beside_a_wall(away: Array, reach: float) -> Array:
    """
    Return how open a plane is at a distance from a high wall that stands on it.

    Seen along the normal, the directions that are weighted by the cosine fill a circle evenly;
    those that meet the wall within `reach` are a segment of it.
    """
    nearest = np.minimum(away / reach, 1.0)
    segment = np.arccos(nearest) - nearest * np.sqrt(1.0 - nearest ** 2)
    return np.asarray(1.0 - segment / np.pi)


def on_the_ground(view: CameraView) -> Array:
    """Return where the pixels look at the ground, shape (height, width, 2) [m]."""
    looks = looks_of(view)
    far = -view.pose[2, 3] / np.minimum(looks[..., 2], -1e-9)
    return np.asarray(view.pose[:2, 3] + far[..., np.newaxis] * looks[..., :2])


@pytest.mark.parametrize('smooth', [False, True])
@pytest.mark.parametrize('reach', [0.7, 1.5])
def test_ground_beside_a_wall_is_as_open_as_a_circle_without_a_segment(
        drawer: Drawer, reach: float, smooth: bool) -> None:
    wall = place((4.5, 0, 2), (1.0, 12.0, 4.0))
    draw = drawer(scene_of([(sheet(12.0, WHITE), place((0, 0, 0))), (box(WHITE), wall)],
                           lighting=EVEN))
    view = replace(view_from((1.5, 0.3, 1.6), 0.2, 0.7, **SIZE), occlusion_reach=reach,
                   antialiasing=smooth)
    frame = draw(view)
    places = on_the_ground(view)
    seen = (frame.thing == 1) & (np.abs(places[..., 1]) < 3.0) & (places[..., 0] < 3.98)
    away = 4.0 - places[seen][:, 0]
    error = openness(frame.colour)[seen] - beside_a_wall(away, reach)
    beyond = away > 1.05 * reach
    assert seen.sum() > 30000 and (away < 0.1).any() and beyond.any()
    print(f'mean {error.mean():.4f}, rms {error.std():.4f}, worst {np.abs(error).max():.4f}')
    assert abs(error.mean()) < 0.005 and error.std() < 0.02 and np.abs(error).max() < 0.09
    assert np.abs(error[beyond]).max() < 0.01, 'open ground has all of its light'
    on_wall = openness(frame.colour)[(frame.thing == 2) & (frame.depth < 4.0)]
    assert on_wall.min() < 0.6, 'the ground takes light from the foot of the wall as well'


def test_both_renderers_and_what_moves(drawers: Drawers) -> None:
    glass = Material((0.4, 0.6, 1.0, 0.4))
    scene = scene_of([
        (sheet(12.0), place((0, 0, 0))), (box(), place((3, 0, 0.5), 1.0, 0.4)),
        (box(), place((3.6, 1.2, 0.6), 1.2, 0.1, 0.2)), (box(glass), place((2, -0.7, 0.42), 0.8))],
        moving=(1,), lighting=Lighting(shadows=False))  # whose borders differ anyway
    both = drawers(scene)
    for smooth in (False, True):
        for eye in ((0.0, 0.0, 1.5), (0.2, 0.4, 2.5)):
            view = replace(view_from(eye, 0.1, 0.4, 0.1), occlusion_reach=1.0,
                           antialiasing=smooth)
            one, other = (draw(view, ('colour',)).colour.astype(int) for draw in both)
            apart = np.abs(one - other).max(axis=2)
            assert (apart > 6).mean() < 0.01 and apart.mean() < 1.0
            plain = both[0](replace(view, occlusion_reach=0.0), ('colour',)).colour.astype(int)
            assert ((plain - one).max(axis=2) > 8).mean() > 0.05, 'it is there'
        scene.transform[1, :2, 3] += 0.4, -0.3


WORLD = """<element class="horizontal_plane"/>
  <vehicle name="r1"><init_pose>0 0 0</init_pose><dynamics class="differential">
    <controller class="twist_ideal"><V>2.0</V><W>0.5</W></controller></dynamics> {camera}
    <sensor class="lidar3d" name="points"><pose_3d>0 0 1 0 0 0</pose_3d>
      <rolling>false</rolling><range_std_noise>0</range_std_noise></sensor></vehicle>
  <block name="b"><static>true</static><init_pose>4 0 0</init_pose></block>"""
CAMERA = """<sensor class="{kind}" name="a_camera"><pose_3d>0 0 1 {turn}</pose_3d>
  <renderer>{renderer}</renderer><ambient_occlusion>{reach}</ambient_occlusion>{more}</sensor>"""


def test_a_shutter_leaves_lidars_where_they_are(renderer: str) -> None:
    clouds = []
    for camera in ('', CAMERA.format(
            kind='camera', renderer=renderer, reach=1, turn='-90 0 -90',
            more='<readout_time>0.05</readout_time><readout_bands>3</readout_bands>')):
        seen: list[Observation] = []
        simulate(WORLD.format(camera=camera)).run(0.45, seen.append)
        clouds.append([each.points.tobytes() for each in seen if each.sensor == 'r1/points'])
        assert len(clouds[-1]) == 4
    assert clouds[0] == clouds[1]


@pytest.mark.parametrize('kind', ['camera', 'rgbd_camera'])
def test_cameras_ask_for_it(renderer: str, kind: str) -> None:
    lens, turn = ('<k1>-0.1</k1>', '-90 0 -90') if kind == 'camera' else ('', '0 0 0')
    images = [simulate(WORLD.format(camera=CAMERA.format(
        kind=kind, renderer=renderer, reach=reach, turn=turn, more=lens))).measure('r1/a_camera')
        for reach in (1, 0)]
    light, before = ((image.pixels if kind == 'camera' else image.colour.pixels).astype(int)
                     for image in images)
    assert ((before - light) > 5).any(axis=2).mean() > 0.01
    assert (light <= before + 1).all(), 'it only takes light'
