# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Normal loads of wheels: against the reference, the law of the lever, and while driving."""

import json
import math

from drawn_examples import examples
from hypothesis import given, settings, strategies as st
import numpy as np
import pytest
from small_worlds import physical, run, tilt, vehicle, world_with

from mvsim_ros2.physics.physical import wheel_loads


@settings(max_examples=examples(40))
@given(climb=st.floats(-0.4, 0.4), side=st.floats(-0.4, 0.4), torque=st.floats(-200, 200),
       kind=st.sampled_from(['diff2', 'diff3', 'diff4', 'open_4wd']))
def test_acceptance_11_loads_balance_weight_and_moments(climb, side, torque, kind):
    """The sum is the weight into the ground, moments are exact while all wheels push."""
    world = world_with(kind, 'raw')
    tilt(world, climb, side)
    world.vehicles.set_torques(0, (torque,) * (1 if kind == 'open_4wd' else 2))
    for _ in range(10):
        run(world, 0.05)
        record = world.vehicles.arrays.records[0].copy()
        if record['spatial']:  # a wheel lifts
            break
        world.step()  # with the pull that was there before
        if world.vehicles.arrays.records['spatial'][0]:
            break
        wheels = world.vehicles.wheels
        load = wheels['normal_load']
        down = 9.81 * math.sqrt(1.0 - record['down_x'] ** 2 - record['down_y'] ** 2)
        assert load.sum() == pytest.approx(record['mass'] * down, rel=1e-9)
        assert (load >= 0.0).all()
        x, y = wheels['x'] - record['com_x'], wheels['y'] - record['com_y']
        height = record['com_height']
        expected = record['mass'] * np.array((
            down, -height * record['pull_along'], -height * record['pull_across'])) @ (
                wheel_loads.load_shares(x, y))
        assert load == pytest.approx(expected, rel=1e-6, abs=1e-6 * load.sum())


def test_braking_loads_the_front(dt):
    """By M a h over the wheelbase, once the body has pitched."""
    world = world_with('ack', 'twist_front', dt, init_twist=(20.0, 0.0, 0.0))
    world.vehicles.arrays.records['stopped'] = 100.0
    run(world, 1.5)
    record, load = world.vehicles.arrays.records[0], world.vehicles.wheels['normal_load']
    at_rest = world_with('ack', 'twist_front', dt)
    run(at_rest, 0.1)
    moved = load[2:].sum() - at_rest.vehicles.wheels['normal_load'][2:].sum()
    braking = 0.8 * 9.81
    assert moved == pytest.approx(
        record['mass'] * braking * record['com_height'] / record['wheelbase'], rel=0.01)


def test_a_hard_turn_lifts_the_inner_wheels():
    """Loads stay at 0 there, and the outer wheels carry all."""
    world = world_with('ack', 'twist_front', mu=3.0, init_twist=(15.0, 0.0, 0.0))
    world.vehicles.arrays.records['com_height'] = 2.0
    world.vehicles.set_twist(0, 15.0, 1.5)
    least = np.inf
    for _ in range(40):
        run(world, 0.05)
        load = world.vehicles.wheels['normal_load']
        assert (load >= 0.0).all()
        least = min(least, load.min())
    assert least == 0.0


WHEELS = {
    'car4': ((1.2, 1.2, -1.4, -1.4), (0.75, -0.75, 0.75, -0.75)),
    'mvsim_ackermann': ((0.0, 0.0, 1.3, 1.3), (0.9, -0.9, 0.9, -0.9)),
    'diff3_caster': ((0.0, 0.0, 0.5), (0.5, -0.5, 0.0)),
    'diff2': ((0.0, 0.0), (0.5, -0.5)),
    'six': ((1.5, 1.5, 0.0, 0.0, -1.2, -1.2), (0.8, -0.8, 0.8, -0.8, 0.8, -0.8)),
}


def wheels(vehicle):
    """Return the positions of the wheels of a vehicle of the table."""
    x, y = WHEELS[vehicle]
    return np.array(x), np.array(y)


def test_agrees_with_the_table(table):
    """Loads of the least sum of squares, where wheels may pull; the table has 12 digits."""
    rows = table('normal_loads.csv')
    assert len(rows) == 25
    for row in rows:
        x, y = wheels(row['vehicle'])
        found = row['M'] * np.array((9.81, -row['h'] * row['ax'], -row['h'] * row['ay'])) @ (
            wheel_loads.load_shares(x - row['x_com'], y))
        expected = [float(load) for load in row['N_min_norm_space_separated'].split()]
        assert found == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize(('torque', 'lifts'), [(2.0, False), (9.0, True)])
def test_a_lifted_caster_leaves_the_load_to_the_others(torque, lifts):
    """Hard acceleration: the front caster would pull, so it hangs and the robot tips."""
    world = physical(vehicle('diff3', 'raw'))
    world.vehicles.set_torques(0, (torque, torque))
    world.step(100)
    loads = world.vehicles.wheels['normal_load']
    assert loads[0] == pytest.approx(loads[1], rel=1e-6)
    assert bool(loads[2] == 0.0) is lifts
    assert bool(world.vehicles.pose[0, 4] < -0.02) is lifts


def test_the_limit_of_rear_drive(shared):
    """A6: the largest acceleration of a car driven at the rear, with load transfer."""
    case = json.loads(
        (shared / 'golden/models/analytic.json').read_text())['A6_accel_limit']['example']
    x = np.array([case['LF'], case['LF'] - case['L']])
    rear = 1000.0 * (np.array((9.81, -case['h'] * case['a_max'], 0.0)) @ (
        wheel_loads.load_shares(x, np.zeros(2))))[1]
    assert case['mu'] * rear == pytest.approx(1000.0 * case['a_max'], rel=1e-12)


grid = st.integers(-15, 15).map(lambda tenths: tenths / 10)


@given(st.lists(st.tuples(grid, grid), min_size=1, max_size=8, unique=True),
       st.floats(0, 20), st.floats(-15, 15), st.floats(-15, 15))
def test_carries_all_and_balances(places, down, along, across):
    """Wheels anywhere: the weight always, and both moments unless all stand on one line."""
    x, y = np.array(places).T
    loads = np.array((down, along, across)) @ wheel_loads.load_shares(x, y)
    assert np.all(np.isfinite(loads))
    assert loads.sum() == pytest.approx(down, rel=1e-9, abs=1e-7)
    if np.linalg.matrix_rank(np.array((x - x.mean(), y - y.mean())), tol=1e-6) == 2:
        assert (loads @ x, loads @ y) == pytest.approx((along, across), rel=1e-9, abs=1e-7)
