# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Encoders and contacts (`<sensor class="wheel_encoders">`, `"bumper"`, `"contact_force"`)."""

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


@dataclass(frozen=True)
class ContactForceSpec(BumperSpec):
    """
    Bumper that measures force and torque of what touches a side of the vehicle.

    >>> from mvsim_ros2.world.spec import ContactForceSpec
    >>> ContactForceSpec(name='skin', force_std_noise=0.0)  # measures WrenchSample
    ContactForceSpec(name='skin', force_std_noise=0)
    """

    XML_CLASS = 'contact_force'

    force_std_noise: float = tag(
        'float', 0.5, unit='N', minimum=0, random=True, doc='noise of the force along an axis')
    torque_std_noise: float = tag(
        'float', 0.05, unit='N m', minimum=0, random=True, doc='noise of the torque about an axis')
    max_force: float | None = tag(
        'float', None, unit='N', above=0, doc='largest force along an axis; default: no limit')


SENSORS = WheelEncodersSpec, BumperSpec, ContactForceSpec
