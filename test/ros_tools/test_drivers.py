# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The drivers of the demo, on a robot that is one formula."""

from dataclasses import dataclass

import numpy as np
import pytest

from mvsim_ros2.ros.tools.drivers import (
    LOOKAHEAD, RouteDriver, TOP_SPEED, TOP_TURN, Twist, WanderDriver)

SQUARE = ((0.0, 0.0), (4.0, 0.0), (4.0, 3.0), (0.0, 3.0))
LAG = 0.18  # s, of a robot that follows its command


@dataclass
class Robot:
    """A robot whose velocities follow the command as a first-order lag."""

    x: float = 0.0
    y: float = 0.0
    yaw: float = 0.0
    vx: float = 0.0
    wz: float = 0.0

    def move(self, twist: Twist, duration: float) -> None:
        """Move on by `duration` in steps of 10 ms."""
        for _ in range(round(duration / 0.01)):
            self.vx += (twist.vx - self.vx) * 0.01 / LAG
            self.wz += (twist.wz - self.wz) * 0.01 / LAG
            self.x += self.vx * np.cos(self.yaw) * 0.01
            self.y += self.vx * np.sin(self.yaw) * 0.01
            self.yaw += self.wz * 0.01


def distance_to_square(x: float, y: float) -> float:
    """Return the distance of a point to the outline of the square route."""
    corners = np.array([*SQUARE, SQUARE[0]])
    a, along = corners[:-1], np.diff(corners, axis=0)
    share = np.clip(np.sum(([x, y] - a) * along, axis=1) / np.sum(along ** 2, axis=1), 0, 1)
    return float(np.hypot(*([x, y] - a - share[:, None] * along).T).min())


@pytest.mark.parametrize('period', [
    pytest.param(period, id=f'command every {period} s, one period late')
    for period in (0.05, 0.1, 0.2, 0.4, 0.8)])
def test_a_route_is_followed_whatever_the_delay(period: float) -> None:
    driver, robot, arriving = RouteDriver(SQUARE), Robot(), Twist()
    worst, time = 0.0, 0.0
    while driver.laps < 2:
        coming = driver.command(robot.x, robot.y, robot.yaw, period)
        assert 0.0 <= coming.vx <= TOP_SPEED
        assert abs(coming.wz) <= TOP_TURN
        robot.move(arriving, period)
        arriving, time = coming, time + period
        worst = max(worst, distance_to_square(robot.x, robot.y))
        assert time < 400.0
    assert worst < 0.5 * LOOKAHEAD


def test_a_stuck_robot_backs_off() -> None:
    driver = RouteDriver(SQUARE)
    commands = [driver.command(1.0, 0.0, 0.0, 0.1).vx for _ in range(60)]
    assert min(commands) < 0.0 < commands[0]


def test_the_route_is_closed() -> None:
    driver = RouteDriver(SQUARE)
    assert driver.length == pytest.approx(14.0)
    np.testing.assert_allclose(driver.point([0.0, 4.0, 13.0, 14.0]),
                               [(0, 0), (4, 0), (0, 1), (0, 0)], atol=1e-12)


BEARINGS = np.linspace(-np.pi, np.pi, 360, endpoint=False)


@pytest.mark.parametrize('ranges, forward, turn', [
    pytest.param(np.full(360, np.inf), True, None, id='open'),
    pytest.param(np.where(np.abs(BEARINGS) < 0.5, 0.5, np.where(BEARINGS > 0, 5.0, 2.0)),
                 False, 1, id='blocked, room on the left'),
    pytest.param(np.where(np.abs(BEARINGS) < 0.5, 0.5, np.where(BEARINGS < 0, 5.0, 2.0)),
                 False, -1, id='blocked, room on the right'),
    pytest.param(np.where(np.abs(BEARINGS) < 0.5, -np.inf, np.nan), False, None, id='too close')])
def test_wandering_turns_where_there_is_room(
        ranges: np.ndarray, forward: bool, turn: int | None) -> None:
    driver = WanderDriver()
    assert driver.command(0.0, 0.0, 0.0, 0.1).vx == 0.0
    driver.use_scan(BEARINGS, ranges)
    twist = driver.command(0.0, 0.0, 0.0, 0.1)
    assert (twist.vx > 0) == forward
    assert turn is None or np.sign(twist.wz) == turn
