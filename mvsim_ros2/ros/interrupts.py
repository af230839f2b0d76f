# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""SIGINT and SIGTERM: the process ends with exit code 0, whatever it does at the time."""

from collections.abc import Callable
from collections.abc import Iterator
from contextlib import contextmanager
import os
import signal
import sys
from threading import Event
from threading import Thread
from typing import NoReturn

SIGNALS = signal.SIGINT, signal.SIGTERM
GRACE = 1.5  # s after a signal in which the process ends in an orderly way

Action = Callable[[int], None]


def end_process(code: int) -> NoReturn:
    """
    End the process without the rest of Python.

    While an interpreter ends, signals have their default effect again: exit codes other than 0.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


class Interrupts:
    """
    What signals do, which changes while the process runs.

    At first a signal ends the process at once; later it calls what `act` was given. Where the
    process does not end in time, because it is in compiled code or computes a large image, a
    thread ends it.
    """

    def __init__(self) -> None:
        """Handle the signals; only the main thread may do this, before it imports much."""
        self.grace = GRACE  # after SIGINT; SIGTERM has GRACE
        self._held = 0
        self._pending: int | None = None
        self._action: Action | None = None
        self._clean: Callable[[], object] = bool
        # the interpreter writes the number of a signal there even while compiled code runs
        self._read, write = os.pipe()
        os.set_blocking(write, False)
        signal.set_wakeup_fd(write, warn_on_full_buffer=False)
        Thread(target=self._watch, daemon=True).start()
        for each in SIGNALS:
            signal.signal(each, self._handle)
        # launch files start the process with both blocked: what came since then comes now
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)

    def clean_before_exit(self, clean: Callable[[], object] = bool) -> None:
        """Call `clean` before a signal ends the process at once."""
        self._clean = clean

    def act(self, action: Action) -> None:
        """Call `action` with the number of each signal from now on."""
        self._action = action
        if self._pending is not None:
            action(self._pending)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Handle signals at the end of a block that must not end half-way."""
        self._held += 1
        try:
            yield
        finally:
            self._held -= 1
            if self._pending is not None and not self._held:
                self._handle(self._pending)

    def _handle(self, number: int, *unused: object) -> None:
        self._pending = number
        if self._held:
            return
        if self._action is not None:
            self._action(number)
        else:
            self._clean()
            end_process(0)

    def _watch(self) -> None:
        """End the process where it has not ended by itself in time after a signal."""
        number = os.read(self._read, 1)[0]
        Event().wait(GRACE if number == signal.SIGTERM else self.grace)
        os._exit(0)
