# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Sensors of the vehicle itself (`<sensor class="wheel_encoders">` and `"bumper"`)."""

from dataclasses import dataclass

from mvsim_ros2.world.spec.fields import tag
from mvsim_ros2.world.spec.sensors.base import SensorSpec


@dataclass(frozen=True)
class WheelEncodersSpec(SensorSpec):
    """
    Incremental encoders at all wheels of the vehicle.

    >>> from mvsim_ros2.world.spec import WheelEncodersSpec
    >>> WheelEncodersSpec(name='wheels', ticks=4096)  # measures EncoderSample
    WheelEncodersSpec(name='wheels', ticks=4096)
    """

    XML_CLASS = 'wheel_encoders'

    ticks: int = tag('int', 1024, minimum=1, doc='ticks per revolution of a wheel')


@dataclass(frozen=True)
class BumperSpec(SensorSpec):
    """
    Bumper: pressed while something touches a side of the vehicle.

    >>> from mvsim_ros2.world.spec import BumperSpec
    >>> BumperSpec(name='bumper', sensor_period=0.02)  # measures ContactSample
    BumperSpec(name='bumper', sensor_period=0.02)
    """

    XML_CLASS = 'bumper'

    fov: float = tag('angle', 6.283185307179586, name='fov_degrees', unit='deg', above=0,
                     maximum=360, doc='sector that it covers, around the x axis of the sensor')


SENSORS = WheelEncodersSpec, BumperSpec
