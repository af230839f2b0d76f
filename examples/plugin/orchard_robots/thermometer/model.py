# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Thermometer: the air is 6.5 K colder for each kilometre of height (ISO 2533)."""

from dataclasses import dataclass
import math
from typing import Any

from mvsim_ros2.frames import rotation_matrix
from mvsim_ros2.sensors.base import Mount, Sensor
from mvsim_ros2.sensors.body_state import BodyState
from mvsim_ros2.sensors.observations import Observation
from orchard_robots.thermometer.spec import ThermometerSpec

_LAPSE = 0.0065  # K/m


@dataclass(frozen=True, eq=False)
class TemperatureSample(Observation):
    """Temperature of the air [degC] and its variance [K^2]."""

    temperature: float
    variance: float


class Thermometer(Sensor):
    """Thermometer that follows the temperature of the air with a lag of first order."""

    def __init__(self, mount: Mount) -> None:
        """Mount a thermometer."""
        super().__init__(mount.spec, mount.owner)
        spec: ThermometerSpec = mount.spec
        self._random = mount.random
        self._at_zero, self._noise = spec.at_zero, spec.std_noise
        self._share = 1.0 - math.exp(-spec.sensor_period / spec.time_constant)
        self._reading: float | None = None  # without noise, at the last measurement [degC]

    def measure(self, stamp_ns: int, state: BodyState) -> TemperatureSample:
        """Return the temperature; the lag takes one period."""
        place = rotation_matrix(*state.pose[3:]) @ self.pose.position
        air = self._at_zero - _LAPSE * float(state.pose[2] + place[2])
        last = air if self._reading is None else self._reading
        self._reading = last + self._share * (air - last)
        noise = self._noise * float(self._random.standard_normal())
        return TemperatureSample(
            self.name, self.frame_id, stamp_ns, self._reading + noise, self._noise ** 2)

    def reset(self) -> None:
        """Forget the last reading."""
        self._reading = None

    def state(self) -> dict[str, Any]:
        """Return the last reading."""
        return {'reading': self._reading}

    def set_state(self, state: dict[str, Any]) -> None:
        """Continue with what `state` returned."""
        self._reading = state['reading']
