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
"""
From what sensors measure to ROS messages: pure functions, that need no running ROS.

Bulk data goes into a message as one block of bytes.
"""

from array import array
from collections.abc import Mapping
from typing import Any

from geometry_msgs.msg import TwistWithCovarianceStamped
import numpy as np
from numpy.typing import NDArray
from sensor_msgs.msg import CameraInfo
from sensor_msgs.msg import FluidPressure
from sensor_msgs.msg import Image
from sensor_msgs.msg import Imu
from sensor_msgs.msg import JointState
from sensor_msgs.msg import LaserScan
from sensor_msgs.msg import MagneticField
from sensor_msgs.msg import NavSatFix
from sensor_msgs.msg import NavSatStatus
from sensor_msgs.msg import PointCloud2
from sensor_msgs.msg import PointField
from sensor_msgs.msg import Range
from std_msgs.msg import Bool

from mvsim_ros2.ros.messages import fill_stamp
from mvsim_ros2.ros.messages import packed
from mvsim_ros2.sensors import observations
from mvsim_ros2.sensors.observations import FixType

_POINT_TYPES = {
    np.dtype(np.int8): PointField.INT8, np.dtype(np.uint8): PointField.UINT8,
    np.dtype(np.int16): PointField.INT16, np.dtype(np.uint16): PointField.UINT16,
    np.dtype(np.int32): PointField.INT32, np.dtype(np.uint32): PointField.UINT32,
    np.dtype(np.float32): PointField.FLOAT32, np.dtype(np.float64): PointField.FLOAT64}


def bytes_of(values: NDArray[Any]) -> 'array[int]':
    """Return the memory of an array, in rows, as the field `data` of images and clouds."""
    return packed(np.ascontiguousarray(values).reshape(-1).view(np.uint8), np.uint8)


def laser_scan(scan: observations.LaserScan2D, frame_id: str) -> LaserScan:
    """Return a planar scan as its message, stamped with the start of the scan."""
    message = LaserScan(
        angle_min=scan.angle_min, angle_max=scan.angle_max,
        angle_increment=scan.angle_increment, time_increment=scan.time_increment,
        scan_time=scan.scan_time, range_min=scan.range_min, range_max=scan.range_max,
        ranges=packed(scan.ranges, np.float32))
    fill_stamp(message.header, scan.stamp_ns, frame_id)
    return message


def point_cloud(cloud: observations.PointCloud, frame_id: str) -> PointCloud2:
    """
    Return a cloud as its message, its fields as they lie in memory.

    `rgb`, four bytes 0x00RRGGBB, is called a float, as PCL and RViz do.
    """
    points = cloud.points
    height, width = (1, *points.shape)[-2:]
    fields: Mapping[str, Any] = points.dtype.fields or {}
    message = PointCloud2(
        height=height, width=width, is_bigendian=False, point_step=points.dtype.itemsize,
        row_step=width * points.dtype.itemsize, is_dense=cloud.is_dense,
        data=bytes_of(points), fields=[
            PointField(name=name, offset=entry[1], count=1, datatype=(
                PointField.FLOAT32 if name == 'rgb' else _POINT_TYPES[entry[0]]))
            for name, entry in fields.items()])
    fill_stamp(message.header, cloud.stamp_ns, frame_id)
    return message


def colour_image(image: observations.Image, frame_id: str) -> Image:
    """Return a colour image as rgb8."""
    return _image(image, image.pixels, 'rgb8', frame_id)


def depth_image(image: observations.DepthImage, frame_id: str) -> Image:
    """
    Return depths as 32FC1 in metres, NaN where there is none (REP-118).

    As 16UC1 in whole units where the image has a unit: there 0 is none.
    """
    if not image.unit:
        return _image(image, image.depth, '32FC1', frame_id)
    units = np.rint(image.depth / image.unit)
    with np.errstate(invalid='ignore'):
        return _image(image, np.where(units <= 65535, units, 0).astype(np.uint16), '16UC1',
                      frame_id)


def label_image(image: observations.LabelImage, frame_id: str) -> Image:
    """Return the classes of an image as mono16."""
    return _image(image, image.label, 'mono16', frame_id)


