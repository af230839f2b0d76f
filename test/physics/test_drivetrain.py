# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""How torque is shared among wheels."""

import math

from hypothesis import given, strategies as st
import numpy as np
import pytest

from mvsim_ros2.physics.state.record_layout import (
    ALL_WHEELS, FRONT_WHEELS, REAR_WHEELS, VEHICLE, WHEEL)
from mvsim_ros2.physics.vehicle.drivetrain import give_torques, torsen, torsen_tbr, wheel_shares

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
