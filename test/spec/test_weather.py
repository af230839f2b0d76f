# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Extinction by weather, against integrals and published tables."""

import math

import numpy as np
import pytest

from mvsim_ros2.world.file.load import load_world_text
from mvsim_ros2.world.spec import WeatherSpec
from mvsim_ros2.world.spec.weather import fog_extinction, rain_extinction, snow_extinction

PER_KM = 10.0 / math.log(10.0) * 1000.0  # dB/km of 1/m


def test_of_the_light_five_per_cent_are_left_at_the_visibility():
    for weather in (WeatherSpec(fog_visibility=80.0), WeatherSpec(dust_visibility=80.0)):
        assert math.exp(-80.0 * weather.extinction()) == pytest.approx(0.05)


@pytest.mark.parametrize('visibility, at_785, at_1550', [
    # table 3 of Kim, McArthur and Korevaar (2001), dB/km: visibility as 2 % of the light
    (50.0, 340.0, 340.0), (200.0, 85.0, 85.0), (500.0, 34.0, 34.0), (1000.0, 14.0, 10.0),
    (2000.0, 7.0, 4.0)])
def test_fog_dims_light_as_published(visibility, at_785, at_1550):
    two_per_cent = math.log(50.0) / -math.log(0.05)
    for wavelength, published in ((785e-9, at_785), (1550e-9, at_1550)):
        found = two_per_cent * PER_KM * fog_extinction(visibility, wavelength)
        assert found == pytest.approx(published, abs=0.6)


@pytest.mark.parametrize('rate', [1.0, 10.0, 50.0])
def test_rain_is_the_sum_over_its_drops(rate):
    diameter = np.linspace(0.0, 12.0, 20001)  # mm
    drops = 8000.0 * np.exp(-4.1 * rate ** -0.21 * diameter)
    area = 2.0 * math.pi / 4.0 * diameter ** 2 * 1e-6  # m^2, what it takes is twice its shadow
    assert rain_extinction(rate) == pytest.approx(np.trapezoid(drops * area, diameter), rel=1e-6)
    # ITU-R P.1814 gives 1.076 R^0.67 dB/km for rain, where this has 1.6 R^0.63
    assert 1.0 < PER_KM * rain_extinction(rate) / (1.076 * rate ** 0.67) < 1.5


def test_snow_dims_light_as_published():
    # ITU-R P.1814 at 1550 nm: a = 5.58, b = 1.38 for dry snow, 3.94 and 0.72 for wet snow
    assert PER_KM * snow_extinction(2.0, False, 1550e-9) == pytest.approx(
        5.58 * 2.0 ** 1.38, rel=1e-3)
    assert PER_KM * snow_extinction(2.0, True, 1550e-9) == pytest.approx(
        3.94 * 2.0 ** 0.72, rel=2e-3)


def test_what_falls_adds_up():
    parts = [WeatherSpec(rain=4.0), WeatherSpec(snow=1.0), WeatherSpec(fog_visibility=300.0),
             WeatherSpec(dust_visibility=500.0)]
    whole = WeatherSpec(rain=4.0, snow=1.0, fog_visibility=300.0, dust_visibility=500.0)
    assert whole.extinction() == pytest.approx(sum(each.extinction() for each in parts))
    assert WeatherSpec().is_clear and WeatherSpec().extinction() == 0.0
    assert not any(each.is_clear for each in parts)


def test_a_world_says_it():
    weather = load_world_text('<weather rain="5" fog_visibility="120"/>', 'a string').weather
    assert (weather.rain, weather.snow, weather.fog_visibility) == (5.0, 0.0, 120.0)
    assert load_world_text('<mvsim_world/>', 'a string').weather.is_clear
