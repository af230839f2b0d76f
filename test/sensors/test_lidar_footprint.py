# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Wide beams of LiDARs: mixed pixels, several returns, layouts of drivers; and daylight."""

import math

from making import simulate
import numpy as np
import pytest

from mvsim_ros2 import Simulation
from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.recording.serialiser import TYPES
from mvsim_ros2.ros.messages.sensor_channels import channels_of, message_of

LIDAR = """<sensor class="lidar3d" name="s"> <range_std_noise>0</range_std_noise>
  <vert_nrays>1</vert_nrays> <horz_nrays>360</horz_nrays> <max_range>50</max_range>
  <azimuth_min_degrees>-0.1</azimuth_min_degrees> <azimuth_max_degrees>0.1</azimuth_max_degrees>
  <beam_divergence_degrees>0.2</beam_divergence_degrees> MORE </sensor>"""
LASER = """<sensor class="laser" name="s"> <range_std_noise>0</range_std_noise> <nrays>3</nrays>
  <angle_std_noise_deg>0</angle_std_noise_deg> <fov_degrees>20</fov_degrees>
  <raytrace_3d>true</raytrace_3d> <beam_divergence_degrees>0.2</beam_divergence_degrees>
  MORE </sensor>"""


def _edge(near: float, far: float, cover: float = 0.0) -> str:
    """Return two walls; the near one covers what is to the left of `cover` half beams."""
    side = cover * near * math.tan(math.radians(0.1))
    return ''.join(
        f'<block> <init_pose>{x} 0 0</init_pose> <static>true</static> <zmin>-9</zmin>'
        f'<zmax>9</zmax> <reflectivity>0.8</reflectivity> <shape> <pt>0 {low}</pt>'
        f'<pt>0.1 {low}</pt> <pt>0.1 9</pt> <pt>0 9</pt> </shape> </block>'
        for x, low in ((near, side), (far, -9)))


def _simulation(things: str, sensor: str, more: str) -> Simulation:
    return simulate(things + sensor.replace('MORE', more), seed=1)


SPREAD = '<beam_samples>64</beam_samples> <rolling>false</rolling> <layout>mvsim</layout>'


def test_two_echoes_share_the_light_of_a_beam_as_their_areas() -> None:
    """
    A beam that hits two objects splits its energy between two echoes by area, within 3 %.

    :reference: areas in the beam
    """
    # the edge is half way out of the middle: a circle has 0.1955 of its area beyond
    cloud = _simulation(_edge(10.0, 12.0, 0.5), LIDAR,
                        SPREAD + '<returns>2</returns>').measure('s').points
    beyond = (math.acos(0.5) - 0.5 * math.sqrt(0.75)) / math.pi
    np.testing.assert_allclose(cloud['x'], [12.0, 10.0], atol=1e-4)
    np.testing.assert_allclose(cloud['intensity'] / 0.8, [1.0 - beyond, beyond], atol=0.03)


def test_echoes_that_cannot_be_told_apart_are_a_mixed_pixel() -> None:
    points = _simulation(
        _edge(10.0, 10.3), LIDAR, SPREAD + '<returns>2</returns>').measure('s').points
    assert len(points) == 1
    # the mean by power of two halves: 1/r^2 each
    powers = np.array([1.0 / 10.0 ** 2, 1.0 / 10.3 ** 2])
    assert points['x'][0] == pytest.approx(powers @ [10.0, 10.3] / powers.sum(), abs=0.006)
    one = _simulation(_edge(10.0, 10.3), LIDAR, '<rolling>false</rolling>')
    assert one.measure('s').points['x'][0] in (np.float32(10.0), np.float32(10.3))


def test_without_an_edge_a_wide_beam_measures_as_a_thin_one() -> None:
    points = _simulation(_edge(10.0, 12.0, -5.0), LIDAR, SPREAD).measure('s').points
    assert points['x'][0] == pytest.approx(10.0, abs=1e-4)
    assert points['intensity'][0] == pytest.approx(0.8, rel=1e-5)


