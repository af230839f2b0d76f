# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Every Python file keeps to the style that ament_flake8 checks."""

from pathlib import Path

import pytest


@pytest.mark.linter
def test_flake8(project: Path, python_sources: list[Path]) -> None:
    ament = pytest.importorskip('ament_flake8.main', reason='ament_flake8 is not installed')
    code, errors = ament.main_with_errors(
        argv=['--config', str(project / 'setup.cfg'), *map(str, python_sources)])
    assert code == 0, '\n'.join(errors)
