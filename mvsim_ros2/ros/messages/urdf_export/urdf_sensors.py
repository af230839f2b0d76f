# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Export of sensors as Gazebo tags, which `world_file.urdf_import` reads back."""

from collections.abc import Mapping
from xml.etree.ElementTree import Element, SubElement

from mvsim_ros2.ros.messages.sensor_channels import SENSOR_MESSAGES, Tags
from mvsim_ros2.world.spec.sensors.base import SensorSpec


def add_gazebo_tags(robot: Element, sensor: SensorSpec, link: str) -> None:
    """
    Add the Gazebo tag of a sensor, where Gazebo has one of its kind.

    :param link: of the sensor; for a camera the one with the optical axis along x.
    """
    write = SENSOR_MESSAGES[type(sensor)].gazebo
    if write is None:
        return
    kind, tags = write(sensor)
    node = SubElement(SubElement(robot, 'gazebo', reference=link), 'sensor', name=sensor.name,
                      type=kind)
    common = {'always_on': 'true', 'update_rate': 1.0 / sensor.sensor_period}
    _fill(node, common | ({'topic': sensor.topic} if sensor.topic else {}) | dict(tags))


def _fill(parent: Element, tags: Tags) -> None:
    for tag, content in tags.items():
        child = SubElement(parent, tag)
        if isinstance(content, Mapping):
            _fill(child, content)
        else:
            child.text = content if isinstance(content, str) else f'{content:.9g}'


def gaussian(deviation: float) -> Tags:
    """Return the tag of a noise, given its standard deviation."""
    return {'noise': {'type': 'gaussian', 'mean': 0, 'stddev': deviation}}
