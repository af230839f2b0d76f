# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Random numbers by place instead of by turn: number n of a field is a function of key and n.

Threads may so draw the noise of their part of a scan, and the scan is the same however it is
divided. The hash is SplitMix64 (Steele, Lea and Flood, Fast splittable pseudorandom number
generators, 2014). Normal numbers come from a ziggurat of 256 layers of equal area (Marsaglia and
Tsang, The ziggurat method for generating random variables, 2000).
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled

_LAYERS = 256
_TAIL, _AREA = 3.6541528853610088, 0.004928673233974655  # where the tail starts, of a layer
_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1, _MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31 = np.uint64(27), np.uint64(30), np.uint64(31)
_S11, _LAYER_BITS, _ONE = np.uint64(11), np.uint64(_LAYERS - 1), np.uint64(1)
_UNIT = 2.0 ** -53


def _layers() -> NDArray[np.float64]:
    """Return the widths of the layers, from the widest, with its tail folded in, to 0."""
    widths = [_AREA * math.exp(0.5 * _TAIL ** 2), _TAIL]
    while len(widths) < _LAYERS:
        height = _AREA / widths[-1] + math.exp(-0.5 * widths[-1] ** 2)
        widths.append(math.sqrt(-2.0 * math.log(height)))
    return np.array([*widths, 0.0])


_WIDTHS = _layers()
_SURE = _WIDTHS[1:] / _WIDTHS[:-1]  # share of a layer that lies below the curve for sure


@compiled(counted=False)
def bits(key: np.uint64, number: int) -> np.uint64:
    """Return 64 random bits."""
    z = key + np.uint64(number) * _GAMMA
    z = (z ^ (z >> _S30)) * _MIX_1
    z = (z ^ (z >> _S27)) * _MIX_2
    return z ^ (z >> _S31)


@compiled(counted=False)
def share(word: np.uint64) -> float:
    """Return a number in [0, 1) made of random bits, the lowest eleven left out."""
    number: float = float(word >> _S11) * _UNIT
    return number


@compiled(counted=False)
def uniform(key: np.uint64, number: int) -> float:
    """Return a number that is uniform in [0, 1)."""
    return share(bits(key, number))


@compiled(counted=False)
def normals(key: np.uint64, numbers: NDArray[np.int64], kinds: int, kind: int, count: int,
            values: NDArray[np.float64]) -> None:
    """
    Fill in the standard normal numbers ``normal(key, kinds * numbers[n] + kind)``; faster.

    The first loop, which has no branch, runs in vectors and leaves out the few numbers that
    are not below the curve for sure.
    """
    for n in range(count):
        word = bits(key, kinds * numbers[n] + kind)
        layer = int(word & _LAYER_BITS)
        place = 2.0 * share(word) - 1.0
        values[n] = place * _WIDTHS[layer] if abs(place) < _SURE[layer] else math.inf
    for n in range(count):
        if values[n] == math.inf:
            values[n] = normal(key, kinds * numbers[n] + kind)


@compiled(counted=False)
def normal(key: np.uint64, number: int) -> float:
    """Return a standard normal number."""
    word = bits(key, number)
    while True:
        layer = int(word & _LAYER_BITS)
        place = 2.0 * share(word) - 1.0
        x: float = place * _WIDTHS[layer]
        if abs(place) < _SURE[layer]:
            return x
        word = bits(word, 1)
        if layer == 0:
            while True:
                away = -math.log(1.0 - share(word)) / _TAIL
                word = bits(word, 1)
                if -2.0 * math.log(1.0 - share(word)) > away * away:
                    return _TAIL + away if place > 0.0 else -_TAIL - away
                word = bits(word, 1)
        outer = math.exp(-0.5 * (_WIDTHS[layer] ** 2 - x * x))
        inner = math.exp(-0.5 * (_WIDTHS[layer + 1] ** 2 - x * x))
        if inner + share(word) * (outer - inner) < 1.0:
            return x
        word = bits(word, 1)
