# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Spray of wheels: how much, where, and what it takes of the light of cameras and LiDARs."""

from dataclasses import replace
import math

from mounting import mounted
import numpy as np
import pytest

from mvsim_ros2 import Pose, Simulation
from mvsim_ros2.errors import RenderContextError
from mvsim_ros2.sensors.camera.falling_streaks import particles_in_view
from mvsim_ros2.sensors.camera.lens import Lens
from mvsim_ros2.sensors.falling import Falling, falling_of
from mvsim_ros2.sensors.spray import film_of, water_in_air, with_spray
from mvsim_ros2.world.file.load import load_world_text
from mvsim_ros2.world.spec import CameraSpec, Lidar3dSpec, WeatherSpec, WorldSpec

WORLD = load_world_text("""<mvsim_world> <weather water_film="1" particles="true"/>
<vehicle:class name="cart"> <dynamics class="differential"> <l_wheel pos="0 0.75" width="0.2"
diameter="0.6"/> <r_wheel pos="0 -0.75" width="0.2" diameter="0.6"/> <chassis mass="100"> <shape>
<pt>0 -0.5</pt> <pt>0.3 -0.5</pt> <pt>0.3 0.5</pt> <pt>0 0.5</pt> </shape> </chassis> </dynamics>
</vehicle:class> <vehicle name="v" class="cart"> <init_pose>0 0 0</init_pose>
<init_vel>30 0 0</init_vel> </vehicle>
<block> <init_pose>-2 4 0</init_pose> <static>true</static> <zmin>-9</zmin> <zmax>9</zmax>
<color>#000000</color> <reflectivity>0.9</reflectivity>
<shape> <pt>-9 0</pt> <pt>9 0</pt> <pt>9 0.1</pt> <pt>-9 0.1</pt> </shape> </block>
</mvsim_world>""", 'a.world.xml')
SPEED, SIZE, WATER = 30.0, 0.6, 5.479e-3
MEAN = 4.8 / SPEED  # mm
DROPS = 1e9 * 1e-3 * WATER / (math.pi * MEAN ** 3)  # in a m^3
LOSS = 1e-6 * math.pi * MEAN ** 2 * DROPS  # 1/m
LENS = Lens(160, 120, 120.0, 120.0, 79.5, 59.5)
ACROSS = Pose(-2.0, -2.5, 0.2, 0.0, 0.0, -math.pi / 2)  # optical, looks along y through both


@pytest.mark.parametrize('speed, film, grams', [
    (25.0, 1.0, 3.701), (10.0, 1.0, 0.463), (25.0, 0.2, 0.786), (1.5, 1.0, 0.0526),
    (0.0, 1.0, 0.0), (25.0, 0.0, 0.0)])
def test_amount_by_speed_and_film(speed: float, film: float, grams: float) -> None:
    """
    Water in the air behind a wheel of 0.2 m, worked out by hand.

    :reference: Flintsch et al. (2014)
    """
    assert 1e3 * water_in_air(speed, 0.2, 1e-3 * film) == pytest.approx(grams, rel=1e-3, abs=1e-9)


def test_rain_makes_a_film() -> None:
    assert 1e3 * film_of(WeatherSpec(rain=25.0)) == pytest.approx(0.363, abs=1e-3)
    assert film_of(WeatherSpec(rain=5.0)) == film_of(WeatherSpec(rain=25.0, water_film=0.0)) == 0.0


def spray(time: float, world: WorldSpec = WORLD) -> Falling:
    """Return the spray of the cart, which goes on evenly."""
    mount = mounted(CameraSpec(name='c'), '', world=world)
    return with_spray(falling_of(world.weather, world.air.wind, 5), mount, time)


def test_drops_are_as_many_as_there_is_water_and_stay_behind_the_wheels() -> None:
    """
    Where they are, drops of at least half a millimetre are as many as the spectrum says.

    :reference: closed form
    """
    assert 1e3 * water_in_air(SPEED, 0.2, 1e-3) == pytest.approx(1e3 * WATER, rel=0.01)
    eye = Pose(-2.0, 0.0, 3.0, -math.pi / 2, 0.0, math.pi)  # optical, looks down
    found = particles_in_view(spray(0.0), replace(LENS, fx=60.0, fy=60.0), eye.matrix, 0.0, 1e-3)
    places = found[:, :3] @ eye.matrix[:3, :3].T + eye.matrix[:3, 3]
    assert (np.abs(np.abs(places[:, 1]) - 0.75) <= SIZE / 2).all()
    assert (places[:, 0] <= 0.0).all() and (places[:, 2] >= 0.0).all()
    # each falls from the height where its wheel left it
    assert (places[:, 2] - places[:, 0] / SPEED * found[:, 6] <= SIZE).all()
    large = places[1e3 * found[:, 3] > 0.5]
    inside = (np.abs(large[:, 0] + 1.5) < 0.5) & (large[:, 2] < 0.4)
    expected = DROPS * math.exp(-0.5 / MEAN) * 2 * 1.0 * SIZE * 0.4
    assert inside.sum() == pytest.approx(expected, abs=5.0 * math.sqrt(expected))


