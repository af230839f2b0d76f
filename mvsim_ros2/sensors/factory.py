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

from mvsim_ros2.errors import PluginError
from mvsim_ros2.errors import SensorError
from mvsim_ros2.randomness import RandomStreams
from mvsim_ros2.registry import built_in
from mvsim_ros2.registry import Registry
from mvsim_ros2.sensors.eyes import Eyes
from mvsim_ros2.sensors.model import SensorModel
from mvsim_ros2.sensors.sensor import full_name
from mvsim_ros2.sensors.sensor import Mount
from mvsim_ros2.sensors.sensor import Sensor
from mvsim_ros2.world.spec.sensor import SensorSpec
from mvsim_ros2.world.spec.sensors import GROUP
from mvsim_ros2.world.spec.sensors import sensor_specs
from mvsim_ros2.world.spec.world import WorldSpec


def _own() -> tuple[SensorModel, ...]:
    return built_in(__name__.rpartition('.')[0], 'MODELS')


SENSOR_MODELS = Registry(
    'sensor', GROUP, _own, SensorModel, specs=sensor_specs,
    home='MODELS of a file in mvsim_ros2/sensors')


def mounted_sensors(world: WorldSpec) -> list[tuple[str, SensorSpec]]:
    """Return name of the vehicle and spec of every sensor; '' for those without a vehicle."""
    on_vehicles = [(vehicle.name, spec) for vehicle in world.vehicles
                   for spec in vehicle.sensors]
    return on_vehicles + [('', spec) for spec in world.sensors]


def make_sensors(mounted: Iterable[tuple[str, SensorSpec]], streams: RandomStreams,
                 eyes: Eyes) -> dict[str, Sensor]:
    """
    Return the sensors by name, ``'vehicle/sensor'``, or ``'sensor'`` without a vehicle.

    :param mounted: as `mounted_sensors` returns them.
    :param streams: their noise; each sensor has the stream ``'sensor/<name>'``.
    :param eyes: what they look with.
    :raises SensorError: where two sensors of a vehicle have the same name, or a class has no
        model.
    """
    sensors: dict[str, Sensor] = {}
    for owner, spec in mounted:
        name = full_name(owner, spec)
        if name in sensors:
            raise SensorError(f'{spec.source}: there is a sensor {name!r} already: give each '
                              'sensor of a vehicle a name of its own')
        try:
            model = SENSOR_MODELS[type(spec)]
        except PluginError as error:
            raise SensorError(f'{spec.source}: sensor {name!r} cannot be made: {error}') from error
        sensors[name] = model.make(
            Mount(spec, owner, streams.get(f'sensor/{name}'), eyes, eyes.world))
    return sensors
