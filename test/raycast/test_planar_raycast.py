# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The planar ray caster against closed forms and against a plain computation."""

import os
import subprocess
import sys

from drawn_examples import examples
from hypothesis import given, settings, strategies as st
from making import make_scene, square
import numpy as np
import pytest

from mvsim_ros2.errors import SensorError
from mvsim_ros2.scene.planar import PlanarScene, polygon_segments, StaticGeometry
from mvsim_ros2.sensors.body_state import BodyState, Movers
from mvsim_ros2.sensors.lidar.planar import Lidar2D
from mvsim_ros2.sensors.raycast.planar.ray_caster import PlanarRayCaster
from mvsim_ros2.world.spec.sensors.lidar import LaserSpec

MICROMETRE = 1e-6
CIRCLE = np.linspace(-np.pi, np.pi, 721)


def _plain(origin, angles, segments, limit=np.inf):
    """Return distances by testing every segment with the textbook formula."""
    d = np.stack([np.cos(angles), np.sin(angles)], axis=1)[:, None]
    a = segments[None, :, :2] - np.asarray(origin)
    e = segments[None, :, 2:] - segments[None, :, :2]

    def cross(p, q):
        return p[..., 0] * q[..., 1] - p[..., 1] * q[..., 0]
    with np.errstate(all='ignore'):
        t, u = cross(a, e) / cross(d, e), cross(a, d) / cross(d, e)
    t = np.where((u >= 0) & (u <= 1) & (t >= 0) & (t <= limit), t, np.inf)
    return t.min(axis=1, initial=np.inf)


def _placed(segments, pose):
    cosine, sine = np.cos(pose[2]), np.sin(pose[2])
    turn = np.array([[cosine, sine], [-sine, cosine]])
    return (segments.reshape(-1, 2) @ turn + np.asarray(pose)[:2]).reshape(-1, 4)


@pytest.mark.parametrize('offset', [
    pytest.param(0.0, id='at the origin'), pytest.param(5e5, id='at UTM coordinates')])
def test_inside_a_square_room(offset):
    caster = PlanarRayCaster(make_scene([square(5.0, offset, offset)]))
    x, y = 1.25, -2.5
    ranges = caster.cast((offset + x, offset + y), CIRCLE, 100.0)
    cosine, sine = np.cos(CIRCLE), np.sin(CIRCLE)
    with np.errstate(divide='ignore'):
        expected = np.minimum((5.0 * np.sign(cosine) - x) / cosine,
                              (5.0 * np.sign(sine) - y) / sine)
    np.testing.assert_allclose(ranges, expected, rtol=0, atol=MICROMETRE)


def test_inside_a_many_sided_circle():
    """
    Rays of planar LiDARs hit a ring of 360 walls within a micrometre.

    :reference: closed form
    :figure: images/sensors_laser.webp
    """
    corners = np.linspace(0, 2 * np.pi, 361)[:-1]
    ring = 7.0 * np.stack([np.cos(corners), np.sin(corners)], axis=1)
    ranges = PlanarRayCaster(make_scene([ring])).cast((0.0, 0.0), CIRCLE, 20.0)
    # every other ray meets a corner, the rest the middle of an edge
    edge = 7.0 * np.cos(np.pi / 360)
    np.testing.assert_allclose(ranges[::2], 7.0, rtol=0, atol=MICROMETRE)
    np.testing.assert_allclose(ranges[1::2], edge, rtol=0, atol=MICROMETRE)


def test_no_ray_leaks_through_shared_corners():
    rng = np.random.default_rng(4)
    bearings = np.sort(rng.uniform(-np.pi, np.pi, 400))
    ring = (rng.uniform(3, 9, 400) * np.array([np.cos(bearings), np.sin(bearings)])).T
    caster = PlanarRayCaster(make_scene([ring]))
    corners = np.arctan2(ring[:, 1], ring[:, 0])
    for nudge in (-1e-15, 0.0, 1e-15, np.pi / 1e16):
        ranges = caster.cast((0.0, 0.0), corners + nudge, np.inf)
        np.testing.assert_allclose(ranges, np.linalg.norm(ring, axis=1), rtol=0, atol=1e-9)


def test_origin_inside_a_solid_sees_its_outline():
    caster = PlanarRayCaster(make_scene([square(0.5), square(5.0)]))
    assert caster.cast((0.0, 0.0), [0.0], 10.0)[0] == pytest.approx(0.5, abs=MICROMETRE)


