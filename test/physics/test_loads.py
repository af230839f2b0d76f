# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Normal loads of wheels against the reference, and the law of the lever."""

import json

from hypothesis import given, strategies as st
import numpy as np
import pytest

from mvsim_ros2.physics.physical import wheel_loads

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
def test_a_lifted_caster_leaves_the_load_to_the_others(vehicle, physics, torque, lifts):
    """Hard acceleration: the front caster would pull, so it hangs and the robot tips."""
    world = physics(vehicle('diff3', 'raw'), options={'mode': 'physical'})
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
