# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Lock step with a controller: simulated time waits for the commands of the present state."""

from collections.abc import Callable, Sequence
import time


class LockStep:
    """
    Decides when to wait for commands, and which commands end the wait.

    At the first state, and then at each multiple of the period, the simulation waits until
    every vehicle has a command stamped with the time of that state. Other commands are
    refused, since the result would depend on their time of arrival.
    """

    def __init__(self, period_ns: int, timeout: float,
                 report: Callable[[str], None] = lambda text: None,
                 now: Callable[[], float] = time.monotonic) -> None:
        """
        Start before the first state.

        :param period_ns: of the waits in simulated time [ns], 0 for none.
        :param timeout: wall time [s] after which missing commands are reported.
        :param report: called with one line after each `timeout` of waiting.
        :param now: wall clock [s].
        """
        self._period_ns, self.timeout = period_ns, timeout
        self._report, self._now = report, now
        self.reset()

    @property
    def period_ns(self) -> int:
        """Return the simulated time [ns] between two waits, 0 for none."""
        return self._period_ns

    def set_period(self, period_ns: int, now_ns: int) -> None:
        """Change the period from `now_ns` on."""
        self._period_ns = period_ns
        self.reset()
        if period_ns:
            self._due_ns = (now_ns // period_ns + 1) * period_ns

    def reset(self) -> None:
        """Restart before the first state."""
        self.waits = False
        self._state_ns = self._due_ns = 0
        self._answers: set[str] = set()

    def next_wait(self, now_ns: int) -> int | None:
        """Return the simulated time of the next wait [ns], None without lock step."""
        return max(self._due_ns, now_ns + 1) if self._period_ns else None

    def reach(self, now_ns: int) -> bool:
        """Register a new state; return whether the simulation waits at it."""
        if not self._period_ns or now_ns < self._due_ns:
            return False
        self.waits = True
        self._state_ns = now_ns
        self._due_ns = (now_ns // self._period_ns + 1) * self._period_ns
        self._answers.clear()
        self._report_due = self._now() + self.timeout
        return True

    def fault(self, stamp_ns: int | None) -> str:
        """Return why a command with this stamp is refused, '' where it is accepted."""
        if not self._period_ns:
            return ''
        if stamp_ns is None:
            return 'in lock step a command needs a stamp: use the stamped type'
        if self.waits and stamp_ns == self._state_ns:
            return ''
        return (f'in lock step a command needs the stamp of the present state, not '
                f'{stamp_ns * 1e-9:.9f} s: answer odometry with its own stamp')

    def answer(self, vehicle: str) -> None:
        """Register the command of a vehicle."""
        self._answers.add(vehicle)

    def has_answered(self, vehicle: str) -> bool:
        """Return whether a vehicle has had a command since the wait began."""
        return vehicle in self._answers

    def release(self) -> None:
        """End the wait."""
        self.waits = False

    def report_late(self, late: Sequence[str]) -> None:
        """Report the topics without a command, where the timeout has passed."""
        if self._now() >= self._report_due:
            self._report(f'lock step: at {self._state_ns * 1e-9:.9f} s for {self.timeout:g} s '
                         f'waiting for a command with this stamp on {", ".join(late)}')
            self._report_due = self._now() + self.timeout
