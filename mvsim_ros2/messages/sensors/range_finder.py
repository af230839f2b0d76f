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
"""Messages of range finders with a wide beam."""

import math
from typing import Any

from mvsim_ros2.messages.channels import Channel
from mvsim_ros2.messages.channels import SensorMessages
from mvsim_ros2.messages.channels import Tags
from mvsim_ros2.messages.message_types import MessageTypes
from mvsim_ros2.messages.states import fill_stamp
from mvsim_ros2.sensors.observations import RangeSample
from mvsim_ros2.world.spec.range_finder import InfraredSpec
from mvsim_ros2.world.spec.range_finder import SonarSpec


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
