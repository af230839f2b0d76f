# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Incremental encoders of the wheels.

An encoder counts whole ticks, forward positive, from where its wheel stood at the start; the
rate is what it counted since the last measurement over the time that passed, and that of the last
measurement where no time has passed.
"""

import math
from typing import Any

import numpy as np

from mvsim_ros2.errors import SensorError
from mvsim_ros2.sensors.base import Mount, Sensor
from mvsim_ros2.sensors.body_state import BodyState
from mvsim_ros2.sensors.model import SensorModel
from mvsim_ros2.sensors.observations import EncoderSample
from mvsim_ros2.sensors.views.views import SceneViews
from mvsim_ros2.world.spec.sensors.contact_and_encoders import WheelEncodersSpec


class WheelEncoders(Sensor):
    """The encoders of all wheels of one vehicle."""

    def __init__(self, spec: WheelEncodersSpec, owner: str, views: SceneViews) -> None:
        """
        Mount the encoders.

        :raises SensorError: where there is no vehicle.
        """
        super().__init__(spec, owner)
        if not owner:
            raise SensorError(f'{spec.source}: wheel_encoders {self.name!r} stand in the world: '
                              'put them into a <vehicle>')
        self._views = views
        self._owner = owner
        self._ticks = spec.ticks
        self._joints: tuple[str, ...] = ()  # of the wheels, none before the first measurement
        self._last: list[int] = []  # counts at the last measurement, none before the first
        self._last_ns = 0
        self._rate: list[float] = []  # at the last measurement, none before the first

    def measure(self, stamp_ns: int, state: BodyState) -> EncoderSample:
        """Return the counts of all wheels."""
        wheels = self._views.instant.wheels(self._owner)
        tick = 2.0 * math.pi / self._ticks
        count = np.floor(wheels['angle'] / tick).astype(np.int64)
        passed = 1e-9 * (stamp_ns - self._last_ns)
        rate = np.array(self._rate or np.zeros(len(count)))
        if passed > 0.0:
            rate = (count - (self._last or np.zeros_like(count))) * (tick / passed)
        self._last, self._last_ns, self._rate = count.tolist(), stamp_ns, rate.tolist()
        self._joints = self._joints or next(
            each.dynamics.wheel_joints for each in self._views.things.vehicles
            if each.name == self._owner)
        return EncoderSample(self.name, self.frame_id, stamp_ns, self._joints, count,
                             count * np.float64(tick), rate)

    def reset(self) -> None:
        """Count from zero."""
        self._last, self._last_ns, self._rate = [], 0, []

    def state(self) -> dict[str, Any]:
        """Return the last counts and rates, and their time."""
        return {'last': self._last, 'last_ns': self._last_ns, 'rate': self._rate}

    def set_state(self, state: dict[str, Any]) -> None:
        """Continue with what `state` returned."""
        self._last, self._last_ns, self._rate = state['last'], state['last_ns'], state['rate']


def make_wheel_encoders(mount: Mount) -> WheelEncoders:
    """Return the encoders of a vehicle."""
    return WheelEncoders(mount.spec, mount.owner, mount.views)


MODELS = (SensorModel(spec=WheelEncodersSpec, make=make_wheel_encoders),)
