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
