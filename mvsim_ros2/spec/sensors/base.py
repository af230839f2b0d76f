# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What all sensors share (`<sensor class="...">`)."""

from dataclasses import dataclass

from mvsim_ros2.frames import Pose
from mvsim_ros2.spec.common import PublishSpec
from mvsim_ros2.spec.common import Source
from mvsim_ros2.spec.common import VisualSpec
from mvsim_ros2.spec.fields import tag


def sensor_pose(default: Pose) -> Pose:
    """
    Return the field `pose` of a sensor.

    :param default: where the file says nothing.
    """
    field: Pose = tag(
        'pose', default, aliases=('pose_3d',), unit='m, deg',
        doc='pose in the body frame; `pose` leaves z, pitch and roll as they are by default')
    return field


@dataclass(frozen=True)
class SensorSpec:
    """What all sensors share."""

    XML_CLASS = ''

    name: str = tag(
        'name', '', attribute=True, doc='name; without one the class name and a number')
    pose: Pose = sensor_pose(Pose())
    sensor_period: float = tag('float', 0.1, unit='s', above=0, doc='time between measurements')
    sensor_phase: float | None = tag(
        'float', None, unit='s', minimum=0,
        doc='time of the first measurement: 0 measures at once; without it after one period')
    topic: str = tag(
        'text', '', doc='topic, or what its topics begin with where it has several; without it '
        'its name, or what is usual')
    frame_id: str = tag(
        'text', '', doc='frame of the measurements; without it one named after the sensor')
    visuals: tuple[VisualSpec, ...] = tag(
        'specs', (), name='visual', spec=VisualSpec, doc='meshes')
    publish: PublishSpec | None = tag(
        'spec', None, spec=PublishSpec, acts=False, doc="the original's own topics")
    source: Source = Source()
