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
"""Sensors of the own motion and place (`<sensor class="imu">` and `"gnss"`)."""

from dataclasses import dataclass

from mvsim_ros2.world.spec.fields import tag
from mvsim_ros2.world.spec.sensor import SensorSpec


@dataclass(frozen=True)
class ImuSpec(SensorSpec):
    """Inertial measurement unit: angular velocity and specific force in the sensor frame."""

    XML_CLASS = 'imu'

    angular_velocity_white_noise: float = tag(
        'float', 2e-4, name='angular_velocity_white_noise_std_noise', unit='rad/s', minimum=0,
        aliases=('angular_velocity_std_noise',), doc='noise of a gyroscope sample')
    linear_acceleration_white_noise: float = tag(
        'float', 0.017, name='linear_acceleration_white_noise_std_noise', unit='m/s^2',
        aliases=('linear_acceleration_std_noise',), minimum=0,
        doc='noise of an accelerometer sample')
    angular_velocity_random_walk: float = tag(
        'float', 0.0, name='angular_velocity_random_walk_std_noise', unit='rad/s/sqrt(s)',
        minimum=0, doc='random walk of the gyroscope bias')
    linear_acceleration_random_walk: float = tag(
        'float', 0.0, name='linear_acceleration_random_walk_std_noise',
        unit='m/s^2/sqrt(s)', minimum=0, doc='random walk of the accelerometer bias')
    measure_orientation: bool = tag('bool', False, doc='give the orientation as well')
    orientation_std_noise: float = tag(
        'float', 0.005, unit='rad', minimum=0, doc='noise of the orientation')


@dataclass(frozen=True)
class GnssSpec(SensorSpec):
    """Satellite navigation receiver."""

    XML_CLASS = 'gnss'
    ACTS = False

    horizontal_std_noise: float = tag('float', 2.0, unit='m', minimum=0, doc='east, north')
    vertical_std_noise: float = tag('float', 4.0, unit='m', minimum=0, doc='height')
