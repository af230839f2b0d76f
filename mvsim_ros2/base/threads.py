# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Work on parts of a scan or an image, or on many worlds, by several threads at the same time."""

from collections.abc import Callable
from functools import cache, partial
import os
from queue import SimpleQueue
from threading import get_ident, local, Lock, Thread
from typing import Any, TypeVar

from mvsim_ros2.errors import ArgumentError

T = TypeVar('T')

_VARIABLE = 'MVSIM_ROS2_THREADS'
_Ends = SimpleQueue[tuple[Any, BaseException | None]]  # results, or what was raised instead
_Asked = SimpleQueue[tuple[Callable[[], Any], _Ends] | None]
_present = local()  # whether a thread has a share of some work just now


@cache
def threads() -> int:
    """
    Return how many threads a measurement may use: the cores of this process.

    The environment variable MVSIM_ROS2_THREADS sets another number.
    """
    given = os.environ.get(_VARIABLE)
    if given is not None:
        if not (given.isdecimal() and int(given) > 0):
            raise ArgumentError(
                f'{_VARIABLE} is {given!r}: it must be a whole number of at least 1')
        return int(given)
    if hasattr(os, 'sched_getaffinity'):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def divide(count: int, smallest: int) -> list[tuple[int, int]]:
    """Return the bounds of at most `threads()` even parts of `count`, none below `smallest`."""
    parts = max(1, min(threads(), count // max(1, smallest)))
    return [(count * k // parts, count * (k + 1) // parts) for k in range(parts)]


class Worker:
    """
    A thread that runs requested calls one after the other.

    A pool of `concurrent.futures` takes ten times as long to hand over what is done at once.
    """

    def __init__(self, name: str, asked: _Asked | None = None) -> None:
        """
        Start the thread.

        :param asked: where it finds its work; None for a queue of its own.
        """
        self._asked = _Asked() if asked is None else asked
        self.process = os.getpid()
        self._thread = Thread(target=_work, args=(self._asked,), name=name, daemon=True)
        self._thread.start()

    @property
    def is_here(self) -> bool:
        """Return whether this is the thread."""
        return get_ident() == self._thread.ident

    def start(self, work: Callable[[], T]) -> Callable[[], T]:
        """Have work done; return what waits for its result, once."""
        ends = _Ends()
        self._asked.put((work, ends))
        return partial(_result, ends)

    def end(self) -> None:
        """Let the thread end when all requested calls have run, and wait for it."""
        self._asked.put(None)
        self._thread.join()


def _result(ends: _Ends) -> Any:
    """Return a result, or raise what has been raised instead."""
    result, fault = ends.get()
    if fault is not None:
        raise fault
    return result


def _work(asked: _Asked) -> None:
    """Do what is asked for, until that is nothing."""
    while (job := asked.get()) is not None:
        work, ends = job
        try:
            ends.put((work(), None))
        except BaseException as fault:  # which who asked raises
            ends.put((None, fault))
        del job, work, ends  # what they hold is not needed any more


def beside(count: int, work: Callable[[int], object]) -> None:
    """
    Have something done by some threads at the same time, and return when all have done it.

    Only code that lets go of the interpreter lock gains, such as kernels. Where a thread that has
    a share of such work asks for more, it does all of that by itself.
    """
    if count == 1 or getattr(_present, 'shares', False):
        for number in range(count):
            work(number)
        return
    ends, helpers, asked = _Ends(), _helpers(os.getpid()), 0
    try:
        for number in range(count - 1):
            helpers.ask(partial(_share, work, number), ends)
            asked += 1
        _share(work, count - 1)
    finally:  # nobody writes to what was handed over once this is left
        faults = [ends.get()[1] for _ in range(asked)]
    for fault in filter(None, faults):
        raise fault


def _share(work: Callable[[int], object], number: int) -> None:
    """Do a share of some work."""
    _present.shares = True
    try:
        work(number)
    finally:
        _present.shares = False


class _Helpers:
    """Threads of a process that wait for the same work, as many as are ever asked at once."""

    def __init__(self) -> None:
        self._asked = _Asked()
        self._free = 0  # who wait for work, or will when they are done
        self._lock = Lock()

    def ask(self, work: Callable[[], object], ends: _Ends) -> None:
        """
        Have work done at once: by a new thread, where those that there are have some.

        They may wait for what this is a part of.
        """
        with self._lock:
            if self._free:
                self._free -= 1
            else:
                Worker('mvsim_ros2-helper', self._asked)
        self._asked.put((partial(self._help, work), ends))

    def _help(self, work: Callable[[], object]) -> None:
        try:
            work()
        finally:
            with self._lock:
                self._free += 1


@cache
def _helpers(process: int) -> _Helpers:
    """Return the threads of a process: a fork has none of those before it."""
    return _Helpers()
