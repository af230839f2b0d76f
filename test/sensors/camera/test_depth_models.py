# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Depth cameras err as stereo and time of flight do; the electronics of colour cameras."""

from dataclasses import replace
import math

import numpy as np
import pytest

from mvsim_ros2 import Pose, Simulation
from mvsim_ros2.sensors.camera.image_noise import ImageNoise, measured_depth
from mvsim_ros2.sensors.observations.camera import colours_of, MOSAICS
from mvsim_ros2.world.spec import (
    BlockSpec, GeometrySpec, HorizontalPlaneSpec, RgbdCameraSpec, WorldSpec)
from mvsim_ros2.world.spec.sensors.camera import CameraSpec

SHAPE = 240, 320
STEREO = RgbdCameraSpec(
    depth_model='stereo', depth_fx=400.0, depth_baseline=0.05, disparity_noise=0.0,
    disparity_step=0.0, depth_noise_sigma=0.0, depth_clip_min=0.1, depth_clip_max=50.0)
FLIGHT = replace(STEREO, depth_model='time_of_flight', tof_mixing=0.0)


def wall(depth: float) -> np.ndarray:
    """Return the depths of a wall that faces the camera."""
    return np.full(SHAPE, depth, np.float32)


def measured(true: np.ndarray, spec: RgbdCameraSpec) -> np.ndarray:
    """Return what a camera makes of depths, where it is not at the left border."""
    return measured_depth(true, spec, np.random.default_rng(2))[:, 60:].astype(float)


@pytest.mark.parametrize('depth', [0.6, 1.5, 4.0])
def test_noise_of_stereo_depths_grows_with_their_square(depth: float) -> None:
    """
    The noise of a depth z is z^2 s / (f b) for a noise s of the disparity, within 2 %.

    :reference: Gallup et al., Variable baseline/resolution stereo, CVPR 2008
    """
    found = measured(wall(depth), replace(STEREO, disparity_noise=0.02))
    wanted = depth ** 2 * 0.02 / (400.0 * 0.05)
    assert found.std() == pytest.approx(wanted, rel=0.02)
    assert found.mean() == pytest.approx(depth, abs=4 * wanted / np.sqrt(found.size) + 1e-4)


def test_steps_of_disparities_make_layers_of_depth() -> None:
    slope = np.broadcast_to(np.linspace(2.0, 4.0, SHAPE[0])[:, None], SHAPE).astype(np.float32)
    levels = np.unique(measured(slope, replace(STEREO, disparity_step=0.125)))
    wanted = 400.0 * 0.05 / (0.125 * np.arange(40, 81))  # of whole steps
    np.testing.assert_allclose(levels, wanted[::-1], rtol=1e-5)
    assert np.diff(levels)[-1] == pytest.approx(levels[-1] ** 2 * 0.125 / 20.0, rel=0.05)


@pytest.mark.parametrize('near, far', [(0.5, 1.0), (1.0, 5.0)])
def test_what_one_camera_sees_alone_has_no_depth(near: float, far: float) -> None:
    """
    The stereo shadow of a near object is as wide as disparities differ: f b (1/near - 1/far).

    :reference: geometry of the two cameras
    """
    true = wall(far)
    true[:, 150:250] = near
    found = measured_depth(true, replace(STEREO, depth_clip_max=100.0), np.random.default_rng(2))
    width = 400.0 * 0.05 * (1.0 / near - 1.0 / far)
    lost = np.isnan(found[100, 100:150])
    assert lost.sum() == pytest.approx(width, abs=1.0) and lost[1 - int(width):].all()
    assert np.isnan(found[100, :60]).sum() == pytest.approx(400.0 * 0.05 / far, abs=1.0)
    assert np.isfinite(found[100, 151:249]).all()


def test_flight_begins_again_where_the_phase_does() -> None:
    """
    Time-of-flight depths are exact up to c / (2 F) and wrap around there.

    :reference: c / (2 F)
    """
    spec = replace(FLIGHT, tof_frequency=50e6)
    for depth in (0.5, 2.9, 3.4, 7.0):
        found = measured(wall(depth), spec)
        np.testing.assert_allclose(found, depth % (299_792_458.0 / 100e6), atol=1e-4)


def test_pixels_beside_edges_fly_between_both_depths() -> None:
    """
    At edges, time-of-flight pixels mix both depths by amplitude and phase; other pixels do not.

    :reference: sum of two phasors
    """
    true = wall(2.0)
    true[:, 200:] = 3.0
    found = measured_depth(true, replace(FLIGHT, tof_mixing=0.4), np.random.default_rng(2))[100]
    turns = 4.0 * np.pi * 20e6 / 299_792_458.0
    one, other = (np.exp(1j * turns * z) / z ** 2 for z in (2.0, 3.0))
    wanted = [np.angle(0.9 * a + 0.1 * b) / turns for a, b in ((one, other), (other, one))]
    np.testing.assert_allclose(found[199:201], wanted, rtol=1e-5)
    assert 2.0 < wanted[0] < wanted[1] < 3.0
    np.testing.assert_allclose(found[[100, 198, 201, 300]], true[100, [100, 198, 201, 300]], 1e-5)


