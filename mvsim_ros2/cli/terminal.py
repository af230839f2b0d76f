# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Streams of a command as it gets them, and the line that shows its progress."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from math import isinf
import os
import sys
from threading import Event, Lock, Thread
from time import monotonic
from typing import TextIO

from mvsim_ros2.base.progress import watched
from mvsim_ros2.errors import MvsimError


def open_streams() -> None:
    """
    Open to nowhere what was closed, and write characters that cannot be encoded as escapes.

    Without this the next file would get the number of a closed stream, and with it the output of C
    libraries.
    """
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(number, True)
    os.close(number)
    for name, mode in (('stdin', 'r'), ('stdout', 'w'), ('stderr', 'w')):
        stream: TextIO | None = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding='utf-8'))
        elif mode == 'w' and (stream.errors == 'strict' or stream.encoding.lower() != 'utf-8'):
            stream.reconfigure(errors='backslashreplace')  # type: ignore[attr-defined]


def flush_output() -> None:
    """Write what has been printed."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        drop_output()
        raise MvsimError(f'the output cannot be written: {error.strerror}') from error


def drop_output() -> None:
    """Lead the rest of the output to nowhere, so that Python's own end does not write it."""
    with suppress(OSError):
        sys.stdout.flush()
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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
