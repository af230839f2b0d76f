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
"""What the browsers ask of a simulation, until its own thread does it."""

from collections.abc import Callable
from queue import Empty
from queue import SimpleQueue

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.simulation import Simulation

Request = Callable[[Simulation], None]


class Mailbox:
    """Requests from any thread, done in order between two steps."""

    def __init__(self, on_error: Callable[[str], None]) -> None:
        """
        Start empty.

        :param on_error: told in a sentence why a request could not be done.
        """
        self._requests: SimpleQueue[Request] = SimpleQueue()
        self._on_error = on_error

    def post(self, request: Request) -> None:
        """Add a request."""
        self._requests.put(request)

    def deliver(self, simulation: Simulation) -> int:
        """Do what was asked so far; return how many requests that were."""
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
