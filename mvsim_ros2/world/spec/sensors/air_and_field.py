# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Sensors of what is around (`<sensor class="magnetometer">` and `"barometer"`)."""

from dataclasses import dataclass

from mvsim_ros2.world.spec.fields import tag
from mvsim_ros2.world.spec.sensors.base import SensorSpec


@dataclass(frozen=True)
class MagnetometerSpec(SensorSpec):
    """
    Magnetometer in the field of the Earth.

    Missing values come from the World Magnetic Model at the georeference of the
    world; without a georeference it points north and 60 degrees down, with 48 uT.

    >>> from mvsim_ros2.world.spec import MagnetometerSpec
    >>> MagnetometerSpec(name='mag', sensor_period=0.05)  # measures MagneticSample
    MagnetometerSpec(name='mag', sensor_period=0.05)
    """

    XML_CLASS = 'magnetometer'

    declination: float | None = tag('angle', None, name='declination_deg', unit='deg',
                                    doc='angle from true north to the field, east positive')
    inclination: float | None = tag('angle', None, name='inclination_deg', unit='deg', minimum=-90,
                                    maximum=90, doc='angle from the horizon down to the field')
    strength: float | None = tag('float', None, unit='T', above=0, doc='strength of the field')
    date: float = tag('float', 2026.0, unit='year', minimum=2010, maximum=2030,
                      doc='decimal year for the World Magnetic Model')
    std_noise: float = tag(
        'float', 3e-7, unit='T', minimum=0, random=True, doc='noise of a sample')
    hard_iron: tuple[float, float, float] = tag(
        'point3', (0.0, 0.0, 0.0), unit='T', doc='magnetic field of the vehicle, sensor frame')


@dataclass(frozen=True)
class BarometerSpec(SensorSpec):
    """
    Barometer in the standard atmosphere.

    >>> from mvsim_ros2.world.spec import BarometerSpec
    >>> BarometerSpec(name='pressure', std_noise=1.0)  # measures PressureSample
    BarometerSpec(name='pressure', std_noise=1)
    """

    XML_CLASS = 'barometer'

    sea_level_pressure: float = tag(
        'float', 101325.0, unit='Pa', above=0, doc='pressure at height 0')
    std_noise: float = tag(
        'float', 5.0, unit='Pa', minimum=0, random=True, doc='noise of a sample')
    drift_noise: float = tag('float', 0.0, name='drift_std_noise', unit='Pa/sqrt(s)', minimum=0,
                             random=True, doc='random walk of the reading, such as by weather')


SENSORS = MagnetometerSpec, BarometerSpec
