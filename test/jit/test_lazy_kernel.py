# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Kernels that are compiled by themselves, and those that only kernels may call."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from listener import LISTEN
import numpy as np
from numpy.typing import NDArray
import pytest

from mvsim_ros2.jit.kernel import compiled, use_machine_code
from mvsim_ros2.jit.lazy_kernel import lazy_kernel

pytest.importorskip('numba')

ROW = np.dtype([('weight', np.float64), ('count', np.int64), ('more', np.float64, (2,))])


class Box(NamedTuple):
    """A tuple in which there are others."""

    closed: bool
    grid: NDArray[np.float32]
    pair: tuple[int, NDArray[np.float64]]


def sums(row: Any, box: Box, solid: NDArray[np.float64], view: NDArray[np.float64], factor: float,
         shift: int, on: bool) -> tuple[float, float]:
    """Return what depends on each argument, and write into some."""
    total = factor * row['weight'] + row['count'] * row['more'][1] + shift
    for i in range(box.grid.shape[0]):
        for k in range(box.grid.shape[1]):
            total = 1.5 * total + box.grid[i, k]
    for i in range(solid.shape[0]):
        for j in range(solid.shape[1]):
            for k in range(solid.shape[2]):
                total = 1.5 * total - solid[i, j, k]
    for i in range(view.shape[0]):
        for k in range(view.shape[1]):
            total = 1.25 * total + view[i, k]
            view[i, k] += 1.0
    row['weight'] = total
    total += 1.0 if box.closed else 2.0
    return total, box.pair[0] + box.pair[1][0] + (7.0 if on else 0.0)


def examples() -> tuple[Any, ...]:
    """Return one argument of each kind, arrays with gaps among them."""
    random = np.random.default_rng(1)
    rows = np.zeros(3, ROW)
    rows['weight'], rows['count'], rows['more'] = 0.5, 3, 2.5
    box = Box(True, random.normal(size=(2, 3)).astype(np.float32), (5, random.normal(size=2)))
    return (rows[1], box, random.normal(size=(2, 3, 4)), random.normal(size=(6, 4))[::2, ::3],
            0.5, -3, True)


SEPARATE = lazy_kernel(*examples())(sums)


@compiled
def caller(row: Any, box: Box, solid: NDArray[np.float64], view: NDArray[np.float64],
           factor: float, shift: int, on: bool) -> tuple[float, float]:
    """Call it from machine code."""
    return SEPARATE(row, box, solid, view, factor, shift, on)


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


@compiled
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
CALL = LISTEN + """
import kernels
import numpy as np
from mvsim_ros2.jit.kernel import use_machine_code
for machine_code in (False, True):
    row = np.array([0.0, 3.0])
    assert not machine_code or use_machine_code()
    print(*map(float, kernels.outside(row, False)), row[0], kernels.both(1.0, 2, row), row[0],
          bool(kernels.both.table[0]))
for kernel in ('both', 'never_called'):
    print(kernel, len(getattr(kernels, kernel).dispatcher.overloads), kernel in compiled)
try:
    kernels.failing(2.0)
except ValueError as error:
    print(type(error).__name__)
"""


def test_what_is_not_called_is_not_compiled(
        run: Callable[..., list[str]], tmp_path: Path) -> None:
    """Numbers, arrays and errors pass; disk serves the second process."""
    (tmp_path / 'kernels.py').write_text(MODULE)
    for compiled_now in (True, False):
        assert run(CALL) == [
            '6.0 2.0 1.0 (3.0, -1.0) 2.0 False', '6.0 2.0 1.0 (3.0, -1.0) 2.0 True',
            f'both 1 {compiled_now}', 'never_called 0 False', 'ValueError']


def test_arguments_of_all_kinds_arrive() -> None:
    """Records, arrays with and without gaps, tuples in tuples, numbers: in machine code."""
    assert use_machine_code()
    given, expected = examples(), examples()
    assert caller(*given) == sums(*expected)
    assert given[0] == expected[0]
    np.testing.assert_array_equal(given[3], expected[3])
