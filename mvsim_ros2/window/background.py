# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A run in the calling thread, or in its own thread, until it is closed."""

import math
import threading
from types import TracebackType
from typing import Self


class Background:
    """A run that a thread can carry out; a context manager that closes it."""

    def __init__(self) -> None:
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def run(self, duration: float = math.inf) -> None:
        """Run until `close`, or for some seconds."""
        raise NotImplementedError

    def start(self) -> None:
        """Run in a thread of its own."""
        self._thread = threading.Thread(target=self.run, name='mvsim window run', daemon=True)
        self._thread.start()

    def wait(self) -> None:
        """Wait until the thread that `start` began has ended."""
        if self._thread is not None:
            self._thread.join()

    def close(self) -> None:
        """End the run."""
        self._ended.set()
        self.wait()

    def __enter__(self) -> Self:
        """Return this run; `close` is called at the end of the `with` statement."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        """Close it."""
        self.close()
