# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Geodesy and satellite receivers: published examples, lever arm, noise, regions, events.

:claim: Coordinates on the earth are right to the millimetre
:reference: worked examples of Ordnance Survey, PROJ 9
"""

import math

from mounting import mounted
import numpy as np
import pytest

from mvsim_ros2.frames import Pose
from mvsim_ros2.sensors.body_state import BodyState
from mvsim_ros2.sensors.navigation import geodesy
from mvsim_ros2.sensors.navigation.georeference import Georeference
from mvsim_ros2.sensors.navigation.gnss import Gnss
from mvsim_ros2.sensors.observations import FixType
from mvsim_ros2.world.spec import (
    GeoreferenceSpec, GnssEventSpec, GnssSpec, PropertyRegionSpec, WorldSpec)

QUIET = {'horizontal_std_noise': 0.0, 'vertical_std_noise': 0.0, 'velocity_std_noise': 0.0}
MUNICH = {'latitude': 48.137154, 'longitude': 11.576124, 'height': 519.0}
SECOND = 1_000_000_000


def receiver(regions=(), seed=0, place=MUNICH, quiet=QUIET, **options):
    world = WorldSpec(georeference=GeoreferenceSpec(**place), elements=tuple(regions))
    return Gnss(mounted(GnssSpec(**({'name': 'gnss'} | quiet | options)), seed=seed, world=world))


def state(x=0.0, y=0.0, z=0.0, yaw=0.0, twist=(0, 0, 0)):
    return BodyState(np.array([x, y, z, yaw, 0.0, 0.0]), np.array(twist, float))


def enu(fix, place=MUNICH):
    """Return where a fix is from the reference, east-north-up [m]."""
    latitude, longitude = math.radians(place['latitude']), math.radians(place['longitude'])
    found = geodesy.ecef(math.radians(fix.latitude), math.radians(fix.longitude), fix.altitude)
    return geodesy.enu_axes(latitude, longitude) @ (
        found - geodesy.ecef(latitude, longitude, place['height']))


def test_at_the_reference():
    fix = receiver().measure(5, state())
    assert (fix.latitude, fix.longitude) == pytest.approx((48.137154, 11.576124), abs=1e-12)
    assert fix.altitude == pytest.approx(519.0, abs=1e-8)
    assert (fix.fix, fix.stamp_ns, fix.frame_id) == (FixType.SINGLE, 5, 'gnss')


def test_lever_arm_and_rotation():
    turned = MUNICH | {'world_to_enu_rotation': 0.3}
    fix = receiver(place=turned, pose=Pose(1.0, 0.5, 2.0)).measure(
        1, state(1000.0, -200.0, 5.0, yaw=0.7, twist=(2.0, 0.0, 0.4)))
    antenna = Pose(1000.0, -200.0, 5.0, 0.7).transform([1.0, 0.5, 2.0])
    assert enu(fix) == pytest.approx(Pose(yaw=0.3).transform(antenna), abs=1e-7)
    moving = Pose(yaw=1.0).transform([2.0 - 0.4 * 0.5, 0.4 * 1.0, 0.0])
    assert fix.velocity == pytest.approx(moving, abs=1e-3)


def test_utm_world():
    place = MUNICH | {'world_is_utm': True}
    zone = geodesy.TransverseMercator(geodesy.utm_meridian(32))
    easting, northing = zone.project(math.radians(48.2), math.radians(11.7))
    fix = receiver(place=place).measure(1, state(easting + 5e5, northing, 480.0))
    assert (fix.latitude, fix.longitude) == pytest.approx((48.2, 11.7), abs=1e-11)
    assert fix.altitude == pytest.approx(480.0, abs=1e-7)


def test_noise_and_covariance():
    """
    GNSS fixes scatter according to their covariance, within 5 %.

    :reference: statistics of 4,000 fixes
    :figure: images/sensors_gnss.png
    """
    gnss = receiver(quiet={}, horizontal_std_noise=0.5, vertical_std_noise=1.5,
                    velocity_std_noise=0.1)
    fixes = [gnss.measure(1, state()) for _ in range(4000)]
    errors = np.array([enu(fix) for fix in fixes])
    np.testing.assert_allclose(errors.std(axis=0), [0.5, 0.5, 1.5], rtol=0.05)
    assert abs(errors.mean(axis=0)).max() < 0.1
    np.testing.assert_allclose(np.std([f.velocity for f in fixes], axis=0), 0.1, rtol=0.05)
    np.testing.assert_allclose(fixes[0].covariance, np.diag([0.25, 0.25, 2.25]))
    np.testing.assert_allclose(fixes[0].velocity_covariance, 0.01 * np.eye(3))


def test_an_error_that_wanders():
    gnss = receiver(horizontal_drift_noise=2.0, drift_time=10.0, sensor_period=1.0)
    east = np.array([enu(gnss.measure(1, state()))[0] for _ in range(20000)])
    assert east.std() == pytest.approx(2.0, rel=0.1)
    assert np.corrcoef(east[:-10], east[10:])[0, 1] == pytest.approx(math.exp(-1), abs=0.08)
    assert gnss.measure(1, state()).covariance[0, 0] == pytest.approx(4.0)


def test_regions_are_tested_at_the_place_in_the_world():
    region = PropertyRegionSpec(property_name='gps_no_coverage', value_bool=True, x_min=9.0,
                                x_max=11.0, y_min=-1.0, y_max=1.0)
    open_sky = PropertyRegionSpec(property_name='gps_no_coverage', value_bool=False, x_min=9.5,
                                  x_max=10.5, y_min=-1.0, y_max=1.0)
    for place in (MUNICH | {'world_to_enu_rotation': 1.0}, MUNICH):
        gnss = receiver([region], place=place)
        lost = gnss.measure(1, state(10.0))
        assert lost.fix == FixType.NONE
        assert math.isnan(lost.latitude) and np.isnan(lost.velocity).all()
        assert gnss.measure(1, state(0.0, 10.0)).fix == FixType.SINGLE
    assert receiver([open_sky, region]).measure(1, state(10.0)).fix == FixType.SINGLE


def test_an_event_that_never_applies_is_a_problem():
    found = list(GnssEventSpec(x_min=3.0, x_max=1.0, y_min=0.0, y_max=1.0, start=2.0,
                               end=1.0).problems())
    assert len(found) == 2 and 'x_max is 1 and x_min is 3' in found[1]


def test_events_by_time_and_place():
    gnss = receiver(fix='rtk', horizontal_std_noise=0.01, events=(
        GnssEventSpec(fix='none', start=10.0, end=20.0),
        GnssEventSpec(fix='differential', x_min=5.0, x_max=6.0, noise_factor=100.0),
        GnssEventSpec(start=30.0, east=3.0, up=-2.0)))
    assert gnss.measure(9 * SECOND, state()).fix == FixType.RTK
    assert gnss.measure(15 * SECOND, state()).fix == FixType.NONE
    near = gnss.measure(25 * SECOND, state(5.5))
    assert near.fix == FixType.DIFFERENTIAL
    assert near.covariance[0, 0] == pytest.approx(1.0)
    assert gnss.measure(25 * SECOND, state(7.0)).fix == FixType.RTK
    assert enu(gnss.measure(40 * SECOND, state())) == pytest.approx([3.0, 0.0, -2.0], abs=0.1)


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
