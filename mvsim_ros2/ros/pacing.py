# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""When simulated time goes on: the pace against the wall clock, lock step with a controller."""

from collections.abc import Callable, Sequence
import time

SLOWEST = 1e-6  # factor, above 0; below, times overflow
LONGEST_DELAY = 1.0  # s
REPORT_PERIOD = 10.0  # s between two reports of a low real-time factor
REPEAT_PERIOD = 0.25  # s of the wall clock between two publications of a state that stays


class Repeats:
    """Says when to publish a state again, for late subscribers, while time stands."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
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


class LockStep:
    """
    Decides when to wait for commands, and which commands end the wait.

    At the first state and at each multiple of the period, the simulation waits until every vehicle
    has a command with its stamp. Other commands are ignored, since the result would depend on
    their time of arrival.
    """

    def __init__(self, period_ns: int, timeout: float,
                 report: Callable[[str], None] = lambda text: None,
                 now: Callable[[], float] = time.monotonic) -> None:
        """
        Start before the first state.

        :param period_ns: of the waits in simulated time [ns], 0 for none.
        :param timeout: wall time [s] after which missing commands are reported.
        """
        self.period_ns, self.timeout = period_ns, timeout
        self._report, self._now = report, now
        self.reset()

    def set_period(self, period_ns: int, now_ns: int) -> None:
        """Change the period from `now_ns` on."""
        self.period_ns = period_ns
        self.reset()
        if period_ns:
            self._due_ns = (now_ns // period_ns + 1) * period_ns

    def reset(self) -> None:
        """Restart before the first state."""
        self.waits = False  # at the present state
        self._state_ns = self._due_ns = 0
        self.answers: set[str] = set()  # vehicles with a command since the wait began

    def next_wait(self, now_ns: int) -> int | None:
        """Return the simulated time of the next wait [ns], None without lock step."""
        return max(self._due_ns, now_ns + 1) if self.period_ns else None

    def reach(self, now_ns: int) -> bool:
        """Register a new state; return whether the simulation waits at it."""
        if not self.period_ns or now_ns < self._due_ns:
            return False
        self.waits = True
        self._state_ns = now_ns
        self._due_ns = (now_ns // self.period_ns + 1) * self.period_ns
        self.answers.clear()
        self._report_due = self._now() + self.timeout
        return True

    def fault(self, stamp_ns: int | None) -> str:
        """Return why a command with this stamp is ignored, '' if it is accepted."""
        if not self.period_ns:
            return ''
        if stamp_ns is None:
            return 'in lock step a command needs a stamp: use the stamped type'
        if self.waits and stamp_ns == self._state_ns:
            return ''
        return (f'in lock step a command needs the stamp of the present state, not '
                f'{stamp_ns * 1e-9:.9f} s: answer odometry with its own stamp')

    def report_late(self, late: Sequence[str]) -> None:
        """Report the topics without a command, where the timeout has passed."""
        if self._now() >= self._report_due:
            self._report(f'lock step: at {self._state_ns * 1e-9:.9f} s for {self.timeout:g} s '
                         f'waiting for a command with this stamp on {", ".join(late)}')
            self._report_due = self._now() + self.timeout


class Ticks:
    """
    Where a round of steps ends: at ticks of the odometry, and at waits in lock step.

    Tick k is the first step at or after k periods, so that the mean rate is exact for every
    length of the step.
    """

    def __init__(self, period_ns: int, step_ns: int, lock: LockStep,
                 report: Callable[[str], None]) -> None:
        """Start with a period between two ticks and a physics step [ns]."""
        self._period_ns, self._lock, self._report = period_ns, lock, report
        self.set_step(step_ns)

    def set_step(self, step_ns: int) -> None:
        """Change the physics step."""
        self._step_ns = step_ns
        self.check_lock()
        if self._period_ns < step_ns - 1:  # by rounding
            self._report(
                f'odom_rate is {1e9 / self._period_ns:g} Hz, and steps of {step_ns * 1e-6:g} '
                f'ms allow {1e9 / step_ns:g} Hz at most: use a shorter simul_timestep')

    def check_lock(self) -> None:
        """Report a period of the lock step that is no multiple of the physics step."""
        steps = self._lock.period_ns / self._step_ns
        if abs(steps - round(steps)) > 1e-6 * steps:
            self._report(
                f'lockstep is {self._lock.period_ns * 1e-9:g} s, which is no multiple of the '
                f'step, {self._step_ns * 1e-6:g} ms: each wait is at the first step after such a '
                'time')

    def steps_left(self, now_ns: int) -> int:
        """Return the steps until the next tick or wait, at least one."""
        end_ns = (now_ns // self._period_ns + 1) * self._period_ns
        wait_ns = self._lock.next_wait(now_ns)
        if wait_ns is not None:
            end_ns = min(end_ns, wait_ns)
        return -(-(end_ns - now_ns) // self._step_ns)

    def passed(self, before_ns: int, now_ns: int) -> bool:
        """Return whether there was a tick after one time, up to another."""
        return now_ns // self._period_ns > before_ns // self._period_ns
