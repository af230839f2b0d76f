# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Messages of ultra-wideband ranging, in points: no common package has one of its own."""

from typing import Any

import numpy as np

from mvsim_ros2.messages.message_types import MessageTypes
from mvsim_ros2.messages.sensor_channels import Channel
from mvsim_ros2.messages.sensor_channels import SensorMessages
from mvsim_ros2.messages.sensors.lidar import point_cloud
from mvsim_ros2.sensors.navigation.uwb import UwbRanges
from mvsim_ros2.sensors.observations import PointCloud
from mvsim_ros2.spec.sensors.uwb import UwbSpec

_FIELDS = np.dtype([('x', '<f4'), ('y', '<f4'), ('z', '<f4'), ('range', '<f4'),
                    ('anchor', '<u4')])


def uwb_ranges(types: MessageTypes, sample: UwbRanges, frame_id: str) -> Any:
    """Return the anchors that answered as points in the frame `map`, each with its range."""
    points = np.zeros(len(sample.anchors), _FIELDS)
    for axis, values in zip('xyz', sample.places.T, strict=True):
        points[axis] = values
    points['range'], points['anchor'] = sample.ranges, sample.anchors
    return point_cloud(types, PointCloud(sample.sensor, 'map', sample.stamp_ns, points, True),
                       'map')


MESSAGES = (
    SensorMessages(
        spec=UwbSpec, gazebo=None,
        channels=(Channel('', 'sensor_msgs/PointCloud2', uwb_ranges),)),)
