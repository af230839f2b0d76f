# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Ctrl-C while a program is still imported, where Python itself would print a traceback.

Entry points call it first, so it imports almost nothing: Python has `_signal` loaded at its start,
the rest of `signal` takes milliseconds.
"""

from _signal import SIGINT  # type: ignore[import-not-found]  # it has no stubs
from _signal import signal
from _signal import SIGTERM
import os

TYPE_CHECKING = False  # as in typing, which takes longer to import than all of this

if TYPE_CHECKING:
    from collections.abc import Iterable  # noqa: I300

__all__ = ['end_at', 'SIGINT', 'SIGTERM']


def end_at(signals: 'Iterable[int]', code: int, line: bytes = b'') -> None:
    """Let each of these signals end the process at once, until the program handles them itself."""
    def end(number: int, frame: object) -> None:
        try:
            os.write(2, line)
        except OSError:  # nobody listens
            pass
        os._exit(code)

    for each in signals:
        signal(each, end)
