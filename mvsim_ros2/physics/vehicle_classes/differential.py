# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles with two driven sides: two, three or four wheels, rows of wheels, tracks."""

from mvsim_ros2.physics.state.record_layout import LEFT, NONE, RIGHT
from mvsim_ros2.physics.vehicle.forms import SIDES
from mvsim_ros2.physics.vehicle_classes.record import Drive, VehicleClass
from mvsim_ros2.world.spec.vehicle.dynamics import (
    Differential3Spec, Differential4Spec, DifferentialSpec, DynamicsSpec)
from mvsim_ros2.world.spec.vehicle.skid_steer import SkidSteerSpec, TrackedSpec


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
