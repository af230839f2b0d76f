# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Steering that takes time, limits of motors, and brakes."""

import math

import numpy as np
import pytest
from small_worlds import physics, vehicle

from mvsim_ros2.errors import ControllerError
from mvsim_ros2.physics.vehicle.drivetrain import limited_torque
from mvsim_ros2.world.spec import BrakesSpec, DefaultTyre, MotorSpec

G = 9.81
FREE = DefaultTyre(C_damping=0.0)
MODES = ['mvsim', 'physical']


def made(kind, controller, mode, **fields):
    """Return a world with a vehicle on tyres without losses."""
    return physics(vehicle(kind, controller, **{'friction': FREE} | fields), mode=mode)


@pytest.mark.parametrize('mode', MODES)
def test_steering_moves_at_its_rate(mode):
    """20 degrees at 40 degrees a second take half a second, in a straight line."""
    world = made('ack', 'front', mode, steer_rate=math.radians(40))
    world.vehicles.set_steering(0, 0.0, math.radians(20))
    record = world.vehicles.arrays.records
    for expected in (5.0, 10.0, 15.0, 20.0, 20.0):
        world.step(25)
        assert math.degrees(record['steer_front'][0]) == pytest.approx(expected, abs=1e-9)
    left, right = world.vehicles.wheels['steer'][2:]
    assert left > math.radians(20) > right  # as Ackermann says


@pytest.mark.parametrize('kind', ['ack', 'single'])
def test_steering_follows_with_a_lag(kind):
    """By 1 - exp(-t / lag)."""
    world = made(kind, 'front', 'mvsim', steer_lag=0.2)
    world.vehicles.set_steering(0, 0.0, 0.3)
    world.step(60)
    front = world.vehicles.arrays.records['steer_front'][0]
    assert front == pytest.approx(0.3 * (1.0 - math.exp(-0.3 / 0.2)), rel=1e-9)


def test_fast_steering_is_like_none():
    """A rate beyond any command gives the same path to the last bit."""
    paths = []
    for options in ({}, {'steer_rate': 1e6}):
        world = made('ack', 'twist_front', 'mvsim', **options)
        world.vehicles.set_twist(0, 1.0, 0.4)
        world.step(200)
        paths.append(world.vehicles.pose.copy())
    assert np.array_equal(*paths)


@pytest.mark.parametrize(('torque', 'spin', 'expected'), [
    (50.0, 0.0, 20.0), (10.0, 0.0, 10.0), (50.0, 50.0, 10.0), (50.0, 100.0, 0.0),
    (50.0, 120.0, 0.0), (-50.0, 50.0, -20.0), (-50.0, -50.0, -10.0), (50.0, 40.0, 12.0)],
    ids=['stall', 'small', 'half', 'no load', 'beyond', 'braking', 'backward', 'below power'])
def test_torque_falls_with_the_spin(torque, spin, expected):
    """20 N m at standstill, none from 100 rad/s on."""
    assert limited_torque(torque, spin, 20.0, 100.0, 0.0, 0.0, 1e3) == pytest.approx(expected)


def test_power_is_limited():
    """100 W at 20 rad/s are 5 N m, and braking is not limited by it."""
    assert limited_torque(50.0, 20.0, 20.0, 0.0, 100.0, 0.0, 1e3) == pytest.approx(5.0)
    assert limited_torque(-50.0, 20.0, 20.0, 0.0, 100.0, 0.0, 1e3) == pytest.approx(-20.0)


def test_a_slipping_wheel_stays_below_the_speed_of_no_load():
    """What the ground takes, and what is missing of that speed."""
    assert limited_torque(50.0, 90.0, 1e3, 100.0, 0.0, 3.0, 0.2) == pytest.approx(5.0)


@pytest.mark.parametrize('mode', MODES)
@pytest.mark.parametrize('kind', ['diff4', 'open_4wd', 'single', 'tracked', 'mecanum'])
def test_a_motor_ends_at_its_no_load_speed(kind, mode):
    """Whatever the torque that is asked for, with no resistance."""
    torque = 400.0 if kind in ('open_4wd', 'single') else 10.0
    world = made(kind, 'raw', mode, motor=MotorSpec(max_torque=torque, no_load_speed=8.0))
    count = {'diff4': 2, 'tracked': 2, 'mecanum': 4}.get(kind, 1)
    world.vehicles.set_torques(0, (1e3,) * count)
    world.step(6000)
    wheels = world.vehicles.wheels
    assert wheels['omega'] == pytest.approx([8.0] * len(wheels), rel=0.02)


