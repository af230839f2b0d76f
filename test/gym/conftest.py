# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""These tests need Gymnasium and PettingZoo."""

from pathlib import Path

import pytest

pytest.importorskip('gymnasium', reason='Gymnasium is not installed')
pytest.importorskip('pettingzoo', reason='PettingZoo is not installed')


@pytest.fixture
def examples(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the examples, from which a test can import."""
    folder = project / 'examples/learn'
    monkeypatch.syspath_prepend(str(folder))
    return folder
