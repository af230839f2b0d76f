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
"""Vehicles with two driven sides: two, three or four wheels, rows of wheels, tracks."""

from mvsim_ros2.physics.forms import SIDES
from mvsim_ros2.physics.layout import LEFT
from mvsim_ros2.physics.layout import NONE
from mvsim_ros2.physics.layout import RIGHT
from mvsim_ros2.physics.vehicle_classes.record import Drive
from mvsim_ros2.physics.vehicle_classes.record import VehicleClass
from mvsim_ros2.world.spec.dynamics import Differential3Spec
from mvsim_ros2.world.spec.dynamics import Differential4Spec
from mvsim_ros2.world.spec.dynamics import DifferentialSpec
from mvsim_ros2.world.spec.dynamics import DynamicsSpec
from mvsim_ros2.world.spec.skid_steer import SkidSteerSpec
from mvsim_ros2.world.spec.skid_steer import TrackedSpec


def _two(dynamics: DifferentialSpec) -> list[Drive]:
    others = len(dynamics.wheels) - 2
    return [(LEFT, 1.0), (RIGHT, 1.0), *[(NONE, 0.0)] * others]


def _sides(dynamics: DynamicsSpec) -> list[Drive]:
    """Return the drives of wheels on both sides; tied ones share the torque of their side."""
    sides = [LEFT if wheel.pos[1] > 0.0 else RIGHT for wheel in dynamics.wheels]
    return [(side, 1.0 / sides.count(side) if dynamics.tied else 1.0) for side in sides]


def _pairs(dynamics: DynamicsSpec) -> list[Drive]:
    """Return the drives of wheels in the order left, right, left, right."""
    return [(LEFT if k % 2 == 0 else RIGHT, 1.0) for k in range(len(dynamics.wheels))]


CLASSES = (
    VehicleClass(DifferentialSpec, SIDES, _two),
    VehicleClass(Differential3Spec, SIDES, _two),
    VehicleClass(Differential4Spec, SIDES, _pairs),
    VehicleClass(SkidSteerSpec, SIDES, _sides),
    VehicleClass(TrackedSpec, SIDES, _sides),
)
