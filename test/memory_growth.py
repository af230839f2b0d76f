# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Memory that repeated work leaves behind."""

from collections.abc import Callable
import gc
import itertools
import tracemalloc

WINDOWS = 3


def traced_leak(work: Callable[[], object]) -> int:
    """
    Return the bytes that work leaves behind each time that it is done.

    What leaks grows each time; a pool that fills, or what another thread takes, grows once.
    """
    work()  # what is compiled first is no business of a trace
    tracemalloc.start()
    try:
        return steady_growth(work, lambda: tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()


def steady_growth(work: Callable[[], object], memory: Callable[[], int]) -> int:
    """Return the least growth of several times that work is done, after a first time."""
    sizes = []
    for _ in range(1 + WINDOWS):
        work()
        gc.collect()
        sizes.append(memory())
    return min(after - before for before, after in itertools.pairwise(sizes))
