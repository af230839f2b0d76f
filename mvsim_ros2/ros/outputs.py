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
"""Everything that the node publishes, wired to one simulation."""

from collections.abc import Iterable
import time

from rclpy.node import Node

from mvsim_ros2.messages import qos
from mvsim_ros2.messages import states
from mvsim_ros2.messages.maps import map_messages
from mvsim_ros2.messages.settings import Settings
from mvsim_ros2.messages.transforms import fixed_frames
from mvsim_ros2.messages.vehicles import fleet_channel
from mvsim_ros2.ros.clock import ClockTopic
from mvsim_ros2.ros.compat_topics import CompatTopics
from mvsim_ros2.ros.message_types import TYPES
from mvsim_ros2.ros.sensor_topics import SensorTopics
from mvsim_ros2.ros.stage import Stage
from mvsim_ros2.ros.topic import Topic
from mvsim_ros2.ros.vehicle_topics import MovingFrames
from mvsim_ros2.ros.vehicle_topics import StateTopics
from mvsim_ros2.ros.vehicle_topics import VehicleTopics
from mvsim_ros2.ros.world_markers import WorldMarkers
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.world.spec.grid import OccupancyMap

LOOK_PERIOD = 0.1  # s between two looks at who listens


class Outputs:
    """The topics of a simulation."""

    def __init__(self, node: Node, stage: Stage, settings: Settings) -> None:
        """
        Advertise all topics.

        :raises MvsimError: where two things would have the same name on the graph, or the map at
            a height would be too large.
        """
        self._node, self._stage, self._settings = node, stage, settings
        self.measure_unsubscribed = settings.measure_unsubscribed
        self._clock = ClockTopic(node, settings.clock_rate)
        self._fleet = self._fleet_topics(stage)
        self._markers = WorldMarkers(node, settings.map_frame)
        self._maps: list[Topic] = []
        self._plan = self._floor_plan(stage)
        self._vehicles: dict[str, VehicleTopics] = {}
        self._compat: dict[str, CompatTopics] = {}
        self._moving: dict[str, MovingFrames] = {}  # by the prefix of their topic
        self._fixed: dict[str, Topic] = {}  # by the same
        self._sensors: dict[str, SensorTopics] = {}
        self._look_due = 0.0
        self._follow()

    def _fleet_topics(self, stage: Stage) -> StateTopics:
        return StateTopics(self._node, [
            fleet_channel(TYPES, stage.simulation, self._settings.map_frame)])

    def _floor_plan(self, stage: Stage) -> OccupancyMap | None:
        """Return the map at the height that is asked for, None where none is."""
        height, resolution = self._settings.map_height, self._settings.map_resolution
        return stage.simulation.floor_plan(height, resolution) if height else None

    def update(self) -> None:
        """Follow vehicles that came or went, and tell where their fixed frames are."""
        self._follow()
        self._publish_fixed()

    def show(self, stage: Stage) -> None:
        """
        Take the topics of what there is now off the graph, and have those of another stage.

        :raises MvsimError: where two things would have the same name on the graph; then
            everything stays as it is.
        """
        stage.sensor_topics()
        plan = self._floor_plan(stage)
        gone = [*self._maps, *self._fleet.topics, *self._fixed.values()]
        gone += [moving.topic for moving in self._moving.values()]
        for group in (self._vehicles, self._compat, self._sensors):
            gone += [topic for each in group.values() for topic in each.topics]
            group.clear()
        for topic in gone:
            topic.withdraw()
        self._moving.clear()
        self._fixed.clear()
        self._stage, self._plan, self._maps = stage, plan, []
        self._fleet = self._fleet_topics(stage)
        self._look_due = 0.0
        self._follow()

    def _follow(self) -> None:
        """Have the topics of the vehicles and sensors that there are."""
        simulation, names = self._stage.simulation, self._stage.names
        wanted = self._stage.sensor_topics()
        for name in self._vehicles.keys() - simulation.vehicles.keys():
            for group in (self._vehicles, self._compat):
                for topic in group.pop(name).topics if name in group else ():
                    topic.withdraw()
        for name in self._sensors.keys() - wanted.keys():
            for topic in self._sensors.pop(name).topics:
                topic.withdraw()
        for name, vehicle in simulation.vehicles.items():
            if name not in self._vehicles:
                self._vehicles[name] = VehicleTopics(
                    self._node, names.topics(name), vehicle, names.frames(name),
                    [each for each in simulation.sensors.values() if each.vehicle == name])
                if self._settings.compat == 'mvsim':
                    self._compat[name] = CompatTopics(
                        self._node, names.topics(name), vehicle, names.frames(name),
                        self._settings.publish_map_odom)
        reliability = qos.sensor(self._settings.sensor_qos)
        for name, topic_name in wanted.items():
            if name not in self._sensors:
                sensor = simulation.sensors[name]
                self._sensors[name] = SensorTopics(
                    self._node, topic_name, sensor.spec, names.frames(sensor.vehicle).prefix,
                    reliability)
        self._follow_frames()
        self._markers.change()
        self._states: list[Topic] = [
            self._clock.topic, *self._fleet.topics, *self._markers.topics,
            *(topic for each in self._vehicles.values() for topic in each.topics),
            *(topic for each in self._compat.values() for topic in each.topics),
            *(moving.topic for moving in self._moving.values())]

    def _follow_frames(self) -> None:
        """Group the vehicles by the topic that their moving frames are on."""
        groups: dict[str, list[VehicleTopics]] = {}
        for name in self._stage.simulation.vehicles:
            groups.setdefault(self._stage.names.tf(name), []).append(self._vehicles[name])
        for prefix in self._moving.keys() - groups.keys():
            self._moving.pop(prefix).topic.withdraw()
        for prefix, vehicles in groups.items():
            if prefix not in self._moving:
                self._moving[prefix] = MovingFrames(
                    self._node, f'{prefix}tf', self._settings)
            self._moving[prefix].vehicles = vehicles

    def begin(self) -> None:
        """Publish the time, then what never changes: fixed frames and maps."""
        simulation, settings = self._stage.simulation, self._settings
        now = simulation.time_ns
        # before anything else, whoever listens
        self._clock.topic.publish(states.clock(TYPES, now))
        self._publish_fixed()
        for name, kind, keep, messages in map_messages(
                TYPES, simulation.world, settings.map_frame, now,
                settings.publish_map and settings.compat != 'mvsim', self._plan):
            topic = Topic(self._node, TYPES.named(kind), name, keep)
            self._maps.append(topic)
            for message in messages:
                topic.publish(message)
        self.look()

    def _publish_fixed(self) -> None:
        """Publish the frames that never change, and the descriptions of the vehicles."""
        groups = fixed_frames(TYPES, self._stage.simulation, self._stage.names)
        for prefix in self._fixed.keys() - groups.keys():
            self._fixed.pop(prefix).withdraw()
        for prefix, transforms in groups.items():
            if prefix not in self._fixed:
                self._fixed[prefix] = Topic(
                    self._node, TYPES.tf2_msgs.TFMessage, f'{prefix}tf_static', qos.latched())
            self._fixed[prefix].publish(TYPES.tf2_msgs.TFMessage(transforms=transforms))
        for vehicle in self._vehicles.values():
            vehicle.begin()

    def look(self) -> None:
        """Now and then, look who listens; sensors without a listener are switched off."""
        now = time.monotonic()
        if now < self._look_due:
            return
        self._look_due = now + LOOK_PERIOD
        for topic in self._states:
            topic.refresh()
        for name, topics in self._sensors.items():
            topics.refresh()
            self._stage.simulation.set_enabled(
                name, topics.wanted or self.measure_unsubscribed)

    def feeling(self) -> list[VehicleTopics]:
        """Return the vehicles of which somebody wants to know every contact."""
        return [each for each in self._vehicles.values() if each.feels]

    def publish_time(self) -> None:
        """Publish the time where it is due."""
        self._clock.publish(self._stage.simulation.time_ns)

    def publish_states(self) -> None:
        """Publish the present states of the vehicles."""
        now = self._stage.simulation.time_ns
        for moving in self._moving.values():
            moving.publish(now)
        for vehicle in self._vehicles.values():
            vehicle.publish(now)
        for compat in self._compat.values():
            compat.publish(now)
        self._fleet.publish(now)
        self._markers.publish(self._stage.simulation)

    def publish_observations(self, observations: Iterable[Observation]) -> None:
        """Publish what sensors measured."""
        for observation in observations:
            self._sensors[observation.sensor].publish(observation)
