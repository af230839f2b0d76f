# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Parking brakes on slopes, at every step from 1 to 20 ms."""

from dataclasses import replace
import math

import numpy as np
import pytest

from mvsim_ros2.world.spec import BrakesSpec, ClayTyre, DefaultTyre, MagicFormulaTyre

G = 9.81


def parked(vehicle, physics, kind, torque, dt):
    """Return a world with a vehicle whose parking brakes are set."""
    spec = vehicle(kind, 'raw', friction=DefaultTyre(mu=0.8, C_damping=0.0))
    spec = replace(spec, dynamics=replace(
        spec.dynamics, brakes=BrakesSpec(parking_torque=torque, parked=True)))
    return physics(spec, simul_timestep=dt, options={'mode': 'physical'})


@pytest.mark.parametrize('kind', ['ack', 'single', 'tracked', 'skid6', 'diff4'])
def test_a_parking_brake_holds_on_a_slope(vehicle, physics, run, tilt, kind, dt):
    """For a minute on 15 degrees: the tyres give by less than 2 mm, then nothing moves."""
    world = parked(vehicle, physics, kind, 1e3, dt)
    tilt(world, math.radians(15))
    run(world, 5.0)
    there = world.vehicles.pose[0, :2].copy()
    assert np.abs(there).max() < 2e-3
    run(world, 55.0)
    assert world.vehicles.pose[0, :2] == pytest.approx(there, abs=1e-6)
    world.vehicles.set_parking_brake(0, False)
    run(world, 1.0)
    assert world.vehicles.twist_body[0, 0] < -1.0


@pytest.mark.parametrize('kind', ['ack', 'diff4', 'single', 'tracked'])
@pytest.mark.parametrize('share, slides', [(0.8, True), (1.05, False)],
                         ids=['too weak', 'just strong enough'])
def test_a_weak_parking_brake_gives_way(vehicle, physics, run, tilt, kind, share, slides, dt):
    """Where its torque is less than M g sin R / n; it rolls by the difference, within 3 %."""
    climb = math.radians(10)
    probe = parked(vehicle, physics, kind, 1.0, dt)
    wheels, mass = probe.vehicles.wheels, float(probe.vehicles.arrays.records['mass'][0])
    needed = mass * G * math.sin(climb) / float((1.0 / wheels['radius']).sum())
    world = parked(vehicle, physics, kind, share * needed, dt)
    tilt(world, climb)
    run(world, 4.0)
    speed = -world.vehicles.twist_body[0, 0] / math.cos(climb)
    if not slides:
        assert abs(speed) < 1e-5
        return
    inert = mass + float((wheels['inertia'] / wheels['radius'] ** 2).sum())
    expected = 4.0 * (1.0 - share) * mass * G * math.sin(climb) / inert
    assert speed == pytest.approx(expected, rel=0.03)


@pytest.mark.parametrize('kind', ['ack', 'single'])
@pytest.mark.parametrize('tyre', [DefaultTyre(), MagicFormulaTyre(), ClayTyre()],
                         ids=['default', 'magic_formula', 'clay'])
def test_a_locked_wheel_that_is_let_go_soon_rolls(vehicle, physics, kind, tyre):
    """A tyre that slides is deflected no more than one about to: it does not fling its wheel."""
    world = physics(vehicle(kind, 'raw', friction=tyre, init_twist=(8.0, 0.0, 0.0)),
                    simul_timestep=0.005, options={'mode': 'physical'})
    wheels, fastest = world.vehicles.wheels, 0.0
    wheels['brake'] = 1e5
    world.step(4)
    wheels['brake'] = 0.0
    for _ in range(60):
        world.step()
        speed = world.vehicles.twist_body[0, 0]
        fastest = max(fastest, float((wheels['omega'] * wheels['radius']).max()) - speed)
    assert fastest < 1.5
    assert wheels['omega'] * wheels['radius'] == pytest.approx(speed, rel=0.02)


@pytest.mark.parametrize('tyre', [DefaultTyre(mu=0.0), MagicFormulaTyre(D=0.0)],
                         ids=['default', 'magic_formula'])
def test_a_tyre_that_pushes_nothing_is_not_deflected(vehicle, physics, tyre):
    """Where it comes upon grip, or to the ground, it pushes off nothing."""
    world = physics(vehicle('ack', 'raw', friction=tyre, init_twist=(1.0, 0.5, 0.2)),
                    simul_timestep=0.005, options={'mode': 'physical'})
    world.vehicles.wheels['omega'] *= -1.0
    world.step(10)
    assert not world.vehicles.wheels['slip_x'].any()
    assert not world.vehicles.wheels['slip_y'].any()
