# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Range finders with a wide beam (`<sensor class="sonar">` and `"infrared"`)."""

from dataclasses import dataclass

from mvsim_ros2.world.spec.fields import tag
from mvsim_ros2.world.spec.sensors.base import SensorSpec


@dataclass(frozen=True)
class RangeFinderSpec(SensorSpec):
    """What both share: the nearest thing in a cone around the x axis of the sensor."""

    fov: float = tag('angle', 0.5235987755982988, name='fov_degrees', unit='deg', above=0,
                     maximum=180, doc='whole angle of the cone')
    rays: int = tag('int', 1001, minimum=1, maximum=100_000, doc='number of rays in the cone')
    min_range: float = tag('float', 0.02, unit='m', minimum=0,
                           doc='smallest range; nearer surfaces read as too close')
    max_range: float = tag('float', 4.0, unit='m', above=0, doc='largest range')
    range_std_noise: float = tag(
        'float', 0.01, unit='m', minimum=0, random=True, doc='noise of a range')
    grazing_angle: float = tag('angle', 0.0, name='grazing_angle_degrees', unit='deg', minimum=0,
                               maximum=90, doc='surfaces hit at a smaller angle return no echo')
    ignore_parent_body: bool = tag('bool', True, doc='make its own vehicle invisible to the '
                                                     'sensor')


@dataclass(frozen=True)
class SonarSpec(RangeFinderSpec):
    """
    Ultrasonic range finder.

    >>> from mvsim_ros2.world.spec import SonarSpec
    >>> SonarSpec(name='sonar', max_range=6.0)  # measures RangeSample
    SonarSpec(name='sonar', max_range=6)
    """

    XML_CLASS = 'sonar'

    grazing_angle: float = tag(
        'angle', 0.6981317007977318, name='grazing_angle_degrees', unit='deg', minimum=0,
        maximum=90, doc='surfaces hit at a smaller angle return no echo')


@dataclass(frozen=True)
class InfraredSpec(RangeFinderSpec):
    """
    Infrared range finder.

    >>> from mvsim_ros2.world.spec import InfraredSpec
    >>> InfraredSpec(name='infrared', min_range=0.05)  # measures RangeSample
    InfraredSpec(name='infrared', min_range=0.05)
    """

    XML_CLASS = 'infrared'

    fov: float = tag('angle', 0.05235987755982989, name='fov_degrees', unit='deg', above=0,
                     maximum=180, doc='whole angle of the cone')
    rays: int = tag('int', 37, minimum=1, maximum=100_000, doc='number of rays in the cone')
    min_range: float = tag(
        'float', 0.1, unit='m', minimum=0, doc='smallest range; nearer surfaces read as too close')
    max_range: float = tag('float', 0.8, unit='m', above=0, doc='largest range')


SENSORS = SonarSpec, InfraredSpec
