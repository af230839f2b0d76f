# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Plants sway in the wind, by time alone; cameras and LiDARs see the same plant."""

from making import simulate
import numpy as np
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.scene.scene import MoverStates, MoverTrack, Scene

LIDAR = ('<sensor class="lidar3d" name="lidar"> <pose_3d>0 0 2.2 0 0 0</pose_3d> '
         '<horz_nrays>1440</horz_nrays> <vert_nrays>1</vert_nrays> '
         '<vertical_ray_angles>0</vertical_ray_angles> '
         '<range_std_noise>0</range_std_noise> </sensor>')
CAMERAS = ''.join(
    f'<sensor class="camera" name="{renderer}"> <pose_3d>0 0 2.9 -90 0 -90</pose_3d> '
    f'<renderer>{renderer}</renderer> </sensor>' for renderer in ('gl', 'cpu'))
WINDY, SWAYS = '<air wind="0 10"/>', '<sways>0.1</sways>'


def world(air: str = WINDY, sways: str = SWAYS, sensors: str = '') -> Simulation:
    """Return two posts on a plane."""
    posts = ''.join(
        f'<block name="post_{i}"> <static>true</static> <intangible>true</intangible> '
        f'<init_pose>4 {3 * i} 0</init_pose> '
        '<visual> <model_offset_y>-0.15</model_offset_y> '
        f'<model_color>#ff0000</model_color> {sways} '
        '<geometry type="box" lx="0.3" ly="0.3" lz="3"/> </visual> </block>' for i in range(2))
    return simulate(f'{air} <element class="horizontal_plane"/> {posts} {sensors}')


def top(scene: Scene, name: str) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Return the place of the middle of the upper side of a post."""
    (row,) = np.flatnonzero(scene.thing == scene.thing_names.index(name))
    points = scene.meshes[scene.mesh[row]].vertices
    place: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = scene.transform[row] @ np.append(
        points[points[:, 2] == points[:, 2].max()].mean(axis=0), 1.0)
    return place[:3]


def test_plants_lean_with_the_wind_and_swing() -> None:
    simulation, tops = world(), []
    for _ in range(48):
        simulation.run(0.25)
        tops.append(top(simulation.scene(), 'post_0'))
    x, y, z = np.array(tops).T
    assert z == pytest.approx(3.0)
    assert 0.25 < y.mean() < 0.35 and y.min() > 0.0  # 0.1 of 3 m, gusts and swings about it
    assert np.ptp(y) > 0.05 and 0.01 < np.ptp(x) < np.ptp(y)


def test_the_same_time_gives_the_same_scene_and_plants_differ() -> None:
    one, other = world(), world()
    one.run(1.0)
    for _ in range(10):
        other.run(0.1)
    assert np.array_equal(one.scene().transform, other.scene().transform)
    swayed = [top(one.scene(), f'post_{i}') - (4.15, 3.0 * i, 3.0) for i in range(2)]
    assert np.linalg.norm(swayed[0] - swayed[1]) > 1e-3


@pytest.mark.parametrize('air, sways', [('', SWAYS), (WINDY, ''), ('', '')])
def test_without_wind_or_without_the_tag_nothing_moves(air: str, sways: str) -> None:
    simulation = world(air, sways)
    before = simulation.scene().transform.copy()
    simulation.run(0.5)
    scene = simulation.scene()
    assert np.array_equal(scene.transform, before)
    assert scene.moving.sum() == world('', '').scene().moving.sum()


def test_lean_grows_with_the_square_of_the_wind() -> None:
    means = []
    for speed in (2, 4):
        simulation, lean = world(f'<air wind="0 {speed}"/>'), []
        for _ in range(120):
            simulation.run(0.5)
            lean.append(top(simulation.scene(), 'post_0')[1])
        means.append(np.mean(lean))
    assert means[1] / means[0] == pytest.approx(4.0, rel=0.1)


def test_cameras_and_lidars_see_plants_where_they_are() -> None:
    simulation = world(sensors=CAMERAS + LIDAR)
    simulation.run(1.0)
    _, y, _ = top(simulation.scene(), 'post_0')
    for camera in 'gl', 'cpu':
        line = simulation.measure(camera).pixels[240].astype(int)
        columns = np.flatnonzero(line[:, 0] > 2 * line[:, 1])
        columns = columns[columns > 200]  # of the first
        assert -(columns.mean() - 320.0) / 500.0 * 4.0 == pytest.approx(
            y * 2.9 / 3.0, abs=0.02)
    points = simulation.measure('lidar').points
    near = points[(abs(points['x'] - 4.0) < 0.1) & (abs(points['y']) < 1.0)]
    assert near['y'].mean() == pytest.approx(y * 2.2 / 3.0, abs=0.03)


def test_a_sweep_sees_plants_at_its_times() -> None:
    scene, poses = world().scene(), np.array([[4.0, 3.0 * i, 0, 0, 0, 0] for i in range(2)])
    nothing = np.zeros((0, 6))
    now = MoverStates(nothing, np.zeros(0), np.zeros(0), poses, nothing, time=1.0)
    track = MoverTrack(np.zeros((2, 0)), np.zeros(0, np.int64), now, np.array([0.4, 1.0]))
    path = scene.trace(track)
    assert not np.array_equal(path[0], path[1])
    for k in range(2):
        scene.update(track.states(k))
        assert np.array_equal(path[k], scene.transform[scene.movers])
