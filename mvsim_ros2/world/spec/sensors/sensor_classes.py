# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""All classes of sensors."""

from mvsim_ros2.base.registry import built_in, with_plugins
from mvsim_ros2.world.spec.sensors.base import SensorSpec

GROUP = 'mvsim_ros2.sensors'  # entry points of plugins


def own_sensor_specs() -> tuple[type[SensorSpec], ...]:
    """Return the classes of this package: `SENSORS` of the files here."""
    return built_in(__name__.rpartition('.')[0], 'SENSORS')


def sensor_specs() -> tuple[type[SensorSpec], ...]:
    """
    Return all classes that a world file can name.

    :raises PluginError: where a plugin cannot be used.
    """
    return with_plugins(own_sensor_specs(), GROUP)
