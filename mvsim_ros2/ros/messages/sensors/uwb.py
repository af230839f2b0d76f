# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Messages of ultra-wideband ranging, in points: no common package has one of its own."""

from typing import Any

import numpy as np

from mvsim_ros2.ros.messages.message_types import MessageTypes
from mvsim_ros2.ros.messages.sensor_channels import Channel, SensorMessages
from mvsim_ros2.ros.messages.sensors.lidar import point_cloud
from mvsim_ros2.sensors.observations import PointCloud, UwbRanges
from mvsim_ros2.world.spec.sensors.uwb import UwbSpec

_FIELDS = np.dtype([('range', '<f4'), ('anchor', '<u4'), ('anchor_x', '<f4'),
                    ('anchor_y', '<f4'), ('anchor_z', '<f4')])


def uwb_ranges(types: MessageTypes, sample: UwbRanges, frame_id: str) -> Any:
    """Return a row for each anchor that answered: its range, and where it stands in `map`."""
    points = np.zeros(len(sample.anchors), _FIELDS)
    for axis, values in zip('xyz', sample.places.T, strict=True):
        points[f'anchor_{axis}'] = values
    points['range'], points['anchor'] = sample.ranges, sample.anchors
    return point_cloud(
        types, PointCloud(sample.sensor, sample.frame_id, sample.stamp_ns, points, True), frame_id)


MESSAGES = (
    SensorMessages(
        spec=UwbSpec, gazebo=None,
        channels=(Channel('', 'sensor_msgs/PointCloud2', uwb_ranges),)),)
