# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What the examples have trained or planned drives: in rooms, in a race, through fields."""

import json
from pathlib import Path

import numpy as np
import pytest

from mvsim_ros2.gym import Navigate, policy_interface
from mvsim_ros2.policies import Policy


def test_it_reaches_most_goals(tmp_path: Path, examples: Path) -> None:
    """
    Of 32 rooms; of 1000 it is 98.5 %.

    :claim: The trained policy reaches over 95 % of its goals in rooms that it has not seen in
        training
    :reference: 32 rooms in the test; 98.5 % in 1,000 rooms by hand
    :figure: images/learning_curve.png
    """
    from navigate import main, rooms, UNSEEN
    file = examples / 'navigate.onnx'
    assert Policy(file).interface == policy_interface(rooms(1, UNSEEN, Navigate()))
    result = main(['--policy', str(file), '--episodes', '32', '--out', str(tmp_path)])
    assert result['unseen']['success'] > 0.95


def test_the_policy_is_faster_than_pure_pursuit(examples: Path) -> None:
    """
    From eight places on the track.

    :claim: A policy trained for the task Race drives faster laps than pure pursuit with the best
        of 40 pairs of look-ahead distance and acceleration
    :reference: pure pursuit on the centre line, with the same limits and command rate
    :figure: images/learning_race.png
    """
    import race
    kept = json.loads((examples / 'race.json').read_text())
    pursuit = race.PurePursuit(np.full(8, kept['look']), np.full(8, kept['grip']))
    slow, fast = race.drive(pursuit, 8), race.drive(race.read(examples / 'race.npz'), 8)
    for lap in ('standing', 'flying'):
        assert np.isfinite(slow[lap]).all() and np.isfinite(fast[lap]).all()
        assert fast[lap].max() < slow[lap].min()
    assert fast['flying'].mean() == pytest.approx(kept['policy']['flying'], abs=0.1)


def test_the_planner_comes_through_open_fields(examples: Path) -> None:
    """
    Of 10 m, at the speed that it is allowed, and touches nothing.

    Whoever drives at 0.5 m/s takes four times as long as the fastest of the challenge: 0.25.
    """
    import barn
    envs = barn.fields(2, 1, barn.Through(along_path=True, near=-2.0), examined=True)
    found = barn.results(barn.DynamicWindow(envs, 0.5), envs, 1)
    assert found['success'] == 1.0 and found['collided'] == 0.0
    assert 9.6 / 0.5 < found['seconds'] < 1.2 * 10.0 / 0.5
    assert 0.22 < found['score'] <= 0.25 and json.dumps(found)
