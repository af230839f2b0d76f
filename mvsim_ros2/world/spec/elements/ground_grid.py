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
"""Lines on the ground."""

from dataclasses import dataclass

from mvsim_ros2.world.spec.checks import ranges
from mvsim_ros2.world.spec.checks import RECTANGLE
from mvsim_ros2.world.spec.common import Colour
from mvsim_ros2.world.spec.common import colour
from mvsim_ros2.world.spec.element import Element
from mvsim_ros2.world.spec.element import ElementSpec
from mvsim_ros2.world.spec.element import not_solid
from mvsim_ros2.world.spec.element import UNSEEN
from mvsim_ros2.world.spec.fields import tag


@dataclass(frozen=True)
class GroundGridSpec(ElementSpec):
    """Lines on the ground, for the eye only."""

    XML_CLASS = 'ground_grid'
    ACTS = False

    floating: bool = tag('bool', True, doc='move with a vehicle')
    floating_focus: str = tag('text', '', doc='name of that vehicle; without it the first')
    color: Colour = tag('colour', colour('#e0e0e0ff'), doc='colour')
    line_width: float = tag('float', 1.0, unit='px', doc='width of a line')
    x_min: float = tag('float', -25.0, unit='m', doc='extent')
    x_max: float = tag('float', 25.0, unit='m', doc='extent')
    y_min: float = tag('float', -25.0, unit='m', doc='extent')
    y_max: float = tag('float', 25.0, unit='m', doc='extent')
    interval: float = tag('float', 5.0, unit='m', above=0, doc='distance of the lines')


ELEMENT = Element(GroundGridSpec, not_solid, ranges(*RECTANGLE), looks=UNSEEN)