def test_returns_of_an_organised_cloud_have_clouds_of_their_own() -> None:
    simulation = _simulation(_edge(10.0, 12.0, 0.5), LIDAR, SPREAD
                             + '<returns>3</returns> <organised>true</organised>')
    first = simulation.measure('s')
    second = first.second
    assert first.points.shape == second.points.shape == second.second.points.shape == (1, 1)
    assert first.points['x'][0, 0] == pytest.approx(12.0, abs=1e-4)
    assert second.points['x'][0, 0] == pytest.approx(10.0, abs=1e-4)
    assert np.isnan(second.second.points['x']).all() and second.second.second is None
    spec = simulation.world.sensors[0]
    channels = channels_of(spec)
    assert [each.ending for each in channels] == ['_points', '_points2', '_points3']
    message = message_of(channels[1], TYPES, first, '')
    assert (message.height, message.width) == (1, 1)
    assert np.frombuffer(bytes(message.data[:4]), np.float32)[0] == pytest.approx(10.0, abs=1e-4)


def _powers(points: np.ndarray, unit: float) -> np.ndarray:
    distance = np.sqrt(points['x'] ** 2 + points['y'] ** 2 + points['z'] ** 2)
    return np.where(np.isfinite(distance), points['intensity'] / unit / distance ** 2, 0.0)


@pytest.mark.parametrize('spread', [
    pytest.param('<rolling>false</rolling> <layout>mvsim</layout>', id='two rays'),
    pytest.param(SPREAD, id='many rays')])
def test_panes_and_what_stands_behind_them_both_echo(spread: str) -> None:
    """
    Two panes and a wall each give an echo; each pane transmits 0.8 of the light both ways.

    :reference: law of Beer and Lambert
    """
    pane = ('<element class="horizontal_plane"> <init_pose3d>{} 0 0 0 90 0</init_pose3d>'
            '<x_min>-3</x_min> <x_max>3</x_max> <y_min>-3</y_min> <y_max>3</y_max>'
            '<color>#80c0ff40</color> <transmittance>0.8</transmittance>'
            '<reflectivity>0.5</reflectivity> </element>')
    first = _simulation(pane.format(5) + pane.format(5.2) + _edge(11.0, 20.0, -9.0), LIDAR, spread
                        + '<returns>2</returns> <organised>true</organised>').measure('s')
    second = first.second
    assert first.points['x'][0, 0] == pytest.approx(5.0, abs=0.1)
    assert second.points['x'][0, 0] == pytest.approx(11.0, abs=0.1)
    assert first.points['intensity'][0, 0] == pytest.approx(0.2 * 0.5, rel=0.02)
    assert second.points['intensity'][0, 0] == pytest.approx(0.8 ** 4 * 0.8, rel=0.02)


@pytest.mark.parametrize('spread', [
    pytest.param('<rolling>false</rolling> <layout>mvsim</layout>', id='two rays'),
    pytest.param(SPREAD.replace('64', '8'), id='many rays')])
@pytest.mark.parametrize('weather, reflectivity', [
    pytest.param('rain="300"', 0.003, id='rain'),
    pytest.param('fog_visibility="15"', 0.8, id='fog')])
def test_surfaces_are_seen_behind_echoes_of_the_air(
        weather: str, reflectivity: float, spread: str) -> None:
    wide = LIDAR.replace('-0.1<', '-20<').replace('>0.1<', '>20<').replace('>360<', '>7200<')
    wall = _edge(12.0, 20.0, -999.0).replace('>0.8<', f'>{reflectivity}<')
    first = _simulation(f'<weather {weather}/>{wall}', wide, spread
                        + '<returns>2</returns> <organised>true</organised> <labels>true</labels>'
                        '<detection_range>300</detection_range>').measure('s')
    points, second = first.points[0], first.second.points[0]
    air = (points['label'] == 0) & np.isfinite(points['x'])
    assert air.sum() > 20
    behind = second[air & (points['x'] < 11.4)]
    np.testing.assert_allclose(behind['x'], 12.0, atol=0.01)
    assert (behind['label'] > 0).all()


