# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Conversion of observations to messages: pure functions, without ROS.

Bulk data is copied into a message as one block of bytes.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.messages.message_types import MessageTypes
from mvsim_ros2.messages.state_messages import fill_stamp
from mvsim_ros2.messages.state_messages import packed
from mvsim_ros2.sensors import observations
from mvsim_ros2.sensors.observations import FixType

# numbers of sensor_msgs/PointField
_POINT_TYPES = {np.dtype(kind): number for number, kind in enumerate(
    (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.float32, np.float64), 1)}


def bytes_of(types: MessageTypes, values: NDArray[Any]) -> Any:
    """Return the memory of an array, in rows, as the field `data` of images and clouds."""
    return packed(types, np.ascontiguousarray(values).reshape(-1).view(np.uint8), np.uint8)


def laser_scan(types: MessageTypes, scan: observations.LaserScan2D, frame_id: str) -> Any:
    """Return a planar scan, stamped with its start."""
    message = types.LaserScan(
        angle_min=scan.angle_min, angle_max=scan.angle_max,
        angle_increment=scan.angle_increment, time_increment=scan.time_increment,
        scan_time=scan.scan_time, range_min=scan.range_min, range_max=scan.range_max,
        ranges=packed(types, scan.ranges, np.float32))
    fill_stamp(message.header, scan.stamp_ns, frame_id)
    return message


def point_cloud(types: MessageTypes, cloud: observations.PointCloud, frame_id: str) -> Any:
    """
    Return a cloud with its fields in their memory layout.

    The field `rgb`, four bytes 0x00RRGGBB, is declared as float32, as PCL and RViz expect.
    """
    points = cloud.points
    height, width = (1, *points.shape)[-2:]
    fields: Mapping[str, Any] = points.dtype.fields or {}
    message = types.PointCloud2(
        height=height, width=width, is_bigendian=False, point_step=points.dtype.itemsize,
        row_step=width * points.dtype.itemsize, is_dense=cloud.is_dense,
        data=bytes_of(types, points), fields=[
            types.PointField(name=name, offset=entry[1], count=1, datatype=(
                types.PointField.FLOAT32 if name == 'rgb' else _POINT_TYPES[entry[0]]))
            for name, entry in fields.items()])
    fill_stamp(message.header, cloud.stamp_ns, frame_id)
    return message


def colour_image(types: MessageTypes, image: observations.Image, frame_id: str) -> Any:
    """Return a colour image as rgb8."""
    return _image(types, image, image.pixels, 'rgb8', frame_id)


def depth_image(types: MessageTypes, image: observations.DepthImage, frame_id: str) -> Any:
    """
    Return depths as 32FC1 in metres, NaN where there is none (REP-118).

    Where the image has a unit: as 16UC1 in multiples of it, 0 where there is none.
    """
    if not image.unit:
        return _image(types, image, image.depth, '32FC1', frame_id)
    units = np.rint(image.depth / image.unit)
    with np.errstate(invalid='ignore'):
        return _image(types, image, np.where(units <= 65535, units, 0).astype(np.uint16),
                      '16UC1', frame_id)


def label_image(types: MessageTypes, image: observations.LabelImage, frame_id: str) -> Any:
    """Return the classes of an image as mono16."""
    return _image(types, image, image.label, 'mono16', frame_id)


def instance_image(types: MessageTypes, image: observations.LabelImage, frame_id: str) -> Any:
    """Return the objects of an image as mono16."""
    return _image(types, image, image.thing, 'mono16', frame_id)


