# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
A vehicle does the same whether others are in its world or not.

:claim: A vehicle moves equally alone and in a fleet, bit for bit
:reference: worlds with one vehicle each
"""

from dataclasses import replace

import numpy as np
import pytest

from mvsim_ros2.base.random_streams import RandomStreams
from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.frames import Pose
from mvsim_ros2.jit.kernel import use_machine_code
from mvsim_ros2.physics import PhysicsWorld
from mvsim_ros2.physics.modes import PHYSICAL
from mvsim_ros2.world.spec import (
    AckermannDrivetrainSpec, AckermannSpec, BakkerTyre, BrakesSpec, ChassisSpec, ClayTyre,
    DefaultTyre, Differential3Spec, Differential4Spec, DifferentialSpec, DrivetrainSpec,
    EllipseTyre, LinearTyre, MagicFormulaTyre, RawController, SandTyre,
    TwistFrontSteerPidController, TwistPidController, VehicleSpec, WardIagnemmaTyre, WorldSpec)

COUNT = 3
PID = TwistPidController(KP=4.0, KI=2.0, max_torque=14.0)
BRAKES = BrakesSpec(torque=4.0)
PLAIN = DifferentialSpec(controller=PID)
TALL = ChassisSpec(mass=15.0, zmin=0.05, zmax=2.2)
MIXED = MagicFormulaTyre(), LinearTyre(), DefaultTyre()
VEHICLES = {
    'two_wheels': VehicleSpec(dynamics=DifferentialSpec(controller=PID)),
    'all_options_of_the_pid': VehicleSpec(dynamics=DifferentialSpec(controller=replace(
        PID, KD=0.1, N=30.0, I_MAX=3.0, enable_antiwindup=True, enable_reference_filter=True,
        reference_filter_order=2, enable_feedforward=True))),
    'brakes': VehicleSpec(dynamics=DifferentialSpec(controller=PID, brakes=BRAKES)),
    'tall': VehicleSpec(dynamics=Differential4Spec(chassis=TALL, controller=replace(
        PID, KP=200.0, max_torque=300.0))),
    'caster': VehicleSpec(dynamics=Differential3Spec(controller=PID)),
    'four_wheels': VehicleSpec(dynamics=Differential4Spec(controller=PID)),
    **{f'tyres_{i}': VehicleSpec(dynamics=PLAIN, friction=tyre) for i, tyre in enumerate((
        WardIagnemmaTyre(), EllipseTyre(), LinearTyre(), MagicFormulaTyre(),
        MagicFormulaTyre(lateral='crolla'), MagicFormulaTyre(lateral='ellipse', B_y=7.0),
        BakkerTyre(), BakkerTyre(preset='document'), ClayTyre(mode='vti'), SandTyre(),
        SandTyre(reading='brixius')))},
    'mixed_tyres': VehicleSpec(dynamics=DifferentialSpec(controller=PID)),
    'clay': VehicleSpec(dynamics=Differential4Spec(controller=PID), friction=ClayTyre()),
    'car': VehicleSpec(dynamics=AckermannSpec(controller=TwistFrontSteerPidController())),
    'car_that_steers_slowly': VehicleSpec(dynamics=AckermannSpec(
        steer_rate=0.5, controller=TwistFrontSteerPidController())),
    'drivetrain': VehicleSpec(dynamics=AckermannDrivetrainSpec(
        drivetrain=DrivetrainSpec(kind='open_4wd'),
        controller=TwistFrontSteerPidController())),
    'rear_drive': VehicleSpec(dynamics=AckermannDrivetrainSpec(
        drivetrain=DrivetrainSpec(kind='open_rear'),
        controller=TwistFrontSteerPidController())),
    'torsen': VehicleSpec(dynamics=AckermannDrivetrainSpec(
        drivetrain=DrivetrainSpec(kind='torsen_4wd'),
        controller=TwistFrontSteerPidController())),
    'torsen_with_a_ratio': VehicleSpec(dynamics=AckermannDrivetrainSpec(
        drivetrain=DrivetrainSpec(kind='torsen_rear', torsen_tbr=3.0),
        controller=TwistFrontSteerPidController())),
    'torques': VehicleSpec(dynamics=DifferentialSpec(controller=RawController())),
    'steered_torques': VehicleSpec(dynamics=AckermannSpec(controller=RawController())),
}


def world_of(vehicle, only=None):
    """
    Return a world with vehicles that differ in mass and friction.

    :param only: the number of the one that is in it; None for all.
    """
    random = np.random.default_rng(7)
    vehicles = []
    for i in range(COUNT):
        chassis = replace(vehicle.dynamics.chassis, mass=random.uniform(5.0, 40.0))
        friction = vehicle.friction
        if vehicle is VEHICLES['mixed_tyres']:
            friction = MIXED[i % len(MIXED)]
        if isinstance(friction, DefaultTyre):
            friction = replace(friction, mu=random.uniform(0.2, 1.0))
        vehicles.append(replace(
            vehicle, name=f'r{i}', friction=friction,
            dynamics=replace(vehicle.dynamics, chassis=chassis),
            init_pose=Pose(100.0 * i, yaw=random.uniform(0.0, 6.0))))
    there = vehicles if only is None else [vehicles[only]]
    return PhysicsWorld(WorldSpec(simul_timestep=0.005, vehicles=tuple(there)),
                        RandomStreams(0), PHYSICAL)


def command(world, random):
    """Give each vehicle another command; each third of them is told to stand, or brakes."""
    vehicles = world.vehicles
    for i in range(len(vehicles)):
        numbers = random.uniform(-1.0, 1.0, 3) * (random.uniform() > 0.3)
        controller = vehicles.specs[i].dynamics.controller
        if isinstance(controller, RawController):
            if isinstance(vehicles.specs[i].dynamics, AckermannSpec):
                vehicles.set_torques(i, 20.0 * numbers[:2], 0.4 * numbers[2])
            else:
                vehicles.set_torques(i, 5.0 * numbers[:2])
        else:
            vehicles.set_twist(i, *numbers[:2])
        if vehicles.specs[i].dynamics.brakes is not None:
            vehicles.set_brake(i, max(0.0, numbers[2]))


def state(world, i):
    """Return all numbers of a vehicle but that of its group, which tells vehicles apart."""
    arrays, start = world.vehicles.arrays, world.vehicles.wheel_start
    record = arrays.records[i].copy()
    record['group'] = 0.0
    numbers = {name: getattr(arrays, name)[i].tobytes() for name in (
        'pose', 'twist_body', 'pids', 'wrench', 'odometers', 'collided')}
    return numbers | {'record': record.tobytes(),
                      'wheels': world.vehicles.wheels[start[i]:start[i + 1]].tobytes()}


@pytest.fixture(scope='module', autouse=True)
def machine_code():
    """Run compiled code."""
    if not use_machine_code():
        pytest.skip('numba is not installed')


@pytest.mark.parametrize('kind', VEHICLES)
def test_bits_are_those_of_vehicles_alone(kind):
    """Vehicles that drive, stand, brake and lift wheels, far from each other."""
    fleet = world_of(VEHICLES[kind])
    alone = [world_of(VEHICLES[kind], i) for i in range(COUNT)]
    randoms = np.random.default_rng(1), np.random.default_rng(1)
    lifted = False
    for _ in range(40):
        for worlds, random in zip(([fleet], alone), randoms, strict=True):
            for world in worlds:
                command(world, random)
                world.step(23)
        for i, world in enumerate(alone):
            assert state(fleet, i) == state(world, 0)
        lifted |= bool((fleet.vehicles.wheels['normal_load'] == 0.0).any())
    assert np.abs(fleet.vehicles.pose[:, :2] - world_of(VEHICLES[kind]).vehicles.pose[:, :2]).max(
        ) > 0.1
    assert lifted or kind != 'tall'


@pytest.mark.parametrize('lost', range(COUNT))
def test_a_lost_vehicle_is_named(lost):
    """Forces that are no numbers are found among those of all vehicles."""
    world = world_of(VEHICLES['two_wheels'])
    world.step()
    world.vehicles.arrays.records['turn_inertia'][lost] = np.nan
    with pytest.raises(PhysicsError, match=f"vehicle 'r{lost}' has no finite position"):
        world.step(5)
