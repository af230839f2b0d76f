# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles on wheels with rollers, omni and mecanum: each wheel has a torque of its own."""

import math
from typing import Any

from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.physics.state.record_layout import NONE
from mvsim_ros2.physics.vehicle.forms import ROLLERS
from mvsim_ros2.physics.vehicle.roller_wheels import tell_motion
from mvsim_ros2.physics.vehicle_classes.record import Drive, VehicleClass
from mvsim_ros2.world.spec.vehicle.omni import MecanumSpec, OmniSpec
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec


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
