# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""LiDARs in three dimensions: geometry, sweep, echoes, noise, layouts."""

from dataclasses import replace
import math
from pathlib import Path
from typing import Any

from making import at, CUBE, mesh_scene
from mounting import mounted
import numpy as np
from numpy.typing import NDArray
import pytest

from mvsim_ros2.base import threads as work
from mvsim_ros2.errors import SensorError
from mvsim_ros2.frames import Pose, rotation_matrix
from mvsim_ros2.scene.scene import Material
from mvsim_ros2.sensors.body_state import BodyState, STANDING
from mvsim_ros2.sensors.lidar.lidar3d import Lidar3D
from mvsim_ros2.sensors.observations import PointCloud
from mvsim_ros2.sensors.raycast.ray_scene import RayScene
from mvsim_ros2.sensors.views.ray_view import moved_back
from mvsim_ros2.world.spec import Resource
from mvsim_ros2.world.spec.sensors.lidar import Lidar3dSpec

Array = NDArray[np.float64]

PERIOD_NS = 100_000_000
SIZE = np.array([20.0, 16.0, 5.0])
QUIET = {'range_std_noise': 0.0, 'name': 'lidar'}


def lidar(seed: int = 0, **options: Any) -> Lidar3D:
    """Return a LiDAR that is handed its scenes."""
    return Lidar3D(mounted(Lidar3dSpec(**(QUIET | options)), '', seed))


def by_file(path: Path, text: str) -> Lidar3D:
    """Return a LiDAR with the pattern of a file."""
    path.write_text(text)
    return lidar(pattern='file', pattern_file=Resource(path.name, str(path)), layout='velodyne')


def points(cloud: PointCloud) -> Array:
    """Return x, y, z of a cloud, shape (N, 3)."""
    return points_of(cloud.points)


def points_of(rows: NDArray[np.void]) -> Array:
    """Return x, y, z of points, shape (N, 3)."""
    flat = rows.reshape(-1)
    return np.stack([flat['x'], flat['y'], flat['z']], axis=1).astype(float)


@pytest.fixture(scope='module')
def room() -> RayScene:
    """Return a closed room."""
    return RayScene(mesh_scene((CUBE, at(size=SIZE))))


def off_walls(world: Array, size: Array = SIZE) -> Array:
    """Return how far points are from the nearest wall of the room."""
    distance: Array = np.abs(np.abs(world) - size / 2).min(axis=1)
    return distance


@pytest.mark.parametrize('mount', [
    pytest.param(Pose(0.3, -0.2, 0.5), id='upright'),
    pytest.param(Pose(0.1, 0.2, 0.4, 1.0, 0.5, -0.3), id='tilted')])
def test_a_scan_at_rest_lies_on_the_walls(mount: Pose, room: RayScene) -> None:
    """
    Points of a LiDAR at rest lie on the walls of a room, within 0.01 mm.

    :reference: equations of the walls
    :figure: images/sensors_lidar3d.webp
    """
    state = BodyState(np.array([1.0, 2.0, -0.5, 0.4, 0.1, -0.2]))
    cloud = lidar(pose=mount, horz_nrays=900).scan(room, PERIOD_NS, state)
    assert len(cloud.points) == 900 * 16
    body = rotation_matrix(*state.pose[3:])
    world = mount.transform(points(cloud)) @ body.T + state.pose[:3]
    assert off_walls(world).max() < 1e-5


@pytest.mark.parametrize('clockwise', [pytest.param(True, id='clockwise'),
                                       pytest.param(False, id='counter-clockwise')])
def test_rings_columns_and_times_are_those_of_the_spec(clockwise: bool, room: RayScene) -> None:
    cloud = lidar(horz_nrays=360, clockwise=clockwise, vertical_ray_angles=(0.2, -0.3, 0.0),
                  vert_nrays=3).scan(room, PERIOD_NS, STANDING)
    x, y, z = points(cloud).T
    ring, time = cloud.points['ring'], cloud.points['time']
    assert np.arctan2(z, np.hypot(x, y)) == pytest.approx(
        np.array([-0.3, 0.0, 0.2])[ring], abs=1e-6)
    turn = 2 * np.pi * time / 0.1
    azimuth = np.pi - turn if clockwise else turn - np.pi
    assert np.abs(np.angle(np.exp(1j * (np.arctan2(y, x) - azimuth)))).max() < 1e-5
    assert cloud.stamp_ns + 1e9 * time.max() == pytest.approx(PERIOD_NS, abs=10)
    assert np.all(np.diff(time) >= 0)


