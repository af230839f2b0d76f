# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles without steered wheels: with two driven sides, or on rollers with a torque a wheel."""

import math
from typing import Any

from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.physics.state.record_layout import LEFT, NONE, RIGHT
from mvsim_ros2.physics.vehicle.forms import ROLLERS, SIDES, write_motion_rows
from mvsim_ros2.physics.vehicle_classes.record import Drive, VehicleClass
from mvsim_ros2.world.spec.vehicle.classes import MecanumSpec, OmniSpec, SkidSteerSpec, TrackedSpec
from mvsim_ros2.world.spec.vehicle.dynamics import (
    Differential3Spec, Differential4Spec, DifferentialSpec, DynamicsSpec)
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec


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


def _own(dynamics: OmniSpec | MecanumSpec) -> list[Drive]:
    return [(NONE, 1.0)] * len(dynamics.wheels)


def _write_rollers(vehicle: VehicleSpec, wheels: Any) -> None:
    """
    Write the rollers of wheels into their records.

    :raises PhysicsError: where they cannot make every motion.
    """
    dynamics: Any = vehicle.dynamics
    for record, wheel in zip(wheels, dynamics.wheels, strict=True):
        record['free'], record['roller'] = 1.0, wheel.roller_angle
        record['radius'] *= math.cos(wheel.roller_angle)
    if not write_motion_rows(wheels):
        raise PhysicsError(
            f'{dynamics.source}: the wheels of vehicle {vehicle.name!r} cannot move it in every '
            'direction: turn some of them, or their rollers')


CLASSES = (
    VehicleClass(DifferentialSpec, SIDES, _two),
    VehicleClass(Differential3Spec, SIDES, _two),
    VehicleClass(Differential4Spec, SIDES, _pairs),
    VehicleClass(SkidSteerSpec, SIDES, _sides),
    VehicleClass(TrackedSpec, SIDES, _sides),
    VehicleClass(OmniSpec, ROLLERS, _own, complete=_write_rollers),
    VehicleClass(MecanumSpec, ROLLERS, _own, complete=_write_rollers),
)
