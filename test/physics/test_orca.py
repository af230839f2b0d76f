# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""ORCA against the library of its authors."""

import math
from pathlib import Path

import numpy as np
import pytest

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.people.avoidance import MARGIN, safe_velocity
from mvsim_ros2.physics.people.crowd import REACTS, SEEN

TABLE = np.loadtxt(Path(__file__).with_name('orca_circle.csv'), delimiter=',')
RADIUS, FASTEST, DT = 0.25, 1.5, 0.1  # m, m/s, s


@compiled
def walk(seen: np.ndarray, goals: np.ndarray, turn: float, steps: int,
         scratch: np.ndarray) -> None:
    """Let people walk at 1 m/s, each in the direction of a goal, turned to the right."""
    cosine, sine = math.cos(turn), math.sin(turn)
    count = len(seen)
    chosen = np.zeros((count, 2))
    for _ in range(steps):
        for i in range(count):
            x, y = goals[i, 0] - seen[i]['x'], goals[i, 1] - seen[i]['y']
            far = max(1.0, math.sqrt(x * x + y * y))
            chosen[i, 0], chosen[i, 1] = safe_velocity(
                i, (cosine * x + sine * y) / far, (cosine * y - sine * x) / far, seen[i]['vx'],
                seen[i]['vy'], FASTEST, seen, count, False, math.inf, 0.0, 0.0, DT, scratch[0],
                scratch[1])
        for i in range(count):
            seen[i]['vx'], seen[i]['vy'] = chosen[i, 0], chosen[i, 1]
            seen[i]['x'] += DT * chosen[i, 0]
            seen[i]['y'] += DT * chosen[i, 1]


@pytest.mark.parametrize('turn', [0.0, 0.2])
def test_people_on_a_circle_move_as_in_rvo2(turn: float) -> None:
    """
    Eight people who change sides on a circle are where RVO2 has them; without a turn they jam.

    :reference: RVO2 2.0.3 with double precision, github.com/snape/RVO2
    """
    number = np.arange(8)
    angle = 2.0 * math.pi * number / 8 + 0.3 * np.sin(3.0 * number)
    seen = np.zeros(8, SEEN)
    seen['x'], seen['y'] = 4.0 * np.cos(angle), 4.0 * np.sin(angle)
    seen['radius'], seen['kind'] = RADIUS - 0.5 * MARGIN, REACTS
    goals = -np.stack([seen['x'], seen['y']], axis=1)
    now = 0.0
    for _, time, *places in TABLE[TABLE[:, 0] == turn]:
        walk(seen, goals, turn, round((time - now) / DT), np.zeros((2, 9, 4)))
        now = time
        assert np.stack([seen['x'], seen['y']], 1).ravel() == pytest.approx(places, abs=2e-6)
    left = np.hypot(seen['x'] - goals[:, 0], seen['y'] - goals[:, 1])
    assert left.max() < 0.3 if turn else left.min() > 2.0
