# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What messages are stamped with: simulated time, or the wall clock."""

from collections.abc import Callable
import time


class Stamps:
    """
    Stamps for simulated times.

    On the wall clock the present state has the time at which it was reached, and what was
    measured since the state before has times between both.
    """

    def __init__(self, wall: bool, now: Callable[[], int] = time.time_ns) -> None:
        """
        Begin.

        :param wall: whether to stamp with the wall clock.
        :param now: wall clock [ns].
        """
        self.wall, self._now = wall, now
        self._before = self._reached = now() if wall else 0  # on the wall clock [ns]
        self._state_ns, self._speed = 0, 0.0

    def reach(self, time_ns: int, factor: float) -> None:
        """
        Note that a state was reached.

        :param time_ns: its simulated time.
        :param factor: simulated seconds a second that are wanted, 0: as fast as possible.
        """
        if self.wall:
            self._before, self._reached = self._reached, max(self._reached, self._now())
            self._state_ns, self._speed = time_ns, factor

    def of(self, time_ns: int) -> int:
        """Return the stamp [ns] of a simulated time, which only grows with it."""
        if not self.wall:
            return time_ns
        if not self._speed:
            return self._reached
        return max(self._before, self._reached - round((self._state_ns - time_ns) / self._speed))
