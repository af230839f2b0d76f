# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Features of vehicles and worlds that mode `mvsim` lacks, other than tyres as springs."""

from collections.abc import Iterator
import logging

from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.physics.modes import MVSIM
from mvsim_ros2.world.spec import Source
from mvsim_ros2.world.spec.vehicle.dynamics import AckermannDrivetrainSpec, ChassisSpec
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec
from mvsim_ros2.world.spec.weather import AirSpec
from mvsim_ros2.world.spec.world import WorldSpec

_LOG = logging.getLogger(__name__)


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


def warn_of_air_without_effect(world: WorldSpec, mode: str) -> None:
    """Warn where a world has a wind or another density of air, and there is nothing to feel it."""
    sways = any(visual.sways for block in world.blocks for visual in block.visuals)
    if world.air.density == AirSpec.density and (sways or not any(world.air.wind)):
        return
    if mode == MVSIM:
        _LOG.warning("%s: <air> acts in physics mode 'physical' only", world.air.source)
    elif not any(vehicle.dynamics.aerodynamics for vehicle in world.vehicles):
        _LOG.warning('%s: <air> has no effect: no <dynamics> of a vehicle has an <aerodynamics>',
                     world.air.source)
