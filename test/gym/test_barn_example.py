# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The planner of the BARN example drives through fields."""

import json
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / 'examples/learn'


def test_the_planner_comes_through_open_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Of 10 m, at the speed that it is allowed, and touches nothing.

    Whoever drives at 0.5 m/s takes four times as long as the fastest of the challenge: 0.25.
    """
    monkeypatch.syspath_prepend(str(EXAMPLES))
    import barn
    envs = barn.fields(2, 1, barn.Through(along_path=True, near=-2.0), examined=True)
    found = barn.results(barn.DynamicWindow(envs, 0.5), envs, 1)
    envs.close()
    assert found['success'] == 1.0 and found['collided'] == 0.0
    assert 9.6 / 0.5 < found['seconds'] < 1.2 * 10.0 / 0.5
    assert 0.22 < found['score'] <= 0.25 and json.dumps(found)
