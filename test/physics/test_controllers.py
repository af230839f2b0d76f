# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The PID, the wheel odometry, wheels commanded one by one, and records that cannot be used."""

from dataclasses import dataclass
import math

import numpy as np
import pytest
from small_worlds import physics

from mvsim_ros2.errors import ControllerError, PhysicsError, PluginError
from mvsim_ros2.physics.controllers.ideal import no_torques
from mvsim_ros2.physics.controllers.pid import braking_only, filtered_reference, pid_step
from mvsim_ros2.physics.controllers.record import Command, Controller, Setting
from mvsim_ros2.physics.modes import MODES
from mvsim_ros2.physics.state.record_layout import PID, VEHICLE
from mvsim_ros2.physics.vehicle.forms import SIDES, wheel_odometry
from mvsim_ros2.physics.vehicle_classes.record import VehicleClass
from mvsim_ros2.world.spec import (
    AckermannSpec, ControllerSpec, Differential4Spec, DifferentialSpec, DynamicsSpec,
    JointController, TrackedSpec, VehicleSpec)


@pytest.mark.parametrize('case', range(5), ids=[
    'p', 'pi', 'pid limited', 'filtered derivative anti-windup', 'filtered derivative'])
def test_pid_agrees_with_the_reference(shared, case):
    """Outputs of 60 steps agree to 1e-12 relative."""
    table = np.genfromtxt(shared / 'golden/models/pid.csv', delimiter=',', names=True)
    rows = table[table['case'] == case]
    assert len(rows) > 10
    state = np.zeros(1, PID)[0]
    for row in rows:
        output = pid_step(
            row['KP'], row['KI'], row['KD'], row['N'], row['max_out'], row['antiwindup'],
            0.0, row['err'], 0.0, row['ff'], row['dt'], state)
        assert output == pytest.approx(row['u'], rel=1e-12, abs=1e-12)


