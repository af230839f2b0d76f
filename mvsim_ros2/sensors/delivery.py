# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Delays and losses of measurements on the way from a sensor to its topics."""

from collections.abc import Collection, Sequence
import heapq
from typing import Any

import numpy as np

from mvsim_ros2.base.random_streams import RandomStreams
from mvsim_ros2.sensors.base import Sensor
from mvsim_ros2.sensors.observations import Observation

_NEVER = np.iinfo(np.int64).max


class Delivery:
    """
    Measurements that are on their way.

    Each is lost with some probability, or arrives after the latency of its sensor and a normal
    jitter. It never arrives before its own time or before an earlier one of the same sensor.
    """

    def __init__(self, streams: RandomStreams) -> None:
        """Begin with none; a sensor with jitter or losses has the stream ``'delivery/<name>'``."""
        self._streams = streams
        self.forget()

    def forget(self) -> None:
        """Drop all pending measurements."""
        self._waiting: list[tuple[int, int, Observation]] = []  # a heap, by time and order
        self._sent = 0
        self._last: dict[str, int] = {}  # arrival of the newest of each sensor [ns]

    def keep(self, names: Collection[str]) -> None:
        """Drop what sensors with other names have sent."""
        self._waiting = [each for each in self._waiting if each[2].sensor in names]
        heapq.heapify(self._waiting)

    @property
    def next_ns(self) -> int:
        """Return when the next measurement arrives [ns]."""
        return self._waiting[0][0] if self._waiting else _NEVER

    def pass_on(self, sensors: Sequence[Sensor], measured: Sequence[Observation],
                now_ns: int) -> list[Observation]:
        """
        Send measurements and return those that have arrived, in the order of arrival.

        :param sensors: that made them.
        :param now_ns: simulated time.
        """
        here = []
        for sensor, observation in zip(sensors, measured, strict=True):
            latency, jitter, lost = sensor.spec.delays
            if lost or jitter:
                random = self._streams.get(f'delivery/{sensor.name}')
                chance, normal = random.random(), random.standard_normal()
                if chance < lost:
                    continue
                latency = max(0.0, latency + jitter * normal)
            arrival = max(now_ns + round(1e9 * latency), self._last.get(sensor.name, 0))
            if latency or jitter:
                self._last[sensor.name] = arrival
            if arrival <= now_ns and not self._waiting:
                here.append(observation)
                continue
            self._sent += 1
            heapq.heappush(self._waiting, (arrival, self._sent, observation))
        while self.next_ns <= now_ns:
            here.append(heapq.heappop(self._waiting)[2])
        return here

    def snapshot(self) -> dict[str, Any]:
        """Return what is on its way."""
        return {'waiting': list(self._waiting), 'sent': self._sent, 'last': dict(self._last)}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a `snapshot`."""
        self._waiting, self._sent = list(state['waiting']), state['sent']
        self._last = dict(state['last'])
