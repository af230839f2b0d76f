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
"""The node as a child process: started, watched and ended with its parent."""

from collections.abc import Sequence
import os
from pathlib import Path
import signal
import subprocess
import sys

PATIENCE = 1.0  # s that the node has to end by itself


class SimulatorProcess:
    """The simulator node in a process of its own; a context that ends it."""

    def __init__(self, world: Path, realtime_factor: float, extra: Sequence[str] = ()) -> None:
        """
        Start it. It writes warnings and errors to the terminal of its parent.

        :param world: world file.
        :param realtime_factor: simulated seconds a second, 0 is as fast as possible.
        :param extra: further ROS arguments.
        """
        self._interrupted = False
        # a session of its own: Ctrl-C reaches it through its parent alone, and once
        self._process = subprocess.Popen(
            [sys.executable, '-m', 'mvsim_ros2.ros.node', '--ros-args', '--log-level', 'warn',
             '-p', f'world:={world}', '-p', f'realtime_factor:={float(realtime_factor)}', *extra],
            start_new_session=True)

    def __enter__(self) -> 'SimulatorProcess':
        """Return this process."""
        return self

    def __exit__(self, *unused: object) -> None:
        """End the process."""
        self.stop()

    @property
    def exit_code(self) -> int | None:
        """Exit code, None while it runs."""
        return self._process.poll()

    def interrupt(self) -> None:
        """Ask it to end, once, as Ctrl-C does, and do not wait for it."""
        if not self._interrupted:
            self._interrupted = True
            self._process.send_signal(signal.SIGINT)

    def stop(self) -> None:
        """Interrupt it; kill what is left of it after a second."""
        if self.exit_code is None:
            self.interrupt()
            try:
                self._process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait()
