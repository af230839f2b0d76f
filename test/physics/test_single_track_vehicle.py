# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The single-track vehicle: its commands, its symmetry, and the laws of the bicycle model.

:claim: A single-track vehicle in a steady circle has the yaw rate of the bicycle model, within 1 %
:reference: closed form (Riekert and Schunck 1940)
:figure: images/tyres_motion.png
"""

from dataclasses import replace
import json
import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from small_worlds import physics

from mvsim_ros2.errors import ControllerError, PhysicsError
from mvsim_ros2.world.spec import (
    BakkerTyre, ChassisSpec, DefaultTyre, FrontSteerPidController, LinearTyre, MagicFormulaTyre,
    OdometrySpec, RawController, SingleTrackSpec, TwistFrontSteerPidController,
    TwistIdealController, VehicleSpec, WallsSpec, WheelSpec)
from mvsim_ros2.world.spec.outlines import rectangle

G, STIFFNESS, BASE = 9.81, 55000.0, 1.3
TIGHT = TwistFrontSteerPidController(KP=1000.0, KI=100.0, max_torque=3000.0)
STEERED = FrontSteerPidController(KP=2000.0, KI=200.0, max_torque=2000.0)
EXACT = OdometrySpec(linear_std_noise=0.0, yaw_std_noise=0.0, yaw_drift_std_noise=0.0)
CHASSIS = ChassisSpec(mass=440.0, zmin=0.3, zmax=1.2, yaw_inertia=500.0, linear_damping=0.0,
                      angular_damping=0.0, shape=rectangle(-0.9, -0.6, 0.9, 0.6))
LINEAR = LinearTyre(C_s=STIFFNESS, C_alpha=0.5 * STIFFNESS, mu=0.8)
LEGS = WheelSpec(mass=30.0, diameter=0.8)


def tractor(controller=TIGHT, front=0.6, rear=0.7, **changes):
    """Return the vehicle of the document, with its centre of mass in the origin."""
    shift = 30.0 * (rear - front) / CHASSIS.mass  # against the wheels
    shape = tuple((x + shift, y) for x, y in CHASSIS.shape)
    options = {'chassis': replace(CHASSIS, shape=shape), 'controller': controller,
               'f_wheel': replace(LEGS, pos=(front, 0.0, 0.0)),
               'r_wheel': replace(LEGS, pos=(-rear, 0.0, 0.0)),
               'max_steer_ang': math.radians(50), 'max_rear_steer_ang': math.radians(50)}
    return SingleTrackSpec(**{**options, **changes})


def made(dynamics, tyre=LINEAR, mode='physical', dt=0.005, twist=(0.0, 0.0, 0.0), **world):
    """Return a world with a vehicle of these dynamics."""
    return physics(VehicleSpec('r1', dynamics=dynamics, friction=tyre, init_twist=twist,
                               odometry=EXACT), dt=dt, mode=mode, **world)


def understeer(mass):
    """Return K of ``r = V (tan front - tan rear) / (L + K V^2)`` [s^2/m]."""
    return mass * (0.7 - 0.6) / (BASE * STIFFNESS)


@pytest.mark.parametrize('speed', [1.0, 2.0, 4.0, 8.0], ids=str)
@pytest.mark.parametrize('rear', [0.0, -0.05, 0.02], ids=['2WS', '4WS against', '4WS along'])
def test_steady_circle(speed, rear):
    """A8: ``V (front - rear) / (L + K V^2)`` within 1 %."""
    world = made(tractor(), twist=(speed, 0.0, 0.0))
    world.vehicles.set_steering(0, speed, 0.05, rear)
    world.step(1600)
    v, _, r = world.vehicles.twist_body[0]
    assert v == pytest.approx(speed, rel=0.01)
    assert world.vehicles.bodies[0].mass == pytest.approx(500.0)
    assert r == pytest.approx(v * (0.05 - rear) / (BASE + understeer(500.0) * v * v), rel=0.01)


def test_the_circle_does_not_depend_on_the_step():
    """From 1 to 20 ms within 0.5 %."""
    rates = []
    for dt in (0.001, 0.005, 0.02):
        world = made(tractor(), dt=dt, twist=(4.0, 0.0, 0.0))
        world.vehicles.set_steering(0, 4.0, 0.1)
        world.step(round(6.0 / dt))
        rates.append(world.vehicles.twist_body[0, 2])
    assert rates == pytest.approx([rates[0]] * 3, rel=0.005)


def test_on_a_side_slope():
    """A15: ``r = V M g sin(a) (LR - LF) / (C L (L + K V^2))`` within 3 %."""
    world, slope, v = made(tractor(), twist=(2.0, 0.0, 0.0)), math.radians(10), 2.0
    world.vehicles.set_steering(0, v, 0.0, 0.0)
    world.vehicles.arrays.pose[:, 5] = -slope  # the left side is low
    world.step(1200)
    expected = v * 500.0 * G * math.sin(slope) * 0.1 / (
        STIFFNESS * BASE * (BASE + understeer(500.0) * v * v))
    assert world.vehicles.twist_body[0, 2] == pytest.approx(expected, rel=0.03)


def test_answers_a_step_of_the_steering_as_the_bicycle_model():
    """The yaw rate, from 0.3 s on within 1 % of its end; here tyres take 8 cm to build up."""
    world = made(tractor(), dt=0.002, twist=(4.0, 0.0, 0.0))
    world.vehicles.set_steering(0, 4.0, 0.08, 0.0)
    speeds, turns = [], []
    for _ in range(75):
        world.step(10)
        speeds.append(float(world.vehicles.twist_body[0, 0]))
        turns.append(float(world.vehicles.twist_body[0, 2]))
    times = 0.02 * np.arange(1, 76)

    def rate(t, state):
        """Return the rates of yaw rate and side velocity of two linear axles, small angles."""
        turn, aside, ahead = *state, np.interp(t, times, speeds)
        front = STIFFNESS * (0.08 - (aside + 0.6 * turn) / ahead)
        rear = STIFFNESS * (0.7 * turn - aside) / ahead
        return (0.6 * front - 0.7 * rear) / 500.0, (front + rear) / 500.0 - ahead * turn
    expected = solve_ivp(rate, (0.0, 1.5), (0.0, 0.0), t_eval=times, rtol=1e-8).y[0]
    off = np.abs(turns - expected)
    assert off[15:].max() < 0.01 * expected[-1]
    assert off.max() < 0.25 * expected[-1]


def test_steady_states_of_the_reference(table):
    """Yaw rate within 1.5 %, side slip within 1.5 mrad, from 0.5 to 12 m/s, also on slopes."""
    tyre = replace(LINEAR, mu=5.0)  # the reference has no limit
    for row in table('bicycle_linear_steady.csv'):
        v = row['V']
        world = made(tractor(), tyre, twist=(v, 0.0, 0.0))
        world.vehicles.set_steering(0, v, row['deltaF'], row['deltaR'])
        world.vehicles.arrays.pose[:, 5] = -row['slope_rad']
        world.step(1200)
        ahead, aside, turn = world.vehicles.twist_body[0]
        assert turn * v / ahead == pytest.approx(row['r_ss'], rel=0.015, abs=1e-4), row
        assert aside / ahead == pytest.approx(row['beta_ss'], abs=1.5e-3), row


@pytest.mark.parametrize('name, tyre', [
    ('linear', replace(LINEAR, mu=5.0)), ('bakker87', BakkerTyre(preset='bakker87'))],
    ids=['linear', 'bakker87'])
def test_paths_of_the_reference(table, shared, name, tyre):
    """End of 5 s after a step of the steering: within 1 % of the path, 1 % of the yaw rate."""
    ends = {row['case']: row for row in table('bicycle_ode.csv')}
    cases = json.loads((shared / 'golden/models/bicycle_cases.json').read_text())
    for label, end in ends.items():
        case = cases[label]
        if case['tyre'] == name:
            v = case['V']
            # the reference evaluates an axle as one tyre
            dynamics = tractor(tyres_per_axle=1 if name == 'bakker87' else 2)
            world = made(dynamics, tyre, twist=(v, 0.0, 0.0))
            world.vehicles.set_steering(0, v, case['deltaF'], case['deltaR'])
            world.vehicles.arrays.pose[:, 5] = -math.radians(case['slope_deg'])
            world.step(round(end['t'] / world.dt))
            x, y, yaw = world.vehicles.pose[0, [0, 1, 3]]
            path = v * end['t']
            assert math.hypot(x - end['x_cog'], y - end['y_cog']) < 0.01 * path, label
            assert yaw == pytest.approx(end['theta'], abs=0.01), label
            assert world.vehicles.twist_body[0, 2] == pytest.approx(
                end['r'], rel=0.01, abs=2e-4), label


@pytest.mark.parametrize('mode, tyre', [
    ('mvsim', DefaultTyre()), ('physical', DefaultTyre()), ('physical', LINEAR),
    ('physical', MagicFormulaTyre(surface='wet'))],
    ids=['mvsim', 'default', 'linear', 'magic formula'])
def test_starts_stops_and_reverses(mode, tyre):
    """Slow it rolls as the kinematics say, forward and backward; stopped it stays."""
    world = made(tractor(STEERED), tyre, mode)
    for speed in (0.6, 0.0, -0.6):
        world.vehicles.set_steering(0, speed, 0.3)
        world.step(600)
        v, _, r = world.vehicles.twist_body[0]
        assert v == pytest.approx(speed, rel=0.1, abs=0.06)
        if speed:
            assert r == pytest.approx(v * math.tan(0.3) / BASE, rel=0.03)
        elif mode == 'physical':
            there = world.vehicles.pose[0].copy()
            world.step(400)
            assert world.vehicles.pose[0] == pytest.approx(there, abs=1e-6)
    x, y, yaw = world.odometry(0).pose
    assert (x, y, yaw) == pytest.approx(world.vehicles.pose[0, [0, 1, 3]], abs=0.05)


@pytest.mark.parametrize('mode, tyre', [('mvsim', DefaultTyre()), ('physical', LINEAR)],
                         ids=['mvsim', 'physical'])
def test_left_and_right_are_alike(mode, tyre):
    """Mirrored steering gives a mirrored path within 0.1 mm."""
    ends = []
    for angle in (0.2, -0.2):
        world = made(tractor(), tyre, mode)
        world.vehicles.set_steering(0, 2.0, angle, -0.5 * angle)
        world.step(800)
        ends.append(world.vehicles.pose[0, [0, 1, 3]].copy())
    assert ends[1] == pytest.approx(ends[0] * (1.0, -1.0, -1.0), abs=1e-4)


@pytest.mark.parametrize('mode, tyre', [('mvsim', DefaultTyre()), ('physical', LINEAR)],
                         ids=['mvsim', 'physical'])
def test_ahead_and_back_are_alike(mode, tyre):
    """A vehicle that is the same from behind drives the same backward: 0.1 mm."""
    ends = []
    for torque, front, rear in ((150.0, 0.2, -0.1), (-150.0, 0.1, -0.2)):
        world = made(tractor(RawController(), 0.65, 0.65, driven='all'), tyre, mode)
        world.vehicles.set_torques(0, (torque,), front, rear)
        world.step(800)
        ends.append(world.vehicles.pose[0, [0, 1, 3]].copy())
    assert ends[1] == pytest.approx(ends[0] * (-1.0, 1.0, -1.0), abs=1e-4)


@pytest.mark.parametrize('controller', [TIGHT, TwistIdealController()], ids=['pid', 'ideal'])
def test_a_twist_is_followed(controller):
    """With the front axle alone, and with both steered into the curve."""
    for ratio in (0.0, -1.0):
        world = made(tractor(controller, rear_steer_ratio=ratio))
        world.vehicles.set_twist(0, 1.0, 0.3)
        world.step(800)
        v, _, r = world.vehicles.twist_body[0]
        assert (v, r) == pytest.approx((1.0, 0.3), rel=0.03)
        front, rear = world.vehicles.wheels['steer']
        assert math.tan(rear) == pytest.approx(ratio * math.tan(front), abs=1e-9)


def test_walks_like_a_crab():
    """A sideways velocity turns both axles alike, forward and backward."""
    for forward in (1.0, -1.0):
        world = made(tractor())
        world.vehicles.set_twist(0, forward, 0.0, 0.4)
        world.step(1000)
        assert world.vehicles.twist_body[0] == pytest.approx((forward, 0.4, 0.0), abs=0.02)
        assert world.vehicles.wheels['steer'] == pytest.approx([math.atan(0.4 / forward)] * 2)


def test_steering_with_raw_torque():
    """One torque, and both angles."""
    world = made(SingleTrackSpec(max_rear_steer_ang=0.3), DefaultTyre())
    world.vehicles.set_torques(0, (50.0,), 0.1, 0.2)
    world.step(1)
    assert world.vehicles.wheels['steer'] == pytest.approx([0.1, 0.2])
    assert world.vehicles.wheels['torque'] == pytest.approx([0.0, 50.0])
    with pytest.raises(ControllerError, match='takes 1 torque not 2'):
        world.vehicles.set_torques(0, (1.0, 1.0))


def test_a_rear_axle_that_is_not_steered():
    """An angle for it is an error; its ratio has no effect."""
    world = made(SingleTrackSpec(controller=STEERED, rear_steer_ratio=-1.0), DefaultTyre())
    with pytest.raises(ControllerError, match='has no steered rear axle'):
        world.vehicles.set_steering(0, 1.0, 0.1, 0.1)
    world.vehicles.set_steering(0, 1.0, 0.1)
    world.step(1)
    assert world.vehicles.wheels['steer'] == pytest.approx([0.1, 0.0])


@pytest.mark.parametrize('mode', ['mvsim', 'physical'])
def test_a_wall_stops_it(mode):
    """As any vehicle."""
    world = made(tractor(STEERED), DefaultTyre(), mode,
                 walls=(WallsSpec(shape=((3.0, -5.0), (3.0, 5.0))),))
    world.vehicles.set_steering(0, 1.0, 0.0)
    world.step(1000)
    assert world.vehicles.take_collided(0)
    assert 1.5 < world.vehicles.pose[0, 0] < 3.0


def test_axles_that_are_exchanged():
    """The front axle stands before the rear one."""
    with pytest.raises(PhysicsError, match='exchange them'):
        physics(VehicleSpec('r1', dynamics=SingleTrackSpec(
            f_wheel=replace(LEGS, pos=(-1.0, 0.0, 0.0)))))