@pytest.mark.parametrize('origin, angle, expected', [
    pytest.param((-1.0, 0.5), 0.0, 1.0, id='along a wall, from before it'),
    pytest.param((1.0, 0.5), 0.0, 0.0, id='along a wall, from on it'),
    pytest.param((4.0, 0.5), 0.0, np.inf, id='along a wall, from behind it'),
    pytest.param((-1.0, 0.5 + 1e-9), 0.0, np.inf, id='beside a wall'),
    pytest.param((1.0, -1.0), np.pi / 2, 1.5, id='across'),
    pytest.param((1.0, 0.5), np.pi / 2, 0.0, id='across, from on it'),
    pytest.param((5.0, 2.0), 0.0, 5.0, id='through its end'),
    pytest.param((5.0, 2.0 - 1e-9), 0.0, np.inf, id='past its end'),
])
def test_single_walls(origin, angle, expected):
    walls = StaticGeometry.of_segments(
        np.array([[0.0, 0.5, 3.0, 0.5], [10.0, 2.0, 10.0, 4.0]]), np.zeros(2, bool))
    caster = PlanarRayCaster(PlanarScene.of_segments(
        walls, (), np.empty((0, 4)), np.zeros(1, np.int64)))
    assert caster.cast(origin, [angle], 100.0)[0] == pytest.approx(expected, abs=1e-12)


def test_edges_without_length_are_left_out():
    edges = polygon_segments([(0, 0), (1, 0), (1, 0), (1, 1), (0, 0)])
    assert len(edges) == 3


@pytest.mark.parametrize('reach, expected', [
    pytest.param(4.999, np.inf, id='out of reach'), pytest.param(5.0, 5.0, id='just in reach'),
    pytest.param(np.inf, 5.0, id='no limit'), pytest.param(0.0, np.inf, id='no reach')])
def test_max_range(reach, expected):
    caster = PlanarRayCaster(make_scene([square(5.0)]))
    assert caster.cast((0.0, 0.0), [0.0], reach)[0] == expected


def test_nothing_in_the_world():
    assert np.isinf(PlanarRayCaster(make_scene()).cast((0.0, 0.0), CIRCLE, np.inf)).all()


def test_from_outside_the_world():
    caster = PlanarRayCaster(make_scene([square(1.0)]))
    for origin, angle, expected in (((-10.0, 0.0), 0.0, 9.0), ((0.0, 10.0), -np.pi / 2, 9.0),
                                    ((-10.0, 0.0), np.pi, np.inf)):
        np.testing.assert_allclose(
            caster.cast(origin, [angle], 99.0), expected, rtol=0, atol=MICROMETRE)


def test_scans_of_few_and_of_many_segments_agree():
    rng = np.random.default_rng(8)
    few = [square(rng.uniform(0.1, 0.6), *rng.uniform(-9, 9, 2)) for _ in range(60)]
    far = [square(0.3, *(100.0 + rng.uniform(0, 50, 2))) for _ in range(300)]
    few.append(square(10.0))
    poses = np.column_stack([rng.uniform(-9, 9, (40, 2)), rng.uniform(-4, 4, 40)])
    for reach in (3.0, 40.0):
        spec = LaserSpec(name='l', fov=6.3, nrays=720, range_std_noise=0.0, max_range=reach)
        scans = []
        for scene in (make_scene(few), make_scene([*few, *far])):
            caster = PlanarRayCaster(scene)
            lidar = Lidar2D(spec, 'r1', caster, np.random.default_rng(0))
            scans.append([lidar.measure(1, BodyState(np.array([x, y, 0, yaw, 0, 0]))).ranges
                          for x, y, yaw in poses])
        np.testing.assert_allclose(scans[0], scans[1], rtol=1e-6)


def test_scanner_on_the_line_of_a_wall():
    # seen edge-on: the wall fills no angle, but the ray along it meets its end
    caster = PlanarRayCaster(make_scene([[(1.0, 0.0), (3.0, 0.0)]]))
    spec = LaserSpec(name='l', fov=2 * np.pi, nrays=4, range_std_noise=0, angle_std_noise=0)
    lidar = Lidar2D(spec, 'r1', caster, np.random.default_rng(0))
    for x, expected in ((0.0, 1.0), (2.0, 0.0)):
        ranges = lidar.measure(1, BodyState(np.array([x, 0, 0, 0, 0, 0]))).ranges
        assert ranges[2] == expected


@settings(max_examples=examples(60))
@given(seed=st.integers(0, 2 ** 32), walls=st.integers(0, 80), movers=st.integers(0, 12),
       size=st.sampled_from([0.5, 20.0, 3000.0]))
