# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Motions with a known answer, the same at every step from 1 to 20 ms."""

from dataclasses import replace
import math

import numpy as np
import pytest
from small_worlds import physical, run, slope, tilt, vehicle, world_with

from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec import (
    DefaultTyre, ElevationMapSpec, HeightMap, WardIagnemmaTyre, WheelSpec)

G = 9.81


def spin_mass(world):
    """Return the mass that the spin of the wheels adds to forward motion [kg]."""
    wheels = world.vehicles.wheels
    return float((wheels['inertia'] / wheels['radius'] ** 2).sum())


def mass(world):
    """Return the mass of the vehicle with its wheels [kg]."""
    return float(world.vehicles.arrays.records['mass'][0])


@pytest.mark.parametrize('mu', [0.3, 0.8], ids=['slippery', 'dry'])
@pytest.mark.parametrize('kind, controller', [('ack', 'twist_front'), ('diff4', 'pid')],
                         ids=['car', 'robot'])
def test_acceptance_09_locked_wheels_stop_in_the_braking_distance(dt, kind, controller, mu):
    """Distance v^2 / (2 mu g) within 1 %."""
    world = world_with(kind, controller, dt, mu, init_twist=(20.0, 0.0, 0.0))
    world.vehicles.arrays.records['stopped'] = 100.0  # m/s: hold at once
    world.vehicles.wheels['omega'] = 0.0
    run(world, 20.0 / (mu * G) + 0.5)
    assert world.vehicles.pose[0, 0] == pytest.approx(20.0 ** 2 / (2 * mu * G), rel=0.01)
    assert np.abs(world.vehicles.twist_body[0]).max() < 1e-6


@pytest.mark.parametrize('climb', [-10.0, -3.0], ids=['10 deg', '3 deg'])
def test_acceptance_05_a_free_vehicle_rolls_down(dt, climb):
    """By g sin M / (M + sum I / R^2) along the slope, within 0.2 %."""
    world, angle = world_with('ack', 'raw', dt), math.radians(climb)
    tilt(world, angle)
    run(world, 2.0)
    along = world.vehicles.twist_body[0, 0] / math.cos(angle)
    expected = -G * math.sin(angle) * mass(world) / (mass(world) + spin_mass(world))
    assert along / 2.0 == pytest.approx(expected, rel=2e-3)


def test_acceptance_05_rolls_down_an_elevation_map(dt):
    """The same on a map of a plane that falls by 0.1 a metre."""
    world = physical(vehicle('diff4', 'raw', friction=DefaultTyre(C_damping=0.0)),
                     elements=(slope(-0.1),), dt=dt)
    run(world, 2.0)
    speed = math.hypot(*world.vehicles.twist_body[0, :2]) / math.cos(math.atan(0.1))
    expected = G * math.sin(math.atan(0.1)) * mass(world) / (mass(world) + spin_mass(world))
    assert speed / 2.0 == pytest.approx(expected, rel=5e-3)


def test_acceptance_06_coasting_uphill_turns_motion_into_height(dt):
    """Energy stays within 0.1 %, and within half a step of the motion."""
    world, angle = world_with('ack', 'raw', dt, init_twist=(3.0, 0.0, 0.0)), math.radians(10)
    tilt(world, angle)
    world.vehicles.start_rolling(0, (3.0 / math.cos(angle), 0.0, 0.0))
    run(world, 1.0)
    speed = world.vehicles.twist_body[0, 0] / math.cos(angle)
    height = world.vehicles.pose[0, 0] * math.tan(angle)
    before = 0.5 * (mass(world) + spin_mass(world)) * (3.0 / math.cos(angle)) ** 2
    after = 0.5 * (mass(world) + spin_mass(world)) * speed ** 2 + mass(world) * G * height
    assert after == pytest.approx(before, rel=1e-3 + 0.4 * dt)


