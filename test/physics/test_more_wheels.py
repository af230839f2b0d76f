# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles with many wheels on a side, with chains, with tracks, and with rollers on wheels."""

import math

import numpy as np
import pytest
from small_worlds import changed, physical, physics, vehicle

from mvsim_ros2.errors import ControllerError, PhysicsError
from mvsim_ros2.world.spec import (
    DefaultTyre, OdometrySpec, OmniSpec, RollerWheelSpec, SkidSteerSpec, TrackedSpec,
    TwistPidController, VehicleSpec, WheelSpec)

FREE = DefaultTyre(C_damping=0.0)
MODES = ['mvsim', 'physical']
KINDS = ['skid6', 'chain6', 'tracked']


@pytest.mark.parametrize('mode', MODES)
@pytest.mark.parametrize('kind', KINDS)
def test_goes_straight_and_back(kind, mode):
    """At the commanded speed, forward and backward alike."""
    ends = []
    for v in (0.6, -0.6):
        world = physics(vehicle(kind, 'pid', friction=FREE), mode=mode)
        world.vehicles.set_twist(0, v, 0.0)
        world.step(2000)
        assert world.vehicles.twist_body[0, 0] == pytest.approx(v, rel=0.05)
        ends.append(world.vehicles.pose[0, [0, 1, 3]].copy())
    assert ends[1] == pytest.approx(-ends[0], abs=1e-3)


@pytest.mark.parametrize('mode', MODES)
@pytest.mark.parametrize('kind', KINDS)
def test_turns_the_way_it_is_told(kind, mode):
    world = physics(vehicle(kind, 'pid', friction=FREE), mode=mode)
    world.vehicles.set_twist(0, 0.4, 0.8)
    world.step(800)
    assert world.vehicles.pose[0, 3] > 0.02


@pytest.mark.parametrize('mode', MODES)
@pytest.mark.parametrize('kind', ['chain6', 'tracked'])
def test_the_wheels_of_a_side_turn_at_one_speed(kind, mode):
    """While it turns, too."""
    world = physics(vehicle(kind, 'pid', friction=FREE), mode=mode)
    world.vehicles.set_twist(0, 0.3, 1.0)
    for _ in range(20):
        world.step(10)
        omega = world.vehicles.wheels['omega']
        assert np.ptp(omega[0::2]) < 1e-9 and np.ptp(omega[1::2]) < 1e-9


@pytest.mark.parametrize('mode', MODES)
@pytest.mark.parametrize('kind, shares', [('skid6', 6.0), ('chain6', 2.0), ('tracked', 2.0)],
                         ids=KINDS)
def test_acceleration_by_torques(kind, shares, mode):
    """Torques over radius, over mass with the spin of the wheels: 1 %."""
    world = physics(vehicle(kind, 'raw', friction=FREE), mode=mode)
    world.vehicles.set_torques(0, (1.0, 1.0))
    world.step(200)
    wheels, body = world.vehicles.wheels, world.vehicles.bodies[0]
    inert = body.mass + float((wheels['inertia'] / wheels['radius'] ** 2).sum())
    expected = shares * 1.0 / wheels['radius'][0] / inert
    assert world.vehicles.twist_body[0, 0] == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize('kind', KINDS)
def test_turning_does_not_depend_on_the_step(kind):
    """In mode physical, from 1 to 20 ms: yaw within 3 %."""
    yaws = []
    for dt in (0.001, 0.005, 0.02):
        world = physical(vehicle(kind, 'pid', friction=FREE), dt=dt)
        world.vehicles.set_twist(0, 0.5, 0.8)
        world.step(round(4.0 / dt))
        yaws.append(world.vehicles.pose[0, 3])
    assert yaws == pytest.approx([yaws[0]] * 3, rel=0.03)


def test_a_track_turns_less_than_its_belts_say():
    """Slip of the tracks: the odometry believes more turning than there is."""
    world = physical(vehicle('tracked', 'pid', friction=FREE))
    world.vehicles.set_twist(0, 0.5, 0.8)
    world.step(800)
    assert 0.0 < world.vehicles.pose[0, 3] < world.odometry(0).pose[2]


