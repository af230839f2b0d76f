# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Who runs a simulation, how fast, and what browsers ask of it."""

from collections import deque
from collections.abc import Callable, Mapping
import math
from queue import Empty, SimpleQueue
import time
from typing import Any, Protocol, TYPE_CHECKING

from mvsim_ros2.errors import MvsimError
from mvsim_ros2.simulation import Simulation

if TYPE_CHECKING:
    from mvsim_ros2.window.recorders import Recorders

FRAMES = 30.0  # 1/s; pictures of the window
_LATE = 0.2  # s; a delay beyond it is not caught up with
_SHARE = 0.8  # of the time between two pictures, for steps where these are the bottleneck
Request = Callable[[Simulation], None]


class Control(Protocol):
    """The runner of a simulation: the window's own thread, or a ROS node."""

    @property
    def running(self) -> bool:
        """Return whether time goes on."""

    @property
    def speed(self) -> float:
        """Return the wanted simulated seconds a second, inf for as fast as possible."""

    @property
    def recorders(self) -> 'Recorders | None':
        """Return what records bags and films of it, None where nothing can."""

    def set_running(self, running: bool) -> None:
        """Go on, or stand still."""

    def set_speed(self, speed: float) -> None:
        """Set the wanted speed, inf for as fast as possible."""

    def step(self, count: int) -> None:
        """Go some steps and stand still after them."""

    def reset(self, seed: int | None) -> None:
        """Go back to the start, with another seed where one is given."""

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Go to a state that `Simulation.snapshot` returned."""

    def switch_sensor(self, name: str, on: bool) -> None:
        """Let a sensor measure, or not."""


class Meter:
    """The speed that was reached over the last second."""

    def __init__(self) -> None:
        self._marks: deque[tuple[float, float]] = deque()

    def mark(self, simulated: float) -> float:
        """Take note of the simulated time now; return simulated seconds a second."""
        now = time.monotonic()
        if self._marks and simulated < self._marks[-1][1]:
            self._marks.clear()
        self._marks.append((now, simulated))
        while now - self._marks[0][0] > 1.0 and len(self._marks) > 2:
            self._marks.popleft()
        begin, first = self._marks[0]
        span = now - begin
        return (simulated - first) / span if span > 0.05 else 0.0


class Pace:
    """
    Says how many steps are due, and waits for the next picture.

    Between two pictures it makes at most as many steps as it recently could, so that a slow
    simulation still draws at full rate.
    """

    def __init__(self, dt: float, speed: float = 1.0, running: bool = True) -> None:
        self._dt = dt
        self.running = running
        self.speed = speed
        self._single = 0
        self._debt = 0.0  # simulated time that is due [s]
        self._last = time.monotonic()
        self._cost = 1e-4  # s of a step, as measured lately
        self._begin = self._last

    def step(self, count: int) -> None:
        """Let some steps be due and stand still after them."""
        self.running = False
        self._single += count

    def due(self) -> int:
        """Return the steps to go now."""
        now = time.monotonic()
        passed, self._last = now - self._last, now
        self._begin = now
        most = max(1, math.ceil(_SHARE / FRAMES / self._cost))
        if self._single:
            count, self._single = min(self._single, most), max(0, self._single - most)
            return count
        if not self.running:
            self._debt = 0.0
            return 0
        if math.isinf(self.speed):
            return most
        self._debt = min(self._debt + passed * self.speed, _LATE * max(1.0, self.speed))
        count = min(int(self._debt / self._dt + 1e-9), most)
        self._debt -= count * self._dt
        return count

    def done(self, count: int) -> None:
        """Take note of how long the steps took that were due."""
        if count:
            cost = (time.monotonic() - self._begin) / count
            self._cost = max(1e-7, 0.7 * self._cost + 0.3 * cost)

    def rest(self) -> float:
        """Return how long to wait until the next picture [s]."""
        return max(0.0, self._begin + 1.0 / FRAMES - time.monotonic())


class Mailbox:
    """Requests from any thread, done in order between two steps."""

    def __init__(self, on_error: Callable[[str], None]) -> None:
        """Start empty; `on_error` is called with why a request could not be carried out."""
        self._requests: SimpleQueue[Request] = SimpleQueue()
        self._on_error = on_error

    def post(self, request: Request) -> None:
        """Add a request."""
        self._requests.put(request)

    def deliver(self, simulation: Simulation) -> int:
        """Carry out the queued requests; return their number."""
        count = 0
        while True:
            try:
                request = self._requests.get_nowait()
            except Empty:
                return count
            count += 1
            try:
                request(simulation)
            except (MvsimError, KeyError) as error:  # a thing may be gone since it was requested
                self._on_error(str(error))
