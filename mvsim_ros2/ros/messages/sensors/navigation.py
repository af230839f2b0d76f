# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Messages of sensors of the own motion and place."""

from typing import Any

import numpy as np

from mvsim_ros2.ros.messages.cdr import imu_bytes
from mvsim_ros2.ros.messages.message_types import MessageTypes
from mvsim_ros2.ros.messages.sensor_channels import Channel, SensorMessages, Tags
from mvsim_ros2.ros.messages.state_messages import fill_stamp
from mvsim_ros2.ros.messages.urdf_export.urdf_sensors import gaussian
from mvsim_ros2.sensors.observations import FixType, GnssFix, ImuSample
from mvsim_ros2.world.spec.fields import per_axis
from mvsim_ros2.world.spec.sensors.navigation import GnssSpec, ImuSpec


def imu(types: MessageTypes, sample: ImuSample, frame_id: str) -> Any:
    """Return an IMU sample as its message; an orientation not measured is marked (REP-145)."""
    message = types.sensor_msgs.Imu()
    fill_stamp(message.header, sample.stamp_ns, frame_id)
    rate, force = message.angular_velocity, message.linear_acceleration
    rate.x, rate.y, rate.z = sample.angular_velocity.tolist()
    force.x, force.y, force.z = sample.linear_acceleration.tolist()
    message.angular_velocity_covariance = sample.angular_velocity_covariance.ravel()
    message.linear_acceleration_covariance = sample.linear_acceleration_covariance.ravel()
    if sample.orientation is None:
        message.orientation_covariance[0] = -1.0
    else:
        q = message.orientation
        q.x, q.y, q.z, q.w = sample.orientation.tolist()
        message.orientation_covariance = sample.orientation_covariance.ravel()
    return message


def nav_sat_fix(types: MessageTypes, fix: GnssFix, frame_id: str) -> Any:
    """Return a position; without a fix it is NaN and its covariance unknown."""
    kind = types.sensor_msgs.NavSatFix
    message = kind(
        latitude=fix.latitude, longitude=fix.longitude, altitude=fix.altitude)
    fill_stamp(message.header, fix.stamp_ns, frame_id)
    message.status.status = min(int(fix.fix), int(FixType.RTK))
    message.status.service = types.sensor_msgs.NavSatStatus.SERVICE_GPS
    if fix.fix != FixType.NONE:
        message.position_covariance = fix.covariance.ravel()
        message.position_covariance_type = kind.COVARIANCE_TYPE_DIAGONAL_KNOWN
    return message


def gnss_velocity(types: MessageTypes, fix: GnssFix, frame_id: str) -> Any:
    """Return the velocity of the antenna, east-north-up; None without a fix."""
    if fix.fix == FixType.NONE:
        return None
    message = types.geometry_msgs.TwistWithCovarianceStamped()
    fill_stamp(message.header, fix.stamp_ns, frame_id)
    linear = message.twist.twist.linear
    linear.x, linear.y, linear.z = fix.velocity.tolist()
    covariance = np.diag([0.0, 0.0, 0.0, -1.0, -1.0, -1.0])  # no rates
    covariance[:3, :3] = fix.velocity_covariance
    message.twist.covariance = covariance.ravel()
    return message


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
    SensorMessages(
        spec=ImuSpec, channels=(Channel('', 'sensor_msgs/Imu', imu, pack=imu_bytes),),
        usual_topic='imu', gazebo=_gazebo_imu, has_bias=True),
    SensorMessages(
        spec=GnssSpec, gazebo=_gazebo_gnss, channels=(
            Channel('', 'sensor_msgs/NavSatFix', nav_sat_fix),
            Channel('/velocity', 'geometry_msgs/TwistWithCovarianceStamped', gnss_velocity))))
