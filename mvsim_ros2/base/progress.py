# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Report the progress of a long call to watchers; without a watcher nothing happens."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

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
