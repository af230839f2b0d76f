# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Geodesy: published examples to the millimetre, and there and back.

:claim: coordinates on the earth are right to the millimetre
:reference: worked examples of Ordnance Survey, PROJ 9
"""

import math

import numpy as np
import pytest

from mvsim_ros2.sensors.navigation import geodesy
from mvsim_ros2.sensors.navigation.georeference import Georeference
from mvsim_ros2.world.spec.view import GeoreferenceSpec

AIRY = geodesy.Ellipsoid(6377563.396, (6377563.396 - 6356256.909) / 6377563.396)


def dms(degrees, minutes, seconds):
    return math.radians(degrees + minutes / 60 + seconds / 3600)


def test_worked_example_of_the_ordnance_survey():
    # A guide to coordinate systems in Great Britain, annex C: Caister water tower
    grid = geodesy.TransverseMercator(math.radians(-2.0), 0.9996012717, AIRY)
    true_origin = grid.project(math.radians(49.0), math.radians(-2.0))
    easting, northing = grid.project(dms(52, 39, 27.2531), dms(1, 43, 4.5177))
    assert easting + 400000.0 == pytest.approx(651409.903, abs=6e-4)
    assert northing - true_origin[1] - 100000.0 == pytest.approx(313177.270, abs=6e-4)


def test_worked_example_of_geocentric_coordinates():
    # the same guide, annex B: the same tower on the Airy ellipsoid, 24.700 m above it
    place = geodesy.ecef(dms(52, 39, 27.2531), dms(1, 43, 4.5177), 24.7, AIRY)
    assert place == pytest.approx([3874938.849, 116218.624, 5047168.208], abs=1e-3)


@pytest.mark.parametrize('latitude, longitude, easting, northing', [
    pytest.param(48.137154, 11.576124, 245288.4072937652, 5337215.600949275, id='zone 32 in 33'),
    pytest.param(59.3, 17.9, 665126.3543890833, 6577052.370534246, id='north'),
    pytest.param(0.5, 12.1, 177176.0374467544, 55336.37756568069, id='equator'),
    pytest.param(-33.9, 18.4, 814420.3309513011, -3756275.159925191, id='south'),
])
def test_utm_33_as_proj_9_computes_it(latitude, longitude, easting, northing):
    zone = geodesy.TransverseMercator(geodesy.utm_meridian(33))
    x, y = zone.project(math.radians(latitude), math.radians(longitude))
    assert (x + 5e5, y) == pytest.approx((easting, northing), abs=1e-6)
    assert np.degrees(zone.unproject(x, y)) == pytest.approx((latitude, longitude), abs=1e-11)


@pytest.mark.parametrize('latitude, longitude, height, place', [
    pytest.param(48.137154, 11.576124, 519.0,
                 (4177969.8860344267, 855799.8257209, 4727453.774307899), id='Munich'),
    pytest.param(-33.45, -70.25, 5000.0,
                 (1801535.4804337148, -5017691.917808226, -3498464.5620368724), id='Andes')])
def test_ecef_as_proj_9_computes_it(latitude, longitude, height, place):
    found = geodesy.ecef(math.radians(latitude), math.radians(longitude), height)
    assert found == pytest.approx(place, abs=1e-7)
    lat, lon, h = geodesy.geodetic(found)
    assert np.degrees((lat, lon)) == pytest.approx((latitude, longitude), abs=1e-13)
    assert h == pytest.approx(height, abs=5e-9)


@pytest.mark.parametrize('latitude', [
    pytest.param(value, id=f'{value}') for value in (-90, -89.9999, -45, 0, 1e-7, 60, 89.99, 90)])
def test_geodetic_is_the_inverse_everywhere(latitude):
    for height in (-5e3, 0.0, 9e3, 4e5):
        place = geodesy.ecef(math.radians(latitude), 2.0, height)
        lat, _, h = geodesy.geodetic(place)
        assert geodesy.ecef(lat, 2.0, h) == pytest.approx(place, abs=5e-9)
        assert math.degrees(lat) == pytest.approx(latitude, abs=1e-12)


@pytest.mark.parametrize('latitude, longitude, zone', [
    pytest.param(48, 11.5, 32, id='Munich'), pytest.param(60, 5, 32, id='Bergen'),
    pytest.param(78, 15, 33, id='Spitsbergen'), pytest.param(0, -180, 1, id='date line'),
    pytest.param(0, 180, 1, id='date line, other side'), pytest.param(-34, 151, 56, id='Sydney')])
def test_utm_zone(latitude, longitude, zone):
    assert geodesy.utm_zone(math.radians(latitude), math.radians(longitude)) == zone


@pytest.mark.parametrize('utm', [pytest.param(False, id='enu'), pytest.param(True, id='utm')])
def test_the_reference_is_where_it_says(utm):
    for latitude in (48.1, -33.9):
        reference = Georeference(GeoreferenceSpec(
            latitude=latitude, longitude=11.6, height=500.0, world_is_utm=utm))
        lat, lon, height = reference.geodetic(reference.origin)
        assert np.degrees([lat, lon]) == pytest.approx([latitude, 11.6], abs=1e-12)
        assert height == pytest.approx(500.0, abs=1e-8)


def test_directions_of_a_turned_world():
    reference = Georeference(GeoreferenceSpec(
        latitude=48.0, longitude=11.0, world_to_enu_rotation=0.5))
    ahead = reference.to_enu(np.zeros(3), np.array([2.0, 0.0, 1.0]))
    assert ahead == pytest.approx([2 * math.cos(0.5), 2 * math.sin(0.5), 1.0], abs=1e-12)
    assert reference.heading(np.zeros(3)) == pytest.approx(0.5, abs=1e-12)
    lat, lon, height = reference.geodetic(np.array([100.0, 0.0, 0.0]))
    assert lat > math.radians(48.0) and lon > math.radians(11.0)
    assert height == pytest.approx(100.0 ** 2 / 2 / 6.38e6, rel=0.01)  # the Earth is round


def test_directions_of_a_utm_world():
    # 2 degrees east of the meridian of zone 32, at 48 degrees north
    reference = Georeference(GeoreferenceSpec(latitude=48.0, longitude=11.0, world_is_utm=True))
    convergence = math.atan(math.tan(math.radians(2.0)) * math.sin(math.radians(48.0)))
    assert reference.heading(reference.origin) == pytest.approx(-convergence, abs=1e-5)
    step = reference.to_enu(reference.origin, np.array([0.0, 10.0, 0.0]))
    easting = reference.origin[0] - 5e5
    scale = 0.9996 * (1 + easting ** 2 / 2 / 6.38e6 ** 2)
    assert np.linalg.norm(step) == pytest.approx(10.0 / scale, rel=1e-5)
    assert reference.to_enu(reference.origin, np.array([0.0, 0.0, 3.0])) == pytest.approx(
        [0.0, 0.0, 3.0], abs=1e-7)
