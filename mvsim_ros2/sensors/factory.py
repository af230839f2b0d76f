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
"""From sensor specs to sensors."""

from collections.abc import Iterable
import logging

from mvsim_ros2.errors import SensorError
from mvsim_ros2.randomness import RandomStreams
from mvsim_ros2.sensors.imu import Imu
from mvsim_ros2.sensors.lidar2d import Lidar2D
from mvsim_ros2.sensors.raycast.planar import PlanarRayCaster
from mvsim_ros2.sensors.sensor import full_name
from mvsim_ros2.sensors.sensor import Sensor
from mvsim_ros2.world.spec.lidar import LaserSpec
from mvsim_ros2.world.spec.navigation import ImuSpec
from mvsim_ros2.world.spec.sensor import SensorSpec
from mvsim_ros2.world.spec.world import WorldSpec

_LOG = logging.getLogger(__name__)


def mounted_sensors(world: WorldSpec) -> list[tuple[str, SensorSpec]]:
    """Return name of the vehicle and spec of every sensor; '' for those without a vehicle."""
    on_vehicles = [(vehicle.name, spec) for vehicle in world.vehicles
                   for spec in vehicle.sensors]
    return on_vehicles + [('', spec) for spec in world.sensors]


def make_sensors(
        mounted: Iterable[tuple[str, SensorSpec]], caster: PlanarRayCaster,
        streams: RandomStreams, world_to_enu: float = 0.0) -> dict[str, Sensor]:
    """
    Return the sensors by name, ``'vehicle/sensor'``, or ``'sensor'`` without a vehicle.

    A sensor of a class that cannot be simulated is left out with a warning.

    :param mounted: as `mounted_sensors` returns them.
    :param caster: what planar LiDARs look into.
    :param streams: their noise; each sensor has the stream ``'sensor/<name>'``.
    :param world_to_enu: turn from the world frame to east-north-up [rad].
    :raises SensorError: where two sensors of a vehicle have the same name.
    """
    sensors: dict[str, Sensor] = {}
    planar_only = []
    for owner, spec in mounted:
        name = full_name(owner, spec)
        if name in sensors:
            raise SensorError(f'{spec.source}: there is a sensor {name!r} already: give each '
                              'sensor of a vehicle a name of its own')
        random = streams.get(f'sensor/{name}')
        if isinstance(spec, LaserSpec):
            sensors[name] = Lidar2D(spec, owner, caster, random)
            if spec.raytrace_3d:
                planar_only.append(f'{name} ({spec.source})')
        elif isinstance(spec, ImuSpec):
            sensors[name] = Imu(spec, owner, random, world_to_enu)
        else:
            _LOG.warning('%s: sensor %s of class %s is not simulated yet and left out',
                         spec.source, name, spec.XML_CLASS)
    if planar_only:
        _LOG.warning('raytrace_3d is not simulated yet; these sensors measure in the plane: %s',
                     ', '.join(planar_only))
    return sensors
