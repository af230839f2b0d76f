# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Memory that kernels copy in whole registers."""

import numpy as np
import pytest

from mvsim_ros2.jit.kernel import compiled, use_machine_code
from mvsim_ros2.jit.memory import copier, first

ROWS, COLUMNS = 3, 5
copy = copier(ROWS * COLUMNS)
first_three = first(3)


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


@compiled(counted=False)
def double_some(numbers: np.ndarray) -> int:
    """Double the first three of some numbers; return how many these are."""
    some = first_three(numbers)
    for k in range(len(some)):
        some[k] *= 2.0
    return len(some)


@pytest.mark.parametrize('machine_code', [False, True])
def test_first_rows_are_in_the_same_memory(machine_code: bool) -> None:
    """As many as the compiler knows, of any number."""
    if machine_code and not use_machine_code():
        pytest.skip('numba is not installed')
    run = double_some if machine_code else getattr(double_some, 'plain', double_some)
    for count in (3, 7):
        numbers = np.arange(float(count))
        assert run(numbers) == 3
        assert numbers.tolist() == [0.0, 2.0, 4.0, 3.0, 4.0, 5.0, 6.0][:count]
