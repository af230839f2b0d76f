# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""How torque is shared among wheels: open, locked and limited-slip differentials."""

from dataclasses import replace
import math

from hypothesis import given, strategies as st
import numpy as np
import pytest
from small_worlds import physics, SUSPENDED, vehicle

from mvsim_ros2.errors import PhysicsError
from mvsim_ros2.physics.state.record_layout import (
    ALL_WHEELS, FRONT_WHEELS, REAR_WHEELS, VEHICLE, WHEEL)
from mvsim_ros2.physics.vehicle.drivetrain import give_torques, torsen, torsen_tbr, wheel_shares
from mvsim_ros2.world.spec import DefaultTyre, DrivetrainSpec, LinearTyre, PropertyRegionSpec

SPINS = st.floats(-1e6, 1e6) | st.sampled_from([0.0, 1e-300, -1e-20])


def record(kind, locks, **values):
    """Return the record of a vehicle with a drivetrain."""
    vehicle = np.zeros(1, VEHICLE)[0]
    vehicle['drivetrain'] = kind
    for place in ('centre', 'front', 'rear'):
        vehicle[f'{place}_torsen'] = locks
    for name in ('front_rear', 'front', 'rear'):
        vehicle[f'{name}_split'], vehicle[f'{name}_bias'] = 0.5, 1.5
    for name, value in values.items():
        vehicle[name] = value
    return vehicle


def test_torsen_agrees_with_the_reference(shared):
    """Shares of both sides, to 1e-12."""
    table = np.genfromtxt(shared / 'golden/models/torsen.csv', delimiter=',', names=True)
    for row in table:
        assert torsen(row['w1'], row['w2'], row['bias'], row['K']) == pytest.approx(
            (row['t1'], row['t2']), abs=1e-12)


def test_four_wheels_agree_with_the_reference(shared):
    """Shares of the wheels, centre differential included, to 1e-12."""
    table = np.genfromtxt(shared / 'golden/models/torsen4.csv', delimiter=',', names=True)
    for row in table:
        assert wheel_shares(
            record(ALL_WHEELS, 1.0), row['wRL'], row['wRR'], row['wFL'], row['wFR'],
        ) == pytest.approx((row['RL'], row['RR'], row['FL'], row['FR']), abs=1e-12)


def test_open_differentials_agree_with_the_reference(shared):
    """Shares are the products of the splits, to 1e-12."""
    table = np.genfromtxt(shared / 'golden/models/open4.csv', delimiter=',', names=True)
    for row in table:
        vehicle = record(ALL_WHEELS, 0.0, front_rear_split=row['Kf'], front_split=row['KfL'],
                         rear_split=row['KrL'])
        assert wheel_shares(vehicle, 1.0, 2.0, 3.0, 4.0) == pytest.approx(
            (row['RL'], row['RR'], row['FL'], row['FR']), abs=1e-12)


@given(w1=SPINS, w2=SPINS, bias=st.floats(1, 10), split=st.integers(0, 16).map(lambda k: k / 16))
def test_torsen_shares_are_shares(w1, w2, bias, split):
    """Both are in [0, 1], their sum is 1, and swapped sides swap shares."""
    first, second = torsen(w1, w2, bias, split)
    assert 0.0 <= first <= 1.0 and 0.0 <= second <= 1.0
    assert first + second == pytest.approx(1.0)
    assert torsen(w2, w1, bias, 1.0 - split) == pytest.approx((second, first), abs=1e-6)


@given(w1=st.floats(0.1, 100), ratio=st.floats(0.05, 20))
def test_torsen_is_continuous_while_turning(w1, ratio):
    """A small change of speeds changes the shares a little."""
    here, near = (torsen(w1, w1 * ratio * k, 1.5, 0.5)[0] for k in (1.0, 1.000001))
    assert math.isclose(here, near, abs_tol=1e-5)


