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
"""Messages of sensors of the vehicle itself."""

from typing import Any

import numpy as np

from mvsim_ros2.messages.channels import Channel
from mvsim_ros2.messages.channels import SensorMessages
from mvsim_ros2.messages.channels import Tags
from mvsim_ros2.messages.message_types import MessageTypes
from mvsim_ros2.messages.states import fill_stamp
from mvsim_ros2.messages.states import packed
from mvsim_ros2.sensors.observations import ContactSample
from mvsim_ros2.sensors.observations import EncoderSample
from mvsim_ros2.world.spec.body_sensors import BumperSpec
from mvsim_ros2.world.spec.body_sensors import WheelEncodersSpec


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
