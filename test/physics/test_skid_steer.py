# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles with many wheels on each side, with chains and with tracks."""

import math

import numpy as np
import pytest

from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.world.spec import DefaultTyre, SkidSteerSpec, TrackedSpec, VehicleSpec, WheelSpec

FREE = DefaultTyre(C_damping=0.0)
MODES = ['mvsim', 'physical']
KINDS = ['skid6', 'chain6', 'tracked']


@pytest.mark.parametrize('mode', MODES)
@pytest.mark.parametrize('kind', KINDS)
def test_goes_straight_and_back(vehicle, physics, kind, mode):
    """At the commanded speed, forward and backward alike."""
    ends = []
    for v in (0.6, -0.6):
        world = physics(vehicle(kind, 'pid', friction=FREE), options={'mode': mode})
        world.vehicles.set_twist(0, v, 0.0)
        world.step(2000)
        assert world.vehicles.twist_body[0, 0] == pytest.approx(v, rel=0.05)
        ends.append(world.vehicles.pose[0, [0, 1, 3]].copy())
    assert ends[1] == pytest.approx(-ends[0], abs=1e-3)


@pytest.mark.parametrize('mode', MODES)
@pytest.mark.parametrize('kind', KINDS)
def test_turns_left_and_right_alike(vehicle, physics, kind, mode):
    """Mirrored commands give mirrored paths within 0.1 mm; it turns the way it is told."""
    ends = []
    for w in (0.8, -0.8):
        world = physics(vehicle(kind, 'pid', friction=FREE), options={'mode': mode})
        world.vehicles.set_twist(0, 0.4, w)
        world.step(800)
        ends.append(world.vehicles.pose[0, [0, 1, 3]].copy())
    assert ends[0][2] > 0.02
    assert ends[1] == pytest.approx(ends[0] * (1.0, -1.0, -1.0), abs=1e-4)


@pytest.mark.parametrize('mode', MODES)
@pytest.mark.parametrize('kind', ['chain6', 'tracked'])
def test_the_wheels_of_a_side_turn_at_one_speed(vehicle, physics, kind, mode):
    """While it turns, too."""
    world = physics(vehicle(kind, 'pid', friction=FREE), options={'mode': mode})
    world.vehicles.set_twist(0, 0.3, 1.0)
    for _ in range(20):
        world.step(10)
        omega = world.vehicles.wheels['omega']
        assert np.ptp(omega[0::2]) < 1e-9 and np.ptp(omega[1::2]) < 1e-9


@pytest.mark.parametrize('mode', MODES)
@pytest.mark.parametrize('kind, shares', [('skid6', 6.0), ('chain6', 2.0), ('tracked', 2.0)],
                         ids=KINDS)
def test_acceleration_by_torques(vehicle, physics, kind, shares, mode):
    """Torques over radius, over mass with the spin of the wheels: 1 %."""
    world = physics(vehicle(kind, 'raw', friction=FREE), options={'mode': mode})
    world.vehicles.set_torques(0, (1.0, 1.0))
    world.step(200)
    wheels, body = world.vehicles.wheels, world.vehicles.bodies[0]
    inert = body.mass + float((wheels['inertia'] / wheels['radius'] ** 2).sum())
    expected = shares * 1.0 / wheels['radius'][0] / inert
    assert world.vehicles.twist_body[0, 0] == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize('kind', KINDS)
def test_turning_does_not_depend_on_the_step(vehicle, physics, kind):
    """In mode physical, from 1 to 20 ms: yaw within 3 %."""
    yaws = []
    for dt in (0.001, 0.005, 0.02):
        world = physics(vehicle(kind, 'pid', friction=FREE), options={'mode': 'physical'},
                        simul_timestep=dt)
        world.vehicles.set_twist(0, 0.5, 0.8)
        world.step(round(4.0 / dt))
        yaws.append(world.vehicles.pose[0, 3])
    assert yaws == pytest.approx([yaws[0]] * 3, rel=0.03)


def test_a_track_turns_less_than_its_belts_say(vehicle, physics):
    """Slip of the tracks: the odometry believes more turning than there is."""
    world = physics(vehicle('tracked', 'pid', friction=FREE), options={'mode': 'physical'})
    world.vehicles.set_twist(0, 0.5, 0.8)
    world.step(800)
    assert 0.0 < world.vehicles.pose[0, 3] < world.odometry(0).pose[2]


@pytest.mark.parametrize('kind', KINDS)
def test_loads_carry_the_weight(vehicle, physics, kind):
    """Their sum is the weight."""
    world = physics(vehicle(kind, 'pid'), options={'mode': 'physical'})
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
def test_what_is_not_possible(physics, dynamics, message):
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
