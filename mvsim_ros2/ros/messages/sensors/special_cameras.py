# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Messages of cameras for heat and for events."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mvsim_ros2.ros.messages.message_types import MessageTypes
from mvsim_ros2.ros.messages.sensor_channels import Channel, SensorMessages
from mvsim_ros2.ros.messages.sensors.camera import camera_info
from mvsim_ros2.ros.messages.state_messages import bytes_of, fill_stamp
from mvsim_ros2.sensors.observations import Events, ThermalImage
from mvsim_ros2.world.spec.sensors.special_cameras import EventCameraSpec, ThermalCameraSpec


def thermal_image(types: MessageTypes, image: ThermalImage, frame_id: str) -> Any:
    """Return temperatures as mono16, in whole units."""
    pixels = np.clip(np.rint(image.temperature / image.unit), 0, 65535).astype(np.uint16)
    height, width = pixels.shape
    message = types.sensor_msgs.Image(
        height=height, width=width, encoding='mono16', is_bigendian=0, step=2 * width,
        data=bytes_of(types, pixels))
    fill_stamp(message.header, image.stamp_ns, frame_id)
    return message


def event_cloud(types: MessageTypes, events: Events, frame_id: str) -> Any:
    """Return events as points in one row: x, y, t [ns after the stamp], polarity."""
    field, kind = types.sensor_msgs.PointField, events.events.dtype
    kinds = {'x': field.UINT16, 'y': field.UINT16, 't': field.UINT32, 'polarity': field.UINT8}
    count = len(events.events)
    places: Mapping[str, Any] = kind.fields or {}
    message = types.sensor_msgs.PointCloud2(
        height=1, width=count, is_bigendian=False, point_step=kind.itemsize,
        row_step=count * kind.itemsize, is_dense=True, data=bytes_of(types, events.events),
        fields=[field(name=name, offset=places[name][1], count=1, datatype=datatype)
                for name, datatype in kinds.items()])
    fill_stamp(message.header, events.stamp_ns, frame_id)
    return message


_INFO = Channel('/camera_info', 'sensor_msgs/CameraInfo', camera_info, ('info',))

MESSAGES = (
    SensorMessages(spec=ThermalCameraSpec, gazebo=None, channels=(
        Channel('/image_raw', 'sensor_msgs/Image', thermal_image), _INFO)),
    SensorMessages(spec=EventCameraSpec, gazebo=None, channels=(
        Channel('/events', 'sensor_msgs/PointCloud2', event_cloud), _INFO)))