def instance_image(image: observations.LabelImage, frame_id: str) -> Image:
    """Return the objects of an image as mono16."""
    return _image(image, image.thing, 'mono16', frame_id)


def _image(image: observations.Observation, pixels: NDArray[Any], encoding: str,
           frame_id: str) -> Image:
    height, width = pixels.shape[:2]
    message = Image(height=height, width=width, encoding=encoding, is_bigendian=0,
                    step=pixels.nbytes // height, data=bytes_of(pixels))
    fill_stamp(message.header, image.stamp_ns, frame_id)
    return message


def camera_info(info: observations.CameraInfo, frame_id: str) -> CameraInfo:
    """Return the calibration of a camera."""
    message = CameraInfo(
        height=info.height, width=info.width, distortion_model=info.distortion_model,
        d=packed(info.distortion, np.float64), k=info.K.ravel(), r=info.R.ravel(),
        p=info.P.ravel())
    fill_stamp(message.header, info.stamp_ns, frame_id)
    return message


def imu(sample: observations.ImuSample, frame_id: str) -> Imu:
    """Return an IMU sample as its message; an orientation not measured is marked (REP-145)."""
    message = Imu()
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


def nav_sat_fix(fix: observations.GnssFix, frame_id: str) -> NavSatFix:
    """Return a position; without a fix it is NaN and its covariance unknown."""
    message = NavSatFix(latitude=fix.latitude, longitude=fix.longitude, altitude=fix.altitude)
    fill_stamp(message.header, fix.stamp_ns, frame_id)
    message.status.status = int(fix.fix)
    message.status.service = NavSatStatus.SERVICE_GPS
    if fix.fix != FixType.NONE:
        message.position_covariance = fix.covariance.ravel()
        message.position_covariance_type = NavSatFix.COVARIANCE_TYPE_DIAGONAL_KNOWN
    return message


def gnss_velocity(fix: observations.GnssFix, frame_id: str) -> TwistWithCovarianceStamped | None:
    """Return the velocity of the antenna, east-north-up; None without a fix."""
    if fix.fix == FixType.NONE:
        return None
    message = TwistWithCovarianceStamped()
    fill_stamp(message.header, fix.stamp_ns, frame_id)
    linear = message.twist.twist.linear
    linear.x, linear.y, linear.z = fix.velocity.tolist()
    covariance = np.diag([0.0, 0.0, 0.0, -1.0, -1.0, -1.0])  # no rates
    covariance[:3, :3] = fix.velocity_covariance
    message.twist.covariance = covariance.ravel()
    return message


def range_reading(sample: observations.RangeSample, frame_id: str) -> Range:
    """Return the reading of a range finder (REP-117: infinite where there is no range)."""
    message = Range(
        radiation_type=Range.INFRARED if sample.infrared else Range.ULTRASOUND,
        field_of_view=sample.field_of_view, min_range=sample.range_min,
        max_range=sample.range_max, range=sample.distance)
    fill_stamp(message.header, sample.stamp_ns, frame_id)
    return message


def magnetic_field(sample: observations.MagneticSample, frame_id: str) -> MagneticField:
    """Return a magnetic field."""
    message = MagneticField(magnetic_field_covariance=sample.covariance.ravel())
    fill_stamp(message.header, sample.stamp_ns, frame_id)
    field = message.magnetic_field
    field.x, field.y, field.z = sample.field.tolist()
    return message


def fluid_pressure(sample: observations.PressureSample, frame_id: str) -> FluidPressure:
    """Return a pressure of the air."""
    message = FluidPressure(fluid_pressure=sample.pressure, variance=sample.variance)
    fill_stamp(message.header, sample.stamp_ns, frame_id)
    return message


def joint_state(sample: observations.EncoderSample, frame_id: str) -> JointState:
    """Return what encoders count as angles and rates of the joints of the wheels."""
    message = JointState(name=list(sample.names), position=packed(sample.angle, np.float64),
                         velocity=packed(sample.rate, np.float64))
    fill_stamp(message.header, sample.stamp_ns, frame_id)
    return message


def contact(sample: observations.ContactSample, frame_id: str) -> Bool:
    """Return whether a bumper is pressed."""
    return Bool(data=sample.pressed)
