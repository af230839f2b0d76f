# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Exposure, gain, gamma, noise of electrons and colour filters of cameras."""

import math

import numpy as np
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.sensors.camera.image_noise import ImageNoise
from mvsim_ros2.sensors.observations.camera import colours_of, MOSAICS
from mvsim_ros2.world.spec.sensors.camera import CameraSpec
from mvsim_ros2.world.spec.world import WorldSpec


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
    letters = encoding.removeprefix('bayer_').removesuffix('8')
    wanted = [{'r': 200, 'g': 120, 'b': 40}[letter] for letter in letters]
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
