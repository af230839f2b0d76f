# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Ground that moves in plan takes along what stands on it: ferries, conveyors, turntables."""

import math
from pathlib import Path

import numpy as np
import pytest
from test_lifts import BLOCK, FLOOR, riding

SPEED, TURN = 2.0, math.radians(45.0)  # m/s, rad/s: of the keyframes from 1 s to 3 s


@pytest.mark.parametrize('ground', [FLOOR, BLOCK], ids=['floor', 'block'])
def test_a_ferry_takes_a_robot_along(tmp_path: Path, ground: str, dt: float) -> None:
    """
    By 4 m within 2 s: it slides until it has the speed, and slides on where that ends.

    :claim: A moving platform carries the objects on it, apart from the sliding that friction
        allows
    :reference: v^2 / (2 mu g) of sliding at either end
    """
    simulation = riding(tmp_path, ground, dt, x=2.0 * SPEED)
    robot, start = simulation.vehicles['r'], 1.0
    simulation.run(2.5)
    slides = SPEED ** 2 / (2.0 * 0.5 * 9.81)
    assert robot.twist_in_space[0] == pytest.approx(SPEED, abs=1e-3)
    assert start + 1.5 * SPEED - slides < robot.pose.x <= start + 1.5 * SPEED + 1e-3
    simulation.run(2.5)
    assert robot.twist_in_space[0] == pytest.approx(0.0, abs=1e-3)
    assert robot.pose.x == pytest.approx(start + 2.0 * SPEED, abs=slides)
    assert abs(robot.pose.y) < 1e-3


def test_a_turntable_takes_a_robot_around(tmp_path: Path, dt: float) -> None:
    """By 90 degrees within 2 s, 1 m from its middle: slowly enough to hold by friction."""
    simulation = riding(tmp_path, FLOOR, dt, yaw=90.0)
    robot = simulation.vehicles['r']
    simulation.run(2.5)
    assert robot.twist_in_space[5] == pytest.approx(TURN, abs=0.01)
    simulation.run(2.5)
    assert np.hypot(robot.pose.x, robot.pose.y) == pytest.approx(1.0, abs=0.05)
    assert math.atan2(robot.pose.y, robot.pose.x) == pytest.approx(math.pi / 2.0, abs=0.06)
    assert robot.pose.yaw == pytest.approx(math.pi / 2.0, abs=0.06)
    assert np.abs(robot.twist_in_space).max() < 2e-3
