# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Angles of the front wheels of a steered vehicle."""

import math

from hypothesis import given, strategies as st
import numpy as np
import pytest

from mvsim_ros2.physics.vehicle.steering import (
    ackermann_angles, angle_for_ideal_twist, angle_for_twist)


def test_angles_agree_with_the_reference(shared):
    """All rows, those with the turn centre inside the track included, to 1e-12."""
    table = np.genfromtxt(shared / 'golden/models/ackermann.csv', delimiter=',', names=True)
    for row in table:
        assert ackermann_angles(row['wheelbase'], row['track'], row['delta']) == pytest.approx(
            (row['left'], row['right']), abs=1e-12)


@given(wheelbase=st.floats(0.1, 10), track=st.floats(0.1, 3), angle=st.floats(1e-6, 1.55))
def test_axes_meet_on_the_rear_axle(wheelbase, track, angle):
    """Each wheel is square to the line to the turn centre, and the mirrored angle mirrors."""
    left, right = ackermann_angles(wheelbase, track, angle)
    centre = wheelbase / math.tan(angle)
    for side, steer in ((0.5, left), (-0.5, right)):
        across = centre - side * track
        assert abs(math.cos(steer) * wheelbase - math.sin(steer) * across) < 1e-9 * (
            wheelbase + abs(centre) + track)
    assert ackermann_angles(wheelbase, track, -angle) == (-right, -left)


def test_straight_ahead():
    """No angle gives no angle."""
    assert ackermann_angles(1.3, 2.0, 0.0) == (0.0, 0.0)


@pytest.mark.parametrize(('v', 'w', 'angle'), [
    (1.0, 0.0, 0.0), (1.0, 1.0, math.atan(1.3)), (-1.0, 1.0, -math.atan(1.3)),
    (0.0, 0.5, math.pi / 2), (0.0, -0.5, -math.pi / 2), (0.0, 0.0, 0.0),
], ids=['ahead', 'left', 'reverse', 'spot left', 'spot right', 'rest'])
def test_angle_for_twist(v, w, angle):
    """The angle is atan(L w / v), a right angle without forward velocity."""
    assert angle_for_twist(1.3, v, w) == pytest.approx(angle)


@pytest.mark.parametrize(('v', 'w', 'angle'), [
    (2.0, 1.0, math.atan(0.65)), (0.0, 0.1, 0.13), (0.0, -9.0, -0.5),
], ids=['moving', 'spot', 'spot limited'])
def test_angle_for_ideal_twist(v, w, angle):
    """On the spot an ideal vehicle shows L w, within its largest angle."""
    assert angle_for_ideal_twist(1.3, v, w, 0.5) == pytest.approx(angle)
