# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Messages of range finders with a wide beam."""

import math
from typing import Any

from mvsim_ros2.ros.messages.message_types import MessageTypes
from mvsim_ros2.ros.messages.sensor_channels import Channel, SensorMessages, Tags
from mvsim_ros2.ros.messages.state_messages import fill_stamp
from mvsim_ros2.sensors.observations import RangeSample
from mvsim_ros2.world.spec.sensors.range_finder import InfraredSpec, SonarSpec


def range_reading(types: MessageTypes, sample: RangeSample, frame_id: str) -> Any:
    """Return the reading of a range finder (REP-117: infinite where there is no range)."""
    kind = types.sensor_msgs.Range
    message = kind(
        radiation_type=kind.INFRARED if sample.infrared else kind.ULTRASOUND,
        field_of_view=sample.field_of_view, min_range=sample.range_min,
        max_range=sample.range_max, range=sample.distance)
    fill_stamp(message.header, sample.stamp_ns, frame_id)
    return message


def _gazebo_sonar(sensor: SonarSpec) -> tuple[str, Tags]:
    return 'sonar', {'sonar': {
        'min': sensor.min_range, 'max': sensor.max_range,
        'radius': sensor.max_range * math.tan(min(0.5 * sensor.fov, 1.5))}}


_CHANNELS = (Channel('', 'sensor_msgs/Range', range_reading),)
MESSAGES = (SensorMessages(spec=SonarSpec, channels=_CHANNELS, gazebo=_gazebo_sonar),
            SensorMessages(spec=InfraredSpec, channels=_CHANNELS, gazebo=None))
