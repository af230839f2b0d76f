# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Satellites, what hides and reflects them, errors of a site, and ambiguities."""

import math

from making import simulate
import numpy as np
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.base.random_streams import stream
from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.sensors.navigation.gnss import dilution, listen
from mvsim_ros2.sensors.navigation.satellites import satellite_places, SiteErrors
from mvsim_ros2.sensors.observations import FixType
from mvsim_ros2.sensors.raycast.ray_scene import RayScene
from mvsim_ros2.sensors.raycast.target import EVERYTHING

GROUND = '<element class="horizontal_plane"> <x_min>-500</x_min> <x_max>500</x_max> ' \
    '<y_min>-500</y_min> <y_max>500</y_max> </element>'
PLACE = '<georeference> <latitude>48.1</latitude> <longitude>11.6</longitude> </georeference>'
WALL = '<block> <init_pose>X 0 0</init_pose> <static>true</static> <zmax>HIGH</zmax> <shape> ' \
    '<pt>-0.5 -200</pt> <pt>0.5 -200</pt> <pt>0.5 200</pt> <pt>-0.5 200</pt> </shape> </block>'


def _wall(x: float, high: float) -> str:
    return WALL.replace('X', f'{x}').replace('HIGH', f'{high}')


def _simulation(things: str, seed: int = 0) -> Simulation:
    return simulate(PLACE + things, seed)


def _scene(things: str) -> RayScene:
    return RayScene(_simulation(things).scene())


def _towards(azimuth: float, elevation: float) -> list[float]:
    """Return a unit vector; azimuth from x towards y, in degrees."""
    a, e = math.radians(azimuth), math.radians(elevation)
    return [math.cos(e) * math.cos(a), math.cos(e) * math.sin(a), math.sin(e)]


@pytest.mark.parametrize('names, radii', [
    pytest.param('gps', [26.5597e6] * 24, id='GPS'),
    pytest.param('gps_galileo', [26.5597e6] * 24 + [29.5998e6] * 24, id='with Galileo')])
def test_as_many_satellites_are_above_the_horizon_as_caps_of_their_spheres_hold(
        names: str, radii: list[float]) -> None:
    earth, mask = 6371e3, math.radians(5.0)
    random = np.random.default_rng(1)
    places = random.normal(size=(40, 3))
    places *= earth / np.linalg.norm(places, axis=1, keepdims=True)
    count = []
    for time in np.arange(0.0, 86400.0, 1800.0):
        away = satellite_places(names, time) - places[:, np.newaxis]
        up = np.einsum('psi,pi->ps', away, places) / earth / np.linalg.norm(away, axis=2)
        count.append((up > math.sin(mask)).sum(axis=1).mean())
    caps = sum(0.5 * (1.0 - math.cos(math.acos(earth * math.cos(mask) / r) - mask))
               for r in radii)
    assert np.mean(count) == pytest.approx(caps, rel=0.02)


def test_satellites_of_gps_come_back_after_two_turns_a_sidereal_day() -> None:
    day = 86164.1
    moved = satellite_places('gps', day) - satellite_places('gps', 0.0)
    assert np.linalg.norm(moved, axis=1).max() < 40e3  # 10 s of their motion
    np.testing.assert_allclose(np.linalg.norm(satellite_places('gps', 7.0), axis=1), 26.5597e6)


@pytest.mark.parametrize('around', [3, 5, 8])
def test_dilution_of_a_regular_sky(around: int) -> None:
    # one in the zenith, the others evenly at 30 degrees: closed form
    sine, cosine = 0.5, math.sqrt(0.75)
    sky = np.array([[0.0, 0.0, 1.0], *(_towards(360.0 * k / around, 30.0)
                                       for k in range(around))])
    horizontal, vertical, _ = dilution(sky)
    assert horizontal == pytest.approx(math.sqrt(4.0 / (around * cosine ** 2)))
    assert vertical == pytest.approx(math.sqrt((around + 1) / (around * (1.0 - sine) ** 2)))


def test_too_few_satellites() -> None:
    sky = np.array([_towards(0, 30), _towards(90, 40), _towards(200, 50)])
    assert dilution(sky)[0] == math.inf


def test_reflections_come_later_by_twice_the_distance_to_the_wall() -> None:
    # the wall's face is 10 m east; satellites to the west are reflected by it
    scene = _scene(GROUND + _wall(10.5, 60.0))
    antenna = np.array([0.0, 0.0, 2.0])
    sky = np.array([_towards(180, 40), _towards(90, 60), _towards(270, 60), _towards(170, 80),
                    _towards(0, 30)])
    heard = listen(scene, antenna, sky, EVERYTHING, 0.0)
    assert (heard.satellites, heard.lines_of_sight) == (4, 4)  # the eastern one is hidden
    wave = 0.5 * np.cos(2.0 * math.pi * 20.0 * np.cos(np.radians(40.0)) / 0.190293672798)
    late = 20.0 * math.cos(math.radians(40.0))
    expected = np.clip(wave * late / (1.0 + wave), -0.5 * 14.6525, 0.5 * 14.6525)
    one = listen(scene, antenna, sky[[0, 1, 2, 3]], EVERYTHING, 0.5)
    _, _, to_place = dilution(sky[[0, 1, 2, 3]])
    steep = 20.0 * math.cos(math.radians(80.0)) * math.cos(math.radians(10.0))
    wave = 0.5 * math.cos(2.0 * math.pi * steep / 0.190293672798)
    errors = [expected, 0.0, 0.0,
              np.clip(wave * steep / (1.0 + wave), -0.5 * 14.6525, 0.5 * 14.6525)]
    np.testing.assert_allclose(one.offset, (to_place @ errors)[:3], rtol=1e-6, atol=1e-6)


