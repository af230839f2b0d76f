# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Ctrl-C in a process that is one command."""

import signal
import sys
from threading import Timer
from typing import Any

_AGAIN = 0.01  # s


def take_interrupts() -> None:
    """
    Let SIGINT raise KeyboardInterrupt, also one that arrives where Python would drop it.

    In finalisers and callbacks of C code Python prints an exception and goes on.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    before = sys.unraisablehook

    def hook(unraisable: Any) -> None:
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            Timer(_AGAIN, signal.raise_signal, (signal.SIGINT,)).start()
        else:
            before(unraisable)

    sys.unraisablehook = hook