@pytest.mark.parametrize('motion', [
    pytest.param((3.0, 0.0, 0.0), id='straight'), pytest.param((2.0, 0.5, 2.5), id='turning'),
    pytest.param((0.0, 0.0, -3.0), id='on the spot')])
def test_a_rolling_scan_without_its_motion_lies_on_the_walls(
        motion: tuple[float, float, float], room: RayScene) -> None:
    mount = Pose(0.5, 0.2, 0.3, 0.3, 0.1, 0.0)
    state = BodyState(np.array([1.0, 2.0, -0.5, 0.4, 0.0, 0.0]), np.array(motion))
    sensor = lidar(pose=mount, horz_nrays=1800)
    cloud = sensor.scan(room, PERIOD_NS, state)
    age = 1e-9 * sensor.sweep_ns - cloud.points['time'].astype(float)
    c, s = np.cos(0.4), np.sin(0.4)
    vx, vy, wz = motion
    velocity = np.array([c * vx - s * vy, s * vx + c * vy, 0.0, 0.0, 0.0, wz])
    times, column = np.unique(age, return_inverse=True)
    poses = np.concatenate(
        [moved_back(state.pose[None], velocity[None], time) for time in times])
    rotation = rotation_matrix(poses[:, 3], poses[:, 4], poses[:, 5])[column]
    world = np.einsum('nij,nj->ni', rotation, mount.transform(points(cloud))) + (
        poses[column, :3])
    assert off_walls(world).max() < 1e-4  # single precision of times and points
    still = mount.transform(points(cloud)) @ rotation_matrix(0.4).T + state.pose[:3]
    assert off_walls(still).max() > 0.01  # and with it, it does not


def test_motion_back_is_the_arc_of_a_constant_twist() -> None:
    pose = np.array([[1.0, 2.0, 0.0, np.pi / 2, 0.0, 0.0]])
    back = moved_back(pose, np.array([[0.0, np.pi, 0.0, 0.0, 0.0, np.pi]]), 0.5)
    # a quarter of a circle of radius 1 around (0, 2)
    assert back[0] == pytest.approx([0.0 + np.cos(-np.pi / 2), 1.0, 0.0, 0.0, 0.0, 0.0],
                                    abs=1e-12)


def test_things_move_during_the_sweep() -> None:
    scene = mesh_scene((CUBE, at(6.0, size=(1.0, 30.0, 4.0))))
    rays = RayScene(scene)
    sensor = lidar(vert_nrays=1, horz_nrays=720, max_range=100.0)
    sweep = 1e-9 * sensor.sweep_ns
    path = np.stack([scene.transform] * 2)
    path[0, 0, 0, 3] -= 2.0 * sweep  # 2 m/s away from the sensor
    rays.update(path, sweep)
    cloud = sensor.scan(rays, PERIOD_NS, STANDING)
    assert points(cloud)[:, 0] == pytest.approx(
        5.5 - 2.0 * (sweep - cloud.points['time'].astype(float)), abs=1e-5)


def test_a_snapshot_has_no_time_and_the_stamp_of_its_instant(room: RayScene) -> None:
    state = BodyState(np.zeros(6), np.array([5.0, 0.0, 2.0]))
    cloud = lidar(rolling=False).scan(room, PERIOD_NS, state)
    assert cloud.points.dtype.names == ('x', 'y', 'z', 'intensity', 'ring')
    assert cloud.stamp_ns == PERIOD_NS
    assert off_walls(points(cloud)).max() < 1e-5


@pytest.mark.parametrize('layout, names', [
    pytest.param('velodyne', ('x', 'y', 'z', 'intensity', 'ring', 'time'), id='velodyne'),
    pytest.param('ouster', ('x', 'y', 'z', 'intensity', 't', 'reflectivity', 'ring', 'ambient',
                            'range'), id='ouster'),
    pytest.param('mvsim', ('x', 'y', 'z', 'intensity', 't', 'ring'), id='mvsim')])
def test_layouts_have_the_fields_of_their_drivers(
        layout: str, names: tuple[str, ...], room: RayScene) -> None:
    cloud = lidar(layout=layout, labels=True).scan(room, PERIOD_NS, STANDING)
    assert cloud.points.dtype.names == (*names, 'label', 'instance')
    assert set(cloud.points['label']) == {3}
    assert set(cloud.points['instance']) == {1}
    assert set(cloud.points['ring']) == set(range(16))
    time = cloud.points['time' if layout == 'velodyne' else 't'].astype(float)
    assert time.max() == pytest.approx(
        0.1 * 179 / 180 * (1e9 if layout == 'ouster' else 1.0), rel=1e-6)
    distance = np.linalg.norm(points(cloud), axis=1)
    white = cloud.points['intensity'] / (1.0 if layout == 'mvsim' else 255.0)
    assert white.max() <= 0.5
    if layout == 'ouster':
        assert cloud.points['range'] == pytest.approx(1000 * distance, abs=0.51)
        assert cloud.points['reflectivity'] == pytest.approx(cloud.points['intensity'], abs=0.51)
        assert (cloud.points['ambient'] > 0).all()  # daylight


