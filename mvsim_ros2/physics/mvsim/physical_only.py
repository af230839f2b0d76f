# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What vehicles cannot have in mode `mvsim`, beside tyres that are springs."""

from collections.abc import Iterator

from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.spec.common import Source
from mvsim_ros2.spec.vehicle.dynamics import AckermannDrivetrainSpec
from mvsim_ros2.spec.vehicle.dynamics import ChassisSpec
from mvsim_ros2.spec.vehicle.vehicle import VehicleSpec


def refuse_physical(vehicle: VehicleSpec) -> None:
    """
    Make sure that a vehicle has nothing that acts in mode `physical` only.

    :raises PhysicsError: where it has.
    """
    for source, what in _found(vehicle):
        raise PhysicsError(
            f"{source}: vehicle {vehicle.name!r} has {what}, which physics mode 'mvsim' does not "
            "have: use mode 'physical', or leave it out")


def _found(vehicle: VehicleSpec) -> Iterator[tuple[Source, str]]:
    """Yield where each such thing is, and what."""
    for tyre in vehicle.tyres:
        for name in ('relaxation_length', 'lateral_relaxation_length'):
            if getattr(tyre, name) is not None:
                yield tyre.source, f'a tyre with a {name}'
    dynamics, chassis = vehicle.dynamics, vehicle.dynamics.chassis
    if dynamics.aerodynamics is not None:
        yield dynamics.aerodynamics.source, 'an <aerodynamics>'
    if dynamics.draught is not None:
        yield dynamics.draught.source, 'a <draught>'
    if dynamics.engine is not None:
        yield dynamics.engine.source, 'an <engine>'
    if isinstance(dynamics, AckermannDrivetrainSpec):
        for kind in dynamics.drivetrain.differentials.values():
            if kind in ('locked', 'limited_slip'):
                yield dynamics.drivetrain.source, f'a {kind} differential'
    if chassis.load_transfer_lag != ChassisSpec.load_transfer_lag:
        yield chassis.source, 'a load_transfer_lag'
