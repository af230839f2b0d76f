# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles with steered front wheels: commands, motion, collisions."""

import math

from hypothesis import given, strategies as st
import numpy as np
import pytest
from small_worlds import changed, physics, vehicle

from mvsim_ros2.errors import ControllerError, PhysicsError
from mvsim_ros2.physics.vehicle.steering import (
    ackermann_angles, angle_for_ideal_twist, angle_for_twist)
from mvsim_ros2.world.spec import (
    RawController, TwistFrontSteerPidController, TwistIdealController, TwistPidController,
    WheelSpec)

DRIVETRAINS = ['open_front', 'open_rear', 'open_4wd', 'torsen_front', 'torsen_rear', 'torsen_4wd']


@pytest.mark.parametrize('angle', [0.2, -0.2], ids=['left', 'right'])
def test_drives_the_circle_of_its_steering_angle(angle):
    """Without slip the yaw rate is v tan(angle) / L."""
    world = physics(vehicle('ack', 'front'))
    world.vehicles.set_steering(0, 1.0, angle)
    world.step(2000)
    v, _, w = world.vehicles.twist_body[0]
    assert v == pytest.approx(1.0, abs=0.02)
    assert w == pytest.approx(v * math.tan(angle) / 1.3, rel=0.01)


def test_steering_is_limited():
    """More than max_steer_ang_deg is as much as that."""
    worlds = [physics(vehicle('ack', 'front')) for _ in range(2)]
    for world, angle in zip(worlds, (math.radians(60), 1.4), strict=True):
        world.vehicles.set_steering(0, 0.5, angle)
        world.step()
    steer = [world.vehicles.wheels['steer'] for world in worlds]
    assert steer[0] == pytest.approx(steer[1])


@pytest.mark.parametrize('kind', ['ack', *DRIVETRAINS])
def test_raw_torque_drives_forward_and_steers(kind):
    """Positive torque accelerates by about T / (R m), a positive angle turns left."""
    world = physics(vehicle(kind, 'raw'))
    torques = (50.0, 50.0) if kind == 'ack' else (100.0,)
    world.vehicles.set_torques(0, torques, 0.1)
    world.step(200)
    assert world.vehicles.twist_body[0, 0] == pytest.approx(100 / 0.31 / 530, rel=0.05)
    assert world.vehicles.twist_body[0, 2] > 0.01
    assert world.vehicles.wheels['torque'].sum() == pytest.approx(100.0)


def test_the_file_gives_the_first_command():
    """Torques of the file are negative for forward, as in the original."""
    raw = RawController(fl_torque=-40.0, fr_torque=-50.0, steer_ang=0.1)
    world = physics(changed(vehicle('ack', 'raw'), controller=raw))
    world.step()
    wheels = world.vehicles.wheels
    assert wheels['torque'].tolist() == [0.0, 0.0, 40.0, 50.0]
    assert 0.09 < wheels['steer'][3] < 0.1 < wheels['steer'][2] < 0.12


COMMANDS = {
    'set_twist': lambda world: world.vehicles.set_twist(0, 1.0, 0.1),
    'set_steering': lambda world: world.vehicles.set_steering(0, 1.0, 0.1),
    'set_torques': lambda world: world.vehicles.set_torques(0, (1.0, 1.0)),
}


@pytest.mark.parametrize(('controller', 'right'), [
    ('raw', 'set_torques'), ('ideal', 'set_twist'), ('twist_front', 'set_twist'),
    ('front', 'set_steering')], ids=['raw', 'ideal', 'twist', 'steering'])
def test_each_controller_takes_its_command(controller, right):
    """A twist controller takes a steering angle too; any other command is an error."""
    world = physics(vehicle('ack', controller))
    for name, command in COMMANDS.items():
        if name == right or (name, right) == ('set_steering', 'set_twist'):
            command(world)
        else:
            with pytest.raises(ControllerError, match=f'use {right}'):
                command(world)


@pytest.mark.parametrize(('kind', 'torques', 'angle', 'message'), [
    ('torsen_4wd', (1.0, 1.0), 0.0, 'takes 1 torque not 2'),
    ('ack', (1.0,), 0.0, 'takes 2 torques, left and right, not 1'),
    ('diff2', (1.0, 1.0), 0.1, 'has no steering'),
    ('ack', (1.0, 1.0), math.nan, 'is not finite'),
], ids=['one for a drivetrain', 'two wheels', 'no steering', 'nan'])
def test_wrong_raw_commands(kind, torques, angle, message):
    """The number of torques and the angle must suit the vehicle."""
    world = physics(vehicle(kind, 'raw'))
    with pytest.raises(ControllerError, match=message):
        world.vehicles.set_torques(0, torques, angle)