def test_an_organised_cloud_has_a_row_for_each_ring() -> None:
    rays = RayScene(mesh_scene((CUBE, at(5.0, size=(1.0, 3.0, 3.0)))))
    options: dict[str, Any] = {'horz_nrays': 100, 'vert_nrays': 5, 'rings_from_top': True}
    cloud = lidar(organised=True, **options).scan(rays, PERIOD_NS, STANDING)
    dense = lidar(**options).scan(rays, PERIOD_NS, STANDING)
    assert cloud.points.shape == (5, 100)
    assert not cloud.is_dense and dense.is_dense
    seen = np.isfinite(cloud.points['x'])
    assert 0 < seen.sum() == len(dense.points) < 500
    assert np.all(cloud.points['ring'] == np.arange(5)[:, None])
    assert cloud.points['z'][0][seen[0]].min() > 0 > cloud.points['z'][4][seen[4]].max()
    key = np.lexsort((dense.points['time'], dense.points['ring']))
    assert dense.points['x'][key].tobytes() == cloud.points['x'][seen].tobytes()


def test_intensity_follows_reflectivity_incidence_and_range() -> None:
    rays = RayScene(mesh_scene((CUBE, at(10.0, size=(1.0, 60.0, 60.0)))))
    cloud = lidar(intensity_half_range=20.0, layout='mvsim').scan(rays, PERIOD_NS, STANDING)
    distance = np.linalg.norm(points(cloud), axis=1)
    expected = 0.5 * (9.5 / distance) / (1.0 + (distance / 20.0) ** 2)
    assert cloud.points['intensity'] == pytest.approx(expected, rel=1e-5)


def test_echoes_of_dark_oblique_and_distant_surfaces_are_lost() -> None:
    rays = RayScene(mesh_scene((CUBE, at(20.0, size=(2.0, 400.0, 400.0)))))
    options: dict[str, Any] = {'horz_nrays': 3600, 'max_range': 300.0, 'vert_nrays': 8}
    everything = np.linalg.norm(points(lidar(**options).scan(rays, 0, STANDING)), axis=1)
    weak = lidar(detection_range=19.0, detection_reflectivity=0.5, **options)
    strength = (19.0 / everything) ** 12  # facing it at 19 m it is 1; so is its cosine
    seen = strength / (1.0 + strength)
    assert len(weak.scan(rays, 0, STANDING).points) == pytest.approx(
        seen.sum(), abs=4 * (seen * (1.0 - seen)).sum() ** 0.5)
    grazing = lidar(grazing_angle=np.radians(30), **options).scan(rays, PERIOD_NS, STANDING)
    assert 19.0 / np.linalg.norm(points(grazing), axis=1).max() == pytest.approx(0.5, abs=0.01)


def test_a_share_of_echoes_is_lost_by_chance(room: RayScene) -> None:
    cloud = lidar(dropout=0.3, horz_nrays=1800).scan(room, PERIOD_NS, STANDING)
    assert len(cloud.points) / 28800 == pytest.approx(0.7, abs=4 * (0.21 / 28800) ** 0.5)


def test_range_noise_has_its_deviation_and_no_mean(room: RayScene) -> None:
    options = {'horz_nrays': 1800, 'rolling': False}
    exact = np.linalg.norm(points(lidar(**options).scan(room, 0, STANDING)), axis=1)
    noisy = lidar(range_std_noise=0.02, **options)
    errors = np.concatenate([np.linalg.norm(points(noisy.scan(room, 0, STANDING)), axis=1) - exact
                             for _ in range(5)])
    count = len(errors)
    assert count == 5 * 28800
    assert abs(errors.mean()) < 4 * 0.02 / count ** 0.5
    assert errors.std() == pytest.approx(0.02, rel=4 / (2 * count) ** 0.5)
    assert np.mean(errors ** 4) / errors.var() ** 2 == pytest.approx(3.0, abs=0.1)
    assert abs(np.corrcoef(errors[:-1], errors[1:])[0, 1]) < 4 / count ** 0.5
    assert abs(np.corrcoef(errors[:28800], errors[28800:57600])[0, 1]) < 4 / 28800 ** 0.5


