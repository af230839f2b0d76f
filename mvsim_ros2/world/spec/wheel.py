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
"""Wheels."""

from dataclasses import dataclass
from dataclasses import replace

from mvsim_ros2.short_repr import ShortRepr
from mvsim_ros2.world.spec.common import Colour
from mvsim_ros2.world.spec.common import Source
from mvsim_ros2.world.spec.common import VisualSpec
from mvsim_ros2.world.spec.fields import tag


@dataclass(frozen=True)
class WheelSpec(ShortRepr):
    """One wheel; position and yaw of its centre in the body frame."""

    pos: tuple[float, float, float] = tag(
        'wheel_pos', (0.0, 0.0, 0.0), unit='m, deg', attribute=True,
        doc='centre of the wheel in the body frame and its toe angle')
    mass: float = tag('float', 2.0, unit='kg', attribute=True, above=0, doc='mass')
    width: float = tag('float', 0.2, unit='m', attribute=True, above=0, doc='width')
    diameter: float = tag('float', 0.4, unit='m', attribute=True, above=0, doc='diameter')
    inertia: float | None = tag(
        'float', None, unit='kg m^2', attribute=True, above=0,
        doc='spin inertia; without it m R^2 / 2')
    tyre_stiffness: float = tag(
        'float', 0.0, unit='N/m', attribute=True, minimum=0,
        doc='vertical stiffness of one tyre in mode `physical`, of all wheels or of none: the '
            'body heaves, pitches and rolls; 0 for hard tyres')
    tyre_damping: float = tag(
        'float', 0.0, unit='N s/m', attribute=True, minimum=0,
        doc='vertical damping of one tyre that has a `tyre_stiffness`')
    color: Colour = tag(
        'colour', (0.2, 0.2, 0.2, 1.0), attribute=True, doc='colour')
    linked_yaw: str = tag(
        'text', '', attribute=True, doc='name of a visual that steers with this wheel')
    linked_yaw_offset: float = tag(
        'angle', 0.0, unit='deg', name='linked_yaw_offset_deg', attribute=True,
        doc='angle of that visual at zero steering')
    joint: str = tag(
        'text', '', attribute=True, doc='name of its joint, of those of the `urdf`')
    steering_joint: str = tag(
        'text', '', attribute=True, doc='name of the joint that steers it, of those of the `urdf`')
    visual: VisualSpec | None = tag('spec', None, spec=VisualSpec, doc='mesh of the wheel')
    source: Source = Source()

    @property
    def radius(self) -> float:
        """Radius [m]."""
        return 0.5 * self.diameter

    @property
    def spin_inertia(self) -> float:
        """Inertia about the axle [kg m^2]."""
        return 0.5 * self.mass * self.radius ** 2 if self.inertia is None else self.inertia

    def at(self, x: float, y: float) -> 'WheelSpec':
        """Return this wheel at another place, its toe angle kept."""
        return replace(self, pos=(x, y, self.pos[2]))
