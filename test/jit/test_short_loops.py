# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Kernels whose loops go round a few times, and separate ones that become part of others."""

from collections.abc import Callable

import pytest

pytest.importorskip('numba')

PROGRAM = """
import numpy as np

from mvsim_ros2.jit.kernel import compiled, Kernel, use_machine_code
from mvsim_ros2.jit.lazy_kernel import lazy_kernel, part_of_caller


@lazy_kernel(np.zeros(0), 0.0, counted=False)
def scale(row: np.ndarray, factor: float) -> None:
    for i in range(len(row)):
        row[i] *= factor


@lazy_kernel(np.zeros(0), 0.0, counted=False)
def shift(row: np.ndarray, by: float) -> None:
    for i in range(len(row)):
        row[i] += by


long = compiled(counted=False)(scale.function)
part = part_of_caller(shift)


@compiled(counted=False)
def caller(row: np.ndarray) -> None:
    scale(row, 2.0)


@compiled(counted=False)
def whole(row: np.ndarray) -> None:
    part(row, 0.5)


def wide(kernel: Kernel) -> bool:
    code, = kernel.dispatcher.inspect_llvm().values()
    return ' x double>' in code


use_machine_code()
row = np.ones(40)
caller(row)
print(scale.slot.value is not None, row[0], row[39])
long(row, 4.0)
print(row[0], row[39])
print(wide(scale._entry), wide(long))
whole(row)
print(shift.slot.value, row[0], row[39])
"""


def test_loops_are_wide_where_they_may_be_long(run: Callable[..., list[str]]) -> None:
    """Not in a separate kernel; one that becomes part of another leaves its slot empty."""
    assert run(PROGRAM) == [
        'True 2.0 2.0', '8.0 8.0', 'False True', 'None 8.5 8.5']
