# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The sensor `thermometer`."""

from mvsim_ros2.ros.messages.sensor_channels import Channel
from mvsim_ros2.ros.messages.sensor_kind import SensorKind
from orchard_robots.thermometer.messages import temperature
from orchard_robots.thermometer.model import Thermometer
from orchard_robots.thermometer.spec import ThermometerSpec

THERMOMETER = SensorKind(
    spec=ThermometerSpec, make=Thermometer, gazebo=None,
    channels=(Channel('', 'sensor_msgs/Temperature', temperature),))
