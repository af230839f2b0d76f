# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""LiDARs in rain, snow, fog and dust."""

import math

from making import simulate
import numpy as np
import pytest

from mvsim_ros2.sensors.lidar.air import air_of, hazard_rate, WAVELENGTH
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.world.spec import WeatherSpec

WORLD = """WEATHER
  <block> <init_pose>DISTANCE 0 0</init_pose> <static>true</static> <zmax>60</zmax>
    <zmin>-60</zmin> <reflectivity>REFLECTIVITY</reflectivity>
    <shape> <pt>0 -60</pt> <pt>1 -60</pt> <pt>1 60</pt> <pt>0 60</pt> </shape> </block>
  SENSOR"""
LIDAR = """<sensor class="lidar3d" name="s"> <range_std_noise>NOISE</range_std_noise>
  <vert_nrays>40</vert_nrays> <vert_fov_degrees>2</vert_fov_degrees>
  <horz_nrays>18000</horz_nrays> <azimuth_min_degrees>-1</azimuth_min_degrees>
  <azimuth_max_degrees>1</azimuth_max_degrees> <layout>mvsim</layout> <rolling>false</rolling>
  <max_range>120</max_range> <detection_range>100</detection_range> MORE </sensor>"""
HALF = 0.0015


def _measure(sensor: str, weather: str, distance: float, reflectivity: float = 0.5,
             seed: int = 1) -> Observation:
    return simulate(WORLD.replace('WEATHER', weather).replace('DISTANCE', f'{distance}').replace(
        'REFLECTIVITY', f'{reflectivity}').replace('SENSOR', sensor), seed).measure('s')


def _points(weather: str, distance: float, reflectivity: float = 0.5, more: str = '',
            noise: float = 0.0) -> np.ndarray:
    lidar = LIDAR.replace('MORE', more).replace('NOISE', f'{noise}')
    return _measure(lidar, weather, distance, reflectivity).points


def _ranges(points: np.ndarray) -> np.ndarray:
    return np.sqrt(points['x'] ** 2 + points['y'] ** 2 + points['z'] ** 2)


@pytest.mark.parametrize('kind, amount', [
    pytest.param('fog_visibility', 200.0, id='fog'), pytest.param('rain', 20.0, id='rain'),
    pytest.param('snow', 2.0, id='snow')])
def test_intensity_falls_by_the_law_of_beer_and_lambert(kind: str, amount: float) -> None:
    """
    Fog, rain and snow attenuate echoes exponentially, within 0.1 %.

    :reference: law of Beer and Lambert
    :figure: images/sensors_weather.png
    """
    weather = WeatherSpec(**{kind: amount})
    points = _points(f'<weather {kind}="{amount}"/>', 30.0)
    on_wall = points[np.abs(points['x'] - 30.0) < 1e-3]
    assert len(on_wall) > 100
    left = math.exp(-2.0 * 30.0 * weather.extinction(WAVELENGTH))
    cosine = on_wall['x'] / _ranges(on_wall)
    np.testing.assert_allclose(on_wall['intensity'], 0.5 * cosine * left, rtol=1e-3)


@pytest.mark.parametrize('distance', [60.0, 74.0, 90.0])
def test_a_wall_is_lost_where_the_lidar_equation_says(distance: float) -> None:
    # half of the echoes are lost where reflectivity exp(-2 a r) 100^2 / 0.1 = r^2
    extinction = WeatherSpec(dust_visibility=600.0).extinction(WAVELENGTH)
    points = _points('<weather dust_visibility="600"/>', distance, 0.1)
    seen = (np.abs(points['x'] - distance) < 1e-3).sum() / (40 * 101)
    power = (0.1 * math.exp(-2.0 * extinction * distance) * 100.0 ** 2 / 0.1) ** 4
    assert seen == pytest.approx(power / (power + distance ** 8), abs=0.025)


@pytest.mark.parametrize('weather', [
    pytest.param(WeatherSpec(rain=25.0), id='rain'),
    pytest.param(WeatherSpec(snow=3.0), id='snow')])
