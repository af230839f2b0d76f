# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles with steered wheels, with two driven sides, or on rollers with a torque a wheel."""

from collections.abc import Callable
import math
from typing import Any

from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.physics.state.record_layout import (
    ALL_WHEELS, FRONT_WHEELS, LEFT, LIMITED, LOCKED, NONE, OPEN, REAR_WHEELS, RIGHT)
from mvsim_ros2.physics.vehicle.forms import (
    BY_COURSE, DRIVETRAIN, FRONT_PAIR, IN_LINE, ROLLERS, SIDES, write_motion_rows)
from mvsim_ros2.physics.vehicle_classes.record import Drive, VehicleClass
from mvsim_ros2.world.spec.vehicle.classes import (
    FourWheelSteeringSpec, MecanumSpec, OmniSpec, SingleTrackSpec, SkidSteerSpec, TrackedSpec,
    TricycleSpec)
from mvsim_ros2.world.spec.vehicle.dynamics import (
    AckermannDrivetrainSpec, AckermannSpec, Differential3Spec, Differential4Spec, DifferentialSpec,
    DynamicsSpec, SteeredSpec)
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec

PARALLEL = 1e-6  # share of the Ackermann geometry, the least; 0 is for axles in line

_DRIVEN = {'front': FRONT_WHEELS, 'rear': REAR_WHEELS, '4wd': ALL_WHEELS}
_HOLDS = {'limited_slip': LIMITED, 'locked': LOCKED}
_DRIVEN_AXLES = {'front': (1.0, 0.0), 'rear': (0.0, 1.0), 'all': (0.5, 0.5)}


def steering(dynamics: SteeredSpec, dt: float) -> dict[str, float]:
    """
    Return the parameters of the actuator of a steering.

    :param dt: step [s].
    """
    values = {'steered': 1.0, 'first_steered': float(dynamics.steered_wheels[0]),
              'max_steer': dynamics.max_steer_ang}
    if dynamics.steer_rate is not None or dynamics.steer_lag > 0.0:
        values |= {'steer_takes_time': 1.0, 'steer_change': (dynamics.steer_rate or 0.0) * dt}
        if dynamics.steer_lag > 0.0:
            values['steer_keep'] = math.exp(-dt / dynamics.steer_lag)
    return values


def _ackermann(dynamics: AckermannSpec, dt: float) -> dict[str, float]:
    return steering(dynamics, dt) | {
        'wheelbase': dynamics.f_wheels_x - dynamics.rl_wheel.pos[0],
        'rear_x': dynamics.pivot_x,
        'front_track': dynamics.f_wheels_d * max(dynamics.ackermann, PARALLEL)}


def _drivetrain(dynamics: AckermannDrivetrainSpec, dt: float) -> dict[str, float]:
    drivetrain = dynamics.drivetrain
    kinds = drivetrain.differentials
    holds = {f'{place}_holds': _HOLDS.get(kind, OPEN) for place, kind in kinds.items()}
    return _ackermann(dynamics, dt) | holds | {
        f'{place}_torsen': float(kind == 'torsen') for place, kind in kinds.items()} | {
        'couples': float(any(holds.values())),
        'locking': drivetrain.locking, 'preload': drivetrain.preload,
        'drivetrain': _DRIVEN[drivetrain.kind.rpartition('_')[2]],
        'torsen_tbr': drivetrain.torsen_tbr or 0.0,
        'front_rear_split': drivetrain.front_rear_split,
        'front_rear_bias': drivetrain.front_rear_bias,
        'front_split': drivetrain.front_left_right_split,
        'front_bias': drivetrain.front_left_right_bias,
        'rear_split': drivetrain.rear_left_right_split,
        'rear_bias': drivetrain.rear_left_right_bias}


def _in_line(dynamics: SingleTrackSpec, dt: float) -> dict[str, float]:
    values = steering(dynamics, dt) | {
        'wheelbase': dynamics.f_wheel.pos[0] - dynamics.r_wheel.pos[0],
        'rear_x': dynamics.r_wheel.pos[0], 'max_rear_steer': dynamics.max_rear_steer_ang}
    if dynamics.max_rear_steer_ang > 0.0:
        values['rear_ratio'] = dynamics.rear_steer_ratio
    return values


