# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""SIGINT and SIGTERM: the process ends with exit code 0, whatever it does at the time."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
import os
import signal
import sys
from threading import Event, Thread
from typing import NoReturn

from mvsim_ros2.ros.messages.settings import PARENT

SIGNALS = signal.SIGINT, signal.SIGTERM
GRACE = 1.5  # s after a signal in which the process begins to end in an orderly way
ENDING = 3.0  # s that this may take; launch files send SIGTERM 5 s after SIGINT
PR_SET_PDEATHSIG = 1  # number of prctl(2): a signal when the parent ends
POLL_PERIOD = 0.05  # s between two looks of the thread that ends the process

Action = Callable[[int], None]


def end_process(code: int) -> NoReturn:
    """
    End the process without the rest of Python.

    While an interpreter ends, signals have their default effect again: exit codes other than 0.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def end_with_parent() -> None:
    """
    Get SIGTERM when the process that an environment variable names ends (Linux only).

    Launch files set it: what stops `ros2 launch` alone would leave the node running.
    """
    parent = os.environ.get(PARENT, '')
    if not parent.isdecimal():
        return
    from ctypes import CDLL
    with suppress(AttributeError):
        CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    try:
        os.kill(int(parent), 0)
    except ProcessLookupError:  # it has ended before
        os.kill(os.getpid(), signal.SIGTERM)


class Interrupts:
    """
    The effect of signals, which changes while the process runs.

    At first a signal ends the process at once; later it calls what `act` was given. A thread ends
    the process if it does not react in time, for example in compiled code, or does not end in time
    afterwards. It counts the time in which Python code can run, because a long call of OpenGL
    delays all threads.
    """

    def __init__(self) -> None:
        """Handle the signals; only the main thread may do this, before it imports much."""
        self._held = 0
        self._passed = 0.0  # s since the first signal, counted by the thread
        self._allowed = GRACE  # s of these
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

    def answer(self, linger: float = 0.0) -> None:
        """Have `ENDING` for an orderly end in `linger` [s]; only the main thread may call this."""
        self._allowed = self._passed + linger + ENDING

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
        if self._action is not None and not self._held:
            self._action(number)
            return
        self.answer()
        if not self._held:
            self._clean()
            end_process(0)

    def _watch(self) -> None:
        """End the process where it has not ended by itself in time after a signal."""
        os.read(self._read, 1)
        while self._passed < self._allowed:
            Event().wait(POLL_PERIOD)
            self._passed += POLL_PERIOD
        os._exit(0)
