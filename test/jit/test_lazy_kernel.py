# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Kernels that are compiled by themselves, and those that only kernels may call."""

from pathlib import Path
import subprocess
import sys

import pytest

pytest.importorskip('numba')

MODULE = """
import numpy as np

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel


@lazy_kernel(0.0, 0, np.zeros(0))
def both(a: float, b: int, row: np.ndarray) -> tuple[float, float]:
    row[0] += 1.0
    return a + b, a - b


@lazy_kernel(0.0)
def never_called(a: float) -> None:
    raise ValueError


@lazy_kernel(0.0)
def fails(a: float) -> float:
    return 1.0 / len(range(0)) if a < 0.0 else np.empty((int(a), -1))[0, 0]


@compiled(inner=True)
def inside(x: float) -> float:
    return x + 1.0


@compiled
def outside(row: np.ndarray, never: bool) -> tuple[float, float]:
    first, second = both(inside(row[1]), 2, row)
    if never:
        never_called(first)
    return first, second


@compiled
def failing(a: float) -> float:
    return fails(a)
"""
CALL = """
import kernels
import numpy as np
from mvsim_ros2.jit.kernel import use_machine_code
for machine_code in (False, True):
    row = np.array([0.0, 3.0])
    assert not machine_code or use_machine_code()
    print(*map(float, kernels.outside(row, False)), row[0], kernels.both(1.0, 2, row), row[0],
          bool(kernels.both.slot.value))
for kernel in ('both', 'never_called'):
    dispatcher = getattr(kernels, kernel).dispatcher
    print(kernel, len(dispatcher.overloads), sum(dispatcher.stats.cache_hits.values()))
for kernel in (kernels.inside, kernels.failing):
    try:
        kernel(2.0)
    except (TypeError, ValueError) as error:
        print(type(error).__name__)
"""


@pytest.fixture
def output(project: Path, tmp_path: Path) -> list[list[str]]:
    """Return the lines that two processes print, which share what is kept on disk."""
    (tmp_path / 'kernels.py').write_text(MODULE)
    environment = {'PYTHONPATH': f'{project}:{tmp_path}', 'NUMBA_CACHE_DIR': str(tmp_path)}
    return [subprocess.run([sys.executable, '-c', CALL], env=environment, check=True,
                           capture_output=True, text=True).stdout.splitlines()
            for _ in range(2)]


def test_what_is_not_called_is_not_compiled(output: list[list[str]]) -> None:
    """Numbers, arrays and errors pass; an inner kernel refuses Python; disk serves the second."""
    for lines, from_disk in zip(output, (0, 1), strict=True):
        assert lines == [
            '6.0 2.0 1.0 (3.0, -1.0) 2.0 False', '6.0 2.0 1.0 (3.0, -1.0) 2.0 True',
            f'both 1 {from_disk}', 'never_called 0 0', 'TypeError', 'ValueError']
