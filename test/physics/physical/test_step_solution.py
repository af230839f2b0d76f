# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""How well the equations of a step of mode physical are solved, and where solving them begins."""

import numpy as np
import pytest

from mvsim_ros2.base.random_streams import RandomStreams
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.physics.modes import PHYSICAL
from mvsim_ros2.physics.physical.solve import mobility
from mvsim_ros2.world.spec import (
    AckermannSpec, DifferentialSpec, TwistFrontSteerPidController, TwistPidController, VehicleSpec,
    WorldSpec)

KP = 4.0


@pytest.fixture
def driving():
    """Return a robot on its way to 0.5 m/s and 0.4 rad/s, whose controller is proportional."""
    controller = TwistPidController(KP=KP, KI=0.0, max_torque=100.0)
    world = PhysicsWorld(
        WorldSpec(simul_timestep=0.005,
                  vehicles=(VehicleSpec(dynamics=DifferentialSpec(controller=controller)),)),
        RandomStreams(0), PHYSICAL)
    world.vehicles.set_twist(0, 0.5, 0.4)
    world.step(40)
    return world


@pytest.mark.parametrize(('stiff', 'off'), [(0.1, 1e-14), (100.0, 1e-12), (1e4, 1e-10)])
def test_mobility_is_an_inverse(stiff, off):
    """
    Of mass turned by half an angle, and resistance of a few wheels.

    :claim: The solution of a step is right to twelve digits, also if the resistance of a tyre is a
        hundred times the mass
    :reference: numpy.linalg.inv
    """
    random = np.random.default_rng(0)
    for _ in range(100):
        mass, inertia, half = *random.uniform(0.1, 1000.0, 2), random.uniform(-0.3, 0.3)
        lines = random.normal(size=(3, 3))
        resists = stiff * mass * lines.T @ lines
        system = resists + [[mass * np.cos(half), -mass * np.sin(half), 0.0],
                            [mass * np.sin(half), mass * np.cos(half), 0.0], [0.0, 0.0, inertia]]
        found = np.reshape(mobility(
            np.diag((mass, mass, inertia)), np.cos(half), np.sin(half),
            *resists[np.triu_indices(3)][[0, 1, 3]], *resists[:, 2]), (3, 3))
        assert found @ system == pytest.approx(np.eye(3), abs=off)


def test_torques_are_those_for_the_speeds_that_they_lead_to(driving):
    """
    While the robot speeds up, at the end of each step.

    :claim: Torques match the controller at the end of the step, to 5e-6 N m
    :reference: KP times the error of the speed
    """
    vehicle, wheels = driving.vehicles.arrays.records[0], driving.vehicles.wheels
    turn = 0.5 * vehicle['track'] * 0.4
    torques = []
    for _ in range(100):
        driving.step(1)
        speeds = wheels['omega'] * wheels['radius']
        asked = KP * (np.array([0.5 - turn, 0.5 + turn]) - speeds)
        torques.append(wheels['torque'].copy())
        assert torques[-1] == pytest.approx(asked, abs=5e-6)
    assert np.abs(np.diff(torques, axis=0)).max(axis=1).min() > 0.0
    assert np.ptp(torques, axis=0).min() > 0.05


def test_a_step_begins_with_the_changes_of_the_one_before(driving):
    """What is noted of these are differences of spins, slips and torques."""
    wheels, arrays = driving.vehicles.wheels, driving.vehicles.arrays
    before, torques = wheels.copy(), arrays.pids[0, :2]['torque'].copy()
    driving.step(1)
    for name in ('omega', 'slip_x', 'slip_y'):
        change = wheels[name] - before[name]
        assert (change != 0.0).all()
        assert wheels[f'{name}_change'] == pytest.approx(change, abs=1e-15)
    assert arrays.records[0]['torque_change'][:2] == pytest.approx(
        arrays.pids[0, :2]['torque'] - torques, abs=1e-15)


def test_derivatives_are_kept_while_the_car_turns_in():
    """
    Passes with other lines of the wheels say nothing about them.

    :claim: With a new command each half second, a car updates the derivatives of its controllers
        in less than a twentieth of the steps
    :reference: number of updates
    """
    world = PhysicsWorld(WorldSpec(simul_timestep=0.005, vehicles=(VehicleSpec(
        dynamics=AckermannSpec(controller=TwistFrontSteerPidController())),)), RandomStreams(0),
        PHYSICAL)
    known, changes = b'', 0
    for step in range(600):
        if step % 100 == 0:
            world.vehicles.set_twist(0, 0.5, (0.5, -0.3)[step // 100 % 2])
        world.step(1)
        found = world.vehicles.arrays.records['torque_inverse'].tobytes()
        changes += found != known
        known = found
    assert 0 < changes < 30