def test_drops_are_met_as_often_as_a_count_of_them_says(weather: WeatherSpec) -> None:
    """Of particles thrown into a beam at random, as many are seen as the table says."""
    random = np.random.default_rng(5)
    far, weakest, beams = 12.0, 0.1 / 100.0 ** 2, 6000
    slope = (4.1 * 25.0 ** -0.21 if weather.rain else 2.55 * 3.0 ** -0.48) * 1e3  # 1/m
    number = 8e6 / slope if weather.rain else 3800e3 * 3.0 ** -0.87 / slope  # 1/m^3
    strength = 2.0 * math.pi / 18.8 if weather.rain else 2.0 * math.pi / 25.0 * 0.1 ** (-2 / 3)
    width = 0.01 + 2.0 * HALF * far
    hits = 0
    for _ in range(beams):
        count = random.poisson(number * width ** 2 * far)
        x, (y, z) = far * random.random(count), (random.random((2, count)) - 0.5) * width
        beam = 0.01 + 2.0 * HALF * x
        size = random.exponential(1.0 / slope, count)
        power = (strength * (size / beam) ** 2 * np.clip((x - 0.9) / 0.1, 0, 1)
                 * np.exp(-2.0 * weather.extinction(WAVELENGTH) * x) / np.maximum(x, 10.0) ** 2)
        hits += bool(((power > weakest) & (np.hypot(y, z) < 0.5 * beam)).any())
    air = air_of(weather, far, weakest, HALF)
    assert hits / beams == pytest.approx(1.0 - air.none_above[-1, 0], abs=0.02)


def test_false_echoes_come_as_often_and_from_where_their_rate_says() -> None:
    points = _points('<weather rain="40"/>', 110.0, 0.0)  # nothing comes from the wall
    weather = WeatherSpec(rain=40.0)
    extinction = weather.extinction(WAVELENGTH)
    edges = np.linspace(0.0, 109.0, 4001)
    middle = 0.5 * (edges[1:] + edges[:-1])
    rate = hazard_rate(weather, extinction, middle, np.array([[0.1 / 100.0 ** 2]]), 0.0015)[0]
    total = rate.sum() * np.diff(edges)[0]
    assert len(points) / (40 * 101) == pytest.approx(1.0 - math.exp(-total), abs=0.02)
    assert 0.8 < _ranges(points).min() < 3.0
    # the strongest of a beam is as near as or nearer than any one of them
    share = np.cumsum(rate) / rate.sum()
    nearer = (_ranges(points) < middle[np.searchsorted(share, 0.5)]).mean()
    assert 0.5 < nearer < 0.75


def test_fog_is_seen_itself_and_hides_what_is_behind() -> None:
    fog = '<weather fog_visibility="40"/>'
    near, far = _points(fog, 4.0), _points(fog, 35.0, 0.1)
    assert (np.abs(near['x'] - 4.0) < 1e-3).mean() > 0.99
    assert (np.abs(far['x'] - 35.0) < 1e-3).mean() < 0.01
    # the strongest echo of the fog comes from where the receiver sees the beam first
    assert len(far) > 0.99 * 40 * 101
    assert 0.8 < _ranges(far).min() < np.median(_ranges(far)) < 6.0
    strength = np.median(far['intensity'])
    peak = math.pi * 0.7495 * (-math.log(0.05) / 40.0) / 18.8 * math.exp(-2 * 0.0749)
    assert 0.5 * peak < strength < 2.0 * peak


def test_planar_lidars_see_the_same_weather() -> None:
    scans = []
    for in_space in ('false', 'true'):
        laser = '<sensor class="laser" name="s"> <nrays>4000</nrays> ' \
            '<fov_degrees>20</fov_degrees> ' \
            f'<range_std_noise>0</range_std_noise> <raytrace_3d>{in_space}</raytrace_3d> </sensor>'
        scan = _measure(laser, '<weather rain="30" dust_visibility="600"/>', 60, 0.1, seed=3)
        lost = ~np.isfinite(scan.ranges)
        false = np.isfinite(scan.ranges) & (scan.ranges < 59.0)
        scans.append((lost.mean(), false.mean(), np.median(scan.intensities[~false & ~lost])))
    assert scans[0] == pytest.approx(scans[1], abs=0.03, rel=0.02)
    assert scans[0][0] > 0.02 and scans[0][1] > 0.02


def test_clear_air_changes_nothing() -> None:
    none, clear = (_points(weather, 30.0, noise=0.02) for weather in ('', '<weather rain="0"/>'))
    np.testing.assert_array_equal(none, clear)


def test_ranges_of_weak_echoes_are_noisier() -> None:
    """The deviation grows as 1 / sqrt(power): by two where the power falls to a quarter."""
    deviations = []
    for distance, reflectivity in ((25.0, 0.4), (50.0, 0.4)):
        points = _points('', distance, reflectivity,
                         '<weak_range_std_noise>0.2</weak_range_std_noise>')
        cosine = points['x'] / _ranges(points)
        deviations.append(np.std(_ranges(points) - distance / cosine))
    # at 25 m: power 0.4 / 25^2 against 0.1 / 100^2 that is just seen
    expected = 0.2 * math.sqrt(0.1 / 100 ** 2 / (0.4 / 25 ** 2))
    assert deviations[0] == pytest.approx(expected, rel=0.06)
    assert deviations[1] == pytest.approx(2.0 * deviations[0], rel=0.06)