def test_as_the_plain_computation(seed, walls, movers, size):
    rng = np.random.default_rng(seed)
    centres = rng.uniform(-size, size, (walls, 2))
    segments = np.hstack([centres, centres + rng.normal(0, 0.2 * size, (walls, 2))])
    outlines = [polygon_segments(rng.normal(0, 0.1 * size, (5, 2))) for _ in range(movers)]
    poses = np.column_stack([rng.uniform(-size, size, (movers, 2)),
                             rng.uniform(-4, 4, movers)])
    scene = PlanarScene.of_segments(
        StaticGeometry.of_segments(segments, np.zeros(walls, bool)),
        tuple(map(str, range(movers))),
        np.concatenate([np.empty((0, 4)), *outlines]), np.cumsum([0, *map(len, outlines)]))
    caster = PlanarRayCaster(scene)
    for _ in range(3):
        origin, limit = rng.uniform(-1.2 * size, 1.2 * size, 2), size * rng.uniform(0.1, 4)
        angles = rng.uniform(-7, 7, 90)
        ignored = int(rng.integers(-1, movers)) if movers else -1
        seen = [_placed(outline, pose) for i, (outline, pose)
                in enumerate(zip(outlines, poses, strict=True)) if i != ignored]
        expected = _plain(origin, angles, np.concatenate([segments, *seen]), limit)
        ranges = caster.cast(origin, angles, limit, poses, ignored)
        np.testing.assert_allclose(ranges, expected, rtol=0, atol=1e-9 * size)


def _after(pose, twist, time):
    """Return a planar pose after some time of constant body twist, by the complex exponential."""
    position, yaw = complex(*pose[:2]), pose[2] + twist[2] * time
    # the mean of exp(i yaw) on the way
    turn = np.exp(1j * pose[2]) * (
        np.sinc(twist[2] * time / (2 * np.pi)) * np.exp(0.5j * twist[2] * time))
    position += time * turn * complex(*twist[:2])
    return np.array([position.real, position.imag, yaw])


@settings(max_examples=examples(60))
@given(seed=st.integers(0, 2 ** 32), movers=st.integers(1, 12),
       speed=st.sampled_from([0.0, 1.0, 30.0]), period=st.sampled_from([0.1, 1.0]))
def test_swept_scan_as_the_plain_computation(seed, movers, speed, period):
    rng = np.random.default_rng(seed)
    centres = rng.uniform(-20, 20, (30, 2))
    segments = np.hstack([centres, centres + rng.normal(0, 4, (30, 2))])
    outlines = [polygon_segments(rng.normal(0, 1, (5, 2))) for _ in range(movers)]
    poses = rng.uniform([-20, -20, -4], [20, 20, 4], (movers, 3))
    twists = rng.normal(0, speed, (movers, 3))
    scene = PlanarScene.of_segments(
        StaticGeometry.of_segments(segments, np.zeros(30, bool)),
        tuple(map(str, range(movers))),
        np.concatenate(outlines), np.cumsum([0, *map(len, outlines)]))
    rays = int(rng.integers(2, 60))
    lidar = Lidar2D(
        LaserSpec(name='l', fov=float(rng.uniform(0.1, 6.2)), nrays=rays, rolling=True,
                  sensor_period=period, max_range=50.0, min_range=0.0, range_std_noise=0,
                  angle_std_noise=0), 'r', PlanarRayCaster(scene), rng)
    scan = lidar.measure(10 ** 10, BodyState(
        np.array([*poses[0, :2], 0, poses[0, 2], 0, 0]), twists[0],
        movers=lambda: Movers(poses, twists), mover_index=0))
    for i, measured in enumerate(scan.ranges):
        time = (i - rays + 1) * scan.time_increment
        eye = _after(poses[0], twists[0], time)
        seen = [_placed(outline, _after(pose, twist, time)) for outline, pose, twist
                in zip(outlines[1:], poses[1:], twists[1:], strict=True)]
        expected = _plain(eye[:2], np.array([eye[2] + scan.angle_min + i * scan.angle_increment]),
                          np.concatenate([segments, *seen]), 50.0)
        assert measured == pytest.approx(expected[0], rel=1e-6, abs=1e-6)


