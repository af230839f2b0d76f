# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Work on parts of a scan or an image, or on many worlds, by several threads at the same time."""

from collections.abc import Callable
from functools import cache
import os
from queue import SimpleQueue
from threading import local
from threading import Lock
from threading import Thread

from mvsim_ros2.errors import ArgumentError

_VARIABLE = 'MVSIM_ROS2_THREADS'


@cache
def threads() -> int:
    """
    Return how many threads a measurement may use: the cores of this process.

    The environment variable MVSIM_ROS2_THREADS sets another number.

    :raises ArgumentError: where it is no number.
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


def beside(count: int, work: Callable[[int], object],
           prepare: Callable[[int], object] = lambda number: None) -> None:
    """
    Have something done by some threads at the same time, and return when all have done it.

    Only code that lets go of the interpreter lock gains, such as kernels. Where a thread that has
    a part of such work asks for more, it does all of that by itself.

    :param work: is called with the number of each, with the last one in this thread.
    :param prepare: is called with each number in this thread, one after the other, before `work`.
    """
    if count == 1 or getattr(_present, 'shares', False):
        for number in range(count):
            prepare(number)
            work(number)
        return
    ends: SimpleQueue[BaseException | None] = SimpleQueue()
    helpers, asked = _helpers(os.getpid()), 0
    try:
        for number in range(count - 1):
            prepare(number)
            helpers.ask(work, number, ends)
            asked += 1
        prepare(count - 1)
        _do(work, count - 1)
    finally:  # nobody writes to what was handed over once this is left
        faults = [ends.get() for _ in range(asked)]
    for fault in filter(None, faults):
        raise fault


_present = local()  # whether a thread has a part of what is shared just now


def _do(work: Callable[[int], object], number: int) -> None:
    """Do a part of what is shared."""
    _present.shares = True
    try:
        work(number)
    finally:
        _present.shares = False


class _Helpers:
    """
    Threads that wait for work.

    A pool of `concurrent.futures` takes ten times as long to hand over what is done at once.
    """

    def __init__(self) -> None:
        """Begin with none."""
        self._count = 0
        self._lock = Lock()
        self._asked: SimpleQueue[tuple[
            Callable[[int], object], int, SimpleQueue[BaseException | None]]] = SimpleQueue()

    def ask(self, work: Callable[[int], object], number: int,
            ends: SimpleQueue[BaseException | None]) -> None:
        """
        Have work done by a thread of its own.

        :param work: is called with the number.
        :param ends: what it has raised, or None, is put here.
        """
        if self._count <= number:
            with self._lock:
                while self._count <= number:
                    Thread(target=self._help, name='mvsim_ros2-helper', daemon=True).start()
                    self._count += 1
        self._asked.put((work, number, ends))

    def _help(self) -> None:
        while True:
            work, number, ends = self._asked.get()
            try:
                _do(work, number)
            except BaseException as fault:  # which who asked raises
                ends.put(fault)
            else:
                ends.put(None)
            del work, ends  # what they hold is not needed any more


@cache
def _helpers(process: int) -> _Helpers:
    """Return the threads of a process: a fork has none of those before it."""
    return _Helpers()
