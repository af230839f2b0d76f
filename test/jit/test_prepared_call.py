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
def all_of(factor: float, shift: int, box: Box, more: NDArray[np.float64],
           found: NDArray[np.float64]) -> None:
    """Find two numbers that depend on each argument."""
    total = 0.0
    for i in range(len(box.rows)):
        total += box.rows[i]['weight'] * box.rows[i]['count']
    for i in range(box.grid.shape[0]):
        for k in range(box.grid.shape[1]):
            total = 2.0 * total + box.grid[i, k]
    for i in range(len(more)):
        total = 3.0 * total + more[i]
        more[i] += 1.0
    found[0], found[1] = factor * total if box.closed else -total, shift + len(more)


def expected(*arguments: Any) -> list[float]:
    """Return what the kernel finds."""
    found = np.zeros(2)
    all_of(*arguments, found)
    return found.tolist()


@pytest.mark.parametrize('step', [1, 3], ids=['whole', 'a view, read by its strides'])
@pytest.mark.parametrize('closed', [True, False])
def test_a_prepared_call_reads_all_kinds_of_arguments(closed: bool, step: int) -> None:
    assert use_machine_code()
    rows = np.array([(0.5, 3), (-2.25, 7)], ROW)
    grid = np.arange(24, dtype=np.float32).reshape(4, 6)[::step, ::step]
    more, found, box = np.array([0.1, -4.0]), np.zeros(2), Box(closed, rows, grid)
    PreparedCall(all_of, 1.5, 4, box, more.copy(), found)()
    assert found.tolist() == expected(1.5, 4, box, more.copy())


def test_numbers_and_arrays_of_a_prepared_call_can_be_replaced() -> None:
    """By arrays of other sizes too; what the kernel writes arrives in them."""
    box, found = Box(True, np.zeros(0, ROW), np.ones((1, 1), np.float32)), np.zeros(2)
    call = PreparedCall(all_of, 1.0, 0, box, np.zeros(2), found)
    call.words[1] = 40
    other = np.array([5.0, 6.0, 7.0])
    call.replace(3, other)
    wanted = expected(1.0, 40, box, other.copy())
    call()
    assert found.tolist() == wanted
    assert other.tolist() == [6.0, 7.0, 8.0]
