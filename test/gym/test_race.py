# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The trained policy of the race is faster than the best pure pursuit."""

import json
from pathlib import Path

import numpy as np
import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / 'examples/learn'


def test_the_policy_is_faster_than_pure_pursuit(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    From eight places on the track.

    :claim: A policy trained for the task Race drives faster laps than pure pursuit with the best
        of 40 pairs of look-ahead distance and acceleration
    :reference: pure pursuit on the centre line, with the same limits and command rate
    :figure: images/learning_race.png
    """
    monkeypatch.syspath_prepend(str(EXAMPLES))
    import race
    kept = json.loads((EXAMPLES / 'race.json').read_text())
    pursuit = race.PurePursuit(np.full(8, kept['look']), np.full(8, kept['grip']))
    slow, fast = race.drive(pursuit, 8), race.drive(race.read(EXAMPLES / 'race.npz'), 8)
    for lap in ('standing', 'flying'):
        assert np.isfinite(slow[lap]).all() and np.isfinite(fast[lap]).all()
        assert fast[lap].max() < slow[lap].min()
    assert fast['flying'].mean() == pytest.approx(kept['policy']['flying'], abs=0.1)
