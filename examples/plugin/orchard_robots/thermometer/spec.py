# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Thermometers (`<sensor class="thermometer">`)."""

from dataclasses import dataclass

from mvsim_ros2.world.spec.fields import tag
from mvsim_ros2.world.spec.sensors.base import SensorSpec


@dataclass(frozen=True)
class ThermometerSpec(SensorSpec):
    """Thermometer of the air, which gets colder with height."""

    XML_CLASS = 'thermometer'

    at_zero: float = tag('float', 15.0, unit='degC', doc='temperature at height 0')
    time_constant: float = tag(
        'float', 5.0, unit='s', above=0, doc='time in which a difference falls to 1/e')
    std_noise: float = tag(
        'float', 0.1, unit='K', minimum=0, random=True, doc='noise of a sample')
