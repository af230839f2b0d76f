# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Messages of thermometers."""

from typing import Any

from mvsim_ros2.ros.messages.message_types import MessageTypes
from mvsim_ros2.ros.messages.state_messages import fill_stamp
from orchard_robots.thermometer.model import TemperatureSample


def temperature(types: MessageTypes, sample: TemperatureSample, frame_id: str) -> Any:
    """Return a temperature of the air."""
    message = types.sensor_msgs.Temperature(
        temperature=sample.temperature, variance=sample.variance)
    fill_stamp(message.header, sample.stamp_ns, frame_id)
    return message
