# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Memory that kernels copy in whole registers."""

import numpy as np
import pytest

from mvsim_ros2.jit.kernel import compiled, use_machine_code
from mvsim_ros2.jit.memory import copier

ROWS, COLUMNS = 3, 5
copy = copier(ROWS * COLUMNS)


@compiled
def copy_second(source: np.ndarray, target: np.ndarray) -> None:
    """Copy the second of some tables into that of others."""
    copy(source[1], target[1])


@pytest.mark.parametrize('machine_code', [False, True])
def test_numbers_are_copied_and_no_others(machine_code: bool) -> None:
    """In machine code and in plain Python; from one table to the next in the same memory too."""
    if machine_code and not use_machine_code():
        pytest.skip('numba is not installed')
    run = copy_second if machine_code else getattr(copy_second, 'plain', copy_second)
    source = np.random.default_rng(1).normal(size=(3, ROWS, COLUMNS))
    target = np.zeros((3, ROWS, COLUMNS))
    run(source, target)
    assert (target[1] == source[1]).all() and not target[[0, 2]].any()
    kept = source.copy()
    run(source, source[1:])
    assert (source[:2] == kept[:2]).all() and (source[2] == kept[1]).all()
