# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""How much of what sensors measured is sent, so that a slow line stays live."""

from collections.abc import Callable, Iterable
import time

from mvsim_ros2.pictures.perspective import PosedObservation

BYTES_A_SECOND = 2_000_000  # 16 Mbit/s: what a line of 20 Mbit/s bears beside the rest
_SAVED = 0.25  # s; allowance that is kept for later


class Budget:
    """An allowance of bytes that grows with time; who waited longest is served first."""

    def __init__(self, bytes_a_second: float = BYTES_A_SECOND,
                 clock: Callable[[], float] = time.monotonic) -> None:
        """
        Begin with a small allowance.

        :param clock: returns the time [s].
        """
        self._rate = bytes_a_second
        self._left = _SAVED * bytes_a_second
        self._clock = clock
        self._now = clock()
        self._served: dict[str, float] = {}

    def in_turn(self, seen: Iterable[PosedObservation]) -> list[PosedObservation]:
        """Grow by the time that has passed; return measurements in the order of service."""
        now = self._clock()
        self._left = min(self._left + (now - self._now) * self._rate, _SAVED * self._rate)
        self._now = now
        return sorted(seen, key=lambda each: self._served.get(each.observation.sensor, 0.0))

    def take(self, sensor: str, size: int) -> bool:
        """Return whether `size` bytes of a sensor are to be sent now; a debt is paid back."""
        if self._left <= 0.0:
            return False
        self._left -= size
        self._served[sensor] = self._now
        return True