def test_a_mover_does_not_see_itself():
    caster = PlanarRayCaster(make_scene([square(5.0)], movers=[square(0.5)] * 2))
    poses = [[0.0, 0.0, 0.3], [3.0, 0.0, 0.0]]
    ranges = [caster.cast((0.0, 0.0), [0.0], 9.0, poses, ignore)[0] for ignore in (-1, 0, 1)]
    np.testing.assert_allclose(ranges, [0.5 / np.cos(0.3), 2.5, 0.5 / np.cos(0.3)])


def test_without_bodies_only_grids_are_seen():
    caster = PlanarRayCaster(
        make_scene([square(2.0)], grids=[square(7.0)], movers=[square(0.5)]))
    poses = [[1.0, 0.0, 0.0]]
    assert caster.cast((0.0, 0.0), [0.0], 9.0, poses)[0] == 0.5
    assert caster.cast((0.0, 0.0), [0.0], 9.0, poses, bodies_visible=False)[0] == 7.0


def test_another_scene_of_the_same_static_geometry():
    first = make_scene([square(5.0)])
    second = make_scene(movers=[square(0.5)])
    caster = PlanarRayCaster(first)
    caster.update(PlanarScene.of_segments(
        first.static, second.mover_names, second.mover_segments, second.mover_first))
    assert caster.cast((0.0, 0.0), [0.0], 9.0, [[3.0, 0.0, 0.0]])[0] == 2.5
    caster.update(make_scene([square(6.0)]))
    assert caster.cast((0.0, 0.0), [0.0], 9.0)[0] == 6.0


@pytest.mark.parametrize('arguments', [
    pytest.param(((np.nan, 0.0), [0.0], 9.0, [[0.0] * 3]), id='origin not a number'),
    pytest.param(((0.0, 0.0), [np.inf], 9.0, [[0.0] * 3]), id='angle not finite'),
    pytest.param(((0.0, 0.0), [0.0], -1.0, [[0.0] * 3]), id='negative range'),
    pytest.param(((0.0, 0.0), [0.0], 9.0), id='no poses'),
    pytest.param(((0.0, 0.0), [0.0], 9.0, [[0.0] * 3] * 2), id='too many poses'),
])
def test_impossible_rays(arguments):
    caster = PlanarRayCaster(make_scene(movers=[square(0.5)]))
    with pytest.raises(SensorError):
        caster.cast(*arguments)


_SCANS = """
import sys
import numpy as np
from mvsim_ros2.scene.planar import PlanarScene, StaticGeometry, polygon_segments
from mvsim_ros2.sensors.raycast.planar.ray_caster import PlanarRayCaster
from mvsim_ros2.sensors.lidar.planar import Lidar2D
from mvsim_ros2.sensors.body_state import BodyState, Movers
from mvsim_ros2.world.spec.sensors.lidar import LaserSpec
rng = np.random.default_rng(2)
walls = np.hstack([rng.uniform(-9, 9, (40, 2)), rng.uniform(-9, 9, (40, 2))])
box = polygon_segments([(-.3, -.2), (.3, -.2), (.3, .2), (-.3, .2)])
scene = PlanarScene.of_segments(
    StaticGeometry.of_segments(walls, np.arange(40) > 30), ('a', 'b', 'c'),
    np.concatenate([box] * 3), np.array([0, 4, 8, 12]))
caster = PlanarRayCaster(scene)
poses, twists = rng.uniform(-9, 9, (3, 3)), rng.uniform(-2, 2, (3, 3))
lidars = [Lidar2D(LaserSpec(name='l', fov=6.3, nrays=90, rolling=i == 1), 'abc'[i], caster,
                  np.random.default_rng(i)) for i in range(3)]
states = [BodyState(np.array([x, y, 0, yaw, 0, 0]), twists[i],
                    movers=lambda: Movers(poses, twists), mover_index=i)
          for i, (x, y, yaw) in enumerate(poses)]
for scan in Lidar2D.measure_together(lidars, 10 ** 9, states):
    sys.stdout.write(scan.ranges.tobytes().hex())
sys.stdout.write(caster.cast((1, 2), np.arange(0, 6, .1), 30.0, poses).tobytes().hex())
"""


def test_same_numbers_uncompiled(project):
    path = os.pathsep.join([str(project), *filter(None, [os.environ.get('PYTHONPATH')])])
    environment = {**os.environ, 'PYTHONPATH': path}
    output = [subprocess.run([sys.executable, '-c', _SCANS], check=True, capture_output=True,
                             env={**environment, **extra}).stdout
              for extra in ({}, {'NUMBA_DISABLE_JIT': '1'})]
    assert len(output[0]) > 90 * 3 * 8
    assert output[0] == output[1]
