# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The topics of each kind of sensor, and the conversion of its observations to messages.

Records are in `messages.sensors`; records of plugins have more: `messages.sensor_kind`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
import re
from typing import Any

from mvsim_ros2.base.registry import built_in, Registry
from mvsim_ros2.errors import PluginError
from mvsim_ros2.ros.messages.message_types import MessageTypes
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.world.spec.sensors.base import GROUP, sensor_specs, SensorSpec

_TYPE = re.compile('[a-z][a-z0-9_]*/[A-Z][A-Za-z0-9]*')

Stamp = Callable[[int], int]  # simulated time -> stamp [ns]
Tags = Mapping[str, Any]  # tag of Gazebo -> its text, a number, or the tags in it


@dataclass(frozen=True)
class Channel:
    """One topic of a sensor."""

    ending: str  # of the topic, after the prefix of the sensor
    message_type: str  # with its package: sensor_msgs/Imu
    # classes of messages, a part of the observation, and its frame -> message, its bytes (CDR),
    # or None
    convert: Callable[[MessageTypes, Any, str], Any]
    part: tuple[str, ...] = ()  # path of that part: attributes of the observation
    optional: bool = False  # the node leaves it out where ROS lacks the package of its type

    def __post_init__(self) -> None:
        """Check the type; raise `PluginError` where it does not say its package."""
        if not _TYPE.fullmatch(self.message_type):
            raise PluginError(f'{self.message_type!r} is no type of a message: write package and '
                              "name, as in 'sensor_msgs/Imu'")


@dataclass(frozen=True, kw_only=True)
class SensorMessages:
    """Topics of sensors of one class, and additional data of recordings."""

    spec: type[SensorSpec]
    # its topics, or what gives those of one sensor by its spec
    channels: tuple[Channel, ...] | Callable[[Any], tuple[Channel, ...]]
    # type of sensor and its tags in a robot description, by its spec; None: Gazebo has none
    gazebo: Callable[[Any], tuple[str, Tags]] | None
    usual_topic: str = ''  # of one that is the only one of its class on a vehicle
    scans: bool = False  # ground truth has its poses at the start and the end of a measurement
    sees_things: bool = False  # ground truth has boxes around all things when it measures
    has_bias: bool = False  # its memory has a `bias`, which ground truth has too


def single(spec: type[SensorSpec], message_type: str, convert: Callable[..., Any],
           gazebo: Callable[[Any], tuple[str, Tags]] | None = None, **more: Any) -> SensorMessages:
    """Return the record of sensors with one topic."""
    return SensorMessages(
        spec=spec, channels=(Channel('', message_type, convert),), gazebo=gazebo, **more)


def _own() -> tuple[SensorMessages, ...]:
    return built_in(f'{__package__}.sensors', 'MESSAGES')


SENSOR_MESSAGES = Registry(
    'sensor', GROUP, _own, SensorMessages, specs=sensor_specs,
    home='MESSAGES of a file in mvsim_ros2/ros/messages/sensors')


def gaussian(deviation: float) -> Tags:
    """Return the tag of a noise, given its standard deviation."""
    return {'noise': {'type': 'gaussian', 'mean': 0, 'stddev': deviation}}


def message_of(channel: Channel, types: MessageTypes, observation: Observation,
               frame_prefix: str, stamp: Stamp | None = None) -> Any:
    """Return the message of a topic, or its bytes, None for no data; `stamp` gives stamps [ns]."""
    part: Any = observation
    for name in channel.part:
        part = None if part is None else getattr(part, name)
    if stamp is not None and part is not None:
        part = replace(part, stamp_ns=stamp(part.stamp_ns))
    return None if part is None else channel.convert(types, part, frame_prefix + part.frame_id)


def channels_of(spec: SensorSpec) -> tuple[Channel, ...]:
    """Return the channels of a sensor; a single one has exactly the topic of the world file."""
    channels = SENSOR_MESSAGES[type(spec)].channels
    if callable(channels):
        channels = channels(spec)
    if spec.topic and len(channels) == 1:
        return (replace(channels[0], ending=''),)
    return channels
