# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Where robots have been, as it is remembered for policies."""

import math

import numpy as np
import pytest

from mvsim_ros2.policies import Trail


def on_circle(time: float) -> tuple[float, float, float]:
    """Return the pose at a time on a circle of radius 2 m around the origin, at 0.5 rad/s."""
    return 2.0 * math.cos(0.5 * time), 2.0 * math.sin(0.5 * time), 0.5 * time + 0.5 * math.pi


def test_a_circle_is_seen_from_the_robot_on_it() -> None:
    """The place of an age is a chord away, whose bearing is behind by half the angle."""
    trail, ages = Trail((0.5, 2.0, 3.0), 0.1), np.array([0.5, 2.0, 3.0])
    trail.begin(0, *on_circle(0.0)[:2])
    for step in range(1, 101):
        pose = np.array([on_circle(0.1 * step)])
        trail.note(pose)
    angle = 0.5 * ages
    chord, bearing = 4.0 * np.sin(0.5 * angle), np.pi - 0.5 * angle
    expected = np.column_stack([chord * np.cos(bearing), chord * np.sin(bearing)])
    assert trail.seen_from(pose) == pytest.approx(expected.reshape(1, -1), abs=1e-12)


def test_before_the_start_it_is_the_start_and_robots_are_apart() -> None:
    """What one robot begins anew leaves the other one's places alone."""
    trail = Trail((0.1, 0.4), 0.1, 2)
    trail.begin(0, 1.0, 0.0)
    trail.begin(1, 0.0, 5.0)
    for x in (0.1, 0.2):
        poses = np.array([[1.0 + x, 0.0, 0.0], [x, 5.0, 0.0]])
        trail.note(poses)
    assert trail.seen_from(poses) == pytest.approx(np.array([[-0.1, 0.0, -0.2, 0.0]] * 2))
    trail.begin(0, 1.2, 0.0)
    assert trail.seen_from(poses) == pytest.approx(
        np.array([[0.0, 0.0, 0.0, 0.0], [-0.1, 0.0, -0.2, 0.0]]))


def test_nothing_is_remembered_where_nothing_is_asked_for() -> None:
    trail = Trail((), 0.1)
    trail.note(np.zeros((1, 3)))
    assert trail.seen_from(np.zeros((1, 3))).shape == (1, 0)
