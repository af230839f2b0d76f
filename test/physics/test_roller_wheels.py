# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles on wheels with rollers: they go in every direction, and push along one each."""

from dataclasses import replace
import math

import numpy as np
import pytest

from mvsim_ros2.errors import ControllerError, PhysicsError
from mvsim_ros2.world.spec import (
    DefaultTyre, OdometrySpec, OmniSpec, RollerWheelSpec, TwistPidController, VehicleSpec)

EXACT = OdometrySpec(linear_std_noise=0.0, yaw_std_noise=0.0, yaw_drift_std_noise=0.0)


def drive(vehicle, physics, kind, mode, twist, seconds=3.0):
    """Return a world after a twist vx, vy, wz was followed for some seconds."""
    world = physics(vehicle(kind, 'pid', odometry=EXACT, friction=DefaultTyre(C_damping=0.0)),
                    options={'mode': mode})
    vx, vy, wz = twist
    world.vehicles.set_twist(0, vx, wz, vy)
    world.step(round(seconds / world.dt))
    return world


@pytest.mark.parametrize('twist', [
    (0.5, 0.0, 0.0), (-0.5, 0.0, 0.0), (0.0, 0.4, 0.0), (0.0, 0.0, 0.8), (0.3, -0.3, 0.5)],
    ids=['ahead', 'back', 'aside', 'turn', 'all'])
@pytest.mark.parametrize('mode', ['mvsim', 'physical'])
@pytest.mark.parametrize('kind', ['mecanum', 'omni3'])
def test_every_twist_is_followed(vehicle, physics, kind, mode, twist):
    """Velocity within 2 cm/s and 0.04 rad/s; odometry within 3 cm and 0.03 rad of the truth."""
    world = drive(vehicle, physics, kind, mode, twist)
    assert world.vehicles.twist_body[0] == pytest.approx(twist, abs=0.02, rel=0.05)
    x, y, yaw = world.odometry(0).pose
    assert math.hypot(x - world.vehicles.pose[0, 0], y - world.vehicles.pose[0, 1]) < 0.05
    assert yaw == pytest.approx(world.vehicles.pose[0, 3], abs=0.03)


def test_mecanum_wheels_turn_as_their_equations_say(vehicle, physics):
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
def test_mecanum_is_symmetric(vehicle, physics, mode, across):
    """Mirrored commands give mirrored paths within 0.1 mm."""
    vx, vy, wz = 0.4, 0.2, 0.6
    spec = vehicle('mecanum', 'pid')
    one, other = physics(spec, options={'mode': mode}), physics(spec, options={'mode': mode})
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
def test_rollers_push_nothing_across(vehicle, physics, mode):
    """The force of a wheel lies along the axis of its rollers."""
    world = drive(vehicle, physics, 'mecanum', mode, (0.3, 0.2, 0.5), 0.5)
    assert np.abs(world.vehicles.wheels['force_long']).max() > 0.01
    assert not world.vehicles.wheels['force_lat'].any()


@pytest.mark.parametrize('mode', ['mvsim', 'physical'])
def test_raw_torques_drive_each_wheel(vehicle, physics, mode):
    """Mecanum torques + - - + push to the left, by their forces over the mass."""
    world = physics(vehicle('mecanum', 'raw', friction=DefaultTyre(C_damping=0.0)),
                    options={'mode': mode})
    world.vehicles.set_torques(0, (0.5, -0.5, -0.5, 0.5))
    world.step(200)
    vx, vy, w = world.vehicles.twist_body[0]
    assert vy > 0.3
    assert abs(vx) < 1e-3 * vy and abs(w) < 1e-3 * vy
    with pytest.raises(ControllerError, match='takes 4 torques not 2'):
        world.vehicles.set_torques(0, (1.0, 1.0))


def test_a_stop_is_held(vehicle, physics):
    """Told to stop it stands still to the last bit, in mode physical."""
    world = drive(vehicle, physics, 'omni3', 'physical', (0.4, 0.2, 0.3), 1.0)
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
def test_what_is_not_possible(physics, dynamics, message):
    """It says what is wrong."""
    with pytest.raises(PhysicsError, match=message):
        physics(VehicleSpec('r1', dynamics=dynamics))


def test_another_wheel_speed_limit(vehicle, physics):
    """The torque limit of the PID holds for each wheel."""
    spec = vehicle('mecanum', 'pid')
    spec = replace(spec, dynamics=replace(
        spec.dynamics, controller=TwistPidController(KP=100.0, max_torque=0.7)))
    world = physics(spec)
    world.vehicles.set_twist(0, 1.0, 0.0)
    world.step(1)
    assert world.vehicles.wheels['torque'] == pytest.approx([0.7] * 4)
