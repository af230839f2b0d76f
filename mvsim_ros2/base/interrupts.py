# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Ctrl-C in a process that is one command: one line and exit code 130, whatever it does then."""

from _thread import get_ident
from _thread import start_new_thread  # a handler must not wait for a lock, as threading does
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
import os
import signal
import sys
from time import sleep
from typing import Any, NoReturn

INTERRUPTED = 130  # exit code, as shells have it
LINE = b'interrupted\n'
GRACE = 8.0  # s after which a process ends whose work does not
_AGAIN = 0.01  # s


class Interrupts:
    """
    The present effect of SIGINT.

    It ends the process at once; but within `raised` it raises KeyboardInterrupt, so that files and
    child processes are cleaned up. The process ends anyway if the work does not end in time, for
    example because it holds a lock, or at a second SIGINT. In finalisers and callbacks of C code,
    where Python would print and drop a KeyboardInterrupt, it is raised again soon after.
    """

    def __init__(self) -> None:
        """Handle SIGINT; only the main thread may do this."""
        self.came = False
        self._raised = self._dropped = self._said = False
        self._main = get_ident()
        self._before = sys.unraisablehook
        sys.unraisablehook = self._take_unraisable
        signal.signal(signal.SIGINT, self._handle)

    @contextmanager
    def raised(self) -> Iterator[None]:
        """
        Raise KeyboardInterrupt where SIGINT comes within this block.

        At the end of the block too, where something caught it, or made another error of it.
        """
        self._raised = True
        try:
            yield
        except Exception as error:
            if self.came:
                raise KeyboardInterrupt from error
            raise
        finally:
            self._raised = False
        if self.came:
            raise KeyboardInterrupt

    def tell(self) -> None:
        """Print the line, once."""
        if not self._said:
            self._said = True
            with suppress(OSError):
                os.write(2, LINE)  # print might have been interrupted itself

    def leave(self) -> None:
        """Ignore SIGINT from now on: the work is done, and Python is about to end."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    def _handle(self, number: int, frame: object) -> None:
        if not self._raised or self.came and not self._dropped:
            self._end()
        self.came, self._dropped = True, False
        if logging := sys.modules.get('logging'):
            logging.disable()  # what breaks off in other threads is no news
        start_new_thread(_after, (GRACE, self._end))
        raise KeyboardInterrupt

    def _take_unraisable(self, unraisable: Any) -> None:
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            self._dropped = True
            start_new_thread(_after, (_AGAIN, self._again))
        elif not self.came:
            self._before(unraisable)

    def _again(self) -> None:
        if hasattr(signal, 'pthread_kill'):
            signal.pthread_kill(self._main, signal.SIGINT)  # wakes it where it waits
        else:  # Windows
            signal.raise_signal(signal.SIGINT)

    def _end(self) -> NoReturn:
        """End the process here and now."""
        self.tell()
        os._exit(INTERRUPTED)


def _after(seconds: float, call: Callable[[], object]) -> None:
    sleep(seconds)
    call()
