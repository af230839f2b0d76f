# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Names on the ROS graph: frames, namespaces, topics."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
import re

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.ros.messages.sensor_channels import channels_of, SENSOR_MESSAGES
from mvsim_ros2.ros.messages.settings import Settings
from mvsim_ros2.simulation.handles import SensorHandle
from mvsim_ros2.world.spec.sensors.base import SensorSpec

# topics that are not available to sensors
RESERVED = {'ackermann_cmd', 'amcl_pose', 'base_pose_ground_truth', 'chassis_polygon', 'clock',
            'cmd_brake', 'cmd_handbrake', 'cmd_parking_brake', 'cmd_steering', 'cmd_vel',
            'cmd_wheel_torques', 'collision', 'contacts', 'diagnostics', 'ground_truth_poses',
            'initialpose', 'joint_commands', 'joint_states', 'map', 'map_metadata',
            'moving_markers', 'objects_ground_truth', 'odom', 'parameter_events', 'particlecloud',
            'people', 'robot_description', 'rosout', 'runtime_objects', 'runtime_overlays',
            'simul_map', 'simul_map_metadata', 'tf', 'tf_static', 'world_markers'}
ENU = 'enu'  # frame at the origin of the world with its axes to the east, north and up
# characters: vehicle, sensor and ending together have to be shorter than the 247 that ROS takes
LONGEST = 100


@dataclass(frozen=True)
class FrameNames:
    """Names of the frames of one vehicle; the footprint frame is optional."""

    world: str = 'map'  # common to all vehicles
    odom: str = 'odom'
    base: str = 'base_link'
    footprint: str = 'base_footprint'
    prefix: str = ''  # of all but the map
    original: bool = False  # footprint below the base, truth in the odometry frame: as MVSim

    def prefixed(self, prefix: str) -> 'FrameNames':
        """Return these names with `prefix` before all but the map."""
        return replace(self, odom=prefix + self.odom, base=prefix + self.base, prefix=prefix,
                       footprint=prefix + self.footprint if self.footprint else '')

    @property
    def moving(self) -> str:
        """Name of the frame that moves in the odometry frame: the root of the robot."""
        return self.base if self.original else self.footprint or self.base

    @property
    def truth(self) -> str:
        """Name of the reference frame of the true pose."""
        return self.odom if self.original else self.world


def graph_name(name: str) -> str:
    """Return `name` as a ROS name: letters, digits, underscores, no digit at the start."""
    allowed = re.sub(r'[^A-Za-z0-9_]', '_', name)
    return f'n{allowed}' if allowed[:1].isdigit() else allowed


def sensor_topics(mounted: Iterable[SensorSpec], fixed: Iterable[SensorSpec] = (),
                  usual: bool = True) -> list[str]:
    """
    Return the topic prefixes of the sensors below one namespace.

    A prefix is the topic in the world file, else the name of the sensor. The only LiDAR of a
    vehicle publishes on `scan`, the only IMU on `imu`.

    :param usual: False names all topics after the sensors, as MVSim does.
    """
    mounted, fixed = list(mounted), list(fixed)
    counts = Counter(type(spec) for spec in mounted)
    topics = [_topic(spec, usual and counts[type(spec)] == 1) for spec in mounted]
    topics += [_topic(spec, False) for spec in fixed]
    taken = Counter(RESERVED)
    endings = [[channel.ending for channel in channels_of(spec)] for spec in mounted + fixed]
    taken.update(topic + ending for topic, each in zip(topics, endings, strict=True)
                 for ending in each)
    for spec, topic, each in zip(mounted + fixed, topics, endings, strict=True):
        if len(topic) > LONGEST:
            raise MvsimError(f'{spec.source}: the topic {topic[:20]!r}... of a sensor has '
                             f'{len(topic)} characters: make it {LONGEST} at most')
        if any(taken[topic + ending] > 1 for ending in each):
            owner = 'the simulator itself' if topic in RESERVED else 'another sensor'
            raise MvsimError(f'{spec.source}: the topic {topic!r} of sensor {spec.name!r} is '
                             f'taken by {owner}: give the sensor another name or <topic>')
    return topics


def _topic(spec: SensorSpec, usual: bool) -> str:
    """Return the topic prefix of a sensor."""
    if spec.topic:
        return spec.topic
    return (usual and SENSOR_MESSAGES[type(spec)].usual_topic) or graph_name(spec.name)


class Namespaces:
    """Prefixes of the topics and frames of each vehicle."""

    def __init__(self, settings: Settings, vehicles: Sequence[str]) -> None:
        self._settings = settings
        alone = len(vehicles) == 1 and not settings.force_vehicle_namespace
        self.usual_topics = settings.compat != 'mvsim'  # scan and imu
        self._plain = vehicles[0] if alone else None  # the vehicle without a namespace
        self.check(vehicles)

    def check(self, vehicles: Sequence[str]) -> None:
        """Check that every vehicle has a namespace of its own."""
        names = [graph_name(name) for name in vehicles]
        for name in names:
            if len(name) > LONGEST:
                raise MvsimError(f'the name of vehicle {name[:20]!r}... has {len(name)} '
                                 f'characters: make it {LONGEST} at most')
            if names.count(name) > 1:
                raise MvsimError(f'two vehicles would have the namespace {name!r}: give them '
                                 'names that differ in letters, digits or underscores')

    def topics(self, vehicle: str) -> str:
        """Return the prefix of topics of a vehicle, or of the world where it is ''."""
        return '' if vehicle in ('', self._plain) else f'{graph_name(vehicle)}/'

    def frames(self, vehicle: str) -> FrameNames:
        """Return the names of the frames of a vehicle, or of the world where it is ''."""
        settings = self._settings
        names = FrameNames(settings.map_frame, settings.odom_frame, settings.base_frame,
                           settings.footprint_frame, original=settings.compat == 'mvsim')
        if not vehicle:
            return FrameNames(names.world, names.odom, names.world, '')
        return names.prefixed(f'{graph_name(vehicle)}/') if settings.frame_prefix else names

    def tf(self, vehicle: str) -> str:
        """Return the prefix of the tf topics of a vehicle."""
        return '' if self._settings.frame_prefix else self.topics(vehicle)

    def sensors(self, sensors: Iterable[SensorHandle]) -> dict[str, str]:
        """Return the topic prefix of each sensor by its name."""
        by_prefix: dict[str, tuple[list[SensorHandle], list[SensorHandle]]] = {}
        for sensor in sensors:
            groups = by_prefix.setdefault(self.topics(sensor.vehicle), ([], []))
            groups[0 if sensor.vehicle else 1].append(sensor)
        return {
            sensor.name: prefix + topic for prefix, (mounted, fixed) in by_prefix.items()
            for sensor, topic in zip(mounted + fixed, sensor_topics(
                [s.spec for s in mounted], [s.spec for s in fixed],
                self.usual_topics), strict=True)}
