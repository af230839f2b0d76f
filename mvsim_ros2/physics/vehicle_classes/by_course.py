# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles whose steered wheels each take the course of their place."""

from typing import Any

from mvsim_ros2.physics.state.record_layout import LEFT, NONE
from mvsim_ros2.physics.vehicle.forms import BY_COURSE
from mvsim_ros2.physics.vehicle_classes.record import Drive, VehicleClass
from mvsim_ros2.physics.vehicle_classes.steered import steering
from mvsim_ros2.world.spec.vehicle.by_course import FourWheelSteeringSpec, TricycleSpec
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec


def _parameters(dynamics: FourWheelSteeringSpec | TricycleSpec, dt: float) -> dict[str, float]:
    return steering(dynamics, dt) | {
        'by_course': 1.0, 'wheelbase': dynamics.wheelbase, 'rear_x': dynamics.rear_x,
        'max_rear_steer': dynamics.max_rear_steer_ang, 'rear_ratio': dynamics.rear_ratio}


def _drives(dynamics: FourWheelSteeringSpec | TricycleSpec) -> list[Drive]:
    """Return the drives of wheels that share one torque evenly."""
    driven = dynamics.driven_wheels
    return [(LEFT, 1.0 / len(driven)) if k in driven else (NONE, 0.0)
            for k in range(len(dynamics.wheels))]


def _complete(vehicle: VehicleSpec, wheels: Any) -> None:
    for k in vehicle.dynamics.steered_wheels:
        wheels['steers'][k] = 1.0


CLASSES = (
    VehicleClass(FourWheelSteeringSpec, BY_COURSE, _drives, _parameters, _complete),
    VehicleClass(TricycleSpec, BY_COURSE, _drives, _parameters, _complete),
)
