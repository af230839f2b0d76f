# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tyres, brakes and differentials of single axles on suspended vehicles."""

from dataclasses import replace
import math

import numpy as np
import pytest

from mvsim_ros2.world.spec import (
    BrakesSpec, DefaultTyre, DrivetrainSpec, LinearTyre, PropertyRegionSpec)

WHEELS = ('rl_wheel', 'rr_wheel', 'fl_wheel', 'fr_wheel')
LEFT_ICE = PropertyRegionSpec(property_name='friction_mu', value_double=0.1, x_min=-50.0,
                              x_max=500.0, y_min=0.0, y_max=50.0)


@pytest.fixture(scope='session')
def car(vehicle, physics):
    """Return a maker of a suspended car: kind, step, ground, parts of its dynamics, its fields."""
    def make(kind='ack', dt=0.005, ground=(), lag=0.15, parts=None, **fields):
        spec = vehicle(kind, 'raw', **{'friction': DefaultTyre(mu=0.8, C_damping=0.0), **fields})
        sprung = {name: replace(
            getattr(spec.dynamics, name), suspension_stiffness=1.5e4, suspension_damping=1500.0,
            tyre_stiffness=1.5e5) for name in WHEELS}
        chassis = replace(spec.dynamics.chassis, mass=500.0, load_transfer_lag=lag)
        dynamics = replace(spec.dynamics, chassis=chassis, **sprung, **(parts or {}))
        return physics(replace(spec, dynamics=dynamics), simul_timestep=dt, elements=ground,
                       options={'mode': 'physical'})
    return make


def test_axles_slide_at_their_own_friction(car, run, dt):
    """Front tyres of mu 0.5, rear ones of 0.3: each force is mu N, 0.2 %."""
    world = car(dt=dt, front_friction=DefaultTyre(mu=0.5, C_damping=0.0),
                rear_friction=DefaultTyre(mu=0.3, C_damping=0.0), init_twist=(15.0, 0.0, 0.0))
    world.vehicles.wheels['brake'] = 1e5
    run(world, 0.8)
    wheels = world.vehicles.wheels
    assert -wheels['force_long'] / wheels['normal_load'] == pytest.approx(
        [0.3, 0.3, 0.5, 0.5], rel=2e-3)
    assert wheels['normal_load'][2] > 1.2 * wheels['normal_load'][0]  # it dives


@pytest.mark.parametrize('across', [0.25, 0.6])
def test_slip_builds_up_over_the_relaxation_length(car, run, across):
    """By 1 - exp(-way / length), after a step of the steering: 3 %."""
    tyre = LinearTyre(C_s=200.0, C_alpha=200.0, mu=1.0, C_damping=0.0,
                      lateral_relaxation_length=across)
    world = car(dt=0.001, friction=tyre, init_twist=(4.0, 0.0, 0.0))
    world.vehicles.set_torques(0, (0.0, 0.0), steering=math.radians(4.0))
    run(world, across / 4.0)
    wheels = world.vehicles.wheels
    built = wheels['slip_y'][2:] / np.sin(wheels['steer'][2:])
    done = 4.0 * world.steps * world.dt / across
    assert np.abs(built) == pytest.approx([1.0 - math.exp(-done)] * 2, rel=0.03)


def test_brakes_push_by_their_balance(car, run, dt):
    """Wheels that roll: brake torque over radius on each axle, 2 % for their own inertia."""
    world = car(dt=dt, parts={'brakes': BrakesSpec(torque=100.0, balance=0.7)},
                init_twist=(15.0, 0.0, 0.0))
    world.vehicles.set_brake(0, 1.0)
    run(world, 1.0)
    wheels = world.vehicles.wheels
    assert wheels['omega'].min() > 10.0
    assert -wheels['force_long'] * wheels['radius'] == pytest.approx(
        [60.0, 60.0, 140.0, 140.0], rel=0.05)
    assert wheels['force_long'][2] / wheels['force_long'][0] == pytest.approx(7.0 / 3.0, rel=0.04)


def test_a_handbrake_brings_the_rear_round(car, run):
    turned = []
    for pulled in (0.0, 1.0):
        world = car(init_twist=(7.0, 0.0, 0.0), parts={'brakes': BrakesSpec(
            parking_torque=3000.0, parking_wheels='rear')})
        world.vehicles.set_torques(0, (0.0, 0.0), steering=0.1)
        run(world, 0.4)
        world.vehicles.set_parking_brake(0, pulled)
        run(world, 0.6)
        turned.append(float(world.vehicles.pose[0, 3]))
        spins = world.vehicles.wheels['omega']
        assert (np.abs(spins[:2]).max() < 1e-9) == bool(pulled)
        assert spins[2:].min() > 5.0
    assert turned[1] > 1.3 * turned[0] > 0.2


@pytest.mark.parametrize('kind', ['open_rear', 'locked_rear', 'limited_slip_rear'])
def test_launch_with_one_side_on_ice(car, run, dt, kind):
    """Open shares the torque, locked turns both sides alike, limited slip by preload + S M."""
    torque = {'locked_rear': 250.0}.get(kind, 500.0)
    world = car('open_rear', dt, (LEFT_ICE,), parts={'drivetrain': DrivetrainSpec(
        kind=kind, locking=0.4, preload=60.0)})
    world.vehicles.set_torques(0, (torque,))
    run(world, 0.4)
    wheels = world.vehicles.wheels
    before, radius, inertia = wheels['omega'].copy(), wheels['radius'][0], wheels['inertia'][0]
    run(world, 0.1)
    given = (radius * wheels['force_long'] + inertia * (wheels['omega'] - before) / 0.1)[:2]
    assert wheels['force_long'][0] == pytest.approx(0.1 * wheels['normal_load'][0], rel=0.02)
    assert given.sum() == pytest.approx(torque, rel=0.02)
    if kind == 'open_rear':
        assert given == pytest.approx([0.5 * torque] * 2, rel=0.02)
    elif kind == 'locked_rear':
        assert wheels['omega'][0] == pytest.approx(wheels['omega'][1], rel=1e-3)
        assert given[1] > 2.5 * given[0]
    else:
        assert given[1] - given[0] == pytest.approx(60.0 + 0.4 * torque, rel=0.03)
        assert wheels['omega'][0] > wheels['omega'][1] + 5.0


def test_loads_follow_the_springs_and_not_the_lag(car, run):
    """The lag of load transfer is what a body on hard tyres has in their place."""
    ends = []
    for lag in (0.0, 0.3):
        world = car(lag=lag, init_twist=(12.0, 0.0, 0.0))
        world.vehicles.wheels['brake'] = 500.0
        run(world, 0.5)
        ends.append((world.vehicles.pose.tobytes(), world.vehicles.wheels.tobytes()))
    assert ends[0] == ends[1]
