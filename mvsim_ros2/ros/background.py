# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Threads that run while a block does."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
import time

REPORT_PERIOD = 10.0  # s between two reports of the same


@contextmanager
def in_background(run: Callable[[Event], None], patience: float | None = None) -> Iterator[None]:
    """
    Run a function in a thread during a block.

    :param patience: longest wait for that end [s], None for any.
    """
    end = Event()
    thread = Thread(target=run, args=(end,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join(patience)


def repeat(call: Callable[[], None], period: float, report: Callable[[str], None], reason: str,
           end: Event) -> None:
    """
    Repeat a call until the end, and report the reason every `REPORT_PERIOD`.

    :param period: of the calls [s].
    """
    start = said = time.monotonic()
    while not end.wait(period):
        call()
        now = time.monotonic()
        if now - said > REPORT_PERIOD:
            said = now
            report(f'{reason} ({now - start:.0f} s so far)')