@pytest.mark.parametrize('column', [60, 120, 220, 260])
def test_corners_look_farther_away_by_light_from_the_other_wall(column: int) -> None:
    """
    In a corner of two matt walls, light by way of the other wall adds to depths, within 5 %.

    :reference: integral over the other wall
    """
    spec = replace(FLIGHT, tof_multipath=0.6, depth_fx=200.0, depth_fy=200.0, depth_cx=159.5,
                   depth_cy=119.5)
    x = (np.arange(SHAPE[1]) - 159.5) / 200.0
    true = np.broadcast_to((3.0 / (1.0 + np.abs(x))).astype(np.float32), SHAPE)  # 90 degrees
    found = measured_depth(true, spec, np.random.default_rng(2))[120, column]
    turns, z = 4.0 * np.pi * 20e6 / 299_792_458.0, float(true[120, column])
    point, side = np.array([x[column] * z, 0.5 / 200.0 * z, z]), np.sign(x[column])
    normal, other = (np.array([each, 0.0, -1.0]) / np.sqrt(2.0) for each in (-side, side))
    u, v = np.meshgrid(-side * (np.arange(3200) + 0.5) / 4000.0, np.linspace(-0.6, 0.6, 481))
    u, v = u.ravel(), v.ravel()  # of rays to the other wall
    place = 3.0 / (1.0 + np.abs(u))[:, None] * np.stack([u, v, np.ones(u.size)], axis=1)
    way = place - point
    away, length = np.linalg.norm(place, axis=1), np.linalg.norm(way, axis=1)
    solid = 1.0 / 4000.0 * 0.0025 * (1.0 + u * u + v * v) ** -1.5
    light = 0.6 / np.pi * solid * np.maximum(way @ normal, 0.0) * np.maximum(
        -way @ other, 0.0) / length ** 4
    r = np.linalg.norm(point)
    ratio = (light * np.exp(0.5j * turns * (away + length - r))).sum() * r ** 3
    ratio /= -(normal @ point)
    wanted = np.angle(np.exp(1j * turns * z) * (1.0 + ratio)) / turns
    assert 0.01 < wanted - z < 0.5
    assert found - z == pytest.approx(wanted - z, rel=0.05)


def test_black_and_glaring_surfaces_have_no_depth(gl: None) -> None:
    blocks = tuple(BlockSpec(
        name=f'b{i}', static=True, init_pose=Pose(3.0, i - 1.0), color=(shade, shade, shade, 1.0),
        geometry=GeometrySpec(kind='box', lx=0.5, ly=0.9, lz=3.0))
        for i, shade in enumerate((0.02, 0.5, 1.0)))
    camera = RgbdCameraSpec(
        name='c', pose=Pose(z=1.0), depth_ncols=90, depth_nrows=10, depth_fx=60.0, depth_fy=60.0,
        depth_cx=45.0, depth_cy=5.0, sense_rgb=False, publish_ros_colored_pointcloud=False,
        renderer='cpu')
    seen = []
    for each in (camera, replace(camera, depth_light_min=0.01),
                 replace(camera, depth_light_max=0.1)):
        world = WorldSpec(blocks=blocks, sensors=(each,), elements=(HorizontalPlaneSpec(),))
        depth = Simulation(world).measure('c').depth.depth
        seen.append([np.isfinite(depth[2, column]) for column in (56, 36, 16)])
    assert seen[0] == [True, True, True] and seen[1] == [False, True, True]
    assert seen[2][1] and not seen[2][2]


def taken(spec: CameraSpec, colour: np.ndarray, encoding: str = 'rgb8') -> np.ndarray:
    """Return the image that a camera takes of colours."""
    height, width = colour.shape[:2]
    return ImageNoise(spec, width, height, np.random.default_rng(3), encoding).expose(colour)


def grey(value: int, side: int = 300) -> np.ndarray:
    """Return an even image."""
    return np.full((side, side, 3), value, np.uint8)


