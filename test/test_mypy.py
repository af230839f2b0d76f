# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The package passes the type checker in its strict mode."""

from pathlib import Path
import subprocess
import sys

import pytest


@pytest.mark.linter
@pytest.mark.slow
def test_mypy(project: Path) -> None:
    pytest.importorskip('mypy', reason='mypy is not installed')
    check = subprocess.run(
        [sys.executable, '-m', 'mypy', '--package', 'mvsim_ros2'],
        cwd=project, capture_output=True, text=True)
    assert check.returncode == 0, check.stdout + check.stderr
