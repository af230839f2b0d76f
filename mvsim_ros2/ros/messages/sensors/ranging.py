# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Messages of sensors that measure distances: LiDARs, range finders, radars, radio."""

from collections.abc import Mapping
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.ros.messages.cdr import laser_scan
from mvsim_ros2.ros.messages.message_types import MessageTypes
from mvsim_ros2.ros.messages.sensor_channels import (
    Channel, gaussian, SensorMessages, single, Tags)
from mvsim_ros2.ros.messages.state_messages import bytes_of, packed, stamped
from mvsim_ros2.sensors.observations import (
    LaserScan2D, Observation, PointCloud, RadarDetections, RangeSample, RfidReadings, UwbRanges)
from mvsim_ros2.world.spec.sensors.lidar import LaserSpec, Lidar3dSpec
from mvsim_ros2.world.spec.sensors.navigation import UwbSpec
from mvsim_ros2.world.spec.sensors.ranging import InfraredSpec, RadarSpec, RfidSpec, SonarSpec

# numbers of sensor_msgs/PointField
_POINT_TYPES = {np.dtype(kind): number for number, kind in enumerate(
    (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.float32, np.float64), 1)}
_RADAR_FIELDS = np.dtype([(name, '<f4') for name in (
    'x', 'y', 'z', 'range', 'azimuth', 'elevation', 'doppler_velocity', 'amplitude', 'rcs')])
_UWB_FIELDS = np.dtype([('range', '<f4'), ('anchor', '<u4'), ('anchor_x', '<f4'),
                        ('anchor_y', '<f4'), ('anchor_z', '<f4')])
_RFID_FIELDS = np.dtype([('tag', '<u4'), ('rssi', '<f4')])


def multi_echo_scan(types: MessageTypes, scan: LaserScan2D, frame_id: str) -> Any:
    """Return all echoes of a planar scan as their message; rays without one have none."""
    kind = types.sensor_msgs.LaserEcho
    echoes = np.zeros((0, len(scan.ranges), 2), np.float32) if scan.echoes is None else scan.echoes
    seen = np.isfinite(echoes[:, :, 0])
    ranges, intensities = (
        [kind(echoes=packed(types, echoes[seen[:, ray], ray, part], np.float32))
         for ray in range(echoes.shape[1])]
        for part in (0, 1))
    return stamped(types.sensor_msgs.MultiEchoLaserScan(
        angle_min=scan.angle_min, angle_max=scan.angle_max, angle_increment=scan.angle_increment,
        time_increment=scan.time_increment, scan_time=scan.scan_time, range_min=scan.range_min,
        range_max=scan.range_max, ranges=ranges, intensities=intensities), scan.stamp_ns, frame_id)


def point_cloud(types: MessageTypes, cloud: PointCloud, frame_id: str) -> Any:
    """Return a cloud as its message, its fields as they lie in memory."""
    return cloud_message(types, cloud, cloud.points, frame_id, cloud.is_dense)


def cloud_message(types: MessageTypes, observation: Observation, points: NDArray[Any],
                  frame_id: str, is_dense: bool = True) -> Any:
    """
    Return points as a PointCloud2.

    The type of `rgb`, four bytes 0x00RRGGBB, is given as float, as in PCL and RViz.

    :param points: structured array, a field for each of the message; shape (n,) or (rings, n).
    """
    height, width = (1, *points.shape)[-2:]
    fields: Mapping[str, Any] = points.dtype.fields or {}
    field = types.sensor_msgs.PointField
    return stamped(types.sensor_msgs.PointCloud2(
        height=height, width=width, is_bigendian=False, point_step=points.dtype.itemsize,
        row_step=width * points.dtype.itemsize, is_dense=is_dense,
        data=bytes_of(types, points), fields=[
            field(name=name, offset=entry[1], count=1, datatype=(
                field.FLOAT32 if name == 'rgb' else _POINT_TYPES[entry[0]]))
            for name, entry in fields.items()]), observation.stamp_ns, frame_id)


def range_reading(types: MessageTypes, sample: RangeSample, frame_id: str) -> Any:
    """Return the reading of a range finder (REP-117: infinite where there is no range)."""
    kind = types.sensor_msgs.Range
    return stamped(kind(
        radiation_type=kind.INFRARED if sample.infrared else kind.ULTRASOUND,
        field_of_view=sample.field_of_view, min_range=sample.range_min,
        max_range=sample.range_max, range=sample.distance), sample.stamp_ns, frame_id)