@pytest.mark.parametrize('mode', MODES)
@pytest.mark.parametrize('kind', ['diff4', 'ack', 'single', 'tracked'])
def test_brakes_slow_down_by_their_torque(kind, mode):
    """Sum of the torques over radius, over mass with the spin of the wheels: 2 %."""
    world = made(kind, 'raw', mode, brakes=BrakesSpec(torque=4.0), init_twist=(3.0, 0, 0))
    world.vehicles.start_rolling(0, (3.0, 0.0, 0.0))
    world.vehicles.set_brake(0, 0.5)
    world.step(80)
    wheels, body = world.vehicles.wheels, world.vehicles.bodies[0]
    force = 0.5 * 4.0 * float((1.0 / wheels['radius']).sum())
    inert = body.mass + float((wheels['inertia'] / wheels['radius'] ** 2).sum())
    lost = 3.0 - world.vehicles.twist_body[0, 0]
    assert lost == pytest.approx(0.4 * force / inert, rel=0.02)


@pytest.mark.parametrize('mode', MODES)
@pytest.mark.parametrize('kind', ['diff4', 'ack', 'single', 'tracked', 'chain6'])
def test_strong_brakes_lock_the_wheels_and_the_vehicle_stops(kind, mode):
    """After v^2 / (2 mu g) within 3 %; and there it stays."""
    world = made(kind, 'raw', mode, brakes=BrakesSpec(torque=1e4), init_twist=(6.0, 0, 0),
                 friction=DefaultTyre(mu=0.5, C_damping=0.0))
    world.vehicles.start_rolling(0, (6.0, 0.0, 0.0))
    world.vehicles.set_brake(0, 1.0)
    world.step(100)
    assert np.abs(world.vehicles.wheels['omega']).max() < 1e-9
    world.step(300)
    assert world.vehicles.pose[0, 0] == pytest.approx(36.0 / (2 * 0.5 * G), rel=0.03)
    assert np.abs(world.vehicles.twist_body[0]).max() < 1e-5


@pytest.mark.parametrize('mode', MODES)
def test_brakes_beat_a_weaker_motor_only(mode):
    """A motor of less torque stands, one of more drives on with the difference."""
    world = made('diff4', 'raw', mode, brakes=BrakesSpec(torque=2.0))
    world.vehicles.set_brake(0, 1.0)
    world.vehicles.set_torques(0, (1.5, 1.5))
    world.step(200)
    assert abs(world.vehicles.twist_body[0, 0]) < 1e-6
    world.vehicles.set_torques(0, (3.0, 3.0))
    world.step(200)
    wheels, body = world.vehicles.wheels, world.vehicles.bodies[0]
    inert = body.mass + float((wheels['inertia'] / wheels['radius'] ** 2).sum())
    assert world.vehicles.twist_body[0, 0] == pytest.approx(
        4 * 1.0 / wheels['radius'][0] / inert, rel=0.02)


def test_the_wheels_that_brake():
    """Service and parking brake each on its own wheels."""
    world = made('ack', 'raw', 'mvsim', brakes=BrakesSpec(
        torque=100.0, wheels='front', parking_torque=30.0, parking_wheels='rear', parked=True))
    brake = world.vehicles.wheels['brake']
    assert brake.tolist() == [30.0, 30.0, 0.0, 0.0]
    world.vehicles.set_brake(0, 0.25)
    assert world.vehicles.wheels['brake'].tolist() == [30.0, 30.0, 25.0, 25.0]
    world.vehicles.set_parking_brake(0, False)
    assert world.vehicles.wheels['brake'].tolist() == [0.0, 0.0, 25.0, 25.0]


def test_brakes_that_are_not_there():
    """It says what to write into the world file."""
    world = made('ack', 'raw', 'mvsim')
    with pytest.raises(ControllerError, match='has no brake: give its <dynamics>'):
        world.vehicles.set_brake(0, 1.0)
    with pytest.raises(ControllerError, match='has no parking brake'):
        world.vehicles.set_parking_brake(0, True)
    with pytest.raises(ControllerError, match='a number from 0 to 1'):
        world.vehicles.set_brake(0, math.nan)
