# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The simulator node as a child process."""

from collections.abc import Sequence
import os
from pathlib import Path
import signal
import subprocess
import sys

from mvsim_ros2.ros.interrupts import SIGNALS

STOP_TIMEOUT = 10.0  # s between SIGINT and SIGKILL; the node itself ends before that


class SimulatorProcess:
    """The simulator node in a child process; a context manager that ends it."""

    def __init__(self, world: Path, realtime_factor: float, extra: Sequence[str] = ()) -> None:
        """
        Start it; it writes warnings and errors to the terminal of its parent.

        :param world: world file.
        :param realtime_factor: simulated seconds a second, 0 is as fast as possible.
        :param extra: further ROS arguments.
        """
        self._interrupted = False
        # blocked until the node handles them: Python itself would print where it was
        before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        # a new session: Ctrl-C reaches it only through its parent, and once
        self._process = subprocess.Popen(
            [sys.executable, '-m', 'mvsim_ros2.ros.node', '--ros-args', '--log-level', 'warn',
             '-p', f'world:={world}', '-p', f'realtime_factor:={float(realtime_factor)}', *extra],
            start_new_session=True)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

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
        """Send SIGINT, at most once, and do not wait."""
        if not self._interrupted:
            self._interrupted = True
            self._process.send_signal(signal.SIGINT)

    def stop(self) -> None:
        """Interrupt it; kill its session where it does not end."""
        if self.exit_code is None:
            self.interrupt()
            try:
                self._process.wait(STOP_TIMEOUT)
            except subprocess.TimeoutExpired:
                os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait()
