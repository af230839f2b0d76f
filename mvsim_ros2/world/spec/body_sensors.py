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
"""Sensors of the vehicle itself (`<sensor class="wheel_encoders">` and `"bumper"`)."""

from dataclasses import dataclass

from mvsim_ros2.world.spec.fields import tag
from mvsim_ros2.world.spec.sensor import SensorSpec


@dataclass(frozen=True)
class WheelEncodersSpec(SensorSpec):
    """
    Incremental encoders at all wheels of the vehicle.

    >>> from mvsim_ros2.world.spec import WheelEncodersSpec
    >>> WheelEncodersSpec(name='wheels', ticks=4096)  # measures EncoderSample
    WheelEncodersSpec(name='wheels', ticks=4096)
    """

    XML_CLASS = 'wheel_encoders'

    ticks: int = tag('int', 1024, minimum=1, doc='ticks of a turn of a wheel')


@dataclass(frozen=True)
class BumperSpec(SensorSpec):
    """
    Bumper: pressed while something touches a side of the vehicle.

    >>> from mvsim_ros2.world.spec import BumperSpec
    >>> BumperSpec(name='bumper', sensor_period=0.02)  # measures ContactSample
    BumperSpec(name='bumper', sensor_period=0.02)
    """

    XML_CLASS = 'bumper'

    fov: float = tag(
        'angle', 6.283185307179586, name='fov_degrees', unit='deg', above=0, maximum=360,
        doc='side of the vehicle that it covers, seen from the sensor, around its x axis')


SENSORS = WheelEncodersSpec, BumperSpec
