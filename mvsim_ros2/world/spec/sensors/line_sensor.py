# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Rows of infrared detectors above the ground (`<sensor class="line_sensor">`)."""

from dataclasses import dataclass

from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec.fields import tag
from mvsim_ros2.world.spec.sensors.base import BYTES_A_RAY, sensor_pose, SensorSpec


@dataclass(frozen=True)
class LineSensorSpec(SensorSpec):
    """
    Infrared detectors in a row, which look down at a line.

    >>> from mvsim_ros2.world.spec import LineSensorSpec
    >>> LineSensorSpec(name='line', detectors=5)  # measures LineSample
    LineSensorSpec(name='line', detectors=5)
    """

    XML_CLASS = 'line_sensor'

    pose: Pose = sensor_pose(Pose(z=0.01))
    detectors: int = tag('int', 8, minimum=1, maximum=1000, doc='number of detectors')
    spacing: float = tag(
        'float', 0.01, unit='m', above=0, doc='distance of neighbours, along y of the sensor')
    fov: float = tag('angle', 0.5235987755982988, name='fov_degrees', unit='deg', above=0,
                     maximum=120, doc='whole angle of the cone that a detector sees')
    rays: int = tag('int', 61, minimum=1, maximum=10_000, doc='number of rays in a cone')
    max_range: float = tag('float', 0.1, unit='m', above=0, doc='nothing farther is seen')
    std_noise: float = tag('float', 0.01, minimum=0, random=True, doc='noise of a reading')

    @property
    def memory(self) -> float:
        """Memory that a measurement takes, estimated [bytes]."""
        return float(BYTES_A_RAY * self.rays * self.detectors)


SENSORS = (LineSensorSpec,)