def _axles(dynamics: SingleTrackSpec) -> list[Drive]:
    return [(LEFT if share else NONE, share) for share in _DRIVEN_AXLES[dynamics.driven]]


def _by_course(dynamics: FourWheelSteeringSpec | TricycleSpec, dt: float) -> dict[str, float]:
    return steering(dynamics, dt) | {
        'by_course': 1.0, 'wheelbase': dynamics.wheelbase, 'rear_x': dynamics.rear_x,
        'max_rear_steer': dynamics.max_rear_steer_ang, 'rear_ratio': dynamics.rear_ratio}


def _driven(dynamics: FourWheelSteeringSpec | TricycleSpec) -> list[Drive]:
    """Return the drives of wheels that share one torque evenly."""
    driven = dynamics.driven_wheels
    return [(LEFT, 1.0 / len(driven)) if k in driven else (NONE, 0.0)
            for k in range(len(dynamics.wheels))]


def _mark_steered(vehicle: VehicleSpec, wheels: Any) -> None:
    for k in vehicle.dynamics.steered_wheels:
        wheels['steers'][k] = 1.0


def _sides(dynamics: DynamicsSpec) -> list[Drive]:
    """Return the drives of wheels on both sides; tied ones share the torque of their side."""
    sides = [LEFT if wheel.pos[1] > 0.0 else RIGHT for wheel in dynamics.wheels]
    return [(side, 1.0 / sides.count(side) if dynamics.tied else 1.0) for side in sides]


def _write_rollers(vehicle: VehicleSpec, wheels: Any) -> None:
    """Write the rollers of wheels into their records."""
    dynamics: Any = vehicle.dynamics
    for record, wheel in zip(wheels, dynamics.wheels, strict=True):
        record['free'], record['roller'] = 1.0, wheel.roller_angle
        record['radius'] *= math.cos(wheel.roller_angle)
    if not write_motion_rows(wheels):
        raise PhysicsError(
            f'{dynamics.source}: the wheels of vehicle {vehicle.name!r} cannot move it in every '
            'direction: turn some of them, or their rollers')


def _each(*drives: Drive) -> Callable[[DynamicsSpec], list[Drive]]:
    """Return what gives wheels these drives in their order, the last one to the others."""
    return lambda dynamics: [drives[min(k, len(drives) - 1)] for k in range(len(dynamics.wheels))]


_FREE, _OWN, _LEFT, _RIGHT = (NONE, 0.0), (NONE, 1.0), (LEFT, 1.0), (RIGHT, 1.0)
CLASSES = (
    VehicleClass(AckermannSpec, FRONT_PAIR, _each(_FREE, _FREE, _LEFT, _RIGHT), _ackermann),
    VehicleClass(AckermannDrivetrainSpec, DRIVETRAIN, _each(_FREE), _drivetrain),
    VehicleClass(SingleTrackSpec, IN_LINE, _axles, _in_line),
    VehicleClass(FourWheelSteeringSpec, BY_COURSE, _driven, _by_course, _mark_steered),
    VehicleClass(TricycleSpec, BY_COURSE, _driven, _by_course, _mark_steered),
    VehicleClass(DifferentialSpec, SIDES, _each(_LEFT, _RIGHT, _FREE)),
    VehicleClass(Differential3Spec, SIDES, _each(_LEFT, _RIGHT, _FREE)),
    VehicleClass(Differential4Spec, SIDES, _each(_LEFT, _RIGHT, _LEFT, _RIGHT)),
    VehicleClass(SkidSteerSpec, SIDES, _sides),
    VehicleClass(TrackedSpec, SIDES, _sides),
    VehicleClass(OmniSpec, ROLLERS, _each(_OWN), complete=_write_rollers),
    VehicleClass(MecanumSpec, ROLLERS, _each(_OWN), complete=_write_rollers),
)