def test_drops_hang_in_the_air_while_the_wheel_goes_on() -> None:
    world = replace(WORLD, air=replace(WORLD.air, wind=(0.0, 3.0)))
    eye = ACROSS.matrix
    first, second = (particles_in_view(spray(time, world), LENS, eye, time, 0.05)
                     for time in (0.0, 0.01))
    moved = first[:, :3] + 0.01 * first[:, 4:] @ eye[:3, :3]
    there = {tuple(np.round(place, 6)) for place in second[:, :3]}
    seen = (np.abs(LENS.project(moved) - [80, 60]) < [60, 40]).all(axis=1) & (
        moved[:, 1] < 0.19) & (120.0 * first[:, 3] > 0.06 * np.linalg.norm(moved, axis=1))
    kept = [tuple(np.round(place, 6)) in there for place in moved[seen]]
    assert len(kept) > 100 and np.mean(kept) > 0.95
    assert (first[:, 4:6] == [0.0, 3.0]).all()


def across(renderer: str = 'cpu', returns: int = 1, **weather: float) -> Simulation:
    """Return a camera and a LiDAR that look through both plumes at a black wall."""
    camera = CameraSpec(name='c', pose=ACROSS, ncols=160, nrows=120, fx=120.0, fy=120.0, cx=79.5,
                        cy=59.5, renderer=renderer)
    lidar = Lidar3dSpec(name='l', pose=Pose(-2.0, -2.5, 0.2, math.pi / 2), rolling=False,
                        vert_nrays=3, vert_fov=0.02, horz_nrays=360, layout='mvsim',
                        range_std_noise=0.0, returns=returns)
    return Simulation(replace(WORLD, sensors=(camera, lidar), weather=WeatherSpec(
        **{'water_film': 1.0, 'particles': True, **weather})), seed=5)


def test_echoes_lose_what_the_plumes_take() -> None:
    """
    The wall behind both plumes is darker by exp(-2 loss way), and plumes echo where they are.

    :reference: law of Beer and Lambert
    """
    taken = []
    for film in (0.0, 1.0):
        points = across(water_film=film).measure('l').points
        ahead = np.abs(np.arctan2(points['y'], points['x'])) < 0.05
        wall = ahead & (np.abs(points['x'] - 6.5) < 1e-3)
        assert wall.sum() > 3
        taken.append(np.median(points['intensity'][wall]))
    assert taken[1] / taken[0] == pytest.approx(math.exp(-4.0 * LOSS * SIZE), rel=0.01)
    points = across(returns=2).measure('l').points
    echo = (points['x'] > 1.0) & (points['x'] < 6.0) & (np.abs(points['y']) < 1.0)
    assert echo.sum() > 10
    assert (np.abs(np.abs(points['x'][echo] - 2.5) - 0.75) <= SIZE / 2 + 1e-3).all()


@pytest.mark.parametrize('renderer', ['cpu', 'gl'])
def test_pixels_lose_what_the_plumes_take(renderer: str) -> None:
    """
    A black wall behind both plumes has the share 1 - exp(-loss way) of the light of the air.

    :reference: law of Beer and Lambert
    """
    sim = across(renderer)
    try:
        pixels = sim.measure('c').pixels
    except RenderContextError as error:
        pytest.skip(f'needs OpenGL: {error}')
    air = np.square(sim._suite.shapes(0).lighting.air_colour)
    got = np.median(pixels[55:65, 75:85].reshape(-1, 3), axis=0) / 255.0
    assert got == pytest.approx(np.sqrt((1.0 - math.exp(-2.0 * LOSS * SIZE)) * air), abs=0.02)
    dry = across(renderer, water_film=0.0).measure('c').pixels
    assert dry[55:65, 75:85].max() == 0


def test_plumes_of_one_seed_are_the_same() -> None:
    images = [across().measure('c').pixels for _ in range(2)]
    assert np.array_equal(*images)
    assert spray(0.0).plumes['extinction'].max() == pytest.approx(LOSS, rel=0.01)