def test_the_first_return_is_the_strongest_and_none_comes_without_it() -> None:
    wide = LIDAR.replace('-0.1<', '-60<').replace('>0.1<', '>60<').replace('>360<', '>72000<')
    first = _simulation(_edge(10.0, 30.0, 3.0), wide.replace('>0.2<', '>2<'),
                        '<returns>2</returns> <organised>true</organised> <layout>mvsim</layout>'
                        '<rolling>false</rolling> <dropout>0.5</dropout>').measure('s')
    powers = np.stack([_powers(each.points, 1.0) for each in (first, first.second)])
    assert (powers[1] > 0.0).sum() > 5
    assert (powers[0] >= powers[1]).all()


def test_planar_scans_have_several_echoes() -> None:
    simulation = _simulation(_edge(10.0, 12.0, 0.2), LASER,
                             '<beam_samples>32</beam_samples> <returns>2</returns>')
    scan = simulation.measure('s')
    assert scan.echoes.shape == (2, 3, 2)
    np.testing.assert_allclose(scan.echoes[:, 1, 0], [12.0, 10.0], atol=1e-4)
    np.testing.assert_array_equal(scan.ranges, scan.echoes[0, :, 0])
    plain, echoes = channels_of(simulation.world.sensors[0])
    assert (plain.message_type, echoes.message_type) == (
        'sensor_msgs/LaserScan', 'sensor_msgs/MultiEchoLaserScan')
    message = message_of(echoes, TYPES, scan, '')
    assert [len(each.echoes) for each in message.ranges] == [1, 2, 1]
    np.testing.assert_allclose(message.ranges[1].echoes, [12.0, 10.0], atol=1e-4)


@pytest.mark.parametrize('sensor, more, message', [
    (LIDAR, '<returns>3</returns>', 'beam_samples'),
    (LASER, '<returns>2</returns>', 'beam_samples'),
    (LASER.replace('true', 'false'), '<beam_samples>7</beam_samples>', 'raytrace_3d')])
def test_what_cannot_be_is_said(sensor: str, more: str, message: str) -> None:
    with pytest.raises(WorldFileError, match=message):
        _simulation('', sensor, more)


@pytest.mark.parametrize('layout, names, offsets, unit', [
    ('hesai', 'x y z intensity ring timestamp', (0, 4, 8, 12, 16, 18), 1.0),
    ('robosense', 'x y z intensity ring timestamp', (0, 4, 8, 12, 16, 18), 1.0),
    ('livox', 'x y z intensity tag line timestamp', (0, 4, 8, 12, 16, 17, 18), 1e9)])
def test_layouts_are_those_of_drivers(
        layout: str, names: str, offsets: tuple[int, ...], unit: float) -> None:
    wide = LIDAR.replace('-0.1<', '-20<').replace('>0.1<', '>20<')
    clouds = []
    for each in (layout, 'velodyne'):
        simulation = _simulation(_edge(10.0, 12.0), wide, f'<layout>{each}</layout>')
        clouds.append(simulation.step(20)[0])
    points, same = clouds[0].points, clouds[1].points
    assert ' '.join(points.dtype.names) == names
    assert tuple(points.dtype.fields[name][1] for name in points.dtype.names) == offsets
    assert points.dtype.itemsize == 26
    for name in ('x', 'y', 'z', 'intensity'):
        np.testing.assert_array_equal(points[name], same[name])
    np.testing.assert_allclose(points['timestamp'] / unit,
                               1e-9 * clouds[0].stamp_ns + same['time'], atol=1e-9)
    channel = channels_of(simulation.world.sensors[0])[0]
    message = message_of(channel, TYPES, clouds[0], '')
    assert message.point_step == 26 and message.fields[-1].datatype == 8