@pytest.mark.parametrize(('kind', 'changes', 'message'), [
    ('torsen_4wd', {'controller': TwistIdealController()},
     "'twist_ideal', which it cannot have"),
    ('ack', {'controller': TwistPidController()}, "'twist_pid', which it cannot have"),
    ('diff2', {'controller': TwistFrontSteerPidController()}, 'which it cannot have'),
    ('ack', {'f_wheels_x': -0.1}, 'make f_wheels_x larger'),
    ('ack', {'rl_wheel': WheelSpec((0.0, -1.0, 0.0))}, 'both rear wheels'),
    ('ack', {'max_steer_ang': 1.57}, 'max_steer_ang_deg'),
], ids=['ideal drivetrain', 'side PID', 'front PID', 'front behind rear', 'one track',
        'right angle'])
def test_impossible_vehicles(kind, changes, message):
    """A vehicle that cannot be steered or controlled is an error at the start."""
    with pytest.raises(PhysicsError, match=message):
        physics(changed(vehicle(kind, 'raw'), **changes))


def _boxes(world):
    return [fixture.corners.tolist() for fixture in world.vehicles.bodies[0].fixtures
            if fixture.wheel in (2, 3)]


def test_boxes_of_front_wheels_turn():
    """The solids of the front wheels follow the steering, mass and inertia do not change."""
    world = physics(vehicle('ack', 'front'))
    body = world.vehicles.bodies[0]
    straight, mass = _boxes(world), (body.mass, body.inertia)
    world.vehicles.set_steering(0, 1.0, 0.4)
    state, turned = world.snapshot(), _boxes(world)
    (x0, y0), (x1, y1) = turned[0][0], turned[0][1]
    world.step()
    assert abs(math.atan2(y1 - y0, x1 - x0)) == pytest.approx(
        max(world.vehicles.wheels['steer']), abs=1e-6)
    assert (body.mass, body.inertia) == mass
    world.reset()
    assert _boxes(world) == straight
    world.restore(state)
    assert _boxes(world) == turned
    world.vehicles.set_steering(0, 1.0, 0.0)
    assert np.allclose(_boxes(world), straight, atol=1e-6)


def test_angles_agree_with_the_reference(shared):
    """All rows, those with the turn centre inside the track included, to 1e-12."""
    table = np.genfromtxt(shared / 'golden/models/ackermann.csv', delimiter=',', names=True)
    for row in table:
        assert ackermann_angles(row['wheelbase'], row['track'], row['delta']) == pytest.approx(
            (row['left'], row['right']), abs=1e-12)


@given(wheelbase=st.floats(0.1, 10), track=st.floats(0.1, 3), angle=st.floats(1e-6, 1.55))
def test_axes_meet_on_the_rear_axle(wheelbase, track, angle):
    """Each wheel is square to the line to the turn centre, and the mirrored angle mirrors."""
    left, right = ackermann_angles(wheelbase, track, angle)
    centre = wheelbase / math.tan(angle)
    for side, steer in ((0.5, left), (-0.5, right)):
        across = centre - side * track
        assert abs(math.cos(steer) * wheelbase - math.sin(steer) * across) < 1e-9 * (
            wheelbase + abs(centre) + track)
    assert ackermann_angles(wheelbase, track, -angle) == (-right, -left)


def test_straight_ahead():
    """No angle gives no angle."""
    assert ackermann_angles(1.3, 2.0, 0.0) == (0.0, 0.0)


@pytest.mark.parametrize(('v', 'w', 'angle'), [
    (1.0, 0.0, 0.0), (1.0, 1.0, math.atan(1.3)), (-1.0, 1.0, -math.atan(1.3)),
    (0.0, 0.5, math.pi / 2), (0.0, -0.5, -math.pi / 2), (0.0, 0.0, 0.0),
], ids=['ahead', 'left', 'reverse', 'spot left', 'spot right', 'rest'])
def test_angle_for_twist(v, w, angle):
    """The angle is atan(L w / v), a right angle without forward velocity."""
    assert angle_for_twist(1.3, v, w) == pytest.approx(angle)


@pytest.mark.parametrize(('v', 'w', 'angle'), [
    (2.0, 1.0, math.atan(0.65)), (0.0, 0.1, 0.13), (0.0, -9.0, -0.5),
], ids=['moving', 'spot', 'spot limited'])
def test_angle_for_ideal_twist(v, w, angle):
    """On the spot an ideal vehicle shows L w, within its largest angle."""
    assert angle_for_ideal_twist(1.3, v, w, 0.5) == pytest.approx(angle)