@pytest.mark.parametrize(('kind', 'driven'), [
    (FRONT_WHEELS, (0, 0, 1, 1)), (REAR_WHEELS, (1, 1, 0, 0)), (ALL_WHEELS, (1, 1, 1, 1)),
], ids=['front', 'rear', 'all'])
@pytest.mark.parametrize('locks', [0.0, 1.0], ids=['open', 'torsen'])
def test_all_torque_goes_to_the_driven_wheels(kind, driven, locks):
    """The torques of the wheels add up to that of the motor."""
    wheels = np.zeros(4, WHEEL)
    wheels['omega'] = 3.0, 1.0, 2.0, 5.0
    give_torques(record(kind, locks), wheels, 100.0, 100.0)
    assert wheels['torque'].sum() == pytest.approx(100.0)
    assert ((wheels['torque'] > 0) == np.array(driven, bool)).all()


@given(w1=SPINS, w2=SPINS, ratio=st.floats(1, 10), split=st.floats(0, 1))
def test_acceptance_13_shares_of_a_torsen(w1, w2, ratio, split):
    """
    Within 0 and 1, with the sum 1, continuous, and no more apart than the ratio says.

    :claim: The shares of a Torsen differential add up to 1 and stay within its bias ratio
    :reference: the bias ratio, for random numbers
    """
    for rule in (torsen, torsen_tbr):
        first, second = rule(w1, w2, ratio, split)
        assert 0.0 <= first <= 1.0 and 0.0 <= second <= 1.0
        assert first + second == pytest.approx(1.0, abs=1e-12)
    room = 1.0 + 1e-9
    assert split * second <= room * ratio * first * (1.0 - split) + 1e-15
    assert (1.0 - split) * first <= room * ratio * second * split + 1e-15
    for a, b in ((w1 + 1e-6, w2), (w1, w2 - 1e-6), (w1 + 1e-6, w2 + 1e-6)):
        assert torsen_tbr(a, b, ratio, split)[0] == pytest.approx(first, abs=1e-5)


def test_acceptance_13_a_torsen_at_rest_is_open():
    """There the rule of the original jumps; this one goes to its limits by both signs."""
    assert torsen_tbr(0.0, 0.0, 2.0, 0.5) == (0.5, 0.5)
    assert torsen_tbr(0.0, 1e-9, 2.0, 0.5) == pytest.approx((0.5, 0.5), abs=1e-8)
    assert torsen(0.0, 1e-9, 2.0, 0.5) != pytest.approx(torsen(1e-12, 1e-9, 2.0, 0.5), abs=0.3)
    assert torsen_tbr(1.0, 50.0, 2.0, 0.5) == pytest.approx((2.0 / 3.0, 1.0 / 3.0))
    assert torsen_tbr(-50.0, 1.0, 3.0, 0.5) == pytest.approx((0.25, 0.75))
    assert wheel_shares(
        record(REAR_WHEELS, 1.0, torsen_tbr=2.0), 1.0, 50.0, 0.0, 0.0,
    ) == pytest.approx((2.0 / 3.0, 1.0 / 3.0, 0.0, 0.0))


LEFT_ICE = PropertyRegionSpec(property_name='friction_mu', value_double=0.1, x_min=-50.0,
                              x_max=500.0, y_min=0.0, y_max=50.0)


def car(kind, dt=0.005, controller='raw', mode='physical', ground=(), differential=None, **fields):
    """Return a world with a car: its drivetrain, options of its differentials, its fields."""
    drivetrain = DrivetrainSpec(kind=kind, **(differential or {}))
    return physics(
        vehicle('open_rear', controller, drivetrain=drivetrain,
                **{'friction': DefaultTyre(mu=0.8, C_damping=0.0)} | fields),
        dt=dt, mode=mode, elements=ground)


def launch(world, torque, seconds):
    """Return force and forces of the wheels at the end of a launch by a torque [N m]."""
    world.vehicles.set_torques(0, (torque,))
    world.step(round(seconds / world.dt))
    wheels = world.vehicles.wheels
    return float(wheels['force_x'].sum()), wheels


