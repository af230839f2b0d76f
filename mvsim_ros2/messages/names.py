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
"""Names on the ROS graph: frames, namespaces, topics."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
import re

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.messages.channels import channels_of
from mvsim_ros2.messages.channels import SENSOR_MESSAGES
from mvsim_ros2.world.spec.sensor import SensorSpec

# topics that no sensor can have
TAKEN = {'ackermann_cmd', 'amcl_pose', 'base_pose_ground_truth', 'chassis_polygon', 'clock',
         'cmd_brake', 'cmd_parking_brake', 'cmd_steering', 'cmd_vel', 'cmd_wheel_torques',
         'collision', 'contacts', 'diagnostics', 'ground_truth_poses', 'initialpose',
         'joint_states', 'map', 'map_metadata', 'moving_markers', 'odom', 'particlecloud',
         'robot_description', 'simul_map', 'simul_map_metadata', 'tf', 'tf_static',
         'world_markers'}


@dataclass(frozen=True)
class FrameNames:
    """Names of the frames of one vehicle; without a footprint there is no frame for it."""

    world: str = 'map'  # shared by all vehicles
    odom: str = 'odom'
    base: str = 'base_link'
    footprint: str = 'base_footprint'
    prefix: str = ''  # of all but the map
    original: bool = False  # footprint below the base, truth in the odometry frame: as MVSim

    def prefixed(self, prefix: str) -> 'FrameNames':
        """Return these names with `prefix` before all but the map."""
        return FrameNames(self.world, prefix + self.odom, prefix + self.base,
                          prefix + self.footprint if self.footprint else '', prefix,
                          self.original)

    @property
    def moving(self) -> str:
        """Name of the frame that moves in the odometry frame: the root of the robot."""
        return self.base if self.original else self.footprint or self.base

    @property
    def truth(self) -> str:
        """Name of the frame that the true pose is said to be in."""
        return self.odom if self.original else self.world


def graph_name(name: str) -> str:
    """Return `name` as a ROS name: letters, digits, underscores, no digit at the start."""
    allowed = re.sub(r'[^A-Za-z0-9_]', '_', name)
    return f'n{allowed}' if allowed[:1].isdigit() else allowed


def sensor_topics(mounted: Iterable[SensorSpec], standing: Iterable[SensorSpec] = (),
                  usual: bool = True) -> list[str]:
    """
    Return what the topics of the sensors below one prefix begin with.

    It is the topic that the world file says, else the sensor's name, except that the only
    LiDAR of a vehicle publishes on `scan` and the only IMU on `imu`, whatever they are called.

    :param mounted: sensors of a vehicle.
    :param standing: sensors that stand in the world; their topics come last.
    :param usual: False calls all by their names, as MVSim does.
    :raises MvsimError: where a topic would have two publishers.
    """
    mounted, standing = list(mounted), list(standing)
    counts = Counter(type(spec) for spec in mounted)
    topics = [_topic(spec, usual and counts[type(spec)] == 1) for spec in mounted]
    topics += [_topic(spec, False) for spec in standing]
    taken = Counter(TAKEN)
    endings = [[channel.ending for channel in channels_of(spec)] for spec in mounted + standing]
    taken.update(topic + ending for topic, each in zip(topics, endings, strict=True)
                 for ending in each)
    for spec, topic, each in zip(mounted + standing, topics, endings, strict=True):
        if any(taken[topic + ending] > 1 for ending in each):
            raise MvsimError(f'{spec.source}: the topic {topic!r} of sensor {spec.name!r} is '
                             'taken: give the sensor another name')
    return topics


def _topic(spec: SensorSpec, usual: bool) -> str:
    """Return what the topics of a sensor begin with."""
    if spec.topic:
        return spec.topic
    return (usual and SENSOR_MESSAGES[type(spec)].usual_topic) or graph_name(spec.name)
