# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""All publishers of the node, for one simulation."""

from collections.abc import Container, Iterable
from contextlib import suppress
from functools import partial
import time
from typing import Any

from rclpy.exceptions import InvalidHandle
from rclpy.node import Node
from tf2_msgs.msg import TFMessage

from mvsim_ros2.ros.messages import qos
from mvsim_ros2.ros.messages.cdr import clock_bytes
from mvsim_ros2.ros.messages.settings import Settings
from mvsim_ros2.ros.messages.state_messages import map_messages, UNKNOWN
from mvsim_ros2.ros.messages.vehicle_channels import (
    fixed_frames, fleet_channel, MovingFrames, people_channels, StateChannel)
from mvsim_ros2.ros.publishers.clock import ClockTopic, ClockWatch, Stamps
from mvsim_ros2.ros.publishers.markers import WorldMarkers
from mvsim_ros2.ros.publishers.topics import is_there, SensorTopics, Topic, TYPES
from mvsim_ros2.ros.publishers.vehicle_topics import ObjectPoses, StateTopics, VehicleTopics
from mvsim_ros2.ros.world_context import WorldContext
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.simulation.handles import Fleet

POLL_PERIOD = 0.1  # s of the wall clock between two updates of the numbers of subscribers


class Publishers:
    """The topics of a simulation."""

    def __init__(self, node: Node, context: WorldContext, settings: Settings) -> None:
        self._node, self._settings = node, settings
        self.measure_unsubscribed = settings.measure_unsubscribed
        self.switched_off: set[str] = set()  # sensors that shall not measure
        self.stamps = Stamps(settings.disable_sim_time_clock)
        self._clock = None if self.stamps.wall else ClockTopic(node, settings.clock_rate)
        self._watch = self._clock and ClockWatch(node, self._clock.topic.name)
        self._poses = StateTopics(node, [])
        self._markers = WorldMarkers(node, settings.map_frame)
        self._objects = ObjectPoses(node, settings.map_frame, settings.objects_ground_truth_rate)
        self._maps: list[Topic] = []
        self._vehicles: dict[str, VehicleTopics] = {}
        self._moving: dict[str, StateTopics] = {}  # by the prefix of their topic
        self._fixed: dict[str, Topic] = {}  # by the same
        self._sensors: dict[str, SensorTopics] = {}
        self.set_context(context)

    def update(self) -> None:
        """Update the topics to the present vehicles, and publish their fixed frames."""
        self._update_topics()
        self._publish_fixed()

    def set_context(self, context: WorldContext) -> None:
        """Replace all topics by the topics of another world."""
        context.names.sensors(context.simulation.sensors.values())
        height, resolution = self._settings.map_height, self._settings.map_resolution
        plan = context.simulation.floor_plan(height, resolution) if height else None
        old = [*self._maps, *self._poses.topics, *self._fixed.values()]
        for group in (self._vehicles, self._moving, self._sensors):
            old += [topic for each in group.values() for topic in each.topics]
            group.clear()
        for topic in old:
            topic.destroy()
        self._fixed.clear()
        self._context, self._plan, self._maps = context, plan, []
        self._fleet = Fleet(context.simulation, UNKNOWN)
        self._poses = StateTopics(self._node, [
            fleet_channel(TYPES, context.simulation, self._settings.map_frame), *filter(
                is_there, people_channels(TYPES, context.simulation, self._settings.map_frame))])
        self._update_topics()

    def _update_topics(self) -> None:
        """Update the topics to the present vehicles and sensors."""
        simulation, names = self._context.simulation, self._context.names
        sensor_topics = names.sensors(simulation.sensors.values())
        _destroy(self._vehicles, simulation.vehicles)
        _destroy(self._sensors, sensor_topics)
        for name, vehicle in simulation.vehicles.items():
            if name not in self._vehicles:
                self._vehicles[name] = VehicleTopics(
                    self._node, names.topics(name), vehicle, names.frames(name),
                    [each for each in simulation.sensors.values() if each.vehicle == name],
                    self._fleet, self._settings)
        reliability = qos.sensor(self._settings.sensor_qos)
        for name, topic_name in sensor_topics.items():
            if name not in self._sensors:
                sensor = simulation.sensors[name]
                self._sensors[name] = SensorTopics(
                    self._node, topic_name, sensor.spec, names.frames(sensor.vehicle).prefix,
                    reliability)
        self._update_frames()
        self._heard: list[VehicleTopics] = []  # with subscribers at the last look
        self._poll_due = 0.0
        self._markers.change()
        self._states: list[Topic] = [
            *([self._clock.topic] if self._clock else []), *self._markers.topics,
            *self._objects.topics]

    def _update_frames(self) -> None:
        """Group the vehicles by the topic of their moving frames."""
        groups: dict[str, list[VehicleTopics]] = {}
        for name in self._context.simulation.vehicles:
            groups.setdefault(self._context.names.tf(name), []).append(self._vehicles[name])
        self._frames = {prefix: MovingFrames(self._fleet, self._settings, [
            (each.vehicle, each.frames, each.model) for each in vehicles])
            for prefix, vehicles in groups.items()}
        wanted = {prefix for prefix, frames in self._frames.items() if not frames.empty}
        _destroy(self._moving, wanted)
        for prefix in wanted - self._moving.keys():
            self._moving[prefix] = StateTopics(self._node, [StateChannel(
                f'{prefix}tf', 'tf2_msgs/TFMessage', partial(self._transforms, prefix),
                qos.TRANSFORMS)])

    def _transforms(self, prefix: str, time_ns: int) -> bytes:
        return self._frames[prefix].message(time_ns)

    def begin(self) -> None:
        """Publish the time, then fixed frames and maps."""
        simulation, settings, now = self._context.simulation, self._settings, self.stamp_ns
        if self._clock:  # before anything else, with or without subscribers
            self._clock.topic.publish(clock_bytes(now))
        self._publish_fixed()
        for name, kind, keep, messages in map_messages(
                TYPES, simulation.world, settings.map_frame, now,
                settings.publish_map and settings.compat != 'mvsim', self._plan):
            topic = Topic(self._node, TYPES.named(kind), name, keep)
            self._maps.append(topic)
            for message in messages:
                topic.publish(message)
        self.poll_subscriptions()

    def _publish_fixed(self) -> None:
        """Publish fixed frames, and the descriptions of the vehicles."""
        groups = fixed_frames(
            TYPES, self._context.simulation, self._context.names, self._settings, self.stamp_ns)
        for prefix in self._fixed.keys() - groups.keys():
            self._fixed.pop(prefix).destroy()
        for prefix, transforms in groups.items():
            if prefix not in self._fixed:
                self._fixed[prefix] = Topic(
                    self._node, TFMessage, f'{prefix}tf_static', qos.latched())
            self._fixed[prefix].publish(TFMessage(transforms=transforms))
        for vehicle in self._vehicles.values():
            vehicle.begin()

    def poll_subscriptions(self) -> None:
        """Update the numbers of subscribers, where due; disable sensors without any."""
        now = time.monotonic()
        if now < self._poll_due:
            return
        self._poll_due = now + POLL_PERIOD
        if self._watch:
            self._watch.look()
        simulation = self._context.simulation
        for topic in self._states:
            topic.refresh()
        for group in (self._poses, *self._moving.values(), *self._vehicles.values()):
            group.refresh()
        self._heard = [each for each in self._vehicles.values() if each.has_subscribers]
        for name, topics in self._sensors.items():
            topics.refresh()
            simulation.set_enabled(name, name not in self.switched_off and (
                topics.has_subscribers or self.measure_unsubscribed
                or simulation.sensors[name].spec.INTEGRATES))

    def contact_recorders(self) -> list[VehicleTopics]:
        """Return the vehicles whose contacts have subscribers."""
        return [each for each in self._heard if each.records_contacts]

    @property
    def clock_has_subscribers(self) -> bool:
        """Return whether the clock had subscribers when that was last looked up."""
        return self._clock is not None and self._clock.topic.has_subscribers

    @property
    def heard_sensors(self) -> list[str]:
        """Return the sensors that had subscribers when that was last looked up."""
        return [name for name, topics in self._sensors.items() if topics.has_subscribers]

    @property
    def stamp_ns(self) -> int:
        """Return the stamp of the present state."""
        return self.stamps.of(self._context.simulation.time_ns)

    def publish_first_frames(self) -> None:
        """
        Publish the frames of the state at time zero, before the first step.

        So they are there for all measurements of that step. Their stamp is a nanosecond: zero
        means "not set".
        """
        self._fleet.look()
        for moving in self._moving.values():
            moving.refresh()
            moving.publish(self.stamps.of(1))

    def publish_clock(self) -> None:
        """Publish the time, where due."""
        if self._clock:
            self._clock.publish(self._context.simulation.time_ns)

    def repeat_clock(self, time_ns: int) -> None:
        """Publish a time while the simulation is busy; another thread may call this."""
        if self._clock:
            with suppress(InvalidHandle):  # a signal ends the process meanwhile
                self._clock.topic.refresh()
                self._clock.publish(time_ns)

    def publish_states(self, again: bool = False) -> None:
        """Publish the present states of the vehicles."""
        now = self.stamp_ns
        self._fleet.look()
        for group in (*self._moving.values(), *self._heard, self._poses):
            group.publish(now)
        self._markers.publish(self._context.simulation, now)
        self._objects.publish(self._context.simulation, now, again)

    def publish_observations(self, observations: Iterable[Observation]) -> None:
        """Publish the observations of sensors."""
        stamp = self.stamps.of if self.stamps.wall else None
        for observation in observations:
            self._sensors[observation.sensor].publish(observation, stamp)


def _destroy(groups: dict[str, Any], wanted: Container[str]) -> None:
    """Remove the groups of topics that are not wanted any more."""
    for name in [name for name in groups if name not in wanted]:
        for topic in groups.pop(name).topics:
            topic.destroy()
