# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Lock step with a controller: time stands still until the commands for it have come."""

from collections.abc import Callable
from collections.abc import Sequence
import time

REPEAT_PERIOD = 0.25  # s of the wall clock between two tellings of what is waited with


class LockStep:
    """
    Says when to wait for commands, and which commands are those.

    At the first state, and then at each multiple of the period, the simulation waits until
    every vehicle has a command that is stamped with the time of that state. No other command
    counts, or the course would depend on when it arrives.
    """

    def __init__(self, period_ns: int, patience: float,
                 report: Callable[[str], None] = lambda text: None,
                 now: Callable[[], float] = time.monotonic) -> None:
        """
        Start before the first state.

        :param period_ns: of the waits in simulated time [ns], 0 for none at all.
        :param patience: s of the wall clock after which it is reported who is late.
        :param report: called with one line for each `patience` of waiting.
        :param now: wall clock [s].
        """
        self._period_ns, self.patience = period_ns, patience
        self._report, self._now = report, now
        self.reset()

    def set_period(self, period_ns: int, now_ns: int) -> None:
        """Wait at other times from `now_ns` on."""
        self._period_ns = period_ns
        self.reset()
        if period_ns:
            self._due_ns = (now_ns // period_ns + 1) * period_ns

    def reset(self) -> None:
        """Start anew, before the first state."""
        self.waits = False
        self._state_ns = self._due_ns = 0
        self._answers: set[str] = set()

    def next_wait(self, now_ns: int) -> int | None:
        """Return the simulated time of the next wait [ns], None where there are none."""
        return max(self._due_ns, now_ns + 1) if self._period_ns else None

    def reach(self, now_ns: int) -> bool:
        """Take note of a new state; return whether it is one to wait at."""
        if not self._period_ns or now_ns < self._due_ns:
            return False
        self.waits = True
        self._state_ns = now_ns
        self._due_ns = (now_ns // self._period_ns + 1) * self._period_ns
        self._answers.clear()
        self._report_due = self._now() + self.patience
        self._repeat_due = self._now() + REPEAT_PERIOD
        return True

    def fault(self, stamp_ns: int | None) -> str:
        """Return why a command with this stamp is not the one waited for, '' where it is."""
        if not self._period_ns:
            return ''
        if stamp_ns is None:
            return 'in lock step a command needs a stamp: use the stamped type'
        if self.waits and stamp_ns == self._state_ns:
            return ''
        return (f'in lock step a command needs the stamp of the state that is waited with, not '
                f'{stamp_ns * 1e-9:.9f} s: answer odometry with its own stamp')

    def answer(self, who: str) -> None:
        """Take note that a command came."""
        self._answers.add(who)

    def has_answered(self, who: str) -> bool:
        """Return whether a command came since the wait began."""
        return who in self._answers

    def release(self) -> None:
        """Go on, now that all have answered."""
        self.waits = False

    def complain(self, late: Sequence[str]) -> None:
        """Report who is late, where patience is over."""
        if self._now() >= self._report_due:
            self._report(f'lock step: at {self._state_ns * 1e-9:.9f} s for {self.patience:g} s '
                         f'waiting for a command with this stamp on {", ".join(late)}')
            self._report_due = self._now() + self.patience

    @property
    def repeats(self) -> bool:
        """Return whether it is time to tell the state again, for those who came late."""
        if self._now() < self._repeat_due:
            return False
        self._repeat_due = self._now() + REPEAT_PERIOD
        return True
