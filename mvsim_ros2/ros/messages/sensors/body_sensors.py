# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Messages of sensors of the vehicle itself."""

from typing import Any

import numpy as np

from mvsim_ros2.ros.messages.message_types import MessageTypes
from mvsim_ros2.ros.messages.sensor_channels import Channel, SensorMessages, Tags
from mvsim_ros2.ros.messages.state_messages import fill_stamp, packed
from mvsim_ros2.sensors.observations import ContactSample, EncoderSample
from mvsim_ros2.world.spec.sensors.contact_and_encoders import BumperSpec, WheelEncodersSpec


def joint_state(types: MessageTypes, sample: EncoderSample, frame_id: str) -> Any:
    """Return what encoders count as angles and rates of the joints of the wheels."""
    message = types.sensor_msgs.JointState(
        name=list(sample.names), position=packed(types, sample.angle, np.float64),
        velocity=packed(types, sample.rate, np.float64))
    fill_stamp(message.header, sample.stamp_ns, frame_id)
    return message


def contact(types: MessageTypes, sample: ContactSample, frame_id: str) -> Any:
    """Return whether a bumper is pressed."""
    return types.std_msgs.Bool(data=sample.pressed)


def _gazebo_bumper(sensor: BumperSpec) -> tuple[str, Tags]:
    return 'contact', {}


MESSAGES = (
    SensorMessages(
        spec=WheelEncodersSpec, gazebo=None,
        channels=(Channel('', 'sensor_msgs/JointState', joint_state),)),
    SensorMessages(
        spec=BumperSpec, gazebo=_gazebo_bumper,
        channels=(Channel('', 'std_msgs/Bool', contact),)))
