# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""Sensors of what is around (`<sensor class="magnetometer">` and `"barometer"`)."""

from dataclasses import dataclass

from mvsim_ros2.world.spec.fields import tag
from mvsim_ros2.world.spec.sensor import SensorSpec


@dataclass(frozen=True)
class MagnetometerSpec(SensorSpec):
    """
    Magnetometer in the field of the Earth.

    What is not given of the field is that of a dipole at the georeference of the world; without
    a georeference it points north and 60 degrees down, with 48 uT.

    >>> from mvsim_ros2.world.spec import MagnetometerSpec
    >>> MagnetometerSpec(name='mag', sensor_period=0.05)  # measures MagneticSample
    MagnetometerSpec(name='mag', sensor_period=0.05)
    """

    XML_CLASS = 'magnetometer'

    declination: float | None = tag(
        'angle', None, name='declination_deg', unit='deg',
        doc='from true north to the field, east positive')
    inclination: float | None = tag(
        'angle', None, name='inclination_deg', unit='deg', minimum=-90, maximum=90,
        doc='from the horizon down to the field')
    strength: float | None = tag('float', None, unit='T', above=0, doc='strength of the field')
    std_noise: float = tag(
        'float', 3e-7, unit='T', minimum=0, random=True, doc='noise of a sample')
    hard_iron: tuple[float, float, float] = tag(
        'point3', (0.0, 0.0, 0.0), unit='T', doc='field of the vehicle itself, sensor frame')


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
    drift_noise: float = tag(
        'float', 0.0, name='drift_std_noise', unit='Pa/sqrt(s)', minimum=0,
        random=True, doc='random walk of the reading, as of the weather')


SENSORS = MagnetometerSpec, BarometerSpec
