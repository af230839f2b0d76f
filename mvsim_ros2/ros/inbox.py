# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
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


class Inbox:
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
