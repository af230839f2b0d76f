# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""PIDs that are known to be told to move are asked once less: all goes as if they were asked."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from mvsim_ros2.base.random_streams import RandomStreams
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.physics.controllers.pid import ZERO_COMMAND
from mvsim_ros2.physics.modes import PHYSICAL
from mvsim_ros2.physics.state.record_layout import (
    BY_FRONT_SPEEDS, BY_SIDE_SPEEDS, BY_SPEED, NOT_KNOWN)
from mvsim_ros2.physics.vehicle.brakes import told_to_move
from mvsim_ros2.world.spec.vehicle.controllers import (
    TwistFrontSteerPidController, TwistPidController)
from mvsim_ros2.world.spec.vehicle.dynamics import (
    AckermannDrivetrainSpec, AckermannSpec, DifferentialSpec)
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec
from mvsim_ros2.world.spec.world import WorldSpec

SIDES = VehicleSpec('r1', dynamics=DifferentialSpec(controller=TwistPidController()))
CAR = VehicleSpec('r1', dynamics=AckermannDrivetrainSpec(
    controller=TwistFrontSteerPidController()))
PAIR = VehicleSpec('r1', dynamics=AckermannSpec(
    steer_rate=0.5, controller=TwistFrontSteerPidController()))
FILTERED = replace(SIDES, dynamics=replace(SIDES.dynamics, controller=TwistPidController(
    enable_reference_filter=True, reference_filter_tau=0.02)))


def world_of(vehicle: VehicleSpec) -> PhysicsWorld:
    """Return a world with one vehicle."""
    return PhysicsWorld(WorldSpec(simul_timestep=0.005, vehicles=(vehicle,)), RandomStreams(0),
                        PHYSICAL)


@pytest.mark.parametrize(('vehicle', 'by'), [
    (SIDES, BY_SIDE_SPEEDS), (FILTERED, BY_SIDE_SPEEDS), (CAR, BY_SPEED),
    (PAIR, BY_FRONT_SPEEDS)], ids=['sides', 'filtered', 'car', 'pair'])
def test_bits_are_those_of_pids_that_are_asked(vehicle: VehicleSpec, by: float) -> None:
    """Vehicles that start, turn on the spot, reverse, come to stand, and creep."""
    worlds = world_of(vehicle), world_of(vehicle)
    assert worlds[0].vehicles.arrays.records['told_by'] == by
    worlds[1].vehicles.arrays.records['told_by'] = NOT_KNOWN
    random = np.random.default_rng(5)
    stood = 0
    for part in range(60):
        v, w = random.uniform(-1.0, 1.0, 2) * ((1.0, 1.0), (0.0, 1.0), (0.0, 0.0), (
            1.5 * ZERO_COMMAND, 0.0))[part % 4]
        steps, states = int(random.integers(1, 150)), []
        for world in worlds:
            world.vehicles.set_twist(0, v, w)
            world.step(steps)
            a = world.vehicles.arrays
            states.append((a.pose.tobytes(), a.pids.tobytes(), a.wrench.tobytes(), *(
                world.vehicles.wheels[name].tobytes() for name in ('omega', 'torque', 'slip_x'))))
        assert states[0] == states[1]
        stood += not worlds[0].vehicles.arrays.pids[0, 0]['running']
    assert 0 < stood < 60


@pytest.mark.parametrize(('vehicle', 'v', 'w', 'moves'), [
    (SIDES, 0.5, 0.0, True), (SIDES, 0.0, 0.5, True), (SIDES, 0.0, 0.0, False),
    (SIDES, 0.5 * ZERO_COMMAND, 0.0, False), (CAR, -0.5, 0.1, True), (CAR, 0.0, 0.0, False),
    (PAIR, 0.5, 0.1, True), (PAIR, 0.0, 0.1, False), (FILTERED, 0.5, 0.0, False)])
def test_what_is_known(vehicle: VehicleSpec, v: float, w: float, moves: bool) -> None:
    """Below the threshold a command means stop; what a filter makes of it is not known."""
    world = world_of(vehicle)
    world.vehicles.set_twist(0, v, w)
    known: Callable[..., bool] = getattr(told_to_move, 'plain', told_to_move)
    assert known(world.vehicles.arrays.records[0], world.vehicles.wheels) == moves
