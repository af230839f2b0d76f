# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""From sensor specs to sensors."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeVar

from mvsim_ros2.base.random_streams import RandomStreams
from mvsim_ros2.base.registry import built_in, Registry
from mvsim_ros2.errors import PluginError, SensorError
from mvsim_ros2.sensors.base import full_name, Mount, Sensor
from mvsim_ros2.sensors.model import SensorModel
from mvsim_ros2.sensors.views.views import SceneViews
from mvsim_ros2.world.spec import SensorSpec, WorldSpec
from mvsim_ros2.world.spec.fields import entries
from mvsim_ros2.world.spec.sensors.base import GROUP, sensor_specs


def _own() -> tuple[SensorModel, ...]:
    return built_in(__name__.rpartition('.')[0], 'MODELS', apart=('cuda', 'opengl', 'raycast'))


SENSOR_MODELS = Registry(
    'sensor', GROUP, _own, SensorModel, specs=sensor_specs,
    home='MODELS of a file in mvsim_ros2/sensors')


def mounted_sensors(world: WorldSpec) -> list[tuple[str, SensorSpec]]:
    """Return name of the vehicle and spec of every sensor; '' for those without a vehicle."""
    on_vehicles = [(vehicle.name, spec) for vehicle in world.vehicles
                   for spec in vehicle.sensors]
    return on_vehicles + [('', spec) for spec in world.sensors]


def make_sensors(mounted: Iterable[tuple[str, SensorSpec]], streams: RandomStreams,
                 views: SceneViews) -> dict[str, Sensor]:
    """
    Return the sensors by name, ``'vehicle/sensor'``, or ``'sensor'`` without a vehicle.

    :param mounted: as `mounted_sensors` returns them.
    :param streams: their noise; each sensor has the stream ``'sensor/<name>'``.
    :param views: of the scene.
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
            Mount(spec, owner, streams.get(f'sensor/{name}'), views, views.world, streams))
    return sensors


Spec = TypeVar('Spec', bound=SensorSpec)


def without_noise(spec: Spec) -> Spec:
    """
    Return a sensor without random errors: no noise, no walk, no spread of biases, no dropout.

    Systematic errors stay: constant biases, scale factors, quantisation. Tags with `random` say
    which is which.

    :returns: the same object where there is nothing to take away.
    """
    kind: Any = type(spec)
    taken: dict[str, Any] = {entry.field: 0.0 for entry in entries(kind)
                             if entry.tag.random and getattr(spec, entry.field)}
    taken |= {name: 0.0 for name, value in (
        ('latency_jitter', spec.delays.jitter), ('lost', spec.delays.lost)) if value}
    return replace(spec, **taken) if taken else spec
