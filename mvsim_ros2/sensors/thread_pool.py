# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Work on parts of a scan or an image, or on worlds that learn, at the same time."""

from collections.abc import Callable
from concurrent.futures import Executor
from concurrent.futures import Future
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from functools import partial
import os
from typing import Any
from typing import TypeVar

R = TypeVar('R')


@cache
def threads() -> int:
    """
    Return how many threads a sensor may use: the cores of this process.

    The environment variable MVSIM_ROS2_THREADS sets another number.
    """
    if hasattr(os, 'sched_getaffinity'):
        cores = len(os.sched_getaffinity(0))
    else:
        cores = os.cpu_count() or 1
    return max(1, int(os.environ.get('MVSIM_ROS2_THREADS', cores)))


def divide(count: int, smallest: int) -> list[tuple[int, int]]:
    """Return the bounds of at most `threads()` even parts of `count`, none below `smallest`."""
    parts = max(1, min(threads(), count // max(1, smallest)))
    return [(count * k // parts, count * (k + 1) // parts) for k in range(parts)]


def in_parallel(work: Callable[[int], R], count: int) -> list[R]:
    """
    Return ``work(0)`` to ``work(count - 1)``, done at the same time.

    Only code that lets go of the interpreter lock gains, such as kernels.
    """
    later = [_others().submit(work, number) for number in range(1, count)]
    return [work(0), *(result.result() for result in later)]


class OwnThreads(Executor):
    """Threads of the process that asks for them: a fork gets others than those before it."""

    def __init__(self, count: int, name: str = '') -> None:
        """
        Have so many, from the first work on.

        :param name: what theirs begin with.
        """
        self._make = partial(ThreadPoolExecutor, count, name)
        self._process, self._pool = os.getpid(), self._make()

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        """Let one of them do some work."""
        if self._process != os.getpid():
            self._process, self._pool = os.getpid(), self._make()
        return self._pool.submit(work, *arguments, **named)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End them."""
        if self._process == os.getpid():
            self._pool.shutdown(wait, cancel_futures=cancel_futures)


@cache
def _others() -> OwnThreads:
    """Return the threads beside that of the caller."""
    return OwnThreads(max(1, threads() - 1), 'mvsim_ros2-sensor')
