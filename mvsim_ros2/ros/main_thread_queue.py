# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Calls for the simulation loop from other threads, and threads that run while a block does."""

from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from threading import Event, Thread
import time
import types
from typing import TypeVar

from mvsim_ros2.errors import MvsimError

Call = Callable[[], object]
Result = TypeVar('Result')

POLL_PERIOD = 0.1  # s between two checks of a waiting thread whether the loop has ended
YIELD_PERIOD = 0.005  # s after which a waiting coroutine yields to other callbacks


@types.coroutine
def _yield_to_executor() -> Generator[None, None, None]:
    """Suspend a coroutine once, so that its executor serves other callbacks."""
    yield


class MainThreadQueue:
    """
    Calls for the simulation loop.

    Any thread and any signal handler may `post`; only the loop calls `run_pending`, so that
    the simulation is accessed from one thread.
    """

    def __init__(self) -> None:
        self._queue: SimpleQueue[Call] = SimpleQueue()
        self._in_turn: deque[Call] = deque()  # the first one runs
        self._closed = False

    def post(self, call: Call) -> None:
        """Enqueue a call; a waiting loop wakes up."""
        self._queue.put(call)

    def post_in_turn(self, call: Call) -> None:
        """Enqueue a call that takes long and runs others, but none of its own kind, meanwhile."""
        def begin() -> None:
            self._in_turn.append(call)
            if len(self._in_turn) == 1:
                self._run_first()

        self.post(begin)

    def _run_first(self) -> None:
        """Run the first of the calls in turn, and enqueue the next one."""
        try:
            self._in_turn[0]()
        finally:
            self._in_turn.popleft()
            if self._in_turn:
                self.post(self._run_first)

    def run_waiting(self) -> None:
        """Run the calls that wait for their turn now, within the first one."""
        while len(self._in_turn) > 1:
            call = self._in_turn[1]
            del self._in_turn[1]
            call()

    def call(self, function: Callable[[], Result]) -> Result:
        """Enqueue a call from another thread than the loop's, wait for it, return its result."""
        future = self._enqueue(function)
        while not self._is_done(future, POLL_PERIOD):
            pass
        return future.result()

    async def call_async(self, function: Callable[[], Result]) -> Result:
        """Do the same in a coroutine; its executor serves other callbacks meanwhile."""
        future = self._enqueue(function)
        while not self._is_done(future, YIELD_PERIOD):
            await _yield_to_executor()
        return future.result()

    def _enqueue(self, function: Callable[[], Result]) -> 'Future[Result]':
        """Enqueue a call, and return the future of its result."""
        future: Future[Result] = Future()

        def run() -> None:
            try:
                future.set_result(function())
            except MvsimError as error:
                future.set_exception(error)

        self.post(run)
        return future

    def _is_done(self, future: 'Future[Result]', timeout: float) -> bool:
        """Wait up to `timeout` seconds; return whether the future has a result."""
        if wait([future], timeout).done:
            return True
        if self._closed:
            raise MvsimError('the simulation has ended')
        return False

    def close(self) -> None:
        """End the queue: waiting callers raise an error."""
        self._closed = True

    def run_pending(self, timeout: float = 0.0) -> None:
        """Run the enqueued calls in order of posting; wait up to `timeout` [s] for the first."""
        try:
            self._queue.get(timeout > 0.0, timeout)()
            while True:
                self._queue.get_nowait()()
        except Empty:
            pass


REPORT_PERIOD = 10.0  # s between two reports of the same


@contextmanager
def in_background(run: Callable[[Event], None], patience: float | None = None) -> Iterator[None]:
    """Run a function in a thread during a block, whose end waits up to `patience` [s]."""
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
    """Repeat a call every `period` [s] till the end; report why every `REPORT_PERIOD`."""
    start = said = time.monotonic()
    while not end.wait(period):
        call()
        now = time.monotonic()
        if now - said > REPORT_PERIOD:
            said = now
            report(f'{reason} ({now - start:.0f} s so far)')
