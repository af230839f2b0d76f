# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The record of a kind of sensor in this room; plugins have more: `messages.sensor_kind`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mvsim_ros2.errors import PluginError
from mvsim_ros2.world.spec.sensors.base import SensorSpec

if TYPE_CHECKING:  # a world file can be read without what measures
    from mvsim_ros2.sensors.base import Mount, Sensor


@dataclass(frozen=True, kw_only=True)
class SensorModel:
    """How sensors of one class measure."""

    spec: type[SensorSpec]  # what the world file says of them
    make: Callable[['Mount'], 'Sensor']

    def __post_init__(self) -> None:
        """
        Check the class.

        :raises PluginError: where a world file could not name it.
        """
        if not (isinstance(self.spec, type) and issubclass(self.spec, SensorSpec)
                and self.spec.XML_CLASS):
            raise PluginError(f'{self.spec!r} is no class of parameters of a sensor: derive it '
                              'from SensorSpec and give it an XML_CLASS')
