# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Messages of sensors of a vehicle itself, and of the air and the field around it."""

from typing import Any

import numpy as np

from mvsim_ros2.ros.messages.cdr import imu
from mvsim_ros2.ros.messages.message_types import MessageTypes
from mvsim_ros2.ros.messages.names import ENU
from mvsim_ros2.ros.messages.sensor_channels import (
    Channel, gaussian, SensorMessages, single, Tags)
from mvsim_ros2.ros.messages.state_messages import packed, stamped
from mvsim_ros2.sensors.observations import (
    ContactSample, EncoderSample, FixType, GnssFix, MagneticSample, PressureSample)
from mvsim_ros2.world.spec.fields import per_axis
from mvsim_ros2.world.spec.sensors.body import BumperSpec, WheelEncodersSpec
from mvsim_ros2.world.spec.sensors.navigation import (
    BarometerSpec, GnssSpec, ImuSpec, MagnetometerSpec)


def nav_sat_fix(types: MessageTypes, fix: GnssFix, frame_id: str) -> Any:
    """Return a position; without a fix it is NaN and its covariance unknown."""
    kind = types.sensor_msgs.NavSatFix
    message = kind(latitude=fix.latitude, longitude=fix.longitude, altitude=fix.altitude)
    message.status.status = min(int(fix.fix), int(FixType.RTK))
    message.status.service = types.sensor_msgs.NavSatStatus.SERVICE_GPS
    if fix.fix != FixType.NONE:
        message.position_covariance = fix.covariance.ravel()
        message.position_covariance_type = kind.COVARIANCE_TYPE_DIAGONAL_KNOWN
    return stamped(message, fix.stamp_ns, frame_id)


def gnss_velocity(types: MessageTypes, fix: GnssFix, frame_id: str) -> Any:
    """Return the velocity of the antenna in the frame `enu`; None without a fix."""
    if fix.fix == FixType.NONE:
        return None
    message = types.geometry_msgs.TwistWithCovarianceStamped()
    linear = message.twist.twist.linear
    linear.x, linear.y, linear.z = fix.velocity.tolist()
    covariance = np.diag([0.0, 0.0, 0.0, -1.0, -1.0, -1.0])  # no rates
    covariance[:3, :3] = fix.velocity_covariance
    message.twist.covariance = covariance.ravel()
    return stamped(message, fix.stamp_ns, ENU)


def magnetic_field(types: MessageTypes, sample: MagneticSample, frame_id: str) -> Any:
    """Return a magnetic field."""
    message = types.sensor_msgs.MagneticField(magnetic_field_covariance=sample.covariance.ravel())
    field = message.magnetic_field
    field.x, field.y, field.z = sample.field.tolist()
    return stamped(message, sample.stamp_ns, frame_id)


def fluid_pressure(types: MessageTypes, sample: PressureSample, frame_id: str) -> Any:
    """Return a pressure of the air."""
    return stamped(types.sensor_msgs.FluidPressure(
        fluid_pressure=sample.pressure, variance=sample.variance), sample.stamp_ns, frame_id)


def joint_state(types: MessageTypes, sample: EncoderSample, frame_id: str) -> Any:
    """Return what encoders count as angles and rates of the joints of the wheels."""
    return stamped(types.sensor_msgs.JointState(
        name=list(sample.names), position=packed(types, sample.angle, np.float64),
        velocity=packed(types, sample.rate, np.float64)), sample.stamp_ns, frame_id)


def contact(types: MessageTypes, sample: ContactSample, frame_id: str) -> Any:
    """Return whether a bumper is pressed."""
    return types.std_msgs.Bool(data=sample.pressed)


def _gazebo_imu(sensor: ImuSpec) -> tuple[str, Tags]:
    quantities = (
        ('angular_velocity', sensor.angular_velocity_white_noise, sensor.angular_velocity_bias,
         sensor.angular_velocity_bias_noise),
        ('linear_acceleration', sensor.linear_acceleration_white_noise,
         sensor.linear_acceleration_bias, sensor.linear_acceleration_bias_noise))
    return 'imu', {'imu': {
        'enable_orientation': 'true' if sensor.measure_orientation else 'false',
        **{quantity: {axis: {'noise': {
            'type': 'gaussian', 'mean': 0, 'stddev': deviation, 'bias_mean': mean,
            'bias_stddev': spread}} for axis, deviation, mean, spread in zip(
                'xyz', per_axis(deviations), bias, per_axis(spreads), strict=True)}
           for quantity, deviations, bias, spreads in quantities}}}


def _gazebo_gnss(sensor: GnssSpec) -> tuple[str, Tags]:
    return 'navsat', {'navsat': {
        'position_sensing': {'horizontal': gaussian(sensor.horizontal_std_noise),
                             'vertical': gaussian(sensor.vertical_std_noise)},
        'velocity_sensing': {'horizontal': gaussian(sensor.velocity_std_noise),
                             'vertical': gaussian(sensor.velocity_std_noise)}}}


MESSAGES = (
    single(ImuSpec, 'sensor_msgs/Imu', imu, _gazebo_imu, usual_topic='imu', has_bias=True),
    SensorMessages(
        spec=GnssSpec, gazebo=_gazebo_gnss, channels=(
            Channel('', 'sensor_msgs/NavSatFix', nav_sat_fix),
            Channel('/velocity', 'geometry_msgs/TwistWithCovarianceStamped', gnss_velocity))),
    single(MagnetometerSpec, 'sensor_msgs/MagneticField', magnetic_field, lambda sensor: (
        'magnetometer', {'magnetometer': {axis: gaussian(sensor.std_noise) for axis in 'xyz'}})),
    single(BarometerSpec, 'sensor_msgs/FluidPressure', fluid_pressure, lambda sensor: (
        'air_pressure', {'air_pressure': {'pressure': gaussian(sensor.std_noise)}})),
    single(WheelEncodersSpec, 'sensor_msgs/JointState', joint_state),
    single(BumperSpec, 'std_msgs/Bool', contact, lambda _: ('contact', {})))
