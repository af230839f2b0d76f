# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Kernels for the card, on numba's simulator of one: the same code, run by Python."""

import os
from pathlib import Path
import subprocess
import sys

import pytest

CHECKS = Path(__file__).with_name('card_checks.py')


def test_kernels_of_the_card(tmp_path: Path) -> None:
    cuda = pytest.importorskip('numba.cuda', reason='numba is not installed')
    simulated = {} if cuda.is_available() else {'NUMBA_ENABLE_CUDASIM': '1'}
    run = subprocess.run(
        [sys.executable, '-m', 'pytest', '-q', '-p', 'no:cacheprovider', '-p', 'no:xdist',
         str(CHECKS)], capture_output=True, text=True, cwd=tmp_path,
        env={**os.environ, **simulated})
    assert run.returncode == 0, run.stdout + run.stderr
    assert ' passed' in run.stdout