@pytest.mark.parametrize('sprung', [False, True], ids=['hard', 'suspended'])
@pytest.mark.parametrize('kind', ['open_rear', 'locked_rear', 'limited_slip_rear'])
def test_launch_with_one_side_on_ice(dt, kind, sprung):
    """
    Open: half of the torque on each side. Locked: what each side takes. 1 %, on springs 2 %.

    Limited slip: the sides differ by preload + S M; 2 and 3 %, since loads change over the time.
    """
    world = car(kind, dt, ground=(LEFT_ICE,), differential={'locking': 0.4, 'preload': 60.0},
                **SUSPENDED if sprung else {})
    torque, off = 500.0 if sprung else 700.0, 0.02 if sprung else 0.01
    if kind == 'locked_rear':
        torque = 250.0 if sprung else 4000.0
    _, wheels = launch(world, torque, 0.4)
    before = wheels['omega'].copy()
    world.step(round(0.1 / dt))
    radius, inertia = wheels['radius'][0], wheels['inertia'][0]
    spin_up = inertia * (wheels['omega'] - before) / 0.1
    forces, loads = wheels['force_long'], wheels['normal_load']
    given = radius * forces[:2] + spin_up[:2]  # torques on the shafts
    assert forces[0] == pytest.approx(0.1 * loads[0], rel=0.02 if sprung else 1e-3)
    assert given.sum() == pytest.approx(torque, rel=off)
    if kind == 'open_rear':
        assert given == pytest.approx([0.5 * torque] * 2, rel=off)
    elif kind == 'locked_rear':
        if sprung:
            assert given[1] > 2.5 * given[0]
        else:
            assert forces[1] == pytest.approx(0.8 * loads[1], rel=1e-3)
        assert wheels['omega'][0] == pytest.approx(wheels['omega'][1], rel=1e-3)
    else:
        assert given[1] - given[0] == pytest.approx(60.0 + 0.4 * torque, rel=0.01 + off)
        assert wheels['omega'][0] > wheels['omega'][1] + 5.0  # it slips


def test_a_weak_torque_does_not_slip(dt):
    """Where the difference is below preload + S M both sides turn alike."""
    world = car('limited_slip_rear', dt, ground=(LEFT_ICE,),
                differential={'locking': 0.5, 'preload': 400.0})
    _, wheels = launch(world, 300.0, 1.0)
    assert wheels['omega'][0] == pytest.approx(wheels['omega'][1], rel=1e-3)
    assert wheels['force_long'][1] > 1.2 * wheels['force_long'][0]


@pytest.mark.parametrize(('centre', 'share'), [('open', 0.0), ('locked', 1.0)])
def test_a_locked_centre_drives_the_axle_that_grips(centre, share):
    """Front wheels on ice: open gives the rear no more than the front, locked all it takes."""
    ice = replace(LEFT_ICE, x_min=0.5, y_min=-50.0, value_double=0.05)
    world = car('open_4wd', ground=(ice,), differential={'centre_differential': centre})
    _, wheels = launch(world, 1500.0, 0.08)  # the rear wheels are before the ice still
    front, rear = wheels['omega'][2:].mean(), wheels['omega'][:2].mean()
    if share:
        assert front == pytest.approx(rear, rel=1e-3)
        assert wheels['force_long'][:2].sum() > 4.0 * wheels['force_long'][2:].sum()
    else:
        assert front > 2.0 * rear


@pytest.mark.parametrize('turn', [0.08, -0.08])
def test_a_locked_axle_scrubs_in_a_bend(turn):
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


def test_a_locked_axle_turns_less():
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
def test_motion_does_not_depend_on_the_step(kind):
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
def test_no_energy_comes_from_them(dt, kind):
    """A car that coasts askew and turning, wheels at odd speeds."""
    world = car(kind, dt, init_twist=(6.0, 2.0, 0.8), differential={'preload': 300.0})
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


def test_mirrored_bends_are_mirrored():
    ends = []
    for side in (1.0, -1.0):
        world = car('limited_slip_4wd', controller='twist_front', differential={'preload': 50.0})
        world.vehicles.set_twist(0, 5.0, 0.5 * side)
        world.step(400)
        x, y = world.vehicles.pose[0, :2]
        ends.append((x, side * y))
    assert ends[0] == pytest.approx(ends[1], abs=1e-4)


@pytest.mark.parametrize('kind', ['locked_rear', 'limited_slip_front'])
def test_mode_mvsim_refuses_them(kind):
    with pytest.raises(PhysicsError, match="differential, which physics mode 'mvsim' does not"):
        car(kind, mode='mvsim')


def test_a_differential_needs_a_driven_axle():
    """`front_differential` in a car with rear drive is an error."""
    found = list(DrivetrainSpec(kind='open_rear', front_differential='locked').problems())
    assert found == ["front_differential is given, but type 'open_rear' has none there: leave it "
                     'out, or drive that axle']
