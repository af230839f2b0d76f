# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The pace of simulated time against the wall clock."""

from collections.abc import Callable
import time

SLOWEST = 1e-6  # factor, above 0; below, times overflow
LONGEST_DELAY = 1.0  # s
REPORT_PERIOD = 10.0  # s between two reports of a low real-time factor
REPEAT_PERIOD = 0.25  # s of the wall clock between two publications of a state that stays


class Repeats:
    """Says when to publish a state again, for late subscribers, while time stands."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        """
        Start with a new state.

        :param now: wall clock [s].
        """
        self._now = now
        self.restart()

    def restart(self) -> None:
        """Register a new state."""
        self._due = self._now() + REPEAT_PERIOD

    @property
    def due(self) -> bool:
        """Return whether to publish the state again now; then the next time is later."""
        if self._now() < self._due:
            return False
        self.restart()
        return True


class Pacer:
    """
    Computes how many steps are due.

    Simulated time never runs ahead. Where the machine is too slow it lags, and only so much of the
    lag is caught up.
    """

    def __init__(self, factor: float, step_ns: int, catch_up: float,
                 now: Callable[[], float] = time.monotonic,
                 report: Callable[[float], None] = lambda achieved: None) -> None:
        """
        Start at simulated time zero.

        :param factor: simulated seconds per second of the wall clock, 0: as fast as possible.
        :param step_ns: physics step [ns].
        :param catch_up: most of a lag [s of the wall clock] that is caught up; 0: all of it.
        :param now: wall clock [s].
        :param report: called each `REPORT_PERIOD` with the factor reached, where that is too low
            and was before: a single delay, as by the compilation of kernels after an
            installation, is none that a user can do something about.
        """
        self.step_ns = step_ns
        self.catch_up = catch_up
        self._now = now
        self._report = report
        self.set_factor(factor, 0)

    def set_factor(self, factor: float, time_ns: int) -> None:
        """Change the factor from the simulated time `time_ns` on."""
        self.factor = max(factor, SLOWEST) if factor else 0.0
        self._begin(time_ns)
        self._watch_start, self._watch_ns = self._start, time_ns
        self._lost = 0.0  # s given up since the watch began
        self._was_slow = False  # in the period before

    def _begin(self, time_ns: int) -> None:
        self._start, self._start_ns = self._now(), time_ns

    def steps_due(self, time_ns: int, limit: int) -> int:
        """Return the number of steps due at the simulated time `time_ns`, at most `limit`."""
        if self.factor == 0.0:
            return limit
        step = self.step_ns * 1e-9 / self.factor  # s of the wall clock
        lag = self._lag(time_ns)
        excess = max(0.0, lag - step - self.catch_up) if self.catch_up else 0.0
        self._start += excess
        self._lost += excess
        self._watch(time_ns)
        # a millionth of a step more, so that rounding does not delay a step
        return min(limit, int((lag - excess) / step + 1e-6))

    def delay(self, time_ns: int) -> float:
        """Return the time [s] until the next step is due, or the longest to wait at once."""
        left = self.step_ns * 1e-9 / self.factor - self._lag(time_ns)
        return min(LONGEST_DELAY, max(0.0, left))

    def _lag(self, time_ns: int) -> float:
        """Return the wall time [s] since the state at `time_ns` was due."""
        return self._now() - self._start - (time_ns - self._start_ns) * 1e-9 / self.factor

    def _watch(self, time_ns: int) -> None:
        elapsed = self._now() - self._watch_start
        if elapsed < REPORT_PERIOD:
            return
        is_slow = self._lost > 0.05 * elapsed
        if is_slow and self._was_slow:
            self._report((time_ns - self._watch_ns) * 1e-9 / elapsed)
        self._was_slow = is_slow
        self._watch_start, self._watch_ns, self._lost = self._now(), time_ns, 0.0
