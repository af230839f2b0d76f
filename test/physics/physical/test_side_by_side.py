# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Vehicles that go side by side in a step do what each of them does alone.

:claim: vehicles that are computed eight at a time come to the same numbers as alone, bit by bit
:reference: the same worlds with all vehicles one by one
"""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mvsim_ros2.base.random_streams import RandomStreams
from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.frames import Pose
from mvsim_ros2.jit.kernel import use_machine_code
from mvsim_ros2.physics import PhysicsWorld, stepper
from mvsim_ros2.physics.modes import PHYSICAL
from mvsim_ros2.physics.physical.side_sorts import one_by_one
from mvsim_ros2.world.spec.tyres.coulomb import DefaultTyre, EllipseTyre, WardIagnemmaTyre
from mvsim_ros2.world.spec.tyres.slip import BakkerTyre, LinearTyre, MagicFormulaTyre
from mvsim_ros2.world.spec.tyres.soil import ClayTyre, SandTyre
from mvsim_ros2.world.spec.vehicle.actuators import BrakesSpec
from mvsim_ros2.world.spec.vehicle.controllers import (
    RawController, TwistFrontSteerPidController, TwistPidController)
from mvsim_ros2.world.spec.vehicle.drivetrain import DrivetrainSpec
from mvsim_ros2.world.spec.vehicle.dynamics import (
    AckermannDrivetrainSpec, AckermannSpec, ChassisSpec, Differential3Spec, Differential4Spec,
    DifferentialSpec)
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec
from mvsim_ros2.world.spec.world import WorldSpec

COUNT = 13  # eight, and five that are filled up
PID = TwistPidController(KP=4.0, KI=2.0, max_torque=14.0)
BRAKES = BrakesSpec(torque=4.0)
PLAIN = DifferentialSpec(controller=PID)
# what vehicles keep of angles, to compute it once, is no state
KEPT = {'gain_left', 'gain_right', 'gain_front', 'gain_angle_left', 'gain_angle_right'}
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


def world_of(vehicle: VehicleSpec, count: int = COUNT) -> PhysicsWorld:
    """Return a world with vehicles that differ in mass and friction, some near each other."""
    random = np.random.default_rng(7)
    vehicles = []
    for i in range(count):
        chassis = replace(vehicle.dynamics.chassis, mass=random.uniform(5.0, 40.0))
        friction: Any = vehicle.friction
        if vehicle is VEHICLES['mixed_tyres']:
            friction = MIXED[i % len(MIXED)]
        if isinstance(friction, DefaultTyre):
            friction = replace(friction, mu=random.uniform(0.2, 1.0))
        vehicles.append(replace(
            vehicle, name=f'r{i}', friction=friction,
            dynamics=replace(vehicle.dynamics, chassis=chassis),
            init_pose=Pose(3.0 * (i % 4), 3.0 * (i // 4), yaw=random.uniform(0.0, 6.0))))
    return PhysicsWorld(WorldSpec(simul_timestep=0.005, vehicles=tuple(vehicles)),
                        RandomStreams(0), PHYSICAL)


def command(world: PhysicsWorld, random: np.random.Generator) -> None:
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


def state(world: PhysicsWorld) -> dict[str, bytes]:
    """Return all numbers of the vehicles."""
    arrays = world.vehicles.arrays
    records = {f'{name} of {kind}': table[name].tobytes() for kind, table in (
        ('vehicles', arrays.records), ('wheels', world.vehicles.wheels))
        for name in table.dtype.names or () if name not in KEPT}
    return records | {name: getattr(arrays, name).tobytes() for name in (
        'pose', 'twist_body', 'pids', 'wrench', 'odometers', 'collided')}


@pytest.fixture(scope='module', autouse=True)
def machine_code() -> None:
    """Run compiled code: plain Python goes one by one."""
    if not use_machine_code():
        pytest.skip('numba is not installed')


@pytest.mark.parametrize('kind', VEHICLES)
def test_bits_are_those_of_vehicles_alone(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Vehicles that drive, stand, brake, bump into each other, and lift wheels."""
    beside = world_of(VEHICLES[kind])
    beside.step()
    assert beside.stepper is not None
    assert all(beside.stepper.sorts)
    monkeypatch.setattr(stepper, 'side_of', lambda records, *_: one_by_one(len(records)))
    alone = world_of(VEHICLES[kind])
    alone.step()
    randoms = np.random.default_rng(1), np.random.default_rng(1)
    lifted = False
    for _ in range(60):
        for world, random in zip((beside, alone), randoms, strict=True):
            command(world, random)
            world.step(23)
        assert state(beside) == state(alone)
        lifted |= bool((alone.vehicles.wheels['normal_load'] == 0.0).any())
    assert np.abs(alone.vehicles.pose[:, :2] - world_of(VEHICLES[kind]).vehicles.pose[:, :2]).max(
        ) > 0.1
    assert lifted or kind != 'tall'


@pytest.mark.parametrize('kind', VEHICLES)
def test_one_alone_needs_no_more(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    One vehicle with motors and tyres only has steps of its own, as it drives, brakes and tips.

    :claim: steps that are compiled for one plain vehicle come to the numbers of all others, bit by
        bit
    :reference: the same world as one of a vehicle that may have more
    """
    plain = world_of(VEHICLES[kind], 1)
    plain.step()
    monkeypatch.setattr(stepper, 'side_of', lambda records, *_: one_by_one(len(records)))
    other = world_of(VEHICLES[kind], 1)
    other.step()
    assert plain.stepper is not None and other.stepper is not None
    assert all(plain.stepper.sorts) and not any(other.stepper.sorts)
    randoms = np.random.default_rng(2), np.random.default_rng(2)
    for _ in range(60):
        for world, random in zip((plain, other), randoms, strict=True):
            command(world, random)
            world.step(23)
        assert state(plain) == state(other)


@pytest.mark.parametrize('lost', [0, 5, COUNT - 1])
def test_a_lost_vehicle_is_named(lost: int) -> None:
    """Forces that are no numbers are found among those of eight vehicles."""
    world = world_of(VEHICLES['two_wheels'])
    world.step()
    world.vehicles.arrays.records['turn_inertia'][lost] = np.nan
    with pytest.raises(PhysicsError, match=f"vehicle 'r{lost}' has no finite position"):
        world.step(5)


@pytest.mark.parametrize('vehicle,beside', [
    (VehicleSpec(dynamics=PLAIN), True),
    (VehicleSpec(dynamics=DifferentialSpec(controller=replace(PID, max_torque=0.0))), True),
    (VehicleSpec(dynamics=replace(
        PLAIN, l_wheel=replace(PLAIN.l_wheel, tyre_stiffness=2e4),
        r_wheel=replace(PLAIN.r_wheel, tyre_stiffness=2e4))), False),
    (VehicleSpec(dynamics=AckermannDrivetrainSpec(
        drivetrain=DrivetrainSpec(kind='locked_rear'),
        controller=TwistFrontSteerPidController())), False),
    ], ids=['plain', 'without_limits', 'springs', 'locked'])
def test_what_needs_more_goes_alone(vehicle: VehicleSpec, beside: bool) -> None:
    """A vehicle whose step has parts that are not there for eight has no sort."""
    world = world_of(vehicle)
    world.step()
    assert world.stepper is not None
    assert bool(all(world.stepper.sorts)) == beside
