# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles that are commanded joint by joint (`<controller class="ros2_control">`)."""

import math

import pytest

from mvsim_ros2.errors import ControllerError, PhysicsError
from mvsim_ros2.physics import MODES
from mvsim_ros2.world.spec import (
    AckermannSpec, Differential4Spec, DifferentialSpec, JointController, TrackedSpec, VehicleSpec)


def vehicle(dynamics, **options):
    return VehicleSpec(
        name='r1', dynamics=dynamics(controller=JointController(**options)))  # type: ignore


@pytest.mark.parametrize('mode', MODES)
def test_wheels_reach_their_speeds(physics, mode):
    world = physics(vehicle(DifferentialSpec, KP=20.0, KI=20.0), options={'mode': mode})
    world.vehicles.set_joints(0, (4.0, 6.0))
    world.step(1000)
    assert world.vehicles.wheels['omega'] == pytest.approx([4.0, 6.0], abs=0.02)
    vx, _, w = world.vehicles.twist_body[0]
    assert vx == pytest.approx(5.0 * 0.2, rel=0.01)
    assert w == pytest.approx(2.0 * 0.2 / 1.0, rel=0.02)  # track 1 m


@pytest.mark.parametrize('mode', MODES)
def test_efforts_are_torques_of_the_wheels(physics, mode):
    world = physics(vehicle(Differential4Spec, command_interface='effort', max_torque=2.0),
                    options={'mode': mode})
    world.vehicles.set_joints(0, (0.5, 1.0, 1.5, 9.0))
    world.step()
    assert world.vehicles.wheels['torque'].tolist() == [0.5, 1.0, 1.5, 2.0]
    world.step(100)
    assert world.vehicles.twist_body[0, 0] > 0.1


def test_steering_joints_make_the_angle_between_them(physics):
    world = physics(vehicle(AckermannSpec))
    with pytest.raises(ControllerError, match='use set_joints'):
        world.vehicles.set_steering(0, 1.0, 0.2)
    left, right = 0.2, math.atan(1.0 / (1.0 / math.tan(0.2) + 1.0 / 1.3))
    world.vehicles.set_joints(0, (5.0, 5.0), (left, right))
    middle = math.atan(2.0 / (1.0 / math.tan(left) + 1.0 / math.tan(right)))
    assert world.vehicles.arrays.records['command_front'][0] == pytest.approx(middle)
    world.vehicles.set_joints(0, (1.0, 1.0))  # keeps the angles
    assert world.vehicles.arrays.records['command_front'][0] == pytest.approx(middle)


@pytest.mark.parametrize('values, angles, message', [
    ((1.0,), (), '2 driven wheels: give as many numbers, not 1'),
    ((1.0, 1.0), (0.1,), '0 steered wheels: give as many numbers, not 1'),
    ((1.0, math.nan), (), 'not finite')])
def test_commands_that_do_not_fit(physics, values, angles, message):
    with pytest.raises(ControllerError, match=message):
        physics(vehicle(DifferentialSpec)).vehicles.set_joints(0, values, angles)


def test_tied_wheels_are_refused(physics):
    with pytest.raises(PhysicsError, match="turn independently.*use 'twist_pid'"):
        physics(vehicle(TrackedSpec))
