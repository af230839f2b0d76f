# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The satellite receiver: place, lever arm, noise, regions, events."""

import math

from mounting import mounted
import numpy as np
import pytest

from mvsim_ros2.frames import Pose
from mvsim_ros2.sensors.body_state import BodyState
from mvsim_ros2.sensors.navigation import geodesy
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
    GNSS fixes scatter as their covariance says, within 5 %.

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


def test_state_goes_on_and_back():
    gnss = receiver(horizontal_drift_noise=2.0)
    other = receiver(seed=9, horizontal_drift_noise=2.0)
    gnss.measure(1, state())
    other.set_state(gnss.state())
    np.testing.assert_array_equal(other.drift, gnss.drift)
