# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Eight numbers side by side, each with the bits that it has alone."""

from collections.abc import Callable
import math
from typing import Any

import numpy as np
import pytest

from mvsim_ros2.jit.kernel import compiled, use_machine_code
from mvsim_ros2.jit.lane_memory import beside, gather, give_fields, scatter, take_fields
from mvsim_ros2.jit.lanes import either, lane, LANES, some, spread, with_lane

PAIR = np.dtype([('a', np.float64), ('b', np.float64), ('c', np.float64, (2,))])
pairs, rows = beside(PAIR), beside(np.dtype(np.float64))
take, give = take_fields(PAIR, 'b', 'c'), give_fields(PAIR, 'a')
SPECIAL = (0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, 5e-324)


@compiled
def arithmetic(a: float, b: float) -> float:
    """Return what all operations of numbers come to."""
    c = a * b - 3.0 / (b + 0.1)
    c /= 1.0 + abs(a)
    c -= -b
    c *= 1.5
    c += 2
    return math.sqrt(abs(c)) + max(a, b) - min(b, 0.5)


@compiled
def choices(a: float, b: float) -> float:
    """Return what conditions come to."""
    inside = (a < b) & (a >= -1.0) | (b != b)
    outside = (a > 2.0 * b) | (a <= b) & (b == 1.0)
    return either(inside, a, either(outside, 1.0, b)) + either(some(outside) & inside, 2.0, 3.0)


@compiled
def skipped(a: float, b: float) -> float:
    """Return what is left out where none of the eight needs it."""
    c = a
    if some(b > 0.0):
        c = either(b > 0.0, a + b, a)
    return c


@compiled
def eight_arithmetic(given: int, found: int) -> None:
    """Write what eight pairs of numbers come to."""
    pair, result = pairs(given), rows(found)
    result[0] = arithmetic(pair['a'], pair['b'])


@compiled
def eight_choices(given: int, found: int) -> None:
    """Write what eight pairs of numbers come to."""
    pair, result = pairs(given), rows(found)
    result[0] = choices(pair['a'], pair['b'])


@compiled
def eight_skipped(given: int, found: int) -> None:
    """Write what eight pairs of numbers come to."""
    pair, result = pairs(given), rows(found)
    result[0] = skipped(pair['a'], pair['b'])


@pytest.fixture(scope='module', autouse=True)
def machine_code() -> None:
    """Run compiled code, which alone knows eight numbers."""
    if not use_machine_code():
        pytest.skip('numba is not installed')


@pytest.mark.parametrize('kernel,eight', [
    (arithmetic, eight_arithmetic), (skipped, eight_skipped)], ids=['arithmetic', 'skipped'])
@pytest.mark.parametrize('special', [False, True], ids=['usual', 'special'])
def test_eight_numbers_are_those_of_each(
        kernel: Callable[..., Any], eight: Callable[..., Any], special: bool) -> None:
    """Operations give the same bits as for one number, infinities and NaN included."""
    random = np.random.default_rng(3)
    for _ in range(20):
        given = random.normal(size=(2, LANES))
        if special:
            given = random.choice(SPECIAL, (2, LANES))
        found = np.zeros(LANES)
        eight(given.ctypes.data, found.ctypes.data)
        np.testing.assert_array_equal(found, [kernel(*pair) for pair in given.T.tolist()])


def test_conditions_are_joined_number_by_number() -> None:
    """`either` takes for each of the eight what its own condition says, `some` means any."""
    given, found = np.array([[0.0, -1.0, 3.0, 1.0, -2.0, math.nan, 0.5, 1.0],
                             [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, math.nan, 0.2]]), np.zeros(LANES)
    eight_choices(given.ctypes.data, found.ctypes.data)
    inside = np.array([1, 1, 0, 0, 0, 0, 1, 0], bool)
    outside = np.array([0, 0, 1, 1, 1, 0, 0, 1], bool)
    expected = np.where(inside, given[0], np.where(outside, 1.0, given[1]))
    np.testing.assert_array_equal(found, expected + np.where(inside, 2.0, 3.0))


def test_records_apart_are_taken_and_given_back() -> None:
    """Fields of eight records anywhere are copied, and nothing else."""
    @compiled
    def run(addresses: int, memory: int) -> None:
        take(memory, addresses, 0)
        pair = pairs(memory)
        third = rows(memory + LANES * 24)
        pair['a'] = pair['b'] + third[0] + gather(addresses, 16)
        give(memory, addresses, 0)
        scatter(addresses, 8, 7.0)

    apart = np.zeros(3 * LANES, PAIR)
    apart['b'], apart['c'] = np.arange(24.0), np.arange(48.0).reshape(24, 2)
    before = apart.copy()
    addresses = (apart.ctypes.data + PAIR.itemsize * 3 * np.arange(LANES)).astype(np.int64)
    memory = np.zeros(LANES * PAIR.itemsize // 8)
    run(addresses.ctypes.data, memory.ctypes.data)
    own = before[::3]
    np.testing.assert_array_equal(apart['a'][::3], own['b'] + own['c'][:, 1] + own['c'][:, 0])
    np.testing.assert_array_equal(apart['b'][::3], np.full(LANES, 7.0))
    others = np.arange(24) % 3 != 0
    assert apart[others].tobytes() == before[others].tobytes()


def test_single_numbers_are_read_and_replaced() -> None:
    """One of the eight is reached by its number, which need not be known beforehand."""
    @compiled
    def run(found: int) -> float:
        numbers = spread(1.5)
        for k in range(LANES):
            numbers = with_lane(numbers, k, lane(numbers, k) + k)
        result = rows(found)
        result[0] = numbers
        return lane(numbers, 6)

    found = np.zeros(LANES)
    assert run(found.ctypes.data) == 7.5
    assert found.tolist() == [1.5 + k for k in range(LANES)]