@pytest.mark.parametrize('kind', KINDS)
def test_loads_carry_the_weight(kind):
    """Their sum is the weight."""
    world = physical(vehicle(kind, 'pid'))
    world.step(10)
    weight = 9.81 * world.vehicles.bodies[0].mass
    assert world.vehicles.wheels['normal_load'].sum() == pytest.approx(weight, rel=1e-6)


def _wheel(y, diameter=0.3, x=0.0):
    return WheelSpec((x, y, 0.0), diameter=diameter)


@pytest.mark.parametrize(('dynamics', 'message'), [
    (SkidSteerSpec(l_wheels=(_wheel(0.3),)), 'needs wheels on both sides'),
    (SkidSteerSpec(l_wheels=(_wheel(0.3),), r_wheels=(_wheel(0.2),)), 'not to the left'
     '|on the wrong side'),
    (SkidSteerSpec(l_wheels=(_wheel(0.3), _wheel(0.3, 0.4, 0.5)), r_wheels=(_wheel(-0.3),),
                   common_speed=True), 'turn at one speed')],
    ids=['one side', 'wrong side', 'diameters'])
def test_what_is_not_possible(dynamics, message):
    """It says what is wrong."""
    with pytest.raises(PhysicsError, match=message):
        physics(VehicleSpec('r1', dynamics=dynamics))


def test_the_wheels_of_a_track_stand_in_a_row():
    """Evenly from the front to the rear, on both sides."""
    wheels = TrackedSpec(wheels_per_side=3, track_length=1.0, tracks_d=0.8, tracks_x=0.1).wheels
    assert np.array([wheel.pos for wheel in wheels]) == pytest.approx(np.array(
        [(0.6, 0.4, 0.0), (0.6, -0.4, 0.0), (0.1, 0.4, 0.0), (0.1, -0.4, 0.0),
         (-0.4, 0.4, 0.0), (-0.4, -0.4, 0.0)]))
    assert math.isclose(wheels[0].radius, 0.2)


EXACT = OdometrySpec(linear_std_noise=0.0, yaw_std_noise=0.0, yaw_drift_std_noise=0.0)


def drive(kind, mode, twist, seconds=3.0):
    """Return a world after a twist vx, vy, wz was followed for some seconds."""
    world = physics(vehicle(kind, 'pid', odometry=EXACT, friction=DefaultTyre(C_damping=0.0)),
                    mode=mode)
    vx, vy, wz = twist
    world.vehicles.set_twist(0, vx, wz, vy)
    world.step(round(seconds / world.dt))
    return world


@pytest.mark.parametrize('twist', [
    (0.5, 0.0, 0.0), (-0.5, 0.0, 0.0), (0.0, 0.4, 0.0), (0.0, 0.0, 0.8), (0.3, -0.3, 0.5)],
    ids=['ahead', 'back', 'aside', 'turn', 'all'])
@pytest.mark.parametrize('mode', ['mvsim', 'physical'])
@pytest.mark.parametrize('kind', ['mecanum', 'omni3'])
def test_every_twist_is_followed(kind, mode, twist):
    """Velocity within 2 cm/s and 0.04 rad/s; odometry within 3 cm and 0.03 rad of the truth."""
    world = drive(kind, mode, twist)
    assert world.vehicles.twist_body[0] == pytest.approx(twist, abs=0.02, rel=0.05)
    x, y, yaw = world.odometry(0).pose
    assert math.hypot(x - world.vehicles.pose[0, 0], y - world.vehicles.pose[0, 1]) < 0.05
    assert yaw == pytest.approx(world.vehicles.pose[0, 3], abs=0.03)


def test_mecanum_wheels_turn_as_their_equations_say():
    """``R w = vx -+ vy -+ (lx + ly) wz``, as in the literature."""
    vx, vy, wz = 0.3, 0.2, 0.4
    world = physics(vehicle('mecanum', 'pid'))
    world.vehicles.set_twist(0, vx, wz, vy)
    rims = world.vehicles.wheels['command'] / math.cos(math.pi / 4)  # of the rollers, so far
    turn = 0.5 * wz
    assert rims == pytest.approx(
        [vx + vy - turn, vx - vy + turn, vx - vy - turn, vx + vy + turn], abs=1e-12)


