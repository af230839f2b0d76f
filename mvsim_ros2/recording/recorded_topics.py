# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The topics of a recording: the node's, in simulated time."""

from collections.abc import Callable, Iterable
from fnmatch import fnmatch
from typing import Any

from mvsim_ros2.errors import RecordingError
from mvsim_ros2.recording.bags.bag import Bag, BagTopic
from mvsim_ros2.recording.serialiser import TYPES
from mvsim_ros2.ros.messages import qos, state_messages
from mvsim_ros2.ros.messages.cdr import clock_bytes
from mvsim_ros2.ros.messages.names import FrameNames, Namespaces
from mvsim_ros2.ros.messages.qos import Qos
from mvsim_ros2.ros.messages.sensor_channels import Channel, channels_of, message_of
from mvsim_ros2.ros.messages.settings import Settings
from mvsim_ros2.ros.messages.state_messages import map_messages
from mvsim_ros2.ros.messages.urdf_export.robot_model import RobotModel
from mvsim_ros2.ros.messages.vehicle_channels import (
    fixed_frames, fleet_channel, MovingFrames, people_channels, StateChannel, vehicle_channels)
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.simulation.handles import Fleet, VehicleHandle

State = tuple[BagTopic, Callable[[int], Any]]


class RecordedTopics:
    """Writes the messages of one simulation into a bag, on selected topics."""

    def __init__(self, bag: Bag, simulation: Simulation, settings: Settings, names: Namespaces,
                 patterns: Iterable[str]) -> None:
        self._bag, self._simulation, self._settings = bag, simulation, settings
        self._names = names
        self._patterns = list(patterns)
        self._offered: list[str] = []
        self._transformed_ns = 0  # stamp of the last frames
        self._clock = self._add('/clock', 'rosgraph_msgs/Clock', qos.CLOCK)
        self._latched: list[tuple[BagTopic, list[Any]]] = []  # published once
        self._states: list[State] = []
        self._transforms: list[State] = []
        self._commands: list[tuple[BagTopic, VehicleHandle]] = []
        self._fleet = Fleet(simulation, state_messages.UNKNOWN)
        # vehicles by the prefix of the topic of their moving frames
        self._frames: dict[str, list[tuple[VehicleHandle, FrameNames, RobotModel]]] = {}
        self._add_latched()
        for name, vehicle in simulation.vehicles.items():
            self._add_vehicle(name, vehicle)
        self._add_states([fleet_channel(TYPES, simulation, settings.map_frame),
                          *people_channels(TYPES, simulation, settings.map_frame)])
        for prefix, vehicles in self._frames.items():
            topic = self._add(f'{prefix}tf', 'tf2_msgs/TFMessage', qos.TRANSFORMS)
            if topic is not None:
                self._transforms.append((topic, MovingFrames(
                    self._fleet, settings, vehicles).message))
        self._sensors: dict[str, list[tuple[BagTopic, Channel, str]]] = {}
        for name, topic_name in names.sensors(simulation.sensors.values()).items():
            self._add_sensor(name, topic_name)
        for pattern in self._patterns:
            if not any(fnmatch(name, pattern) for name in self._offered):
                raise RecordingError(f'no topic is called {pattern!r}, there are: '
                                     f'{", ".join(sorted(self._offered))}')

    def _add(self, name: str, message_type: str, quality: Qos) -> BagTopic | None:
        """Return a new topic of the bag, None where it is not selected."""
        full = '/' + name.lstrip('/')
        self._offered.append(full)
        if self._patterns and not any(fnmatch(full, each) for each in self._patterns):
            return None
        return self._bag.add(full, message_type, quality)

    def _add_latched(self) -> None:
        """Add static frames and maps."""
        simulation, settings = self._simulation, self._settings
        for prefix, transforms in fixed_frames(
                TYPES, simulation, self._names, settings, simulation.time_ns).items():
            self._latch(f'{prefix}tf_static', 'tf2_msgs/TFMessage', qos.latched(),
                        [TYPES.tf2_msgs.TFMessage(transforms=transforms)])
        for published in map_messages(TYPES, simulation.world, settings.map_frame,
                                      simulation.time_ns, settings.publish_map):
            self._latch(*published)

    def _latch(self, name: str, message_type: str, quality: Qos, messages: list[Any]) -> None:
        """Add a topic whose messages are published once."""
        topic = self._add(name, message_type, quality)
        if topic is not None:
            self._latched.append((topic, messages))

    def _add_vehicle(self, name: str, vehicle: VehicleHandle) -> None:
        prefix, frames = self._names.topics(name), self._names.frames(name)
        model = RobotModel(vehicle, frames, [
            each for each in self._simulation.sensors.values() if each.vehicle == name])
        self._add_states(vehicle_channels(
            TYPES, prefix, vehicle, frames, model, self._fleet))
        if self._settings.publish_robot_description:
            self._latch(f'{prefix}robot_description', 'std_msgs/String', qos.latched(),
                        [TYPES.std_msgs.String(data=model.description())])
        self._frames.setdefault(self._names.tf(name), []).append((vehicle, frames, model))
        if vehicle.accepts_twist:
            command = self._add(f'{prefix}cmd_vel', 'geometry_msgs/Twist', qos.COMMAND)
            if command is not None:
                self._commands.append((command, vehicle))

    def _add_states(self, channels: Iterable[StateChannel]) -> None:
        for channel in channels:
            topic = self._add(channel.topic, channel.message_type, channel.qos)
            if topic is not None:
                self._states.append((topic, channel.build))

    def _add_sensor(self, name: str, topic_name: str) -> None:
        sensor = self._simulation.sensors[name]
        prefix = self._names.frames(sensor.vehicle).prefix
        quality = qos.sensor(self._settings.sensor_qos)
        added = [(self._add(topic_name + channel.ending, channel.message_type, quality), channel)
                 for channel in channels_of(sensor.spec)]
        self._sensors[name] = [(topic, channel, prefix) for topic, channel in added
                               if topic is not None]
        for topic, _, _ in self._sensors[name]:
            topic.sensor = name
        self._simulation.set_enabled(name, bool(self._sensors[name]))

    def write_latched(self, time_ns: int) -> None:
        """Write what is published once: static frames, descriptions, maps."""
        for topic, messages in self._latched:
            for message in messages:
                self._bag.write(topic, time_ns, message)

    def write_clock(self, time_ns: int) -> None:
        """Write the time."""
        if self._clock is not None:
            self._bag.write(self._clock, time_ns, clock_bytes(time_ns))

    def write_commands(self, time_ns: int) -> None:
        """Write the commanded velocities of the vehicles."""
        for topic, vehicle in self._commands:
            message = TYPES.geometry_msgs.Twist()
            message.linear.x, message.linear.y, message.angular.z = vehicle.commanded_twist
            self._bag.write(topic, time_ns, message)

    def write_states(self, time_ns: int) -> None:
        """Write the present states of the vehicles, and their frames."""
        self._fleet.look()
        for topic, build in self._states:
            self._bag.write(topic, time_ns, build(time_ns))
        self.write_transforms(time_ns)

    def write_transforms(self, time_ns: int, stamp_ns: int | None = None) -> None:
        """Write the frames once for a time; `stamp_ns` may be before the recording."""
        stamp_ns = time_ns if stamp_ns is None else stamp_ns
        if stamp_ns > self._transformed_ns:
            self._transformed_ns = stamp_ns
            self._fleet.look()
            for topic, build in self._transforms:
                self._bag.write(topic, time_ns, build(stamp_ns))

    def wants(self, sensor: str) -> bool:
        """Return whether a sensor has a topic in the bag."""
        return bool(self._sensors[sensor])

    def write_observation(self, time_ns: int, observation: Observation) -> None:
        """Write an observation."""
        for topic, channel, prefix in self._sensors[observation.sensor]:
            message = message_of(channel, TYPES, observation, prefix)
            if message is not None:
                self._bag.write(topic, time_ns, message)