def test_wheel_odometry_agrees_with_the_reference(shared):
    """Velocity and yaw rate from two wheels agree to 1e-12 relative."""
    table = np.genfromtxt(shared / 'golden/models/odometry.csv', delimiter=',', names=True)
    for row in table:
        assert wheel_odometry(
            row['y_l'], row['y_r'], row['w_l'] * row['R_l'], row['w_r'] * row['R_r'],
        ) == pytest.approx((row['vx'], row['omega']), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize('order', [1, 2], ids=['first order', 'second order'])
def test_reference_filter_answers_a_step_as_in_theory(order):
    """After n steps 1 - a^n for one filter, 1 - a^n (1 + n (1 - a)) for two."""
    keep, n = math.exp(-0.005 / 0.1), 40
    state = np.zeros(1, PID)[0]
    for _ in range(n):
        value = filtered_reference(keep, order, 1.0, state)
    expected = 1 - keep ** n if order == 1 else 1 - keep ** n * (1 + n * (1 - keep))
    assert value == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(('torque', 'speed', 'expected'), [
    (2.0, 1.0, 0.0), (-2.0, 1.0, -2.0), (2.0, -1.0, 2.0), (-2.0, -1.0, 0.0), (3.0, 0.0, 3.0),
], ids=['drives on', 'brakes', 'brakes backwards', 'drives on backwards', 'at rest'])
def test_braking_only(torque, speed, expected):
    """Only torque against the motion is left."""
    assert braking_only(torque, speed) == expected


@dataclass(frozen=True)
class Nameless(ControllerSpec):
    gain: float = 1.0


@dataclass(frozen=True)
class Named(Nameless):
    XML_CLASS = 'named'


@pytest.mark.parametrize(('options', 'message'), [
    ({'spec': Nameless}, 'Nameless: make the class a ControllerSpec with an XML_CLASS'),
    ({'command': 'set_twist'}, "takes 'set_twist': make that one of Command.TWIST"),
    ({'torques': {}}, 'can drive no form of vehicles'),
    ({'columns': tuple(map(str, range(17)))}, 'has 17 numbers: give it at most 16'),
    ({'columns': ('gain', 'limit')}, r"columns \['limit'\], which are no parameters"),
], ids=['no name', 'command', 'no form', 'numbers', 'column'])
def test_a_record_says_why_it_cannot_be_a_controller(options, message):
    good = {'spec': Named, 'command': Command.TWIST, 'torques': {SIDES: no_torques}}
    Controller(**good)
    with pytest.raises(ValueError, match=message):
        Controller(**good | options)


@pytest.mark.parametrize(('columns', 'values', 'message'), [
    (('gain', 'limit'), {}, "no value for its column 'limit': mend its `parameters`"),
    (('gain',), {'limit': 3.0}, "the parameter 'limit', for which there is no column"),
], ids=['missing', 'too many'])
def test_a_number_without_a_place_is_an_error(columns, values, message):
    controller = Controller(
        Named, Command.TWIST, {SIDES: no_torques}, columns, lambda spec, setting: values)
    setting = Setting(DifferentialSpec(), SIDES, 0.005, 9.81, 15.0, 0.1, 2.0, False)
    with pytest.raises(PluginError, match=message):
        controller.set_up(np.zeros(1, VEHICLE)[0], Named(), setting)


def test_the_numbers_of_a_controller_stand_in_the_order_of_its_columns():
    """Parameters by their names, what `parameters` says before them, and columns of all."""
    controller = Controller(
        Named, Command.TWIST, {SIDES: no_torques}, ('limit', 'gain'),
        lambda spec, setting: {'limit': 2.0 * setting.dt, 'kp': 7.0})
    record = np.zeros(1, VEHICLE)[0]
    controller.set_up(record, Named(gain=4.0), Setting(
        DifferentialSpec(), SIDES, 0.005, 9.81, 15.0, 0.1, 2.0, False))
    assert record['own'].tolist()[:3] == [0.01, 4.0, 0.0] and record['kp'] == 7.0


def test_a_class_without_a_name_is_refused():
    with pytest.raises(ValueError, match='DynamicsSpec with an XML_CLASS'):
        VehicleClass(DynamicsSpec, SIDES, lambda dynamics: ())


def vehicle(dynamics, **options):
    return VehicleSpec(
        name='r1', dynamics=dynamics(controller=JointController(**options)))  # type: ignore


@pytest.mark.parametrize('mode', MODES)
def test_wheels_reach_their_speeds(mode):
    world = physics(vehicle(DifferentialSpec, KP=20.0, KI=20.0), mode=mode)
    world.vehicles.set_joints(0, (4.0, 6.0))
    world.step(1000)
    assert world.vehicles.wheels['omega'] == pytest.approx([4.0, 6.0], abs=0.02)
    vx, _, w = world.vehicles.twist_body[0]
    assert vx == pytest.approx(5.0 * 0.2, rel=0.01)
    assert w == pytest.approx(2.0 * 0.2 / 1.0, rel=0.02)  # track 1 m


@pytest.mark.parametrize('mode', MODES)
def test_efforts_are_torques_of_the_wheels(mode):
    world = physics(vehicle(Differential4Spec, command_interface='effort', max_torque=2.0),
                    mode=mode)
    world.vehicles.set_joints(0, (0.5, 1.0, 1.5, 9.0))
    world.step()
    assert world.vehicles.wheels['torque'].tolist() == [0.5, 1.0, 1.5, 2.0]
    world.step(100)
    assert world.vehicles.twist_body[0, 0] > 0.1


def test_steering_joints_make_the_angle_between_them():
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
def test_commands_that_do_not_fit(values, angles, message):
    with pytest.raises(ControllerError, match=message):
        physics(vehicle(DifferentialSpec)).vehicles.set_joints(0, values, angles)


def test_tied_wheels_are_refused():
    with pytest.raises(PhysicsError, match="turn independently.*use 'twist_pid'"):
        physics(vehicle(TrackedSpec))
