# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Slip definitions against the reference, and at standstill."""

from collections.abc import Callable
import math
from typing import Any

from hypothesis import given, strategies as st
from oracles import slip
import pytest

from mvsim_ros2.physics.tyres import coulomb

DEFINITIONS = {
    'mavs_code': slip.bounded,
    'seed000_ellipse': lambda roll, along: coulomb.slip(along, 0.0, roll)[0],
    'iso_kappa_v0_0.1': lambda roll, along: slip.iso(roll, along, 0.1),
    'recommended_sym_v0_0.1': lambda roll, along: slip.symmetric(roll, along, 0.1),
}
speeds = st.floats(-100, 100)


@pytest.mark.parametrize('column', [pytest.param(name, id=name) for name in DEFINITIONS])
def test_agrees_with_the_table(
        column: str, table: Callable[[str], list[dict[str, Any]]]) -> None:
    """All rows, but one slip of the code: a wheel that is locked while it rolls backward."""
    rows = table('slip_definitions.csv')
    assert len(rows) == 169
    for row in rows:
        if column == 'mavs_code' and row['r_omega'] == 0.0 and row['v'] < 0.0:
            assert row[column] == 0.0 and slip.bounded(0.0, row['v']) == 1.0
            continue
        assert DEFINITIONS[column](row['r_omega'], row['v']) == pytest.approx(
            row[column], rel=1e-12, abs=1e-15)


@given(roll=speeds, along=speeds, floor=st.sampled_from([0.0, 1e-3, 0.1]))
def test_slip_ratios_are_odd_and_bounded(roll: float, along: float, floor: float) -> None:
    value = slip.symmetric(roll, along, floor)
    assert abs(value) <= 2.0 and abs(slip.bounded(roll, along)) <= 1.0
    assert slip.symmetric(-roll, -along, floor) == -value
    assert slip.bounded(-roll, -along) == -slip.bounded(roll, along)
    assert value * (roll - along) >= 0.0


@given(roll=speeds, along=speeds, across=speeds, floor=st.sampled_from([0.0, 0.1]))
def test_the_slip_vector_opposes_sliding(
        roll: float, along: float, across: float, floor: float) -> None:
    """It points along the sliding of the rim, is at most 2 long, and turns with the wheel."""
    x, y = slip.vector(roll, along, across, floor)
    assert math.hypot(x, y) <= 2.0 + 1e-12
    assert x * (roll - along) >= 0.0 and y * across <= 0.0
    assert slip.vector(-roll, -along, -across, floor) == (-x, -y)


@given(along=speeds, across=speeds)
def test_slip_angle_is_the_same_backward(along: float, across: float) -> None:
    value = slip.angle(along, across, 0.0)
    assert abs(value) <= math.pi / 2 and slip.angle(-along, across, 0.0) == value
    assert slip.angle(along, -across, 0.0) == -value


def test_standstill_has_no_slip() -> None:
    assert slip.symmetric(0.0, 0.0, 0.0) == slip.bounded(0.0, 0.0) == 0.0
    assert slip.vector(0.0, 0.0, 0.0, 0.0) == (0.0, 0.0)
    assert slip.angle(0.0, 0.0, 0.0) == slip.direction(0.0, 0.01) == 0.0


@pytest.mark.parametrize('roll, along, expected', [
    pytest.param(5.0, 0.0, 1.0, id='spins at rest'),
    pytest.param(0.0, 5.0, -1.0, id='locked'),
    pytest.param(10.0, 5.0, 0.5, id='drives'),
    pytest.param(5.0, 10.0, -0.5, id='brakes as much'),
])
def test_driving_and_braking_mirror(roll: float, along: float, expected: float) -> None:
    assert slip.symmetric(roll, along, 0.1) == slip.bounded(roll, along) == expected


def test_the_smooth_sign_of_a_speed() -> None:
    assert slip.direction(0.01, 0.01) == pytest.approx(math.sqrt(0.5))
    assert slip.direction(-20.0, 0.01) == pytest.approx(-1.0)