def test_angle_noise_turns_the_beam_but_not_the_point(room: RayScene) -> None:
    options = {'vert_nrays': 1, 'horz_nrays': 1800, 'rolling': False}
    exact = points(lidar(**options).scan(room, 0, STANDING))
    noisy = points(lidar(angle_std_noise=0.01, **options).scan(room, 0, STANDING))
    azimuth = np.arctan2(exact[:, 1], exact[:, 0])
    assert np.arctan2(noisy[:, 1], noisy[:, 0]) == pytest.approx(azimuth, abs=1e-6)
    on_x_wall = np.abs(np.tan(azimuth)) < 0.7
    change = np.hypot(*noisy[:, :2].T) / np.hypot(*exact[:, :2].T) - 1.0
    chosen = on_x_wall & (np.abs(np.tan(azimuth)) > 0.2)
    turn = change[chosen] / np.tan(azimuth)[chosen]
    assert turn.std() == pytest.approx(0.01, rel=0.15)


def test_two_returns_come_from_edges_only() -> None:
    rays = RayScene(mesh_scene((CUBE, at(size=(30.0, 30.0, 6.0))), (CUBE, at(5.0, size=0.5))))
    options: dict[str, Any] = {'horz_nrays': 3600, 'vert_nrays': 5, 'rolling': False}
    one = lidar(**options).scan(rays, 0, STANDING)
    two = lidar(returns=2, beam_divergence=0.02, **options).scan(rays, 0, STANDING)
    extra = len(two.points) - len(one.points)
    assert 4 <= extra <= 400
    found = points(two)
    again = np.flatnonzero(np.all(np.isclose(
        np.diff(found / np.linalg.norm(found, axis=1, keepdims=True), axis=0), 0, atol=1e-6), 1))
    assert len(again) == extra
    distance = np.linalg.norm(found, axis=1)
    assert np.abs(distance[again] - distance[again + 1]).min() > 0.5


def test_limits_of_range_and_azimuth_are_kept(room: RayScene) -> None:
    cloud = lidar(min_range=8.1, max_range=11.0, azimuth_min=-0.5, azimuth_max=1.0,
                  horz_nrays=1800).scan(room, PERIOD_NS, STANDING)
    distance = np.linalg.norm(points(cloud), axis=1)
    azimuth = np.arctan2(cloud.points['y'], cloud.points['x'])
    assert 8.1 <= distance.min() and distance.max() <= 11.0 + 1e-5
    assert -0.5 - 1e-6 <= azimuth.min() < -0.4 and 0.9 < azimuth.max() <= 1.0 + 1e-6


@pytest.mark.parametrize('hide', [pytest.param(True, id='ignored'),
                                  pytest.param(False, id='seen')])
def test_the_own_vehicle_is_seen_as_the_spec_says(hide: bool) -> None:
    rays = RayScene(mesh_scene(
        (CUBE, at(size=(30.0, 30.0, 6.0))), (CUBE, at(1.0)), (CUBE, at(0.0, 3.0)),
        (CUBE, at(size=0.1)), owner=[-1, 0, 1, 0], sensor=['', '', '', 'lidar']))
    state = BodyState(np.zeros(6), mover_index=0)
    cloud = lidar(ignore_parent_body=hide, labels=True, min_range=0.0, horz_nrays=360).scan(
        rays, PERIOD_NS, state)
    assert set(cloud.points['instance']) == ({1, 3} if hide else {1, 2, 3})


def test_a_pattern_of_a_file_is_drawn_as_it_says(room: RayScene, tmp_path: Path) -> None:
    """
    A rotating LiDAR written as a beam pattern measures the same points.

    :reference: the rotating LiDAR
    """
    turning = lidar(vert_nrays=4, horz_nrays=90, layout='velodyne')
    beams, lines = turning.scanner.beams, ['azimuth, elevation, time, ring']
    for cosine, sine, time in beams.columns.tolist():
        lines += [f'{math.degrees(math.atan2(sine, cosine))},{math.degrees(math.asin(z))},'
                  f'{time},{ring}' for ring, (_, _, z) in enumerate(beams.vectors.tolist())]
    drawn = by_file(tmp_path / 'pattern.csv', '\n'.join(lines))
    one, other = (each.scan(room, PERIOD_NS, STANDING).points for each in (turning, drawn))
    assert len(one) == len(other) == 360
    np.testing.assert_array_equal(one['ring'], other['ring'])
    np.testing.assert_allclose(points_of(one), points_of(other), atol=1e-5)
    np.testing.assert_allclose(one['time'], other['time'], atol=1e-9)


