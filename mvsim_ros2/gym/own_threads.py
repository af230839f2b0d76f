# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Threads that a process can use although it was forked."""

from collections.abc import Callable
from concurrent.futures import Executor
from concurrent.futures import Future
from concurrent.futures import ThreadPoolExecutor
import os
from typing import Any


class OwnThreads(Executor):
    """Threads of the process that asks for them: a fork gets others than those before it."""

    def __init__(self, count: int) -> None:
        """Have so many, from the first work on."""
        self._count, self._process = count, os.getpid()
        self._pool = ThreadPoolExecutor(count)

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        """Let one of them do some work."""
        if self._process != os.getpid():
            self._process, self._pool = os.getpid(), ThreadPoolExecutor(self._count)
        return self._pool.submit(work, *arguments, **named)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End them."""
        if self._process == os.getpid():
            self._pool.shutdown(wait, cancel_futures=cancel_futures)
