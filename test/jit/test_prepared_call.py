# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Prepared calls of kernels give what the kernels give."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
import pytest

from mvsim_ros2.jit.kernel import compiled, use_machine_code
from mvsim_ros2.jit.prepared_call import PreparedCall

numba = pytest.importorskip('numba')

ROW = np.dtype([('weight', np.float64), ('count', np.int64)])


class Box(NamedTuple):
    """A tuple of all kinds of things."""

    closed: bool
    rows: Any
    grid: NDArray[np.float32]


@compiled
def all_of(factor: float, shift: int, box: Box, more: NDArray[np.float64]) -> tuple[float, int]:
    """Return something that depends on each argument."""
    total = 0.0
    for i in range(len(box.rows)):
        total += box.rows[i]['weight'] * box.rows[i]['count']
    for i in range(box.grid.shape[0]):
        for k in range(box.grid.shape[1]):
            total = 2.0 * total + box.grid[i, k]
    for i in range(len(more)):
        total = 3.0 * total + more[i]
        more[i] += 1.0
    return factor * total if box.closed else -total, shift + len(more)


def test_a_prepared_call_reads_all_kinds_of_arguments() -> None:
    assert use_machine_code()
    rows = np.array([(0.5, 3), (-2.25, 7)], ROW)
    grid = np.arange(12, dtype=np.float32).reshape(3, 4)
    more = np.array([0.1, -4.0])
    for closed in (True, False):
        box = Box(closed, rows, grid)
        call = PreparedCall(all_of, 1.5, 4, box, more.copy())
        expected = all_of(1.5, 4, box, more.copy())
        assert call() == expected


def test_numbers_and_arrays_of_a_prepared_call_can_be_replaced() -> None:
    """By arrays of other sizes too; what the kernel writes arrives in them."""
    box = Box(True, np.zeros(0, ROW), np.ones((1, 1), np.float32))
    call = PreparedCall(all_of, 1.0, 0, box, np.zeros(2))
    call.words[1] = 40
    other = np.array([5.0, 6.0, 7.0])
    call.replace(3, other)
    expected = all_of(1.0, 40, box, other.copy())
    assert call() == expected
    assert other.tolist() == [6.0, 7.0, 8.0]


def test_a_view_of_an_array_is_read_by_its_strides() -> None:
    rows, grid = np.zeros(0, ROW), np.arange(24, dtype=np.float32).reshape(4, 6)
    box = Box(True, rows, grid[::2, ::3])
    expected = all_of(1.0, 0, box, np.zeros(0))
    assert PreparedCall(all_of, 1.0, 0, box, np.zeros(0))() == expected
