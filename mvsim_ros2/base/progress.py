# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Progress and warnings of long calls, for those who watch; without a watcher nothing happens."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
import logging

Watcher = Callable[[float, float, str], None]

_watchers: list[Watcher] = []


def tell(done: float, total: float, what: str) -> None:
    """
    Say how far a call has come.

    :param done: in the unit of `total`.
    :param total: infinite where the end is not known.
    :param what: what is counted, in words, such as ``'s'`` or ``'frames'``.
    """
    for watcher in _watchers:
        watcher(done, total, what)


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """
    Call a function with each reported progress.

    >>> from mvsim_ros2.base.progress import tell, watched
    >>> seen = []
    >>> with watched(lambda done, total, what: seen.append((done, total, what))):
    ...     tell(1, 4, 'frames')
    >>> tell(2, 4, 'frames')
    >>> seen
    [(1, 4, 'frames')]
    """
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.remove(watcher)


LOGGER = logging.getLogger('mvsim_ros2')


class _Collector(logging.Handler):
    """Appends the text of each warning to a list, each once."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Append the text of one record."""
        message = record.getMessage()
        if message not in self.messages:
            self.messages.append(message)


@contextmanager
def warnings_collected(passed_on: bool = True) -> Iterator[list[str]]:
    """Collect the warnings of this package meanwhile, each once, in the list that is returned."""
    collector, others, upward = _Collector(), LOGGER.handlers[:], LOGGER.propagate
    last = [] if LOGGER.hasHandlers() or logging.lastResort is None else [logging.lastResort]
    LOGGER.handlers[:] = [*(others or last if passed_on else ()), collector]
    LOGGER.propagate = upward and passed_on
    try:
        yield collector.messages
    finally:
        LOGGER.handlers[:], LOGGER.propagate = others, upward
