# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""How fast a simulation runs, by a clock that the test turns."""

import math

import pytest

from mvsim_ros2.window import pace as paces


@pytest.fixture
def clock(monkeypatch):
    """Return a clock: a list of one number [s]."""
    now = [100.0]
    monkeypatch.setattr(paces.time, 'monotonic', lambda: now[0])
    return now


@pytest.mark.parametrize('speed', [0.1, 1.0, 5.0], ids='{}x'.format)
def test_steps_follow_the_clock(clock, speed):
    pace = paces.Pace(0.005, speed)
    total = 0
    for _ in range(300):
        clock[0] += 1.0 / paces.FRAMES
        total += pace.due()
        pace.done(1)
    assert total * 0.005 == pytest.approx(10.0 * speed, rel=0.01)


def test_a_delay_is_not_caught_up_with(clock):
    pace = paces.Pace(0.005)
    clock[0] += 60.0
    assert 0 < pace.due() * 0.005 <= 0.21


def test_as_fast_as_possible_still_shows_pictures(clock):
    pace = paces.Pace(0.005, math.inf)
    for _ in range(30):
        count = pace.due()
        clock[0] += 1e-3 * count  # a step takes 1 ms
        pace.done(count)
    assert 20 <= count <= 30  # most of 33 ms


def test_single_steps_stand_still_after_them(clock):
    pace = paces.Pace(0.005)
    pace.step(3)
    assert (pace.running, pace.due(), pace.due()) == (False, 3, 0)
    clock[0] += 1.0
    assert pace.due() == 0


def test_meter_tells_the_speed_of_the_last_second(clock):
    meter = paces.Meter()
    for i in range(100):
        clock[0] += 0.05
        speed = meter.mark(0.1 * i)
    assert speed == pytest.approx(2.0)
    assert meter.mark(0.0) == 0.0  # after a reset
