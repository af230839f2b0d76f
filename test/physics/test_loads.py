# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Normal loads of wheels against the reference, the law of the lever, and tipping."""

import json

from hypothesis import given, strategies as st
import numpy as np
from oracles.loads import tips
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
        a, b, c, _ = wheel_loads.plane(
            x - row['x_com'], y, np.ones(len(x), np.bool_), row['M'] * 9.81,
            -row['M'] * row['h'] * row['ax'], -row['M'] * row['h'] * row['ay'])
        found = a + b * (x - row['x_com']) + c * y
        expected = [float(load) for load in row['N_min_norm_space_separated'].split()]
        assert found == pytest.approx(expected, rel=1e-11)
        pushing = wheel_loads.balanced(
            x - row['x_com'], y, row['M'], row['h'], 9.81, row['ax'], row['ay'])
        if min(expected) >= 0.0:
            assert pushing == pytest.approx(expected, rel=1e-11)


def test_a_lifted_caster_leaves_the_load_to_the_others():
    """Hard acceleration: the front caster would pull, so it hangs and the robot tips."""
    x, y = wheels('diff3_caster')
    x = x - 0.0723
    found = wheel_loads.balanced(x, y, 17.0, 0.25, 9.81, 3.0, 0.0)
    assert found == pytest.approx([17.0 * 9.81 / 2, 17.0 * 9.81 / 2, 0.0])
    assert tips(x, y, found, 0.25, 9.81, 3.0, 0.0)
    calm = wheel_loads.balanced(x, y, 17.0, 0.25, 9.81, 1.0, 0.0)
    assert not tips(x, y, calm, 0.25, 9.81, 1.0, 0.0)


def test_the_limit_of_rear_drive(shared):
    """A6: the largest acceleration of a car driven at the rear, with load transfer."""
    case = json.loads(
        (shared / 'golden/models/analytic.json').read_text())['A6_accel_limit']['example']
    x = np.array([case['LF'], case['LF'] - case['L']])
    rear = wheel_loads.balanced(x, np.zeros(2), 1000.0, case['h'], 9.81, case['a_max'], 0.0)[1]
    assert case['mu'] * rear == pytest.approx(1000.0 * case['a_max'], rel=1e-12)


positions = st.lists(st.tuples(st.floats(-3, 3), st.floats(-3, 3)), min_size=1, max_size=8)


@given(positions, st.floats(0, 2), st.floats(0, 20), st.floats(-15, 15), st.floats(-15, 15))
def test_never_pulls_and_carries_all(places, height, down, along, across):
    x, y = np.array(places).T
    found = wheel_loads.balanced(x.copy(), y.copy(), 100.0, height, down, along, across)
    assert np.all(np.isfinite(found)) and np.all(found >= 0.0)
    assert found.sum() == pytest.approx(100.0 * down, rel=1e-9, abs=1e-9)


grid = st.integers(-15, 15).map(lambda tenths: tenths / 10)


@given(st.lists(st.tuples(grid, grid, st.floats(0.01, 1)), min_size=1, max_size=8),
       st.floats(0.1, 2))
def test_balances_whenever_wheels_can(places, height):
    """Wheels anywhere, the force of weight and inertia anywhere between them."""
    x, y, weights = np.array(places).T
    along = -9.81 * np.dot(x, weights) / weights.sum() / height
    across = -9.81 * np.dot(y, weights) / weights.sum() / height
    found = wheel_loads.balanced(x.copy(), y.copy(), 100.0, height, 9.81, along, across)
    assert not tips(x.copy(), y.copy(), found, height, 9.81, along, across)
