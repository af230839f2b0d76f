# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Where callbacks of other threads leave what the simulation loop shall do."""

from collections.abc import Callable
from collections.abc import Generator
from concurrent.futures import Future
from concurrent.futures import wait
from queue import Empty
from queue import SimpleQueue
import types
from typing import TypeVar

from mvsim_ros2.errors import MvsimError

Command = Callable[[], None]
Answer = TypeVar('Answer')

PATIENCE = 0.1  # s after which one who waits looks whether the loop has ended
ASIDE = 0.005  # s after which one who waits aside lets others be served


@types.coroutine
def _let_others_go_first() -> Generator[None, None, None]:
    """Give the executor of a coroutine the opportunity to serve other callbacks."""
    yield


class MainThreadQueue:
    """
    Commands for the simulation loop.

    Any thread may `post`, a signal handler as well; only the loop waits and delivers, so
    that nothing but the loop touches the simulation.
    """

    def __init__(self) -> None:
        """Make an empty inbox."""
        self._queue: SimpleQueue[Command] = SimpleQueue()
        self._closed = False

    def post(self, command: Command) -> None:
        """Leave a command, which wakes the loop if it waits."""
        self._queue.put(command)

    def ask(self, command: Callable[[], Answer]) -> Answer:
        """
        Leave a command, wait until it has run, and return what it returned.

        For all threads but that of the loop itself.

        :raises MvsimError: what the command raised, or where the loop has ended.
        """
        answer = self._answer(command)
        while not self._is_there(answer, PATIENCE):
            pass
        return answer.result()

    async def ask_aside(self, command: Callable[[], Answer]) -> Answer:
        """Do the same in a coroutine of an executor, which serves others in between."""
        answer = self._answer(command)
        while not self._is_there(answer, ASIDE):
            await _let_others_go_first()
        return answer.result()

    def _answer(self, command: Callable[[], Answer]) -> 'Future[Answer]':
        """Leave a command, and return where its answer will be."""
        answer: Future[Answer] = Future()

        def run() -> None:
            try:
                answer.set_result(command())
            except MvsimError as error:
                answer.set_exception(error)

        self.post(run)
        return answer

    def _is_there(self, answer: 'Future[Answer]', patience: float) -> bool:
        """Wait up to so many seconds for an answer, and return whether it is there."""
        if wait([answer], patience).done:
            return True
        if self._closed:
            raise MvsimError('the simulation has ended')
        return False

    def close(self) -> None:
        """Say that nothing is delivered any more, so that nobody waits in vain."""
        self._closed = True

    def deliver(self, patience: float = 0.0) -> None:
        """
        Run the commands that are there, in the order of posting.

        :param patience: s to wait for the first one.
        """
        try:
            self._queue.get(patience > 0.0, patience)()
            while True:
                self._queue.get_nowait()()
        except Empty:
            pass
