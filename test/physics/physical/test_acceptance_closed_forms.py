# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Acceptance list of mode physical, number 3: the closed forms A1 to A16 of the reference.

`golden/models/analytic.json` says what each is; steps are 1, 5, 10 and 20 ms.
"""

from dataclasses import replace
import json
import math

import numpy as np
import pytest
from small_worlds import physical, run, tilt, vehicle, world_with

from mvsim_ros2.physics.physical import wheel_loads
from mvsim_ros2.world.spec import (
    AckermannDrivetrainSpec, ChassisSpec, DefaultTyre, Differential4Spec, DrivetrainSpec,
    LinearTyre, RawController, SingleTrackSpec, VehicleSpec, WardIagnemmaTyre, WheelSpec)

G = 9.81


@pytest.fixture(scope='module')
def forms(shared):
    """Return the closed forms of the reference."""
    found = json.loads((shared / 'golden/models/analytic.json').read_text())
    return {name.split('_')[0]: value for name, value in found.items()}


def mass(world):
    """Return the mass of the vehicle with its wheels [kg]."""
    return float(world.vehicles.arrays.records['mass'][0])


def box(length, width, **changes):
    """Return a box around the origin, without damping."""
    x, y = 0.5 * length, 0.5 * width
    return ChassisSpec(shape=((-x, -y), (-x, y), (x, y), (x, -y)), **changes)


def car(mass, rear, front, height, wheel, kind='open_rear'):
    """Return a car with its centre of mass in the origin, all but the weight of the wheels."""
    return AckermannDrivetrainSpec(
        chassis=box(4.0, 1.6, mass=mass, zmin=height - 0.1, zmax=height + 0.1),
        rl_wheel=replace(wheel, pos=(-rear, 0.75, 0.0)), fl_wheel=wheel, fr_wheel=wheel,
        rr_wheel=replace(wheel, pos=(-rear, -0.75, 0.0)), f_wheels_x=front, f_wheels_d=1.5,
        drivetrain=DrivetrainSpec(kind=kind), controller=RawController())


def tractor():
    """Return the vehicle of the single-track document."""
    leg = WheelSpec(mass=30.0, diameter=0.8)
    shift = 30.0 * 0.1 / 440.0  # against that of the wheels
    chassis = box(1.8, 1.2, mass=440.0, zmin=0.3, zmax=1.2, yaw_inertia=500.0)
    return SingleTrackSpec(
        chassis=replace(chassis, shape=tuple((x + shift, y) for x, y in chassis.shape)),
        f_wheel=replace(leg, pos=(0.6, 0.0, 0.0)), r_wheel=replace(leg, pos=(-0.7, 0.0, 0.0)),
        controller=RawController())


def test_acceptance_03_a01_damping_of_the_body(dt, forms):
    """The body of the engine: v / (1 + dt c) in each step."""
    form = forms['A1']
    world = physical(vehicle('diff4', 'raw', damping=form['c'], friction=DefaultTyre(mu=0.0),
                             init_twist=(form['v0'], 0.0, 0.0)), dt=dt)
    run(world, form['t'])
    speed = world.vehicles.twist_body[0, 0]
    assert speed == pytest.approx(
        form['v0'] / (1.0 + dt * form['c']) ** round(form['t'] / dt), rel=1e-4)
    assert speed == pytest.approx(form['v'], rel=3e-4)


def test_acceptance_03_a02_rolling_resistance(dt, forms):
    """Coasting with C_rr, 1 %."""
    world = world_with('diff4', 'raw', dt, C_rr=forms['A2']['C_rr'], init_twist=(2.0, 0.0, 0.0))
    run(world, 1.0)
    assert world.vehicles.twist_body[0, 0] - 2.0 == pytest.approx(forms['A2']['a'], rel=0.01)


def test_acceptance_03_a03_damped_axles(dt, forms):
    """Coasting with C_damping, 2 %: braked wheels slip a little, those of the form do not."""
    world = world_with('diff4', 'raw', dt, C_damping=forms['A3']['C_each'],
                       init_twist=(2.0, 0.0, 0.0))
    run(world, 1.0)
    assert world.vehicles.twist_body[0, 0] == pytest.approx(
        forms['A3']['v_at_1s_from_2'], rel=0.02)


def test_acceptance_03_a04_terminal_speed(dt, forms):
    """Driven against the resistance of Ward and Iagnemma, 0.1 %."""
    world = world_with('diff4', 'raw', dt, friction=WardIagnemmaTyre(C_damping=0.0))
    world.vehicles.set_torques(0, (forms['A4']['tau_each'],) * 2)
    run(world, 60.0)
    assert world.vehicles.twist_body[0, 0] == pytest.approx(forms['A4']['v'], rel=1e-3)


def test_acceptance_03_a05_stopping_distance(dt, forms):
    """
    Locked wheels, 1 % and half a step of motion.

    :claim: Locked wheels stop after v^2 / (2 mu g), within 1 %, or half a step of motion and 5 mm
    :reference: closed form
    :figure: pictures/experiments/stops.png
    """
    for form in forms['A5']:
        world = world_with('diff4', 'pid', dt, form['mu'], init_twist=(form['v0'], 0.0, 0.0))
        world.vehicles.arrays.records['stopped'] = 100.0  # m/s: hold at once
        world.vehicles.wheels['omega'] = 0.0
        run(world, form['t'] + 0.5)
        assert world.vehicles.pose[0, 0] == pytest.approx(
            form['d'], rel=0.01, abs=0.5 * form['v0'] * dt + 0.005)


def test_acceptance_03_a06_acceleration_of_a_rear_drive(dt, forms):
    """With load transfer, 1 %."""
    form = forms['A6']['example']
    wheel = WheelSpec(mass=0.1, diameter=0.6, inertia=0.05)
    world = physical(VehicleSpec('r1', friction=DefaultTyre(mu=form['mu'], C_damping=0.0),
                                 dynamics=car(1200.0, form['L'] - form['LF'], form['LF'],
                                              form['h'], wheel)), dt=dt)
    world.vehicles.set_torques(0, (8000.0,))
    run(world, 1.0)
    before = world.vehicles.twist_body[0, 0]
    run(world, 1.0)
    assert world.vehicles.twist_body[0, 0] - before == pytest.approx(form['a_max'], rel=0.01)


def test_acceptance_03_a07_kinematic_circle(dt, forms):
    """Of the middle of the rear axle at walking pace, 1 %."""
    for form in forms['A7']:
        world = world_with('ack', 'front', dt)
        world.vehicles.set_steering(0, 0.4, form['delta'])
        run(world, 8.0)
        ahead, _, turn = world.vehicles.twist_body[0]
        assert ahead / turn == pytest.approx(form['R_rear'], rel=0.01)


def test_acceptance_03_a08_circle_of_linear_tyres(dt, forms):
    """R = (L + K V^2) / delta of the single track, 0.5 %."""
    for form in forms['A8']:
        world = physical(
            VehicleSpec('r1', dynamics=tractor(), init_twist=(form['V'], 0.0, 0.0),
                        friction=LinearTyre(C_s=55000.0, C_alpha=27500.0, C_damping=0.0)), dt=dt)
        world.vehicles.set_torques(0, (0.0,), form['delta'])
        run(world, 2.0)
        ahead, aside, turn = world.vehicles.twist_body[0]
        speed = math.hypot(ahead, aside)
        assert speed == pytest.approx(form['V'], rel=0.05)  # it coasts
        understeer = (form['R'] * form['delta'] - 1.3) / form['V'] ** 2
        assert speed / turn == pytest.approx(
            (1.3 + understeer * speed ** 2) / form['delta'], rel=5e-3)


@pytest.mark.parametrize('across', [False, True], ids=['along', 'across'])
def test_acceptance_03_a09_slides_from_the_angle_of_friction(dt, forms, across):
    """
    From atan(mu) within 0.05 degrees; at 45 degrees with g (sin - mu cos), 1 %.

    :claim: A robot starts to slide at the angle of friction, within 0.05 degrees
    :reference: tan a = mu
    :figure: images/physics_hills.png
    """
    for form in forms['A9']:
        right = math.radians(form['theta_slide_right_deg'])
        for angle, slides in ((right - math.radians(0.05), False),
                              (right + math.radians(0.05), True), (math.pi / 4, True)):
            world = world_with('diff4', 'pid', dt, form['mu'])
            world.vehicles.arrays.records['com_height'] = 0.0  # it would tip over
            tilt(world, *(0.0, angle) if across else (angle,))
            run(world, 20.0 if angle < 0.7 else 1.0)
            first = np.hypot(*world.vehicles.twist_body[0, :2])
            run(world, 1.0)
            gained = np.hypot(*world.vehicles.twist_body[0, :2]) - first
            assert gained > 1e-3 if slides else abs(gained) < 1e-6
            if angle == math.pi / 4:
                assert gained / math.cos(angle) == pytest.approx(
                    form['slide_accel_at_45deg'], rel=0.01)


def test_acceptance_03_a10_speed_in_a_bend(dt, forms):
    """Below sqrt(mu g R) the bend is held, 3 %; above it the ground gives mu g, no more."""
    for form in forms['A10']:
        for part in (0.9, 1.2):
            world = world_with('ack', 'raw', dt, form['mu'],
                               init_twist=(part * form['v'], 0.0, 0.0))
            world.vehicles.arrays.records['com_height'] = 0.0
            world.vehicles.set_torques(0, (0.0, 0.0), math.atan(1.3 / form['R']))
            most = 0.0
            for _ in range(20):
                run(world, 0.1)
                wheels = world.vehicles.wheels
                most = max(most, float(np.hypot(
                    wheels['force_x'].sum(), wheels['force_y'].sum()) / mass(world)))
            ahead, _, turn = world.vehicles.twist_body[0]
            if part < 1.0:
                assert ahead / turn == pytest.approx(form['R'], rel=0.03)
            least = 0.7 if part < 1.0 else 0.85
            assert least * form['mu'] * G <= most <= 1.000001 * form['mu'] * G


def test_acceptance_03_a11_free_roll(dt, forms):
    """Down a slope with the inertia of the wheels, 0.2 %."""
    form = forms['A11']
    wheel = WheelSpec(mass=10.0, diameter=0.6, inertia=form['sumIR2'] / 4.0 * 0.09)
    world = physical(VehicleSpec('r1', friction=DefaultTyre(C_damping=0.0),
                                 dynamics=car(form['M'] - 40.0, 1.3, 1.3, 0.5, wheel)), dt=dt)
    angle = math.radians(form['th_deg'])
    tilt(world, -angle)
    run(world, 2.0)
    assert world.vehicles.twist_body[0, 0] / math.cos(angle) / 2.0 == pytest.approx(
        form['a'], rel=2e-3)


def test_acceptance_03_a14_turns_over(forms):
    """The inner wheels lift off at g t / 2 h."""
    form, x = forms['A14'], np.array([1.0, 1.0, -1.0, -1.0])
    y = 0.5 * form['track'] * np.array([1.0, -1.0, 1.0, -1.0])
    for part, over in ((0.999, False), (1.001, True)):
        loads = 1000.0 * np.array((G, 0.0, -form['h'] * part * form['ay'])) @ (
            wheel_loads.load_shares(x, y))
        assert loads.sum() == pytest.approx(1000.0 * G)
        inner = loads[[0, 2]].sum()  # those on the left
        assert abs(inner) < 0.001 * 1000.0 * G
        assert bool(inner < 0.0) is over


def test_acceptance_03_a15_single_track_on_a_side_slope(dt, forms):
    """Yaw rate that a slope across the vehicle makes without steering, 2 %."""
    form = forms['A15']
    world = physical(VehicleSpec('r1', dynamics=tractor(), init_twist=(form[
        'V'], 0.0, 0.0), friction=LinearTyre(C_s=55000.0, C_alpha=27500.0, C_damping=0.0)), dt=dt)
    tilt(world, 0.0, -math.radians(form['a_deg']))  # the left side is low
    run(world, 6.0)
    assert world.vehicles.twist_body[0, 2] == pytest.approx(form['r'], rel=0.02)


def test_acceptance_03_a16_does_not_correct_yaw_too_much(dt):
    """With rho = sum m x^2 / I above 2, where the original chatters for ever, it comes to rest."""
    wheel = WheelSpec(mass=1.0, diameter=0.2)
    dynamics = Differential4Spec(chassis=box(0.5, 0.5, mass=15.0), **{
        f'{name}_wheel': replace(wheel, pos=(x, y, 0.0)) for name, x, y in (
            ('lr', -0.9, 0.3), ('rr', -0.9, -0.3), ('lf', 0.9, 0.3), ('rf', 0.9, -0.3))})
    world = physical(VehicleSpec('r1', dynamics=dynamics,
                                 init_twist=(0.0, 0.0, math.radians(1.0))), dt=dt)
    record = world.vehicles.arrays.records[0]
    assert record['mass'] * 0.9 ** 2 / record['turn_inertia'] > 2.0
    run(world, 2.0)
    assert abs(world.vehicles.twist_body[0, 2]) < 1e-6