def test_a_hidden_satellite_is_heard_by_its_reflection_with_the_whole_extra_path() -> None:
    """
    Walls hide satellites, or reflect their signals with the additional path.

    :reference: geometry of the reflection
    """
    # a low wall hides a satellite in the west; a tall one in the east reflects it
    scene = _scene(GROUND + _wall(-5.5, 8.0) + _wall(20.5, 80.0))
    sky = np.array([_towards(180, 40), _towards(90, 60), _towards(270, 60), _towards(100, 85),
                    _towards(260, 50)])
    heard = listen(scene, np.array([0.0, 0.0, 2.0]), sky, EVERYTHING, 1e-9)
    assert (heard.satellites, heard.lines_of_sight) == (5, 4)
    _, _, to_place = dilution(sky)
    late = 40.0 * math.cos(math.radians(40.0))
    np.testing.assert_allclose(heard.offset, (to_place @ [late, 0, 0, 0, 0])[:3], atol=1e-6)


def test_in_a_street_there_are_fewer_satellites_and_larger_errors() -> None:
    receiver = '<sensor class="gnss" name="g"> <pose_3d>0 0 2 0 0 0</pose_3d> ' \
        '<sky_view>true</sky_view> </sensor>'
    free, street, gorge = (_simulation(GROUND + things + receiver).measure('g') for things in (
        '', _wall(-12.0, 12.0) + _wall(12.0, 12.0), _wall(-2.0, 40.0) + _wall(2.0, 40.0)))
    assert free.satellites >= 7 and free.hdop < 2.0
    assert free.covariance[0, 0] == pytest.approx(4.0)
    assert 4 <= street.satellites < free.satellites and street.hdop > free.hdop
    assert street.covariance[0, 0] == pytest.approx(4.0 * (street.hdop / free.hdop) ** 2)
    assert gorge.fix == FixType.NONE and gorge.satellites < 4 and math.isnan(gorge.latitude)


def test_the_error_of_a_site_is_a_function_of_time_and_seed() -> None:
    first, second = (SiteErrors(stream(1, 'site/gnss'), 50.0) for _ in range(2))
    times = np.arange(0.0, 4000.0, 1.7)
    values = np.array([first.at(time) for time in times])
    for n in (900, 3, 500):
        np.testing.assert_array_equal(second.at(times[n]), values[n])
    assert not np.allclose(SiteErrors(stream(2, 'site/gnss'), 50.0).at(5.0), first.at(5.0))
    long = np.array([first.at(time) for time in np.arange(0.0, 50000.0, 50.0)])
    assert long.std() == pytest.approx(1.0, rel=0.06)
    assert np.corrcoef(long[:-1].ravel(), long[1:].ravel())[0, 1] == pytest.approx(
        math.exp(-1.0), abs=0.05)


@pytest.mark.parametrize('shared', [True, False])
def test_two_antennas_give_the_heading_where_they_share_the_errors_of_the_site(
        shared: bool) -> None:
    """With white noise s of each and a baseline b the heading has the deviation sqrt(2) s / b."""
    antenna = '<sensor class="gnss" name="NAME"> <pose_3d>X 0 1 0 0 0</pose_3d> ' \
        '<horizontal_std_noise>0.005</horizontal_std_noise> <sensor_period>1</sensor_period> ' \
        '<horizontal_drift_std_noise>1.0</horizontal_drift_std_noise> <fix>rtk</fix> ' \
        f'<shared_drift>{str(shared).lower()}</shared_drift> </sensor>'
    sensors = antenna.replace('NAME', 'front').replace('X', '0.5') + antenna.replace(
        'NAME', 'back').replace('X', '-0.5')
    simulation = _simulation('<simul_timestep>0.1</simul_timestep>' + sensors, seed=3)
    fixes: dict[str, list[tuple[float, float]]] = {'front': [], 'back': []}
    while len(fixes['back']) < 300:
        for fix in simulation.step(10):
            fixes[fix.sensor].append((fix.longitude, fix.latitude))
    difference = np.radians(np.array(fixes['front']) - np.array(fixes['back'])) * [
        6.389e6 * math.cos(math.radians(48.1)), 6.369e6]
    heading = np.arctan2(difference[:, 1], difference[:, 0])
    if shared:
        assert heading.std() == pytest.approx(math.sqrt(2.0) * 0.005, rel=0.12)
        assert abs(heading.mean()) < 0.002
    else:
        assert np.abs(heading).mean() > 0.2
    east = np.radians(np.array(fixes['front'])[:, 0] - 11.6) * 6.389e6 * math.cos(
        math.radians(48.1))
    assert np.abs(east - 0.5).max() > 0.05  # each alone is off by the drift


def test_ambiguities_take_time_and_are_lost_in_a_tunnel() -> None:
    receiver = '<sensor class="gnss" name="g"> <fix>rtk</fix> ' \
        '<ambiguity_time>5</ambiguity_time> <horizontal_std_noise>0.01</horizontal_std_noise> ' \
        '<sensor_period>1</sensor_period> <event fix="none" start="9.5" end="12.5"/> </sensor>'
    simulation = _simulation(receiver)
    fixes = [fix for _ in range(20) for fix in simulation.step(200)]
    assert ''.join(fix.fix.name[0] for fix in fixes) == 'FFFFFRRRRNNNFFFFFRRR'
    assert fixes[0].covariance[0, 0] == pytest.approx(0.3 ** 2 + 0.01 ** 2)
    assert fixes[7].covariance[0, 0] == pytest.approx(0.01 ** 2)


def test_reflections_need_satellites() -> None:
    with pytest.raises(WorldFileError, match='sky_view'):
        _simulation('<sensor class="gnss"> <multipath>0.5</multipath> </sensor>')
