# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""Sensors as Gazebo tags of a robot description, which `world.urdf` reads back."""

from collections.abc import Mapping
from xml.etree.ElementTree import Element
from xml.etree.ElementTree import SubElement

from mvsim_ros2.messages.channels import SENSOR_MESSAGES
from mvsim_ros2.messages.channels import Tags
from mvsim_ros2.world.spec.sensor import SensorSpec


def add_gazebo_tags(robot: Element, sensor: SensorSpec, link: str) -> None:
    """
    Describe a sensor for Gazebo, as far as Gazebo has one of its kind.

    :param link: that it is mounted in; for a camera the one that looks along x.
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
