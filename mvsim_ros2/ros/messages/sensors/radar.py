# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Messages of radars: points with the fields of radar_msgs/RadarReturn beside their places."""

from typing import Any

import numpy as np

from mvsim_ros2.ros.messages.message_types import MessageTypes
from mvsim_ros2.ros.messages.sensor_channels import Channel, SensorMessages
from mvsim_ros2.ros.messages.sensors.lidar import point_cloud
from mvsim_ros2.sensors.observations import PointCloud, RadarDetections
from mvsim_ros2.world.spec.sensors.radar import RadarSpec

_FIELDS = np.dtype([(name, '<f4') for name in (
    'x', 'y', 'z', 'range', 'azimuth', 'elevation', 'doppler_velocity', 'amplitude', 'rcs')])


def radar_points(types: MessageTypes, scan: RadarDetections, frame_id: str) -> Any:
    """Return detections; `amplitude` is the signal to noise ratio and `rcs` in dBsm, both dB."""
    points = np.zeros(len(scan.distance), _FIELDS)
    level = scan.distance * np.cos(scan.elevation)
    points['x'], points['y'] = level * np.cos(scan.azimuth), level * np.sin(scan.azimuth)
    points['z'] = scan.distance * np.sin(scan.elevation)
    points['range'], points['azimuth'] = scan.distance, scan.azimuth
    points['elevation'], points['doppler_velocity'] = scan.elevation, scan.velocity
    points['amplitude'] = 10.0 * np.log10(np.maximum(scan.snr, 1e-12))
    points['rcs'] = 10.0 * np.log10(np.maximum(scan.rcs, 1e-12))
    return point_cloud(
        types, PointCloud(scan.sensor, scan.frame_id, scan.stamp_ns, points, True), frame_id)


MESSAGES = (
    SensorMessages(
        spec=RadarSpec, gazebo=None,
        channels=(Channel('_points', 'sensor_msgs/PointCloud2', radar_points),)),)
