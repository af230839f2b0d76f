# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Sines, arcs, exponentials and logarithms.

:claim: Sines, directions, exponentials and logarithms are accurate to two units in the last place,
    arcsines to two and a half
:reference: numpy in extended precision
"""

import math

import numpy as np
import pytest

from mvsim_ros2.jit.kernel import compiled, use_machine_code
from mvsim_ros2.physics.elementary_functions import (
    arc_sine, arc_sine_ratio, arc_tangent, direction, exponential, exponential_growth,
    exponential_less_one, logarithm, sine_cosine)

LONG = np.longdouble


@compiled
def sine(a, b):
    """Return the sine of `a`."""
    return sine_cosine(a)[0]


@compiled
def cosine(a, b):
    """Return the cosine of `a`."""
    return sine_cosine(a)[1]


@compiled
def power(a, b):
    """Return e to `a`."""
    return exponential(a)


@compiled
def within(a, b):
    """Return the arc sine of what is below 1."""
    return arc_sine(a / (1.0 + abs(a)))


@compiled
def ratio(a, b):
    """Return the arc sine of what is below 1, over that."""
    return arc_sine_ratio(abs(a) / (1.0 + abs(a)))


@compiled
def growth(a, b):
    """Return e to -|a|, less 1, over -|a|."""
    return exponential_growth(-abs(a))


@compiled
def slope(a, b):
    """Return the arc tangent of `a`."""
    return arc_tangent(a)


@compiled
def power_less_one(a, b):
    """Return e to -|a|, less 1."""
    return exponential_less_one(-abs(a))


@compiled
def root(a, b):
    """Return the logarithm of |a|."""
    return logarithm(abs(a))


FUNCTIONS = {
    sine: lambda a, b: np.sin(a), cosine: lambda a, b: np.cos(a), power: lambda a, b: np.exp(a),
    direction: np.arctan2,
    within: lambda a, b: np.arcsin(LONG(a.astype(float) / (1.0 + np.abs(a.astype(float))))),
    ratio: lambda a, b: (lambda x: np.arcsin(x) / x)(
        LONG(np.abs(a.astype(float)) / (1.0 + np.abs(a.astype(float))))),
    growth: lambda a, b: np.expm1(-np.abs(a)) / -np.abs(a),
    slope: lambda a, b: np.arctan(a), power_less_one: lambda a, b: np.expm1(-np.abs(a)),
    root: lambda a, b: np.log(np.abs(a))}


def plain(function):
    """Return a kernel in plain Python."""
    return getattr(function, 'plain', function)  # type: ignore[no-any-return]


def numbers(size):
    """Return pairs of numbers up to a size, shape (n, 2)."""
    return np.random.default_rng(5).uniform(-size, size, (4000, 2))


@pytest.mark.skipif(np.finfo(LONG).eps >= np.finfo(float).eps, reason='no extended precision')
@pytest.mark.parametrize('function', FUNCTIONS)
@pytest.mark.parametrize('size', [0.01, 1.0, 8.0, 600.0])
def test_numbers_are_right(function, size):
    """Within two units in the last place, or two and a half."""
    given = numbers(size)
    found = np.array([plain(function)(*pair) for pair in given.tolist()])
    expected = FUNCTIONS[function](*LONG(given).T)
    assert (np.abs(found - expected) / np.spacing(np.abs(expected.astype(float)))).max() < (
        2.5 if function in (within, ratio, growth) else 2.0)


def test_numbers_at_edges_are_right():
    """At quarters of a turn, on axes, without a length, and where there is next to nothing."""
    for quarter in range(-9, 10):
        angle = 0.5 * math.pi * quarter
        assert plain(sine)(angle, 0.0) == pytest.approx(math.sin(angle), abs=1e-20, rel=1e-9)
        assert plain(cosine)(angle, 0.0) == pytest.approx(math.cos(angle), abs=1e-20, rel=1e-9)
    for pair in ((0.0, 0.0), (0.0, 1.0), (0.0, -1.0), (1.0, 0.0), (-1.0, 0.0), (1.0, 1.0),
                 (-1.0, -1.0), (1e-310, -1e200)):
        assert plain(direction)(*pair) == math.atan2(*pair)
    assert plain(power)(0.0, 0.0) == 1.0
    assert 0.0 < plain(power)(-math.inf, 0.0) < 1e-300
    assert plain(power_less_one)(1e-200, 0.0) == -1e-200
    assert plain(power_less_one)(math.inf, 0.0) == -1.0
    for number in (1e-300, 0.5, math.sqrt(0.5), 1.0, 1.0 + 2.0 ** -52, math.sqrt(2.0), 1e300):
        assert plain(root)(number, 0.0) == pytest.approx(math.log(number), rel=3e-16)
    assert plain(arc_sine)(1.0) == 0.5 * math.pi and plain(arc_sine)(1e-200) == 1e-200


@pytest.mark.parametrize('size', [1.0, 8.0, 600.0])
def test_machine_code_has_the_bits_of_plain_python(size):
    """For each function."""
    if not use_machine_code():
        pytest.skip('numba is not installed')
    for function in FUNCTIONS:
        for pair in numbers(size)[:400].tolist():
            assert function(*pair) == plain(function)(*pair)
