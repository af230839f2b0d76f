# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Drops and flakes with places: how many, how they fall, and that all sensors see the same."""

from functools import cache
import math

import numpy as np
import pytest

from mvsim_ros2 import Pose, Simulation
from mvsim_ros2.sensors.camera.falling_streaks import cover, particles_in_view
from mvsim_ros2.sensors.camera.lens import Lens
from mvsim_ros2.sensors.falling import falling_of
from mvsim_ros2.sensors.lidar.air import hazard_rate, WAVELENGTH
from mvsim_ros2.world.spec import BlockSpec, CameraSpec, Lidar3dSpec, WeatherSpec, WorldSpec

SNOW, RAIN = WeatherSpec(snow=3.0, particles=True), WeatherSpec(rain=25.0, particles=True)
PIXELS = (320, 240, 300.0, 300.0, 159.5, 119.5)
EYE = Pose(z=1.5, yaw=-math.pi / 2, roll=-math.pi / 2)
WALL = BlockSpec(name='wall', static=True, init_pose=Pose(14.0), color=(0.0, 0.0, 0.0, 1.0),
                 reflectivity=0.0, zmin=-20.0, zmax=20.0,
                 shape=((0.0, -30.0), (0.1, -30.0), (0.1, 30.0), (0.0, 30.0)))


def world(weather: WeatherSpec, renderer: str = 'cpu', seed: int = 5, **tags: float) -> Simulation:
    """Return a camera and a LiDAR at the same place, which look at a black wall."""
    width, height, fx, fy, cx, cy = PIXELS
    camera = CameraSpec(name='c', pose=EYE, ncols=width, nrows=height, fx=fx, fy=fy, cx=cx, cy=cy,
                        renderer=renderer, sensor_period=100.0, **tags)
    lidar = Lidar3dSpec(name='l', pose=Pose(z=1.5), rolling=False, vert_nrays=20, horz_nrays=720,
                        range_std_noise=0.0, layout='mvsim', vert_fov=0.6, sensor_period=100.0)
    return Simulation(WorldSpec(blocks=(WALL,), sensors=(camera, lidar), weather=weather),
                      seed=seed)


@cache
def near_particles(weather: WeatherSpec, time: float) -> np.ndarray:
    """Return what falls in view of the camera, thin things too."""
    return particles_in_view(
        falling_of(weather, (0.0, 0.0), 5), Lens(*PIXELS), EYE.matrix, time, least=0.1)


@pytest.mark.parametrize('weather', [SNOW, RAIN], ids=['snow', 'rain'])
def test_a_lidar_meets_what_a_camera_sees(renderer: str, weather: WeatherSpec) -> None:
    """
    Each echo of a LiDAR is of a particle whose pixel in the image is brighter than the wall.

    :reference: projection of the particle
    """
    sim = world(weather, renderer)
    sim.run(0.7)
    points, image = sim.measure('l').points, sim.measure('c').pixels
    plain = world(WeatherSpec(**{'snow': weather.snow, 'rain': weather.rain}), renderer)
    before = plain.measure('c').pixels
    lens = Lens(*PIXELS)
    seen, bright = near_particles(weather, 1e-9 * sim.time_ns), 0
    places = np.stack([points['x'], points['y'], points['z']], axis=1).astype(float)
    places = np.stack([-places[:, 1], -places[:, 2], places[:, 0]], axis=1)  # optical
    pixels = lens.project(places)
    inside = (places[:, 2] > 1.0) & (np.linalg.norm(places, axis=1) < 4.0) & (
        np.abs(pixels - [160, 120]) < [150, 110]).all(axis=1)
    assert inside.sum() > 5
    for place in places[inside]:
        away = np.linalg.norm(place)
        along = seen[:, :3] @ place / away
        aside = np.linalg.norm(seen[:, :3] - along[:, np.newaxis] * place / away, axis=1)
        near = np.flatnonzero((np.abs(along - away) < 1e-4) & (aside < 0.5 * (
            0.01 + 2.0 * 0.0015 * away) + 1e-6))
        assert len(near) == 1
        u, v = np.rint(lens.project(seen[near[0], :3])).astype(int)
        if 300.0 * seen[near[0], 3] > 0.26 * away and 0 <= u < 320 and 0 <= v < 240:
            assert image[v, u].astype(int).sum() > before[v, u].astype(int).sum() + 3
            bright += 1
    assert bright > 2


