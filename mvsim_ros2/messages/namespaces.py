# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Prefixes of topics and frames: what belongs to which vehicle."""

from collections.abc import Iterable
from collections.abc import Sequence

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.handles import SensorHandle
from mvsim_ros2.messages.names import FrameNames
from mvsim_ros2.messages.names import graph_name
from mvsim_ros2.messages.names import sensor_topics
from mvsim_ros2.messages.settings import Settings


class Namespaces:
    """Which prefix the topics and frames of each vehicle have."""

    def __init__(self, settings: Settings, vehicles: Sequence[str]) -> None:
        """
        Choose the prefixes.

        :param vehicles: names of all vehicles.
        :raises MvsimError: where two vehicles have the same name on the graph.
        """
        self._settings = settings
        alone = len(vehicles) == 1 and not settings.force_vehicle_namespace
        self.usual_topics = settings.compat != 'mvsim'  # scan and imu, whatever their names
        self._plain = vehicles[0] if alone else None  # the vehicle that has no namespace
        self.check(vehicles)

    def check(self, vehicles: Sequence[str]) -> None:
        """
        Check that every vehicle has a namespace of its own.

        :raises MvsimError: where two have the same name on the graph.
        """
        names = [graph_name(name) for name in vehicles]
        for name in names:
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
        """
        Return what the topics of each sensor begin with, by the name of the sensor.

        :raises MvsimError: where a topic would have two publishers.
        """
        by_prefix: dict[str, tuple[list[SensorHandle], list[SensorHandle]]] = {}
        for sensor in sensors:
            groups = by_prefix.setdefault(self.topics(sensor.vehicle), ([], []))
            groups[0 if sensor.vehicle else 1].append(sensor)
        return {
            sensor.name: prefix + topic for prefix, (mounted, standing) in by_prefix.items()
            for sensor, topic in zip(mounted + standing, sensor_topics(
                [s.spec for s in mounted], [s.spec for s in standing],
                self.usual_topics), strict=True)}
