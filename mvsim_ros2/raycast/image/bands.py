# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Work on the pixels of an image, spread over the cores."""

from collections.abc import Callable
from functools import cache
import os
from queue import SimpleQueue
from threading import Lock
from threading import Thread

_MOST_THREADS = 8


@cache
def band_count() -> int:
    """Return the number of bands that an image is cut into, one for each thread."""
    return min(_MOST_THREADS, os.cpu_count() or 1)


def in_bands(total: int, draw: Callable[[int, int, int], None], least: int = 1) -> None:
    """
    Have bands drawn at the same time, and return when all are done.

    :param total: of rows or pixels.
    :param draw: is called with the number of a band, its first row and the end of its rows.
    :param least: rows of a band, where there is more than one.
    """
    count = max(1, min(band_count(), total // least))
    beside(count, lambda number: draw(
        number, total * number // count, total * (number + 1) // count))


def beside(count: int, work: Callable[[int], None],
           prepare: Callable[[int], None] = lambda number: None) -> None:
    """
    Have something done by some threads at the same time, and return when all have done it.

    :param work: is called with the number of each, with the last one in this thread.
    :param prepare: is called with each number in this thread, one after the other, before `work`.
    """
    ends: SimpleQueue[BaseException | None] = SimpleQueue()
    helpers, asked = _helpers(os.getpid()), 0
    try:
        for number in range(count - 1):
            prepare(number)
            helpers.ask(work, number, ends)
            asked += 1
        prepare(count - 1)
        work(count - 1)
    finally:  # nobody writes to what was handed over once this is left
        faults = [ends.get() for _ in range(asked)]
    for fault in filter(None, faults):
        raise fault


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
            Callable[[int], None], int, SimpleQueue[BaseException | None]]] = SimpleQueue()

    def ask(self, work: Callable[[int], None], number: int,
            ends: SimpleQueue[BaseException | None]) -> None:
        """
        Have work done by a thread of its own.

        :param work: is called with the number.
        :param ends: what it has raised, or None, is put here.
        """
        if self._count <= number:
            with self._lock:
                while self._count <= number:
                    Thread(target=self._help, name='mvsim-view', daemon=True).start()
                    self._count += 1
        self._asked.put((work, number, ends))

    def _help(self) -> None:
        while True:
            work, number, ends = self._asked.get()
            try:
                work(number)
            except BaseException as fault:  # which who asked raises
                ends.put(fault)
            else:
                ends.put(None)
            del work, ends  # what they hold is not needed any more


@cache
def _helpers(process: int) -> _Helpers:
    """Return the threads of a process: a fork has none of those before it."""
    return _Helpers()
