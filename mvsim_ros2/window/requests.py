# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Requests of browsers, queued until the thread of the simulation carries them out."""

from collections.abc import Callable
from queue import Empty, SimpleQueue

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.simulation import Simulation

Request = Callable[[Simulation], None]


class Mailbox:
    """Requests from any thread, done in order between two steps."""

    def __init__(self, on_error: Callable[[str], None]) -> None:
        """
        Start empty.

        :param on_error: called with a sentence on why a request could not be carried out.
        """
        self._requests: SimpleQueue[Request] = SimpleQueue()
        self._on_error = on_error

    def post(self, request: Request) -> None:
        """Add a request."""
        self._requests.put(request)

    def deliver(self, simulation: Simulation) -> int:
        """Carry out the queued requests; return their number."""
        count = 0
        while True:
            try:
                request = self._requests.get_nowait()
            except Empty:
                return count
            count += 1
            try:
                request(simulation)
            except (MvsimError, KeyError) as error:  # a thing may be gone since it was asked for
                self._on_error(str(error))
