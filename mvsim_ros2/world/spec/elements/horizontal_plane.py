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
"""Floors and ceilings."""

from dataclasses import dataclass

from mvsim_ros2.world.spec.checks import ranges
from mvsim_ros2.world.spec.checks import RECTANGLE
from mvsim_ros2.world.spec.element import Element
from mvsim_ros2.world.spec.element import not_solid
from mvsim_ros2.world.spec.elements.plane import PlaneSpec
from mvsim_ros2.world.spec.fields import tag


@dataclass(frozen=True)
class HorizontalPlaneSpec(PlaneSpec):
    """Floor or ceiling."""

    XML_CLASS = 'horizontal_plane'

    x_min: float = tag('float', -10.0, unit='m', doc='extent')
    x_max: float = tag('float', 10.0, unit='m', doc='extent')
    y_min: float = tag('float', -10.0, unit='m', doc='extent')
    y_max: float = tag('float', 10.0, unit='m', doc='extent')

    def is_in_front(self, x: float, y: float, z: float) -> bool:
        """Return whether a point in the frame of `init_pose` [m] is above it."""
        return z - self.z > 0


ELEMENT = Element(
    HorizontalPlaneSpec, not_solid, ranges(*RECTANGLE), is_ground=True,
    looks='mvsim_ros2.scene.ground:add_floor')
