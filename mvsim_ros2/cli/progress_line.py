# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A line on the terminal that says how far a command is, and how long it will take."""

from collections.abc import Iterator
from contextlib import contextmanager
from math import isinf
import sys
from threading import Event, Lock, Thread
from time import monotonic
from typing import TextIO

from mvsim_ros2.base.progress import watched

PATIENCE = 1.0  # s before the line appears
_EVERY = 0.25  # s
_CLEAR = '\r\033[K'

_writing = Lock()  # between the line and what else is printed


def clear_line(stream: TextIO) -> None:
    """Make room on a terminal for a line that stays."""
    if stream.isatty():
        with _writing:
            stream.write(_CLEAR)
            stream.flush()


@contextmanager
def working(task: str) -> Iterator[None]:
    """
    Show the progress of the block on standard error, if that is a terminal.

    The line appears after a second, is drawn by a thread of its own, and vanishes at the end. As
    long as the total is unknown it shows for how long the task has been running.
    """
    if not sys.stderr.isatty():
        yield
        return
    line = _Line(task, sys.stderr)
    ended = Event()

    def draw() -> None:
        wait = PATIENCE
        while not ended.wait(wait):
            line.draw()
            wait = _EVERY

    artist = Thread(target=draw, daemon=True)
    with watched(line.move):
        artist.start()
        try:
            yield
        finally:
            ended.set()
            artist.join()
            clear_line(sys.stderr)


class _Line:
    """What is shown."""

    def __init__(self, task: str, stream: TextIO) -> None:
        self._task, self._stream = task, stream
        self._begin = self._counted_since = monotonic()
        self._state: tuple[float, float, str] | None = None

    def move(self, done: float, total: float, what: str) -> None:
        """Take over how far it is; a new thing that is counted begins anew."""
        if self._state is None or self._state[1:] != (total, what):
            self._counted_since = monotonic()
        self._state = done, total, what

    def draw(self) -> None:
        """Write the line."""
        with _writing:
            self._stream.write(f'{_CLEAR}{self.text(monotonic())}')
            self._stream.flush()

    def text(self, now: float) -> str:
        """Return the line at a time of the monotonic clock."""
        if self._state is None:
            return f'{self._task}: {in_words(now - self._begin)}'
        done, total, what = self._state
        if isinf(total):
            return f'{self._task}: {done:.4g} {what}'
        text = f'{self._task}: {done:.4g} of {total:.4g} {what}'
        if not 0.0 < done <= total:
            return text
        left = (now - self._counted_since) * (total - done) / done
        return f'{text}, {100.0 * done / total:.0f} %, about {in_words(left)} left'


def in_words(seconds: float) -> str:
    """Return a duration as ``7 s``, ``3:07 min`` or ``2:03:07 h``."""
    whole = round(seconds)
    hours, minutes, rest = whole // 3600, whole // 60 % 60, whole % 60
    if hours:
        return f'{hours}:{minutes:02}:{rest:02} h'
    return f'{minutes}:{rest:02} min' if minutes else f'{rest} s'
