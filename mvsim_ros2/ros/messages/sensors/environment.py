# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Messages of sensors of what is around."""

from typing import Any

from mvsim_ros2.ros.messages.message_types import MessageTypes
from mvsim_ros2.ros.messages.sensor_channels import Channel, SensorMessages, Tags
from mvsim_ros2.ros.messages.state_messages import fill_stamp
from mvsim_ros2.ros.messages.urdf_export.urdf_sensors import gaussian
from mvsim_ros2.sensors.observations import MagneticSample, PressureSample
from mvsim_ros2.world.spec.sensors.air_and_field import BarometerSpec, MagnetometerSpec


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