def test_a_pattern_longer_than_a_period_goes_on(room: RayScene, tmp_path: Path) -> None:
    sensor = by_file(tmp_path / 'long.csv', ''.join(
        f'{10 * k},0,{0.02 * k}\n' for k in range(12)))  # 0.24 s
    found = [sensor.scan(room, PERIOD_NS, STANDING).points for _ in range(4)]
    angles = [np.degrees(np.arctan2(each['y'], each['x'])).round().tolist() for each in found]
    assert angles == [[0, 10, 20, 30, 40], [50, 60, 70, 80, 90], [100, 110], [0, 10, 20, 30, 40]]
    sensor.reset()
    assert len(sensor.scan(room, PERIOD_NS, STANDING).points) == 5


@pytest.mark.parametrize('text', ['', 'azimuth,elevation\n', '1,2\n', '1,2,-0.1\n', '1,x,3\n'])
def test_what_is_no_pattern_is_an_error(text: str, tmp_path: Path) -> None:
    words = 'azimuth .deg., elevation .deg., time .s.'
    with pytest.raises(SensorError, match=words):
        by_file(tmp_path / 'pattern.csv', text)
    with pytest.raises(SensorError, match=words):
        lidar(pattern='file', pattern_file=Resource('gone.csv', str(tmp_path / 'gone.csv')))


def test_a_rosette_covers_more_with_every_scan(room: RayScene) -> None:
    sensor = lidar(pattern='rosette', rosette_fov=0.67, horz_nrays=5000, vert_nrays=1,
                   rolling=False)
    clouds = [points(sensor.scan(room, 0, STANDING)) for _ in range(4)]
    cells = [{tuple(cell) for cell in np.round(100 * cloud[:, 1:] / cloud[:, :1]).astype(int)}
             for cloud in clouds]
    assert all(off_walls(cloud).max() < 1e-5 for cloud in clouds)
    angle = [np.arccos(cloud[:, 0] / np.linalg.norm(cloud, axis=1)).max() for cloud in clouds]
    assert max(angle) < 0.36
    assert len(set().union(*cells)) > 1.5 * len(cells[0])
    sensor.reset()
    assert points(sensor.scan(room, 0, STANDING)).tobytes() == clouds[0].tobytes()


def test_the_same_seed_gives_the_same_bytes_on_any_number_of_threads(
        room: RayScene, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Point clouds are equal bit for bit on one, two and three threads.

    :reference: each other
    """
    options: dict[str, Any] = {'horz_nrays': 2000, 'range_std_noise': 0.02, 'dropout': 0.1,
                               'angle_std_noise': 0.001, 'returns': 2}
    scans = []
    for threads in (1, 2, 3):
        monkeypatch.setattr(work, 'threads', lambda threads=threads: threads)
        sensor = lidar(7, **options)
        scans.append([sensor.scan(room, PERIOD_NS, STANDING).points.tobytes()
                      for _ in range(2)])
    assert scans[0] == scans[1] == scans[2]
    assert scans[0][0] != scans[0][1]
    assert lidar(8, **options).scan(room, PERIOD_NS, STANDING).points.tobytes() != scans[0][0]


def test_far_from_the_origin_a_scan_is_as_exact() -> None:
    place = 500_000.0, 4_100_000.0, 700.0
    rays = RayScene(mesh_scene((CUBE, at(*place, SIZE))))
    state = BodyState(np.array([*place, 0.3, 0.0, 0.0]), np.array([1.0, 0.0, 0.5]))
    cloud = lidar(rolling=False).scan(rays, PERIOD_NS, state)
    assert off_walls(points(cloud) @ rotation_matrix(0.3).T).max() < 1e-5


def test_a_state_that_is_not_finite_is_refused(room: RayScene) -> None:
    with pytest.raises(SensorError, match='not finite'):
        lidar().scan(room, PERIOD_NS, BodyState(np.full(6, np.nan)))


def test_a_field_of_view_without_columns_is_refused() -> None:
    with pytest.raises(SensorError, match='no column between'):
        lidar(azimuth_min=0.01, azimuth_max=0.02)


def test_dark_things_are_darker() -> None:
    dark = replace(CUBE, materials=(Material(reflectivity=0.1),))
    rays = RayScene(mesh_scene((CUBE, at(5.0)), (dark, at(-5.0))))
    cloud = lidar(layout='mvsim', horz_nrays=720).scan(rays, PERIOD_NS, STANDING)
    front, back = (cloud.points['intensity'][mask].max() for mask in (
        cloud.points['x'] > 0, cloud.points['x'] < 0))
    assert front / back == pytest.approx(5.0, rel=1e-3)
