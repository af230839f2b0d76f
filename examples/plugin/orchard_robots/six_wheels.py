# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The vehicle class `six_wheels`."""

from dataclasses import dataclass

from mvsim_ros2.physics.state.record_layout import LEFT, RIGHT
from mvsim_ros2.physics.vehicle.forms import SIDES
from mvsim_ros2.physics.vehicle_classes.record import VehicleClass
from mvsim_ros2.world.spec.fields import tag
from mvsim_ros2.world.spec.vehicle.dynamics import DynamicsSpec
from mvsim_ros2.world.spec.vehicle.parts import WheelSpec


@dataclass(frozen=True)
class SixWheelsSpec(DynamicsSpec):
    """Six driven wheels in two rows."""

    XML_CLASS = 'six_wheels'

    wheel: WheelSpec = tag(
        'spec', WheelSpec(), spec=WheelSpec, doc='each wheel; its place does not count')
    spacing: float = tag('float', 0.45, unit='m', above=0, doc='from one axle to the next')
    track: float = tag('float', 0.8, unit='m', above=0, doc='distance of the rows')

    @property
    def wheels(self):
        """Return left, right, left, right ... from the front."""
        return tuple(self.wheel.at(x * self.spacing, side * 0.5 * self.track)
                     for x in (1, 0, -1) for side in (1, -1))

    def problems(self):
        """Yield a sentence for each rule that the values break together."""
        if self.track <= self.wheel.width:
            yield f'track is {self.track:g}: make it more than the width of a wheel'


def drives(dynamics):
    """Return for each wheel the torque that drives it, and its share of that."""
    return [(LEFT if wheel.pos[1] > 0.0 else RIGHT, 1.0) for wheel in dynamics.wheels]


VEHICLE = VehicleClass(spec=SixWheelsSpec, form=SIDES, drives=drives)