def _image(types: MessageTypes, image: observations.Observation, pixels: NDArray[Any],
           encoding: str, frame_id: str) -> Any:
    height, width = pixels.shape[:2]
    message = types.Image(height=height, width=width, encoding=encoding, is_bigendian=0,
                          step=pixels.nbytes // height, data=bytes_of(types, pixels))
    fill_stamp(message.header, image.stamp_ns, frame_id)
    return message


def camera_info(types: MessageTypes, info: observations.CameraInfo, frame_id: str) -> Any:
    """Return the calibration of a camera."""
    message = types.CameraInfo(
        height=info.height, width=info.width, distortion_model=info.distortion_model,
        d=packed(types, info.distortion, np.float64), k=info.K.ravel(), r=info.R.ravel(),
        p=info.P.ravel())
    fill_stamp(message.header, info.stamp_ns, frame_id)
    return message


def imu(types: MessageTypes, sample: observations.ImuSample, frame_id: str) -> Any:
    """Return an IMU sample; covariance[0] is -1 where there is no orientation (REP-145)."""
    message = types.Imu()
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


def nav_sat_fix(types: MessageTypes, fix: observations.GnssFix, frame_id: str) -> Any:
    """Return a position; without a fix it is NaN and its covariance unknown."""
    message = types.NavSatFix(
        latitude=fix.latitude, longitude=fix.longitude, altitude=fix.altitude)
    fill_stamp(message.header, fix.stamp_ns, frame_id)
    message.status.status = int(fix.fix)
    message.status.service = types.NavSatStatus.SERVICE_GPS
    if fix.fix != FixType.NONE:
        message.position_covariance = fix.covariance.ravel()
        message.position_covariance_type = types.NavSatFix.COVARIANCE_TYPE_DIAGONAL_KNOWN
    return message


def gnss_velocity(types: MessageTypes, fix: observations.GnssFix, frame_id: str) -> Any:
    """Return the velocity of the antenna, east-north-up; None without a fix."""
    if fix.fix == FixType.NONE:
        return None
    message = types.TwistWithCovarianceStamped()
    fill_stamp(message.header, fix.stamp_ns, frame_id)
    linear = message.twist.twist.linear
    linear.x, linear.y, linear.z = fix.velocity.tolist()
    covariance = np.diag([0.0, 0.0, 0.0, -1.0, -1.0, -1.0])  # no rates
    covariance[:3, :3] = fix.velocity_covariance
    message.twist.covariance = covariance.ravel()
    return message


def range_reading(types: MessageTypes, sample: observations.RangeSample, frame_id: str) -> Any:
    """Return the reading of a range finder (REP-117: infinite where there is no range)."""
    message = types.Range(
        radiation_type=types.Range.INFRARED if sample.infrared else types.Range.ULTRASOUND,
        field_of_view=sample.field_of_view, min_range=sample.range_min,
        max_range=sample.range_max, range=sample.distance)
    fill_stamp(message.header, sample.stamp_ns, frame_id)
    return message


def magnetic_field(types: MessageTypes, sample: observations.MagneticSample, frame_id: str) -> Any:
    """Return a magnetic field."""
    message = types.MagneticField(magnetic_field_covariance=sample.covariance.ravel())
    fill_stamp(message.header, sample.stamp_ns, frame_id)
    field = message.magnetic_field
    field.x, field.y, field.z = sample.field.tolist()
    return message


def fluid_pressure(types: MessageTypes, sample: observations.PressureSample, frame_id: str) -> Any:
    """Return an air pressure."""
    message = types.FluidPressure(fluid_pressure=sample.pressure, variance=sample.variance)
    fill_stamp(message.header, sample.stamp_ns, frame_id)
    return message


def joint_state(types: MessageTypes, sample: observations.EncoderSample, frame_id: str) -> Any:
    """Return the angles and rates of wheel encoders as joint states."""
    message = types.JointState(
        name=list(sample.names), position=packed(types, sample.angle, np.float64),
        velocity=packed(types, sample.rate, np.float64))
    fill_stamp(message.header, sample.stamp_ns, frame_id)
    return message


def contact(types: MessageTypes, sample: observations.ContactSample, frame_id: str) -> Any:
    """Return whether a bumper is pressed."""
    return types.Bool(data=sample.pressed)
