# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Locked and limited-slip differentials."""

from dataclasses import replace
import math

import numpy as np
import pytest

from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.world.spec import DefaultTyre, DrivetrainSpec, LinearTyre, PropertyRegionSpec

LEFT_ICE = PropertyRegionSpec(property_name='friction_mu', value_double=0.1, x_min=-50.0,
                              x_max=500.0, y_min=0.0, y_max=50.0)


@pytest.fixture
def car(vehicle, physics):
    """Return a maker of a car: drivetrain, its options, step, controller, fields, elements."""
    def make(
            kind, dt=0.005, controller='raw', mode='physical', ground=(), drivetrain=None,
            **fields):
        fields.setdefault('friction', DefaultTyre(mu=0.8, C_damping=0.0))
        spec = vehicle('open_rear', controller, **fields)
        dynamics = replace(
            spec.dynamics, drivetrain=DrivetrainSpec(kind=kind, **(drivetrain or {})))
        return physics(replace(spec, dynamics=dynamics), simul_timestep=dt,
                       options={'mode': mode}, elements=ground)
    return make


def launch(world, torque, seconds):
    """Return force and forces of the wheels at the end of a launch by a torque [N m]."""
    world.vehicles.set_torques(0, (torque,))
    world.step(round(seconds / world.dt))
    wheels = world.vehicles.wheels
    return float(wheels['force_x'].sum()), wheels


@pytest.mark.parametrize('kind', ['open_rear', 'locked_rear', 'limited_slip_rear'])
def test_launch_with_one_side_on_ice(car, dt, kind):
    """
    Open: half of the torque on each side. Locked: what each side takes. 1 %.

    Limited slip: the sides differ by preload + S M; 2 %, since loads change over the time.
    """
    world = car(kind, dt, ground=(LEFT_ICE,), drivetrain={'locking': 0.4, 'preload': 60.0})
    torque = {'locked_rear': 4000.0}.get(kind, 700.0)
    _, wheels = launch(world, torque, 0.4)
    before = wheels['omega'].copy()
    world.step(round(0.1 / dt))
    radius, inertia = wheels['radius'][0], wheels['inertia'][0]
    spin_up = inertia * (wheels['omega'] - before) / 0.1
    forces, loads = wheels['force_long'], wheels['normal_load']
    given = radius * forces[:2] + spin_up[:2]  # torques on the shafts
    assert forces[0] == pytest.approx(0.1 * loads[0], rel=1e-3)
    assert given.sum() == pytest.approx(torque, rel=0.01)
    if kind == 'open_rear':
        assert given == pytest.approx([0.5 * torque] * 2, rel=0.01)
    elif kind == 'locked_rear':
        assert forces[1] == pytest.approx(0.8 * loads[1], rel=1e-3)
        assert wheels['omega'][0] == pytest.approx(wheels['omega'][1], rel=1e-3)
    else:
        assert given[1] - given[0] == pytest.approx(60.0 + 0.4 * torque, rel=0.02)
        assert wheels['omega'][0] > wheels['omega'][1] + 5.0  # it slips


def test_a_weak_torque_does_not_slip(car, dt):
    """Where the difference is below preload + S M both sides turn alike."""
    world = car('limited_slip_rear', dt, ground=(LEFT_ICE,),
                drivetrain={'locking': 0.5, 'preload': 400.0})
    _, wheels = launch(world, 300.0, 1.0)
    assert wheels['omega'][0] == pytest.approx(wheels['omega'][1], rel=1e-3)
    assert wheels['force_long'][1] > 1.2 * wheels['force_long'][0]


@pytest.mark.parametrize(('centre', 'share'), [('open', 0.0), ('locked', 1.0)])
def test_a_locked_centre_drives_the_axle_that_grips(car, centre, share):
    """Front wheels on ice: open gives the rear no more than the front, locked all it takes."""
    ice = replace(LEFT_ICE, x_min=0.5, y_min=-50.0, value_double=0.05)
    world = car('open_4wd', ground=(ice,), drivetrain={'centre_differential': centre})
    _, wheels = launch(world, 1500.0, 0.08)  # the rear wheels are before the ice still
    front, rear = wheels['omega'][2:].mean(), wheels['omega'][:2].mean()
    if share:
        assert front == pytest.approx(rear, rel=1e-3)
        assert wheels['force_long'][:2].sum() > 4.0 * wheels['force_long'][2:].sum()
    else:
        assert front > 2.0 * rear


