# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Processes of their own."""

from collections.abc import Callable
from pathlib import Path
import subprocess
import sys

import pytest


@pytest.fixture
def run(project: Path, tmp_path: Path) -> Callable[..., list[str]]:
    """Return what runs a program in a process of its own and returns the lines it prints."""
    def run(program: str, *words: str, paths: tuple[Path, ...] = (), **environment: str,
            ) -> list[str]:
        environment = {
            'PYTHONPATH': ':'.join(map(str, paths or (project, tmp_path))),
            'PYTHONDONTWRITEBYTECODE': '1', 'NUMBA_CACHE_DIR': str(tmp_path / 'cache'),
            **environment}
        return subprocess.run(
            [sys.executable, '-c', program, *words], check=True, text=True, capture_output=True,
            cwd=tmp_path, env=environment).stdout.splitlines()
    return run
