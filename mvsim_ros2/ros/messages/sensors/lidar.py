# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Messages of LiDARs."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mvsim_ros2.ros.messages.cdr import laser_scan_bytes
from mvsim_ros2.ros.messages.message_types import MessageTypes
from mvsim_ros2.ros.messages.sensor_channels import Channel, SensorMessages, Tags
from mvsim_ros2.ros.messages.state_messages import bytes_of, fill_stamp, packed
from mvsim_ros2.ros.messages.urdf_export.urdf_sensors import gaussian
from mvsim_ros2.sensors.observations import LaserScan2D, PointCloud
from mvsim_ros2.world.spec.sensors.lidar import LaserSpec, Lidar3dSpec

# numbers of sensor_msgs/PointField
_POINT_TYPES = {np.dtype(kind): number for number, kind in enumerate(
    (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.float32, np.float64), 1)}


def laser_scan(types: MessageTypes, scan: LaserScan2D, frame_id: str) -> Any:
    """Return a planar scan as its message, stamped with the start of the scan."""
    message = types.sensor_msgs.LaserScan(
        angle_min=scan.angle_min, angle_max=scan.angle_max,
        angle_increment=scan.angle_increment, time_increment=scan.time_increment,
        scan_time=scan.scan_time, range_min=scan.range_min, range_max=scan.range_max,
        ranges=packed(types, scan.ranges, np.float32))
    if scan.intensities is not None:
        message.intensities = packed(types, scan.intensities, np.float32)
    fill_stamp(message.header, scan.stamp_ns, frame_id)
    return message


def multi_echo_scan(types: MessageTypes, scan: LaserScan2D, frame_id: str) -> Any:
    """Return all echoes of a planar scan as their message; rays without one have none."""
    kind = types.sensor_msgs.LaserEcho
    echoes = np.zeros((0, len(scan.ranges), 2), np.float32) if scan.echoes is None else scan.echoes
    seen = np.isfinite(echoes[:, :, 0])
    ranges, intensities = (
        [kind(echoes=packed(types, echoes[seen[:, ray], ray, part], np.float32))
         for ray in range(echoes.shape[1])]
        for part in (0, 1))
    message = types.sensor_msgs.MultiEchoLaserScan(
        angle_min=scan.angle_min, angle_max=scan.angle_max,
        angle_increment=scan.angle_increment, time_increment=scan.time_increment,
        scan_time=scan.scan_time, range_min=scan.range_min, range_max=scan.range_max,
        ranges=ranges, intensities=intensities)
    fill_stamp(message.header, scan.stamp_ns, frame_id)
    return message


def point_cloud(types: MessageTypes, cloud: PointCloud, frame_id: str) -> Any:
    """
    Return a cloud as its message, its fields as they lie in memory.

    `rgb`, four bytes 0x00RRGGBB, is called a float, as PCL and RViz do.
    """
    points = cloud.points
    height, width = (1, *points.shape)[-2:]
    fields: Mapping[str, Any] = points.dtype.fields or {}
    field = types.sensor_msgs.PointField
    message = types.sensor_msgs.PointCloud2(
        height=height, width=width, is_bigendian=False, point_step=points.dtype.itemsize,
        row_step=width * points.dtype.itemsize, is_dense=cloud.is_dense,
        data=bytes_of(types, points), fields=[
            field(name=name, offset=entry[1], count=1, datatype=(
                field.FLOAT32 if name == 'rgb' else _POINT_TYPES[entry[0]]))
            for name, entry in fields.items()])
    fill_stamp(message.header, cloud.stamp_ns, frame_id)
    return message


def _rays(samples: int, low: float, high: float) -> Tags:
    return {'samples': samples, 'resolution': 1, 'min_angle': low, 'max_angle': high}


def _gazebo_laser(sensor: LaserSpec) -> tuple[str, Tags]:
    first = -0.5 * sensor.fov if sensor.start_angle is None else sensor.start_angle
    return 'gpu_lidar', {'lidar': {
        'scan': {'horizontal': _rays(sensor.nrays, first, first + sensor.fov)},
        'range': {'min': sensor.min_range, 'max': sensor.max_range},
        **gaussian(sensor.range_std_noise)}}


def _gazebo_lidar3d(sensor: Lidar3dSpec) -> tuple[str, Tags]:
    rings = sensor.vertical_ray_angles or (-0.5 * sensor.vert_fov, 0.5 * sensor.vert_fov)
    return 'gpu_lidar', {'lidar': {
        'scan': {
            'horizontal': _rays(sensor.columns, sensor.azimuth_min, sensor.azimuth_max),
            'vertical': _rays(sensor.vert_nrays, min(rings), max(rings))},
        'range': {'min': sensor.min_range, 'max': sensor.max_range},
        **gaussian(sensor.range_std_noise)}}


def _scans(sensor: LaserSpec) -> tuple[Channel, ...]:
    """Return the topic of scans, and that of all echoes where there are several of a ray."""
    scan = Channel('', 'sensor_msgs/LaserScan', laser_scan, pack=laser_scan_bytes)
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
    SensorMessages(
        spec=LaserSpec, channels=_scans,
        usual_topic='scan', gazebo=_gazebo_laser, scans=True),
    SensorMessages(
        spec=Lidar3dSpec, channels=_clouds,
        gazebo=_gazebo_lidar3d, scans=True, sees_things=True))