@pytest.mark.parametrize('turn', [0.08, -0.08])
def test_a_locked_axle_scrubs_in_a_bend(car, turn):
    """
    Linear tyres at V on a circle: slips -+ w d / (2 V), forces C_s times that; 2 %.

    Without drive the sum of both is what slows the car, so the mean of the slips is small.
    """
    tyre = LinearTyre(C_s=8e3, C_alpha=8e4, mu=2.0, C_damping=0.0)
    world = car('locked_rear', 0.005, friction=tyre, init_twist=(5.0, 0.0, 0.0))
    world.vehicles.set_torques(0, (0.0,), steering=turn)
    world.step(300)
    wheels, twist = world.vehicles.wheels, world.vehicles.twist_body[0]
    assert wheels['omega'][0] == pytest.approx(wheels['omega'][1], abs=1e-9)
    rim = wheels['omega'][0] * wheels['radius'][0]
    for k, y in ((0, 1.0), (1, -1.0)):
        hub = twist[0] - twist[2] * y
        across = twist[1] + twist[2] * wheels['x'][k]
        slip = (rim - hub) / max(math.hypot(hub, across), rim)
        assert wheels['force_long'][k] == pytest.approx(8e3 * slip, rel=0.02)
    pair = wheels['force_long'][:2]
    assert pair[0] * pair[1] < 0.0
    assert math.copysign(1.0, pair[0]) == math.copysign(1.0, turn)  # the inner wheel drives


def test_a_locked_axle_turns_less(car):
    """The same steering, the same speed: it understeers."""
    rates = []
    for kind in ('open_rear', 'locked_rear'):
        world = car(kind, controller='twist_front')
        world.vehicles.set_steering(0, 4.0, 0.15)
        world.step(800)
        rates.append(world.vehicles.twist_body[0, 2])
        assert world.vehicles.twist_body[0, 0] == pytest.approx(4.0, rel=0.05)
    assert 0.2 * rates[0] < rates[1] < 0.99 * rates[0]


@pytest.mark.parametrize('kind', ['locked_rear', 'locked_4wd', 'limited_slip_4wd'])
def test_motion_does_not_depend_on_the_step(car, kind):
    """A bend by commands of the controller, half of the car on ice: 3 % from 1 to 20 ms."""
    found = []
    for dt in (0.001, 0.005, 0.01, 0.02):
        world = car(kind, dt, controller='twist_front', ground=(LEFT_ICE,))
        world.vehicles.set_twist(0, 4.0, 0.3)
        world.step(round(3.0 / dt))
        found.append([*world.vehicles.twist_body[0, [0, 2]], *world.vehicles.pose[0, :2]])
    assert np.isfinite(found).all()
    for row in found[1:]:
        assert row == pytest.approx(found[0], rel=0.03, abs=0.03)


@pytest.mark.parametrize('kind', ['locked_4wd', 'limited_slip_4wd'])
def test_no_energy_comes_from_them(car, dt, kind):
    """A car that coasts askew and turning, wheels at odd speeds."""
    world = car(kind, dt, init_twist=(6.0, 2.0, 0.8), drivetrain={'preload': 300.0})
    wheels, record = world.vehicles.wheels, world.vehicles.arrays.records[0]
    wheels['omega'] = (40.0, -10.0, 0.0, 25.0)

    def energy():
        vx, vy, w = world.vehicles.twist_body[0]
        across = vy + w * record['com_x']
        return float(0.5 * (record['mass'] * (vx ** 2 + across ** 2)
                            + record['turn_inertia'] * w ** 2
                            + (wheels['inertia'] * wheels['omega'] ** 2).sum()))
    last = energy()
    for _ in range(round(1.0 / dt)):
        world.step()
        now = energy()
        assert now <= last * (1.0 + 1e-4) + 1e-6
        last = now


def test_mirrored_bends_are_mirrored(car):
    ends = []
    for side in (1.0, -1.0):
        world = car('limited_slip_4wd', controller='twist_front', drivetrain={'preload': 50.0})
        world.vehicles.set_twist(0, 5.0, 0.5 * side)
        world.step(400)
        x, y = world.vehicles.pose[0, :2]
        ends.append((x, side * y))
    assert ends[0] == pytest.approx(ends[1], abs=1e-4)


@pytest.mark.parametrize('kind', ['locked_rear', 'limited_slip_front'])
def test_mode_mvsim_refuses_them(car, kind):
    with pytest.raises(PhysicsError, match="differential, which physics mode 'mvsim' does not"):
        car(kind, mode='mvsim')


def test_a_differential_needs_a_driven_axle():
    """`front_differential` in a car with rear drive is an error."""
    found = list(DrivetrainSpec(kind='open_rear', front_differential='locked').problems())
    assert found == ["front_differential is given, but type 'open_rear' has none there: leave it "
                     'out, or drive that axle']
