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
"""Messages of sensors of what is around."""

from typing import Any

from mvsim_ros2.messages.channels import Channel
from mvsim_ros2.messages.channels import SensorMessages
from mvsim_ros2.messages.channels import Tags
from mvsim_ros2.messages.message_types import MessageTypes
from mvsim_ros2.messages.states import fill_stamp
from mvsim_ros2.messages.urdf_sensors import gaussian
from mvsim_ros2.sensors.observations import MagneticSample
from mvsim_ros2.sensors.observations import PressureSample
from mvsim_ros2.world.spec.environment import BarometerSpec
from mvsim_ros2.world.spec.environment import MagnetometerSpec


def magnetic_field(types: MessageTypes, sample: MagneticSample, frame_id: str) -> Any:
    """Return a magnetic field."""
    message = types.sensor_msgs.MagneticField(magnetic_field_covariance=sample.covariance.ravel())
    fill_stamp(message.header, sample.stamp_ns, frame_id)
    field = message.magnetic_field
    field.x, field.y, field.z = sample.field.tolist()
    return message


def fluid_pressure(types: MessageTypes, sample: PressureSample, frame_id: str) -> Any:
    """Return a pressure of the air."""
    message = types.sensor_msgs.FluidPressure(
        fluid_pressure=sample.pressure, variance=sample.variance)
    fill_stamp(message.header, sample.stamp_ns, frame_id)
    return message


def _gazebo_magnetometer(sensor: MagnetometerSpec) -> tuple[str, Tags]:
    return 'magnetometer', {'magnetometer': {axis: gaussian(sensor.std_noise) for axis in 'xyz'}}


def _gazebo_barometer(sensor: BarometerSpec) -> tuple[str, Tags]:
    return 'air_pressure', {'air_pressure': {'pressure': gaussian(sensor.std_noise)}}


MESSAGES = (
    SensorMessages(
        spec=MagnetometerSpec, gazebo=_gazebo_magnetometer,
        channels=(Channel('', 'sensor_msgs/MagneticField', magnetic_field),)),
    SensorMessages(
        spec=BarometerSpec, gazebo=_gazebo_barometer,
        channels=(Channel('', 'sensor_msgs/FluidPressure', fluid_pressure),)))