@pytest.mark.parametrize('case, tyre, bound', [
    pytest.param('T_rr C_rr=.02', DefaultTyre(C_rr=0.02, C_damping=0.0), 4e-3, id='C_rr'),
    pytest.param('C_damping=.05', DefaultTyre(C_damping=0.05), 0.02, id='C_damping'),
    pytest.param('WI eq2', WardIagnemmaTyre(C_damping=0.0), 4e-3, id='Ward-Iagnemma'),
])
def test_acceptance_07_coasts_down(table, dt, case, tyre, bound):
    """The reference, whose wheels do not slip; here the braked ones slip a little."""
    rows = [row for row in table('coast_down.csv') if row['case'] == case]
    world = world_with('diff4', 'raw', dt, friction=tyre, init_twist=(2.0, 0.0, 0.0))
    for row in rows:
        if row['t'] <= 1.01:
            world.step(round(row['t'] / dt) - world.steps)
            expected = np.interp(
                world.steps * dt, [0.0] + [r['t'] for r in rows],
                [2.0] + [r['vx'] for r in rows])
            assert world.vehicles.twist_body[0, 0] == pytest.approx(expected, rel=bound)


def test_resistance_never_turns_motion_round(dt):
    """A robot comes to rest and stays; its tyres spring back by less than 1 % of its speed."""
    world = world_with('diff4', 'raw', dt, C_rr=0.05, C_damping=0.05, init_twist=(0.5, 0.0, 0.0))
    for _ in range(200):
        run(world, 0.02)
        assert world.vehicles.twist_body[0, 0] > -5e-3
    assert abs(world.vehicles.twist_body[0, 0]) < 1e-5


@pytest.mark.parametrize('kind, controller', [
    ('diff2', 'pid'), ('diff3', 'pid'), ('diff4', 'pid'), ('ack', 'twist_front'),
    ('torsen_rear', 'front')], ids=['diff2', 'diff3', 'diff4', 'car', 'drivetrain'])
def test_acceptance_04_holds_on_a_slope(dt, kind, controller):
    """15 degrees for ten minutes: 1 mm at most, nothing of it creep."""
    world = world_with(kind, controller, dt)
    tilt(world, math.radians(15))
    run(world, 2.0)
    settled = world.vehicles.pose[0].copy()
    run(world, 598.0)
    assert np.abs(world.vehicles.pose[0, :2]).max() < 1e-3
    assert np.abs(world.vehicles.pose[0] - settled).max() < 1e-9


@pytest.mark.parametrize('kind, controller', [('diff2', 'pid'), ('ack', 'twist_front')],
                         ids=['robot', 'car'])
def test_drives_a_steady_circle(dt, kind, controller):
    """The radius of the command within 1 %, the place on it after many turns as well."""
    world = world_with(kind, controller, dt)
    v, w = (1.0, 1.0) if kind == 'diff2' else (2.0, 0.4)
    world.vehicles.set_twist(0, v, w)
    run(world, 15.0)
    points = []
    for _ in range(40):
        run(world, 0.4)
        points.append(world.vehicles.pose[0, :2].copy())
    x, y = np.array(points).T
    a, b, c = np.linalg.lstsq(np.column_stack([x, y, np.ones(40)]), x * x + y * y, rcond=None)[0]
    assert math.sqrt(c + 0.25 * (a * a + b * b)) == pytest.approx(v / w, rel=0.01)
    twist = world.vehicles.twist_body[0]
    assert twist[[0, 2]] == pytest.approx([v, w], rel=0.01)


def test_acceptance_09_all_steps_give_one_circle():
    """At the limit of grip the radius is the same within 0.5 % from 1 to 20 ms."""
    radii = []
    for dt in (0.001, 0.005, 0.01, 0.02):
        world = world_with('ack', 'twist_front', dt)
        world.vehicles.set_twist(0, 5.0, 1.0)
        run(world, 15.0)
        twist = world.vehicles.twist_body[0]
        radii.append(math.hypot(twist[0], twist[1]) / twist[2])
    assert max(radii) == pytest.approx(min(radii), rel=5e-3)


