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
"""Clouds of points."""

from dataclasses import dataclass

from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec.checks import Problems
from mvsim_ros2.world.spec.common import Resource
from mvsim_ros2.world.spec.element import Element
from mvsim_ros2.world.spec.element import ElementSpec
from mvsim_ros2.world.spec.element import not_solid
from mvsim_ros2.world.spec.fields import tag


@dataclass(frozen=True)
class PointCloudSpec(ElementSpec):
    """Points to be seen by three-dimensional sensors, each 1 cm for a pixel of its size."""

    XML_CLASS = 'pointcloud'

    file_txt_2d: Resource | None = tag('uri', None, doc='text file with columns x y')
    file_txt_3d: Resource | None = tag('uri', None, doc='text file with columns x y z')
    points_size: float = tag('float', 3.0, unit='px', doc='size of a point')
    pose_3d: Pose = tag('pose3', Pose(), unit='m, deg', doc='pose of the cloud')


def _check(spec: PointCloudSpec) -> Problems:
    if spec.file_txt_2d is None and spec.file_txt_3d is None:
        yield 'give <file_txt_2d> or <file_txt_3d>'


ELEMENT = Element(
    PointCloudSpec, not_solid, _check, looks='mvsim_ros2.scene.ground:add_points')
