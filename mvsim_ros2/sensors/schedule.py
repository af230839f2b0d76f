# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""When sensors are due."""

from collections.abc import Sequence
import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled

Numbers = NDArray[np.int64]

TOLERANCE_NS = 1000  # ns
_NEVER = np.iinfo(np.int64).max
_BEGINS, _DUE = 0, 1  # of the times of the next measurement


class Schedule:
    """
    When each of some sensors measures.

    Measurement k of a sensor falls on the first step at or after its phase and k periods. So the
    mean rate is right for any period. The first sweep begins after the start of the simulation.
    Times are compared to a microsecond, as in the original: a period may be rounded a little.
    """

    def __init__(self, periods_ns: Sequence[float], sweeps_ns: Sequence[int],
                 is_on: Sequence[bool], timing: Sequence[tuple[float, int]]) -> None:
        """
        Plan the measurements of sensors.

        :param periods_ns: of each; not whole numbers: 15 periods of 1/15 s are a second.
        :param sweeps_ns: how long before its end a measurement begins.
        """
        self._periods = np.array(periods_ns, float)
        self._sweeps = np.array(sweeps_ns, np.int64)
        self._rows = np.zeros(len(self._periods), np.int64)
        self._next = np.zeros(2, np.int64)
        self.begin(is_on, timing)

    @property
    def timing(self) -> list[tuple[float, int]]:
        """Return when periods begin [ns], and how many lie before the next measurement."""
        return list(zip(self._begins.tolist(), self._counts.tolist(), strict=True))

    def begin(self, is_on: Sequence[bool], timing: Sequence[tuple[float, int]]) -> None:
        """Replace which sensors measure, and the `timing`."""
        self._is_on = np.array(is_on, bool)
        self._find_enabled()
        self._begins = np.array([begin for begin, _ in timing], float)
        self._counts = np.array([count for _, count in timing], np.int64)
        # when each is due, less the tolerance [ns]
        self._due = np.floor(
            self._begins + self._counts * self._periods + 0.5).astype(np.int64) - TOLERANCE_NS
        self._find_next()

    @property
    def enabled(self) -> list[int]:
        """Return the rows of the sensors that measure."""
        rows: list[int] = self._enabled.tolist()
        return rows

    def enable(self, row: int, on: bool) -> None:
        """Let a sensor measure when it is due, or not."""
        self._is_on[row] = on
        self._find_enabled()
        self._find_next()

    def _find_enabled(self) -> None:
        """Find who measures, and for how long at most [ns]."""
        self._enabled = np.flatnonzero(self._is_on)
        self.longest_sweep_ns = int(self._sweeps[self._enabled].max(initial=0))

    def _find_next(self) -> None:
        """Find what every step asks for."""
        count_due(-_NEVER, self._begins, self._periods, self._sweeps, self._is_on, self._counts,
                  self._due, self._rows, self._next)
        self._read_next()

    def _read_next(self) -> None:
        # steps that end before that time [ns] need nothing from here
        self.begins_ns, self._first_due_ns = self._next.tolist()

    def steps_until_due(self, now_ns: int, step_ns: int, limit: int) -> int:
        """Return the steps to go, at least one, until there is something to do, or `limit`."""
        if not self.longest_sweep_ns:
            return min(limit, max(1, -(-(self._first_due_ns - now_ns) // step_ns)))
        steps: int = steps_ahead(
            now_ns, step_ns, limit, self._sweeps, self._is_on, self._due)
        return steps

    def sweep_within(self, end_ns: int) -> int:
        """Return the longest sweep [ns] where some sensor is sweeping before then, else 0."""
        if self.longest_sweep_ns and is_sweeping(end_ns, self._sweeps, self._is_on, self._due):
            return self.longest_sweep_ns
        return 0

    def take_due(self, now_ns: int) -> list[int]:
        """Count the measurements that are due, and return the rows of those that are made."""
        count = count_due(now_ns, self._begins, self._periods, self._sweeps, self._is_on,
                          self._counts, self._due, self._rows, self._next)
        self._read_next()
        rows: list[int] = self._rows[:count].tolist()
        return rows


@compiled
def steps_ahead(now_ns: int, step_ns: int, limit: int, sweeps: Numbers, is_on: NDArray[np.bool_],
                due: Numbers) -> int:
    """
    Return the steps to go, at least one and at most `limit`, until there is something to do.

    Sensors that measure over time are to see all steps from the last one before they begin.

    :param due: see `count_due`, as for the others.
    """
    for row in range(due.shape[0]):
        if is_on[row]:
            steps = (due[row] - sweeps[row] - now_ns) // step_ns  # before it begins
            if sweeps[row] == 0 or steps <= 0:
                steps = -((now_ns - due[row]) // step_ns)
            limit = min(limit, max(1, steps))
    return limit


@compiled
def is_sweeping(end_ns: int, sweeps: Numbers, is_on: NDArray[np.bool_], due: Numbers) -> bool:
    """Return whether a sensor that measures over time does so before then, see `count_due`."""
    for row in range(due.shape[0]):
        if is_on[row] and sweeps[row] > 0 and due[row] - sweeps[row] < end_ns:
            return True
    return False


@compiled(counted=False)
def count_due(
        now_ns: int, begins: Array, periods: Array, sweeps: Numbers, is_on: NDArray[np.bool_],
        counts: Numbers, due: Numbers, rows: Numbers, following: Numbers) -> int:
    """
    Count the measurements that are due; find when the next ones are.

    :param begins: when the periods of each sensor begin [ns], shape (S,), as all but the last.
    :param counts: how many periods lie before the next measurement, updated.
    :param due: when that is, less the tolerance [ns], updated.
    :param rows: filled in: numbers of the sensors that are due and on.
    :param following: filled in: when the first sensor begins to measure, on or off, and when the
        first one that is on is due [ns], shape (2,).
    :returns: how many are due and on.
    """
    number = 0
    begin, first = _NEVER, _NEVER
    for row in range(due.shape[0]):
        if due[row] <= now_ns:
            passed = math.floor((now_ns + TOLERANCE_NS + 0.5 - begins[row]) / periods[row])
            counts[row] = int(passed) + 1
            due[row] = int(math.floor(
                begins[row] + counts[row] * periods[row] + 0.5)) - TOLERANCE_NS
            if is_on[row]:
                rows[number] = row
                number += 1
        begin = min(begin, due[row] - sweeps[row])
        if is_on[row]:
            first = min(first, due[row])
    following[_BEGINS], following[_DUE] = begin, first
    return number
