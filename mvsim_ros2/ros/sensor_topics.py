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
"""The topics of the sensors."""

from collections.abc import Callable
from typing import Any

from rclpy.node import Node
from rclpy.qos import QoSProfile
from sensor_msgs.msg import Imu
from sensor_msgs.msg import LaserScan

from mvsim_ros2.ros import messages
from mvsim_ros2.ros.topic import Topic
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.world.spec.lidar import LaserSpec
from mvsim_ros2.world.spec.navigation import ImuSpec
from mvsim_ros2.world.spec.sensor import SensorSpec

# class of the sensor -> its message, and the function that makes it
MESSAGES: dict[type[SensorSpec], tuple[type[Any], Callable[[Any, str], Any]]] = {
    LaserSpec: (LaserScan, messages.laser_scan),
    ImuSpec: (Imu, messages.imu),
}


class SensorTopic:
    """Publishes what one sensor measures."""

    def __init__(self, node: Node, name: str, spec: SensorSpec, frame_id: str,
                 qos: QoSProfile) -> None:
        """
        Advertise the topic.

        :param name: of the topic.
        :param frame_id: of the messages.
        """
        message_type, self._convert = MESSAGES[type(spec)]
        self.topic = Topic(node, message_type, name, qos)
        self._frame_id = frame_id

    def publish(self, observation: Observation) -> None:
        """Publish a measurement if somebody listens."""
        if self.topic.wanted:
            self.topic.publish(self._convert(observation, self._frame_id))