def radar_points(types: MessageTypes, scan: RadarDetections, frame_id: str) -> Any:
    """
    Return detections as points with the fields of radar_msgs/RadarReturn.

    `amplitude` is the signal to noise ratio [dB] and `rcs` the cross-section [dBsm].
    """
    points = np.zeros(len(scan.distance), _RADAR_FIELDS)
    level = scan.distance * np.cos(scan.elevation)
    points['x'], points['y'] = level * np.cos(scan.azimuth), level * np.sin(scan.azimuth)
    points['z'] = scan.distance * np.sin(scan.elevation)
    points['range'], points['azimuth'] = scan.distance, scan.azimuth
    points['elevation'], points['doppler_velocity'] = scan.elevation, scan.velocity
    points['amplitude'] = 10.0 * np.log10(np.maximum(scan.snr, 1e-12))
    points['rcs'] = 10.0 * np.log10(np.maximum(scan.rcs, 1e-12))
    return cloud_message(types, scan, points, frame_id)


def uwb_ranges(types: MessageTypes, sample: UwbRanges, frame_id: str) -> Any:
    """Return a point for each anchor that answered: its range, and its place in `map`."""
    points = np.zeros(len(sample.anchors), _UWB_FIELDS)
    for axis, values in zip('xyz', sample.places.T, strict=True):
        points[f'anchor_{axis}'] = values
    points['range'], points['anchor'] = sample.ranges, sample.anchors
    return cloud_message(types, sample, points, frame_id)


def rfid_readings(types: MessageTypes, sample: RfidReadings, frame_id: str) -> Any:
    """Return a point for each tag that is heard: its number and signal [dBm]."""
    points = np.zeros(len(sample.tags), _RFID_FIELDS)
    points['tag'], points['rssi'] = sample.tags, sample.signal
    return cloud_message(types, sample, points, frame_id)


def _gazebo_lidar(sensor: LaserSpec | Lidar3dSpec, scan: Tags) -> tuple[str, Tags]:
    return 'gpu_lidar', {'lidar': {
        'scan': scan, 'range': {'min': sensor.min_range, 'max': sensor.max_range},
        **gaussian(sensor.range_std_noise)}}


def _rays(samples: int, low: float, high: float) -> Tags:
    return {'samples': samples, 'resolution': 1, 'min_angle': low, 'max_angle': high}


def _gazebo_laser(sensor: LaserSpec) -> tuple[str, Tags]:
    first, step = sensor.angles
    return _gazebo_lidar(sensor, {
        'horizontal': _rays(sensor.nrays, first, first + step * (sensor.nrays - 1))})


def _gazebo_lidar3d(sensor: Lidar3dSpec) -> tuple[str, Tags]:
    rings = sensor.vertical_ray_angles or (-0.5 * sensor.vert_fov, 0.5 * sensor.vert_fov)
    return _gazebo_lidar(sensor, {
        'horizontal': _rays(sensor.columns, sensor.azimuth_min, sensor.azimuth_max),
        'vertical': _rays(sensor.vert_nrays, min(rings), max(rings))})


def _gazebo_sonar(sensor: SonarSpec) -> tuple[str, Tags]:
    return 'sonar', {'sonar': {
        'min': sensor.min_range, 'max': sensor.max_range,
        'radius': sensor.max_range * math.tan(min(0.5 * sensor.fov, 1.5))}}


def _scans(sensor: LaserSpec) -> tuple[Channel, ...]:
    """Return the topic of scans, and that of all echoes where there are several of a ray."""
    scan = Channel('', 'sensor_msgs/LaserScan', laser_scan)
    if sensor.returns == 1:
        return (scan,)
    return scan, Channel('_echoes', 'sensor_msgs/MultiEchoLaserScan', multi_echo_scan)


def _clouds(sensor: Lidar3dSpec) -> tuple[Channel, ...]:
    """Return a topic for each return of an organised cloud; else all are in one."""
    count = sensor.returns if sensor.organised else 1
    return tuple(
        Channel(f'_points{turn + 1 if turn else ""}', 'sensor_msgs/PointCloud2', point_cloud,
                ('second',) * turn) for turn in range(count))


MESSAGES = (
    SensorMessages(spec=LaserSpec, channels=_scans, usual_topic='scan', gazebo=_gazebo_laser,
                   scans=True),
    SensorMessages(spec=Lidar3dSpec, channels=_clouds, gazebo=_gazebo_lidar3d, scans=True,
                   sees_things=True),
    single(SonarSpec, 'sensor_msgs/Range', range_reading, _gazebo_sonar),
    single(InfraredSpec, 'sensor_msgs/Range', range_reading),
    SensorMessages(spec=RadarSpec, gazebo=None, channels=(
        Channel('_points', 'sensor_msgs/PointCloud2', radar_points),)),
    single(UwbSpec, 'sensor_msgs/PointCloud2', uwb_ranges),
    single(RfidSpec, 'sensor_msgs/PointCloud2', rfid_readings))
