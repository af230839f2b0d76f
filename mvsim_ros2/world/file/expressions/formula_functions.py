# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Constants and functions of world-file formulas, as in ExprTk."""

from collections.abc import Callable
from dataclasses import dataclass
import math
import sys

import numpy as np

from mvsim_ros2.base.random_streams import stream

CONSTANTS = {
    'm_pi': math.pi, 'pi': math.pi, 'm_e': math.e, 'inf': math.inf,
    'epsilon': sys.float_info.epsilon, 'true': 1.0, 'false': 0.0,
}


@dataclass(frozen=True)
class Function:
    """A function of numbers, with its number of arguments."""

    call: Callable[..., float]
    least: int
    most: int

    @property
    def arguments(self) -> str:
        """Return the number of arguments in words."""
        few = 'no' if self.most == 0 else str(self.least)
        return f'{"at least " if self.most > self.least else ""}{few} argument' + (
            '' if self.least == 1 else 's')


class RandomSource:
    """The random functions of one generator."""

    def __init__(self, generator: np.random.Generator) -> None:
        self._generator = generator

    def rand(self) -> float:
        """Return a number in [0, 1)."""
        return float(self._generator.random())

    def unifrnd(self, low: float, high: float) -> float:
        """Return a number in [low, high)."""
        return low + (high - low) * self.rand()

    def randn(self) -> float:
        """Return a number of the standard normal distribution."""
        return float(self._generator.standard_normal())

    def randomize(self, seed: float) -> float:
        """Restart the generator from `seed`, independently of the simulation's; return 0."""
        if seed < 0 or not seed.is_integer():
            raise ValueError('the seed must be a whole number, 0 or more')
        self._generator = stream(int(seed), 'world/randomize')
        return 0.0


RANDOM_FUNCTIONS = {  # the first argument of each call is a RandomSource
    'rand': Function(RandomSource.rand, 0, 0),
    'unifrnd': Function(RandomSource.unifrnd, 2, 2),
    'randn': Function(RandomSource.randn, 0, 0),
    'randomize': Function(RandomSource.randomize, 1, 1),
}


def _clamp(low: float, x: float, high: float) -> float:
    return low if x < low else high if x > high else x


def _clamp_outside(low: float, x: float, high: float) -> float:
    """Return x, or the nearer bound where x is between the bounds."""
    if x <= low or x >= high:
        return x
    return low if 2 * x <= high + low else high


def _equal(a: float, b: float) -> float:
    return abs(a - b) <= 1e-10 * max(1.0, abs(a), abs(b))


def _round(x: float) -> float:
    """Round half away from zero."""
    whole = math.floor(abs(x))
    return math.copysign(whole + (abs(x) - whole >= 0.5), x)


def _roundn(x: float, digits: float) -> float:
    scale = 10.0 ** math.trunc(digits)
    return _round(x * scale) / scale


def _root(x: float, n: float) -> float:
    degree = math.trunc(n)
    if degree % 2 and x < 0:
        return -math.pow(-x, 1.0 / degree)
    return math.pow(x, 1.0 / degree)


_ONE: dict[str, Callable[[float], float]] = {
    'abs': abs, 'acos': math.acos, 'acosh': math.acosh, 'asin': math.asin, 'asinh': math.asinh,
    'atan': math.atan, 'atanh': math.atanh, 'ceil': math.ceil, 'cos': math.cos,
    'cosh': math.cosh, 'cot': lambda x: 1 / math.tan(x), 'csc': lambda x: 1 / math.sin(x),
    'deg2grad': lambda x: x * 10 / 9, 'deg2rad': math.radians, 'erf': math.erf,
    'erfc': math.erfc, 'exp': math.exp, 'expm1': math.expm1, 'floor': math.floor,
    'frac': lambda x: math.fmod(x, 1), 'grad2deg': lambda x: x * 9 / 10, 'int': math.trunc,
    'log': math.log, 'log10': math.log10, 'log1p': math.log1p, 'log2': math.log2,
    'ncdf': lambda x: 0.5 * math.erfc(-x / math.sqrt(2)), 'not': lambda x: x == 0,
    'rad2deg': math.degrees, 'round': _round, 'sec': lambda x: 1 / math.cos(x),
    'sgn': lambda x: (x > 0) - (x < 0), 'sin': math.sin,
    'sinc': lambda x: math.sin(x) / x if x else 1.0, 'sinh': math.sinh, 'sqrt': math.sqrt,
    'tan': math.tan, 'tanh': math.tanh, 'trunc': math.trunc,
}
_TWO: dict[str, Callable[[float, float], float]] = {
    'atan2': math.atan2, 'equal': _equal, 'hypot': math.hypot,
    'logn': lambda x, base: math.log(x) / math.log(base), 'mod': math.fmod,
    'not_equal': lambda a, b: not _equal(a, b), 'pow': math.pow, 'root': _root,
    'roundn': _roundn,
}
_THREE: dict[str, Callable[[float, float, float], float]] = {
    'clamp': _clamp, 'iclamp': _clamp_outside,
    'if': lambda condition, yes, no: yes if condition else no,
    'inrange': lambda low, x, high: low <= x <= high,
}
_ANY: dict[str, Callable[..., float]] = {
    'avg': lambda *values: math.fsum(values) / len(values),
    'mand': lambda *values: all(values), 'max': lambda *values: max(values),
    'min': lambda *values: min(values), 'mor': lambda *values: any(values),
    'mul': lambda *values: math.prod(values), 'sum': lambda *values: math.fsum(values),
}

FUNCTIONS: dict[str, Function] = {
    **{name: Function(call, 1, 1) for name, call in _ONE.items()},
    **{name: Function(call, 2, 2) for name, call in _TWO.items()},
    **{name: Function(call, 3, 3) for name, call in _THREE.items()},
    **{name: Function(call, 1, sys.maxsize) for name, call in _ANY.items()},
}
