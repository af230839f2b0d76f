# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""How fast simulated time may run against the wall clock."""

from collections.abc import Callable
import time

MOST_LAG = 0.1  # s that the simulation may catch up after it was held up
REPORT_PERIOD = 10.0  # s between two reports of being too slow


class Pacer:
    """
    Says how many steps are due.

    Simulated time never runs ahead. Where the machine is too slow it falls behind, and at
    most `MOST_LAG` of that is caught up.
    """

    def __init__(self, factor: float, step_ns: int, now: Callable[[], float] = time.monotonic,
                 report: Callable[[float], None] = lambda achieved: None) -> None:
        """
        Start at simulated time zero.

        :param factor: simulated seconds per second of the wall clock, 0: as fast as possible.
        :param step_ns: physics step [ns].
        :param now: wall clock [s].
        :param report: called now and then with the factor reached where that is too low.
        """
        self._step_ns = step_ns
        self._now = now
        self._report = report
        self.set_factor(factor, 0)

    def set_factor(self, factor: float, time_ns: int) -> None:
        """Run at another factor from the simulated time `time_ns` on."""
        self.factor = factor
        self._begin(time_ns)
        self._watch_start, self._watch_ns = self._start, time_ns
        self._lost = 0.0  # s given up since the watch began

    def set_step(self, step_ns: int) -> None:
        """Pace another physics step [ns]; `set_factor` says from when on."""
        self._step_ns = step_ns

    def _begin(self, time_ns: int) -> None:
        self._start, self._start_ns = self._now(), time_ns

    def steps_due(self, time_ns: int, most: int) -> int:
        """Return how many steps, up to `most`, to go at the simulated time `time_ns`."""
        if self.factor == 0.0:
            return most
        step = self._step_ns * 1e-9 / self.factor  # s of the wall clock
        lag = self._lag(time_ns)
        excess = max(0.0, lag - step - MOST_LAG)
        self._start += excess
        self._lost += excess
        self._watch(time_ns)
        # a millionth of a step more, so that rounding does not put a step off
        return min(most, int((lag - excess) / step + 1e-6))

    def delay(self, time_ns: int) -> float:
        """Return the time [s] until the next step is due."""
        return max(0.0, self._step_ns * 1e-9 / self.factor - self._lag(time_ns))

    def _lag(self, time_ns: int) -> float:
        """Return the wall time [s] since the state at `time_ns` was due."""
        return self._now() - self._start - (time_ns - self._start_ns) * 1e-9 / self.factor

    def _watch(self, time_ns: int) -> None:
        elapsed = self._now() - self._watch_start
        if elapsed < REPORT_PERIOD:
            return
        if self._lost > 0.05 * elapsed:
            self._report((time_ns - self._watch_ns) * 1e-9 / elapsed)
        self._watch_start, self._watch_ns, self._lost = self._now(), time_ns, 0.0