@pytest.mark.parametrize('weather', [SNOW, RAIN], ids=['snow', 'rain'])
def test_echoes_come_as_often_as_by_chance(weather: WeatherSpec) -> None:
    """
    The share of beams with an echo of a falling particle is 1 - exp(-H).

    :reference: closed form
    """
    sim, behind, scans = world(weather), 0, 4
    for _ in range(scans):
        sim.run(1.0)
        behind += int((sim.measure('l').points['x'] < 0.0).sum())  # where nothing stands
    lidar = sim.sensors['l'].spec
    power = lidar.max_range ** 2 / lidar.detection_reflectivity
    edges = np.linspace(0.0, lidar.max_range, 8001)
    rate = hazard_rate(weather, weather.extinction(WAVELENGTH), 0.5 * (edges[1:] + edges[:-1]),
                       np.array([[1.0 / power]]), lidar.beam_divergence / 2)[0]
    expected = 1.0 - math.exp(-rate.sum() * edges[1])
    assert behind / (scans * 20 * 360) == pytest.approx(expected, abs=0.01)
    assert 0.02 < expected < 0.9


def test_numbers_and_diameters_are_those_of_the_spectrum() -> None:
    """
    The number of wide particles near the camera follows the spectrum, within five deviations.

    :reference: Marshall and Palmer
    """
    falling = falling_of(RAIN, (0.0, 0.0), 3)
    lens = Lens(400, 400, 200.0, 200.0, 199.5, 199.5)
    found = np.concatenate([particles_in_view(falling, lens, EYE.matrix, time)
                            for time in (0.0, 5.0, 10.0)])
    slope = 4.1 * 25.0 ** -0.21
    # all of a diameter D [mm] up to 200 px m * D / 0.25 px; here those of at least 2 mm within 1 m
    size, away = 1e3 * found[:, 3], np.linalg.norm(found[:, :3], axis=1)
    wide = (size > 2.0) & (away < 1.0) & (found[:, 2] > 0.0)
    u, v = lens.project(found[:, :3][wide]).T
    count = int(((np.abs(u - 199.5) < 200) & (np.abs(v - 199.5) < 200)).sum())
    solid = 4.0 * math.asin(0.5)  # of a square with the half angle of 45 degrees
    volume = solid / 3.0 * (1.0 - 0.05 ** 3)
    expected = 3 * volume * 8000.0 / slope * math.exp(-2.0 * slope)
    assert count == pytest.approx(expected, abs=5.0 * math.sqrt(expected))
    for row in falling.kinds[2:5]:
        kind = size[np.isclose(found[:, 6], row['velocity'][2])]
        low, high, fall = row['small'], row['large'], row['slope']
        assert low <= kind.min() and kind.max() <= high and fall == pytest.approx(slope)


def test_they_fall_and_drift_with_the_wind() -> None:
    falling = falling_of(SNOW, (2.0, -1.0), 3)
    lens = Lens(*PIXELS)
    first, second = (particles_in_view(falling, lens, EYE.matrix, time) for time in (1.0, 1.01))
    turned = EYE.matrix[:3, :3]
    moved = first[:, :3] + 0.01 * first[:, 4:7] @ turned
    where = {tuple(np.round(place, 6)) for place in second[:, :3]}
    inside = (np.abs(lens.project(moved) - [160, 120]) < [140, 100]).all(axis=1) & (
        moved[:, 2] > 0.5) & (300.0 * first[:, 3] > 0.4 * np.linalg.norm(moved, axis=1))
    assert inside.sum() > 100
    assert sum(tuple(np.round(place, 6)) in where for place in moved[inside]) > (
        0.97 * inside.sum())
    assert first[:, 4:6].tolist() == [[2.0, -1.0]] * len(first)
    assert -2.0 < first[:, 6].min() and first[:, 6].max() < -0.5


@pytest.mark.parametrize('width, way', [(0.4, 0.0), (0.4, 20.0), (6.0, 0.0), (12.0, 30.0)])
def test_a_disc_takes_its_area_of_the_light(width: float, way: float) -> None:
    """
    A particle covers its area in the image during an exposure, moving or not.

    :reference: closed form
    """
    marks = np.array([[60.3, 40.1, 60.3 + 0.6 * way, 40.1 + 0.8 * way, width, 2.0]])
    taken = []
    for part in np.random.default_rng(0).random((40, 2)):
        clear = np.ones((120, 160))
        marks[0, :4] += np.tile(part - 0.5, 2)
        cover(marks, np.full(clear.shape, 9.0, np.float32), clear)
        # discs of an exposure add up, where few of them overlap
        taken.append(-np.log(clear).sum() if way else (1.0 - clear).sum())
    assert np.mean(taken) == pytest.approx(math.pi / 4.0 * width ** 2, rel=0.04)
    hidden = np.ones((120, 160))
    cover(marks, np.full(hidden.shape, 1.0, np.float32), hidden)
    assert (hidden == 1.0).all(), 'it is behind what is seen'


def test_seeds_have_particles_of_their_own() -> None:
    images = [world(SNOW, seed=seed).measure('c').pixels for seed in (5, 5, 6)]
    assert np.array_equal(images[0], images[1])
    assert not np.array_equal(images[0], images[2])
