# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Gains from a step of torque."""

from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from mvsim_ros2.errors import ControllerError
from mvsim_ros2.studies.tuning import Plant, propose, tune
from mvsim_ros2.world.spec.tyres import DefaultTyre
from mvsim_ros2.world.spec.vehicle.classes import MecanumSpec, SingleTrackSpec
from mvsim_ros2.world.spec.vehicle.controller import (
    FrontSteerPidController, RawController, TwistFrontSteerPidController, TwistPidController)
from mvsim_ros2.world.spec.vehicle.dynamics import (
    AckermannDrivetrainSpec, AckermannSpec, Differential3Spec, Differential4Spec, DifferentialSpec,
    DynamicsSpec)
from mvsim_ros2.world.spec.vehicle.parts import DrivetrainSpec, MotorSpec
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec
from mvsim_ros2.world.spec.world import WorldSpec

VEHICLES: dict[str, DynamicsSpec] = {
    'two_wheels': DifferentialSpec(controller=TwistPidController()),
    'three_wheels': Differential3Spec(controller=TwistPidController()),
    'four_wheels': Differential4Spec(controller=RawController()),
    'car': AckermannSpec(controller=TwistFrontSteerPidController()),
    'car_steered': AckermannSpec(controller=FrontSteerPidController()),
    'open_rear': AckermannDrivetrainSpec(
        controller=RawController(), drivetrain=DrivetrainSpec(kind='open_rear')),
    'torsen_4wd': AckermannDrivetrainSpec(
        controller=TwistFrontSteerPidController(), drivetrain=DrivetrainSpec(kind='torsen_4wd')),
    'tractor': SingleTrackSpec(
        controller=TwistFrontSteerPidController(), motor=MotorSpec(500.0, no_load_speed=12.0))}


def world(dynamics: DynamicsSpec, damping: float = 0.01, dt: float = 0.005) -> WorldSpec:
    """Return a world with one vehicle."""
    return WorldSpec(simul_timestep=dt, vehicles=(VehicleSpec(
        name='r1', dynamics=dynamics, friction=DefaultTyre(C_damping=damping)),))


@pytest.mark.parametrize('mode', ['mvsim', 'physical'])
@pytest.mark.parametrize('kind', VEHICLES)
def test_the_proposed_gains_pass_their_trial(kind: str, mode: str) -> None:
    """
    Gains of `tune` settle within the limits and overshoot by less than 2 %.

    :reference: a trial of eight vehicles, in both modes
    """
    tuning = tune(world(VEHICLES[kind]), 'r1', mode)
    assert tuning.plant.misfit < 0.01
    assert tuning.trial.passed, tuning.trial.report()
    assert tuning.trial.overshoot < 0.02


@pytest.mark.parametrize('dt', [0.001, 0.005, 0.01], ids=['1ms', '5ms', '10ms'])
def test_the_plant_of_a_rolling_robot_is_known(dt: float) -> None:
    """`M v' = n (T - c v / R) / R` for two wheels whose spins are a part of the mass."""
    dynamics = replace(VEHICLES['two_wheels'], chassis=replace(
        VEHICLES['two_wheels'].chassis, linear_damping=0.0, angular_damping=0.0))
    plant = tune(world(dynamics, damping=0.1, dt=dt), 'r1', 'mvsim').plant
    wheel = dynamics.wheels[0]
    mass = dynamics.chassis.mass + 2.0 * wheel.mass + 2.0 * 0.5 * wheel.mass
    assert plant.slope == pytest.approx(2.0 / (mass * wheel.radius), rel=0.02)
    assert plant.decay == pytest.approx(2.0 * 0.1 / (mass * wheel.radius ** 2), rel=0.02)
    assert plant.gain == pytest.approx(wheel.radius / 0.1, rel=0.02)


def test_a_motor_is_asked_for_no_more_than_it_gives() -> None:
    """Its limits bound the torque proposed; that it gives less at speed is no damping."""
    tuning = tune(world(VEHICLES['tractor']), 'r1', 'physical')
    free = tune(world(replace(VEHICLES['tractor'], motor=None)), 'r1', 'physical')
    assert tuning.gains.max_torque <= 500.0 < free.gains.max_torque
    assert tuning.plant.slope == pytest.approx(free.plant.slope, rel=0.02)
    assert tuning.plant.decay < 0.01


def test_gains_are_those_of_internal_model_control() -> None:
    """KP = T / (K response), KI = KP / T."""
    plant = Plant(1.0, 10.0, 0.5, 0.25, np.ones(1), np.ones(1))  # K = 2, T = 4
    gains = propose(plant, 1.0, 0.5, 0.005)
    assert (gains.KP, gains.KI, gains.max_torque) == pytest.approx((4.0, 1.0, 8.0))


def test_a_command_does_not_reach_the_limit_of_the_torque() -> None:
    plant = Plant(1.0, 1.0, 0.5, 0.25, np.ones(1), np.ones(1))
    gains = propose(plant, 3.0, None, 0.005)
    assert gains.KP * 3.0 == pytest.approx(gains.max_torque)


def test_the_closed_loop_has_the_response_asked_for() -> None:
    trial = tune(world(VEHICLES['two_wheels'], 0.1), 'r1', 'mvsim', response=0.5).trial
    assert trial.rise_time == pytest.approx(0.5 * np.log(9.0), rel=0.03)


def test_a_classes_options_are_kept() -> None:
    controller = TwistPidController(KP=1.0, enable_feedforward=True)
    tuning = tune(world(replace(VEHICLES['two_wheels'], controller=controller)), 'r1')
    assert isinstance(tuning.controller, TwistPidController)
    assert tuning.controller.enable_feedforward
    tree = ElementTree.fromstring(tuning.xml())
    assert tree.get('class') == 'twist_pid'
    assert float(tree.findtext('KP') or 0.0) == pytest.approx(tuning.gains.KP, rel=1e-3)


def test_wheels_with_rollers_are_refused() -> None:
    with pytest.raises(ControllerError, match='rollers'):
        tune(world(MecanumSpec(controller=TwistPidController())), 'r1')


def test_a_torque_that_does_not_move_it_is_refused() -> None:
    tyre = DefaultTyre(C_rr=0.9)
    stuck = replace(world(VEHICLES['two_wheels']).vehicles[0], friction=tyre)
    with pytest.raises(ControllerError, match='does not drive forward'):
        tune(WorldSpec(simul_timestep=0.005, vehicles=(stuck,)), 'r1', torque=0.01)
