# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Named random streams: one `numpy` Generator per consumer, derived from one seed.

Adding a consumer changes no other consumer's numbers, because a stream depends
on the seed and its own name alone.
"""

from functools import lru_cache
import hashlib
from operator import index
from typing import Any

import numpy as np

from mvsim_ros2.errors import ArgumentError

LARGEST_SEED = 2 ** 63 - 1


def stream(seed: int, name: str) -> np.random.Generator:
    """
    Return the generator of the consumer called `name` under `seed`.

    :param seed: seed of the simulation, any non-negative integer.
    :param name: unique name of the consumer, for example ``'sensor/r1/laser1'``.
    """
    return np.random.Generator(_bits(seed, name))


def _bits(seed: int, name: str) -> np.random.SFC64:
    return np.random.SFC64(np.random.SeedSequence([seed, *_words(name)]))


@lru_cache(maxsize=4096)
def _words(name: str) -> list[int]:
    digest = hashlib.sha256(name.encode()).digest()
    return [int.from_bytes(digest[i:i + 4], 'little') for i in range(0, 16, 4)]


def checked_seed(seed: object) -> int:
    """Return a seed; raise `ArgumentError` where it is not an integer from 0 to `LARGEST_SEED`."""
    try:
        number = index(seed)  # type: ignore[arg-type]
    except TypeError:
        number = -1
    if isinstance(seed, bool) or not 0 <= number <= LARGEST_SEED:
        raise ArgumentError(f'seed is {seed!r}: it must be an integer from 0 to {LARGEST_SEED}')
    return number


class RandomStreams:
    """All random streams of one simulation, created on first use."""

    def __init__(self, seed: int) -> None:
        self.seed = checked_seed(seed)
        self._streams: dict[str, np.random.Generator] = {}

    def get(self, name: str) -> np.random.Generator:
        """Return the stream called `name`."""
        if name not in self._streams:
            self._streams[name] = stream(self.seed, name)
        return self._streams[name]

    def reset(self, seed: int | None = None) -> None:
        """Restart every stream, with a new seed where one is given."""
        if seed is not None:
            self.seed = checked_seed(seed)
        for name, generator in self._streams.items():
            generator.bit_generator.state = _bits(self.seed, name).state

    def snapshot(self) -> dict[str, Any]:
        """Return the state of every stream used so far."""
        return {'seed': self.seed,
                'streams': {name: generator.bit_generator.state
                            for name, generator in self._streams.items()}}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a `snapshot`; streams that it lacks are restarted."""
        self.reset(state['seed'])
        for name, bit_state in state['streams'].items():
            self.get(name).bit_generator.state = bit_state
