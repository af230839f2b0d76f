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
"""Vehicles on wheels with rollers, omni and mecanum: each wheel has a torque of its own."""

import math
from typing import Any

from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.physics.forms import ROLLERS
from mvsim_ros2.physics.layout import NONE
from mvsim_ros2.physics.rollers import tell_motion
from mvsim_ros2.physics.vehicle_classes.record import Drive
from mvsim_ros2.physics.vehicle_classes.record import VehicleClass
from mvsim_ros2.world.spec.omni import MecanumSpec
from mvsim_ros2.world.spec.omni import OmniSpec
from mvsim_ros2.world.spec.vehicle import VehicleSpec


def _own(dynamics: OmniSpec | MecanumSpec) -> list[Drive]:
    return [(NONE, 1.0)] * len(dynamics.wheels)


def _complete(vehicle: VehicleSpec, wheels: Any) -> None:
    """
    Write the rollers of wheels into their records.

    :raises PhysicsError: where they cannot make every motion.
    """
    dynamics: Any = vehicle.dynamics
    for record, wheel in zip(wheels, dynamics.wheels, strict=True):
        record['free'], record['roller'] = 1.0, wheel.roller_angle
        record['radius'] *= math.cos(wheel.roller_angle)
    if not tell_motion(wheels):
        raise PhysicsError(
            f'{dynamics.source}: the wheels of vehicle {vehicle.name!r} cannot move it in every '
            'direction: turn some of them, or their rollers')


CLASSES = (
    VehicleClass(OmniSpec, ROLLERS, _own, complete=_complete),
    VehicleClass(MecanumSpec, ROLLERS, _own, complete=_complete),
)