@pytest.mark.parametrize('gain', [0.0, 12.0])
def test_photon_transfer_has_the_slope_and_offset_of_emva_1288(gain: float) -> None:
    well, read = 2000.0, 12.0
    spec = CameraSpec(name='c', gamma=1.0, full_well=well, read_noise=read, gain=gain)
    factor = 10 ** (gain / 20)
    system = 255 * factor / well  # system gain K, grey levels an electron
    means, variances = [], []
    for value in (40, 60, 80, 100):
        image = taken(spec, grey(value)).astype(float)
        means.append(image.mean())
        variances.append(image.var())
        assert image.mean() == pytest.approx(255 * factor * (value / 255) ** 2, abs=0.1)
    expected = (system * read) ** 2 + 1 / 12 + system * np.array(means)
    np.testing.assert_allclose(variances, expected, rtol=0.02)


def test_without_noise_nothing_is_random() -> None:
    spec = CameraSpec(name='c', gamma=2.2)
    assert len(np.unique(taken(spec, grey(100)))) == 1


def test_gamma_bends_the_light() -> None:
    ramp = np.repeat(np.arange(256, dtype=np.uint8)[None, :, None], 3, axis=2)
    light = (np.arange(256) / 255) ** 2
    for gamma in (1.0, 2.2):
        image = taken(CameraSpec(name='c', gamma=gamma), ramp)
        np.testing.assert_allclose(image[0, :, 0], 255 * light ** (1 / gamma), atol=0.51)


def test_the_exposure_follows_the_light_with_its_time_constant() -> None:
    spec = CameraSpec(name='c', gamma=1.0, auto_exposure=True, sensor_period=0.1,
                      auto_exposure_time=0.3, auto_exposure_target=0.2)
    film = ImageNoise(spec, 20, 20, np.random.default_rng(1))
    means = [film.expose(grey(70, 20)).mean() / 255 for _ in range(40)]
    light = (70 / 255) ** 2
    assert means[0] == pytest.approx(light, abs=0.003)
    assert means[-1] == pytest.approx(0.2, abs=0.003)
    # in the logarithm it comes nearer by 1/e in a time constant of three images
    expected = 0.2 * (light / 0.2) ** math.exp(-1)
    assert means[3] == pytest.approx(expected, abs=0.004)


def test_gain_begins_where_the_exposure_ends() -> None:
    spec = CameraSpec(name='c', gamma=1.0, auto_exposure=True, auto_exposure_time=0.01,
                      exposure_max=2.0, gain_max=12.0)
    film = ImageNoise(spec, 8, 8, np.random.default_rng(1))
    for _ in range(5):
        film.expose(grey(40, 8))
    assert film.electronics is not None and film.electronics.exposure == 2.0
    assert film.electronics.gain == pytest.approx(0.18 / 2.0 / (40 / 255) ** 2, rel=0.01)
    for _ in range(5):
        film.expose(grey(4, 8))
    assert film.electronics.gain == pytest.approx(10 ** 0.6)


@pytest.mark.parametrize('encoding', MOSAICS)
def test_each_pixel_of_a_mosaic_has_its_colour(encoding: str) -> None:
    colour = np.empty((6, 8, 3), np.uint8)
    colour[:] = 200, 120, 40
    raw = taken(CameraSpec(name='c'), colour, encoding)
    letters = encoding.removeprefix('bayer_').rstrip('168')
    scale = 257 if encoding.endswith('16') else 1
    wanted = [scale * {'r': 200, 'g': 120, 'b': 40}[letter] for letter in letters]
    np.testing.assert_array_equal(raw[:2, :2].ravel(), wanted)
    assert raw.shape == (6, 8)
    np.testing.assert_array_equal(colours_of(raw, encoding), colour)


def test_brightness_is_that_of_the_light() -> None:
    colour = np.empty((2, 2, 3), np.uint8)
    colour[:] = 200, 120, 40
    light = np.array([0.2126, 0.7152, 0.0722]) @ (np.array([200, 120, 40]) / 255) ** 2
    raw = taken(CameraSpec(name='c'), colour, 'mono8')
    np.testing.assert_array_equal(raw, round(255 * math.sqrt(light)))
    np.testing.assert_array_equal(taken(CameraSpec(name='c'), colour, 'bgr8')[0, 0],
                                  [40, 120, 200])


def test_exposures_are_in_snapshots_and_begin_anew_after_a_reset() -> None:
    spec = CameraSpec(name='c', ncols=16, nrows=12, renderer='cpu', auto_exposure=True,
                      full_well=500.0, encoding='mono8', sensor_period=0.1)
    simulation = Simulation(WorldSpec(sensors=(spec,)))
    first = [simulation.measure('c').pixels for _ in range(4)]
    simulation.reset()
    again = [simulation.measure('c').pixels for _ in range(2)]
    state = simulation.snapshot()
    again += [simulation.measure('c').pixels for _ in range(2)]
    np.testing.assert_array_equal(first, again)
    simulation.restore(state)
    np.testing.assert_array_equal(simulation.measure('c').pixels, first[2])
