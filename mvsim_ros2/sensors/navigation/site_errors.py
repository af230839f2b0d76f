# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Errors that all satellite receivers of a site have in common: of orbits, clocks and the air.

They are a Gauss-Markov process of first order that depends on the seed and the time only, whoever
asks, in whatever order: its values at multiples of a short time are made of numbers by place
(`lidar.hash_noise`), and between two of them it goes straight.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.sensors.lidar.hash_noise import normal

Array = NDArray[np.float64]

STREAM = 'site/gnss'  # its random stream, which nothing is drawn from
_NODES = 100  # values in a correlation time


class SiteErrors:
    """The errors of a site with the deviation 1, east-north-up."""

    def __init__(self, random: np.random.Generator, drift_time: float) -> None:
        """
        Begin.

        :param random: of the site, the same for all; its state is read, never advanced.
        :param drift_time: in which errors fall to 1/e [s].
        """
        self._random = random
        self._step = drift_time / _NODES
        self._keep = float(np.exp(-1.0 / _NODES))
        self._known: tuple[int, int, Array] | None = None  # key, number of the last node, value

    def at(self, time: float) -> Array:
        """Return the errors at a simulated time [s], shape (3,)."""
        key = int(self._random.bit_generator.state['state']['state'][0])
        number, part = divmod(time / self._step, 1.0)
        wanted = int(number)
        if self._known is None or self._known[0] != key or self._known[1] > wanted:
            self._known = key, -1, np.zeros(3)
        _, known, value = self._known
        before = value.copy()
        with np.errstate(over='ignore'):  # without numba: random bits wrap around
            if known < 0:
                _go(np.uint64(key), -1, 0, 0.0, before)
                known = 0
            _go(np.uint64(key), known, wanted, self._keep, before)
            self._known = key, wanted, before
            after = before.copy()
            _go(np.uint64(key), wanted, wanted + 1, self._keep, after)
        return before + part * (after - before)


@compiled
def _go(key: np.uint64, begin: int, end: int, keep: float, value: Array) -> None:
    """Replace the errors at the node `begin` by those at the node `end`."""
    fresh = math.sqrt(1.0 - keep * keep)
    for node in range(begin, end):
        for axis in range(3):
            value[axis] = keep * value[axis] + fresh * normal(key, 3 * (node + 1) + axis)