def test_accelerates_by_friction_at_most(dt):
    """With all wheels driven and far too much torque: mu g within 1 %."""
    world = world_with('diff4', 'raw', dt, mu=0.4)
    world.vehicles.set_torques(0, (50.0, 50.0))
    run(world, 1.0)
    assert world.vehicles.twist_body[0, 0] == pytest.approx(0.4 * G, rel=0.02)


def test_the_wheels_may_be_of_any_size(dt):
    """Tiny wheels on tall axles stand as still as others."""
    small = WheelSpec((0.0, 0.1, 0.0), mass=0.02, width=0.01, diameter=0.03)
    world = world_with('diff2', 'pid', dt)
    spec = world.vehicles.specs[0]
    world.add_vehicle(replace(
        spec, name='small', init_pose=Pose(5.0), dynamics=replace(
            spec.dynamics, l_wheel=small, r_wheel=replace(small, pos=(0.0, -0.1, 0.0)),
            controller=replace(spec.dynamics.controller, KP=0.02, KI=0.02))))
    world.vehicles.set_twist(1, 0.2, 0.0)
    run(world, 4.0)
    assert world.vehicles.twist_body[1, 0] > 0.1
    world.vehicles.set_twist(1, 0.0, 0.0)
    run(world, 6.0)
    assert np.abs(world.vehicles.twist_body[1]).max() < 1e-6


def step_of(x, start, end):
    """Return a smooth rise from 0 to 1 m between two places."""
    share = np.clip((x - start) / (end - start), 0.0, 1.0)
    return 0.5 - 0.5 * np.cos(math.pi * share)


def coasting(dt, heights, speed, yaw):
    """
    Return a car with light wheels and without losses that coasts over a ridge.

    :param heights: along its way, from -20 m on, a value each 0.25 m.
    :param yaw: of that way.
    """
    car = vehicle(
        'ack', 'raw', friction=DefaultTyre(mu=3.0, C_damping=0.0),
        init_pose=Pose(-18.0 * math.cos(yaw), -18.0 * math.sin(yaw), yaw=yaw),
        init_twist=(speed, 0.0, 0.0), wheels={'mass': 0.01})
    ridge = np.repeat(heights[:, None], len(heights), axis=1)
    ridge = HeightMap(ridge if yaw == 0.0 else ridge.T.copy(), 0.25, -20.0, -20.0)
    return physical(car, dt=dt, elements=(ElevationMapSpec(heights=ridge),))


@pytest.mark.parametrize('yaw', [0.0, 0.5 * math.pi], ids=['east', 'north'])
def test_acceptance_06_climbs_to_a_plateau(dt, yaw):
    """
    From level to level: the energy stays within 0.06 %, at 20 ms within 0.16 %.

    A slope takes none; what is lost goes at the bends.
    """
    world = coasting(dt, 2.0 * step_of(np.arange(-20.0, 20.0, 0.25), -8.0, 4.0), 8.0, yaw)
    world.step(round(4.2 / dt))
    assert world.vehicles.pose[0, 2] == pytest.approx(2.0, abs=1e-6)
    speed = world.vehicles.twist_body[0, 0]
    assert 0.5 * speed ** 2 + 2.0 * G == pytest.approx(32.0, rel=max(6e-4, 0.08 * dt))


def test_no_energy_comes_from_a_steep_way_up_and_a_gentle_one_down():
    x = np.arange(-20.0, 20.0, 0.25)
    ridge = 1.2 * (step_of(x, -14.0, -8.0) - step_of(x, -6.0, 12.0))  # it does not take off
    world = coasting(0.005, ridge, 7.0, 0.0)
    while world.vehicles.pose[0, 0] < 14.0:
        world.step(10)
    assert world.vehicles.pose[0, 2] == pytest.approx(0.0, abs=1e-6)
    assert world.vehicles.twist_body[0, 0] == pytest.approx(7.0, rel=2e-3)
