# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The record of a kind of sensor that a third-party package adds."""

from dataclasses import dataclass

from mvsim_ros2.ros.messages.sensor_channels import SensorMessages
from mvsim_ros2.sensors.model import SensorModel


@dataclass(frozen=True, kw_only=True)
class SensorKind(SensorModel, SensorMessages):
    """
    All about a kind of sensor; built-in kinds have the two parts in their rooms.

    An entry point of the group ``mvsim_ros2.sensors`` names it::

        KIND = SensorKind(
            spec=ThermometerSpec, make=Thermometer, gazebo=None,
            channels=(Channel('', 'sensor_msgs/Temperature', temperature),))
    """
