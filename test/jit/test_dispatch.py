# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Kernels that are called by a number."""

from collections.abc import Callable
from pathlib import Path

from listener import LISTEN
import pytest

from mvsim_ros2.jit.dispatch import by_number, CAPACITY
from mvsim_ros2.jit.kernel import import_numba

MODULE = """
import numpy as np

from mvsim_ros2.jit.dispatch import by_number
from mvsim_ros2.jit.kernel import compiled


@by_number(0.0, np.zeros(0), 0.0)
def law(number: float, row: np.ndarray, x: float) -> tuple[float, float]:
    raise NotImplementedError


@compiled
def first(row: np.ndarray, x: float) -> tuple[float, float]:
    row[0] += 1.0
    return row[1] + x, row[1] - x


@compiled
def second(row: np.ndarray, x: float) -> tuple[float, float]:
    if x < 0.0:
        raise ValueError('below 0')
    return 0, x


def third(row: np.ndarray, x: float) -> tuple[float, float]:
    return -1.0, -1.0


@compiled
def caller(numbers: np.ndarray, row: np.ndarray, x: float) -> tuple[float, float]:
    a, b = 0.0, 0.0
    for number in numbers:
        c, d = law(number, row, x)
        a += c
        b += 10.0 * d
    return a, b
"""
CALL = """
import sys

import kernels
import numpy as np

from mvsim_ros2.jit.kernel import use_machine_code

print(use_machine_code())
names = sys.argv[1:]
for number, name in enumerate(names):
    kernels.law.put(number, getattr(kernels, name))
    kernels.law.put(number, getattr(kernels, name))
row = np.array([0.0, 3.0])
a, b = kernels.caller(np.array([0.0, 1.0, 1.0]), row, 2.0)
print(float(a), float(b), float(row[0]), [float(x) for x in kernels.law(0, row, 1.0)])
for number, x in ((float(len(names)), 0.0), (-1.0, 0.0), (1e9, 0.0), (np.nan, 0.0), (1.0, -1.0)):
    try:
        kernels.caller(np.array([number]), row, x)
    except Exception as error:
        print(type(error).__name__)
"""
WATCHED = f"{LISTEN}{CALL}print('caller' in compiled)"
Run = Callable[..., list[str]]


@pytest.fixture
def run(run: Run, tmp_path: Path) -> Run:
    """Return what runs a program with these kernels, numbered in the order of its words."""
    (tmp_path / 'kernels.py').write_text(MODULE)
    return run


def test_a_number_chooses(run: Run) -> None:
    """Also without numba; a number without a kernel is an error, as is what a kernel raises."""
    rest = ['5.0 50.0 1.0 [4.0, 2.0]', *['LookupError'] * 4, 'ValueError']
    assert run(CALL, 'first', 'second', NUMBA_DISABLE_JIT='1') == ['False', *rest]
    pytest.importorskip('numba')
    assert run(WATCHED, 'first', 'second') == ['True', *rest, 'True']


def test_machine_code_on_disk_serves_other_numbers(run: Run) -> None:
    """A caller that was compiled with other kernels finds those of its own process."""
    pytest.importorskip('numba')
    run(CALL, 'first', 'second')
    lines = run(WATCHED, 'third', 'second')
    assert lines[1] == '-1.0 30.0 0.0 [-1.0, -1.0]' and lines[-1] == 'False'


@by_number(0.0, 0.0)
def twice(number: float, x: float) -> float:
    raise NotImplementedError


@pytest.mark.parametrize('number, kernel, error, message', [
    pytest.param(0, lambda: 1.0, TypeError, r'takes \(\): it must take \(x\)', id='parameters'),
    pytest.param(CAPACITY, lambda x: x, ValueError, f'room for {CAPACITY} kernels', id='number'),
])
def test_what_is_no_kernel_is_refused(
        number: int, kernel: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        twice.put(number, kernel)
    assert number not in twice.kernels


def test_what_cannot_be_compiled_is_named() -> None:
    if not import_numba():
        pytest.skip('numba cannot be used')

    def broken(x: float) -> float:
        return x.nothing
    with pytest.raises(TypeError, match=r'broken of .* cannot be compiled for \(x\)'):
        twice.put(1, broken)
    with pytest.raises(LookupError, match='twice is called with a number that stands for no'):
        twice(1, 2.0)
