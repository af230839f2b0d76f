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

from geometry_msgs.msg import TransformStamped
from rclpy.node import Node

from mvsim_ros2.handles import SensorHandle
from mvsim_ros2.handles import VehicleHandle
from mvsim_ros2.ros import messages
from mvsim_ros2.ros import qos
from mvsim_ros2.ros.clock import ClockTopic
from mvsim_ros2.ros.fleet_topic import FleetTopic
from mvsim_ros2.ros.map_topics import publish_maps
from mvsim_ros2.ros.names import FrameNames
from mvsim_ros2.ros.names import sensor_topics
from mvsim_ros2.ros.namespaces import Namespaces
from mvsim_ros2.ros.parameters import Settings
from mvsim_ros2.ros.robot_model import RobotModel
from mvsim_ros2.ros.sensor_topics import SensorTopic
from mvsim_ros2.ros.topic import Topic
from mvsim_ros2.ros.transforms import fixed_frames
from mvsim_ros2.ros.transforms import MovingFrames
from mvsim_ros2.ros.transforms import publish_fixed_frames
from mvsim_ros2.ros.vehicle_topics import VehicleTopics
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.simulation import Simulation

LOOK_PERIOD = 0.1  # s between two looks at who listens


class Outputs:
    """The topics of a simulation."""

    def __init__(self, node: Node, simulation: Simulation, settings: Settings) -> None:
        """
        Advertise all topics.

        :raises MvsimError: where two things would have the same name on the graph.
        """
        self._node, self._simulation, self._settings = node, simulation, settings
        self._names = Namespaces(settings, list(simulation.vehicles))
        self._clock = ClockTopic(node, settings.clock_rate)
        self._vehicles = [
            VehicleTopics(node, self._names.topics(name), vehicle, self._names.frames(name))
            for name, vehicle in simulation.vehicles.items()]
        self._models = {
            name: RobotModel(
                node, self._names.topics(name), vehicle, self._names.frames(name),
                [each for each in simulation.sensors.values() if each.vehicle == name])
            for name, vehicle in simulation.vehicles.items()}
        self._fleet = FleetTopic(node, simulation, settings.map_frame)
        self._moving = self._moving_frames()
        self._sensors = self._sensor_topics()
        self._states: list[Topic] = [
            self._clock.topic, self._fleet.topic,
            *(topic for each in self._vehicles for topic in each.topics),
            *(topic for each in self._models.values() for topic in each.topics),
            *(moving.topic for moving in self._moving)]
        self._look_due = 0.0

    def _sensor_topics(self) -> dict[str, SensorTopic]:
        """Return the topic of each sensor, by the name of the sensor."""
        reliability = qos.sensor(self._settings.sensor_qos)
        by_prefix: dict[str, tuple[list[SensorHandle], list[SensorHandle]]] = {}
        for sensor in self._simulation.sensors.values():
            groups = by_prefix.setdefault(self._names.topics(sensor.vehicle), ([], []))
            groups[0 if sensor.vehicle else 1].append(sensor)
        return {
            sensor.name: SensorTopic(
                self._node, prefix + topic, sensor.spec,
                self._names.frames(sensor.vehicle).prefix + sensor.frame_id, reliability)
            for prefix, (mounted, standing) in by_prefix.items()
            for sensor, topic in zip(mounted + standing, sensor_topics(
                [s.spec for s in mounted], [s.spec for s in standing]), strict=True)}

    def _moving_frames(self) -> list[MovingFrames]:
        odom, map_odom = self._settings.publish_odom_tf, self._settings.publish_map_odom
        groups: dict[str, list[tuple[VehicleHandle, FrameNames, RobotModel]]] = {}
        for name, vehicle in self._simulation.vehicles.items():
            groups.setdefault(self._names.tf(name), []).append(
                (vehicle, self._names.frames(name), self._models[name]))
        return [MovingFrames(self._node, f'{prefix}tf', group, odom, map_odom)
                for prefix, group in groups.items()]

    def begin(self) -> None:
        """Publish the time, then what never changes: fixed frames and maps."""
        simulation, settings = self._simulation, self._settings
        now = simulation.time_ns
        self._clock.topic.publish(messages.clock(now))  # before anything else, whoever listens
        groups: dict[str, list[TransformStamped]] = {}
        sensors = simulation.sensors.values()
        for owner in dict.fromkeys([*simulation.vehicles, *(s.vehicle for s in sensors)]):
            groups.setdefault(self._names.tf(owner), []).extend(fixed_frames(
                now, self._names.frames(owner), [s for s in sensors if s.vehicle == owner]))
        for prefix, transforms in groups.items():
            publish_fixed_frames(self._node, f'{prefix}tf_static', transforms)
        for model in self._models.values():
            model.begin()
        publish_maps(self._node, simulation.world, settings.map_frame, now,
                     settings.publish_map)
        self.look()

    def look(self) -> None:
        """Now and then, look who listens; sensors without a listener are switched off."""
        now = time.monotonic()
        if now < self._look_due:
            return
        self._look_due = now + LOOK_PERIOD
        for topic in self._states:
            topic.refresh()
        for name, sensor in self._sensors.items():
            sensor.topic.refresh()
            self._simulation.set_enabled(
                name, sensor.topic.wanted or self._settings.measure_unsubscribed)

    def publish_time(self) -> None:
        """Publish the time where it is due."""
        self._clock.publish(self._simulation.time_ns)

    def publish_states(self) -> None:
        """Publish the present states of the vehicles."""
        now = self._simulation.time_ns
        for moving in self._moving:
            moving.publish(now)
        for vehicle in self._vehicles:
            vehicle.publish(now)
        for model in self._models.values():
            model.publish(now)
        self._fleet.publish(now)

    def publish_observations(self, observations: Iterable[Observation]) -> None:
        """Publish what sensors measured."""
        for observation in observations:
            self._sensors[observation.sensor].publish(observation)