@pytest.mark.parametrize('mode', ['mvsim', 'physical'])
@pytest.mark.parametrize('across', [False, True], ids=['left and right', 'ahead and back'])
def test_mecanum_is_symmetric(mode, across):
    """Mirrored commands give mirrored paths within 0.1 mm."""
    vx, vy, wz = 0.4, 0.2, 0.6
    spec = vehicle('mecanum', 'pid')
    one, other = physics(spec, mode=mode), physics(spec, mode=mode)
    one.vehicles.set_twist(0, vx, wz, vy)
    if across:
        other.vehicles.set_twist(0, -vx, -wz, vy)
    else:
        other.vehicles.set_twist(0, vx, -wz, -vy)
    one.step(600)
    other.step(600)
    x, y, yaw = one.vehicles.pose[0, [0, 1, 3]]
    mirrored = (-x, y, -yaw) if across else (x, -y, -yaw)
    assert other.vehicles.pose[0, [0, 1, 3]] == pytest.approx(mirrored, abs=1e-4)


@pytest.mark.parametrize('mode', ['mvsim', 'physical'])
def test_rollers_push_nothing_across(mode):
    """The force of a wheel lies along the axis of its rollers."""
    world = drive('mecanum', mode, (0.3, 0.2, 0.5), 0.5)
    assert np.abs(world.vehicles.wheels['force_long']).max() > 0.01
    assert not world.vehicles.wheels['force_lat'].any()


@pytest.mark.parametrize('mode', ['mvsim', 'physical'])
def test_raw_torques_drive_each_wheel(mode):
    """Mecanum torques + - - + push to the left, by their forces over the mass."""
    world = physics(vehicle('mecanum', 'raw', friction=DefaultTyre(C_damping=0.0)), mode=mode)
    world.vehicles.set_torques(0, (0.5, -0.5, -0.5, 0.5))
    world.step(200)
    vx, vy, w = world.vehicles.twist_body[0]
    assert vy > 0.3
    assert abs(vx) < 1e-3 * vy and abs(w) < 1e-3 * vy
    with pytest.raises(ControllerError, match='takes 4 torques not 2'):
        world.vehicles.set_torques(0, (1.0, 1.0))


def test_a_stop_is_held():
    """Told to stop it stands still to the last bit, in mode physical."""
    world = drive('omni3', 'physical', (0.4, 0.2, 0.3), 1.0)
    world.vehicles.set_twist(0, 0.0, 0.0)
    world.step(600)
    before = world.vehicles.pose[0].copy()
    world.step(200)
    assert world.vehicles.pose[0] == pytest.approx(before, abs=1e-7)


def _omni(*wheels, **changes):
    return OmniSpec(roller_wheels=tuple(
        RollerWheelSpec(pos=pos, diameter=0.15) for pos in wheels), **changes)


@pytest.mark.parametrize(('dynamics', 'message'), [
    (_omni((0.2, 0.2, 0.0), (0.2, -0.2, 0.0)), 'has 2 wheels: give it 3 or 4'),
    (_omni((0.2, 0.2, 0.0), (0.2, -0.2, 0.0), (-0.2, 0.0, 0.0)),
     'cannot move it in every direction'),
    (_omni((0.2, 0.0, 1.57), (-0.1, 0.17, 3.66), (-0.1, -0.17, 5.76),
           controller=TwistPidController(enable_feedforward=True)), 'has no feed-forward')],
    ids=['two', 'parallel', 'feed-forward'])
def test_what_rollers_do_not_allow(dynamics, message):
    """It says what is wrong."""
    with pytest.raises(PhysicsError, match=message):
        physics(VehicleSpec('r1', dynamics=dynamics))


def test_another_wheel_speed_limit():
    """The torque limit of the PID holds for each wheel."""
    world = physics(changed(vehicle('mecanum'), controller=TwistPidController(
        KP=100.0, max_torque=0.7)))
    world.vehicles.set_twist(0, 1.0, 0.0)
    world.step(1)
    assert world.vehicles.wheels['torque'] == pytest.approx([0.7] * 4)