LUMINANCE = np.array([0.2126, 0.7152, 0.0722])
WORLD = """
  <lights><light_elevation_deg>{}</light_elevation_deg><light_azimuth_deg>{}</light_azimuth_deg>
    <light_ambient>0.4</light_ambient></lights>
  <element class="horizontal_plane"><x_min>-40</x_min><x_max>40</x_max><y_min>-40</y_min>
    <y_max>40</y_max><reflectivity>0.6</reflectivity></element>
  <block name="wall"><static>true</static><init_pose>5 0 0</init_pose><zmax>3</zmax>
    <shape><pt>0 -2</pt><pt>0.2 -2</pt><pt>0.2 2</pt><pt>0 2</pt></shape></block>
  <sensor class="lidar3d" name="l"><pose_3d>0 0 2 0 0 0</pose_3d><layout>ouster</layout>
    <organised>true</organised><rolling>{}</rolling><range_std_noise>0</range_std_noise>
    <vert_nrays>32</vert_nrays><vert_fov_degrees>60</vert_fov_degrees>
    <horz_nrays>720</horz_nrays><labels>true</labels>{}</sensor>"""


def scan(elevation: float, azimuth: float = 60.0, rolling: str = 'false',
         more: str = '') -> tuple[np.ndarray, Simulation]:
    """Return the points of a LiDAR before a wall, and its simulation."""
    simulation = simulate(WORLD.format(elevation, azimuth, rolling, more))
    return simulation.measure('l').points, simulation


@pytest.mark.parametrize('more', ['', '<returns>2</returns>',
                                  '<beam_samples>3</beam_samples>'], ids=['one', 'two', 'wide'])
def test_daylight_is_that_of_sun_and_sky_and_none_of_the_sun_in_the_shade(more: str) -> None:
    """
    Ambient light is reflectivity times sun and sky, and in the shade reflectivity times sky.

    :reference: Lambert's law, projection of the wall along the light
    """
    points, simulation = scan(35.0, 0.0, more=more)  # from behind the wall
    lighting = simulation.scene().lighting
    towards = np.array(lighting.towards_light) / np.linalg.norm(lighting.towards_light)
    up = np.array([0.0, 0.0, 1.0])
    sky = LUMINANCE @ lighting.ambient_colour + LUMINANCE @ lighting.ambient_lean * (
        up @ np.array(lighting.ambient_axis))
    sun = LUMINANCE @ lighting.light_colour * (up @ towards)
    ground = (points['label'] == 1) & (np.abs(points['z'] + 2.0) < 1e-3)
    # where the light that comes to a place on the ground passes the plane of the wall
    x, y, z = (points[axis][ground] for axis in 'xyz')
    away = (5.1 - x) / towards[0]
    height, side = z + 2.0 + away * towards[2], y + away * towards[1]
    shade = (away > 0) & (height < 2.9) & (np.abs(side) < 1.9)
    lit = (away < 0) | (height > 3.1) | (np.abs(side) > 2.1)
    found = points['ambient'][ground]
    assert shade.sum() > 50 and lit.sum() > 2000
    np.testing.assert_allclose(found[shade], 600.0 * sky, atol=1.0)
    np.testing.assert_allclose(found[lit], 600.0 * (sky + sun), atol=1.0)
    nothing = points['label'] == 0
    assert len(np.unique(points['ambient'][nothing])) == 1  # the sky


def test_there_is_little_daylight_at_night_and_swept_points_have_it_too() -> None:
    day, night, swept = (scan(height, rolling=rolling)[0]['ambient'] for height, rolling in (
        (45.0, 'false'), (-10.0, 'false'), (45.0, 'true')))
    assert day.mean() > 300 and night.mean() < 0.05 * day.mean()
    np.testing.assert_array_equal(day, swept)
