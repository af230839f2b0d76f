# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Barometer in the standard atmosphere.

In the troposphere, at the height h, the pressure is p0 (1 - L h / T0)^(g M / (R L)) (ISO 2533,
International Standard Atmosphere).
"""

import math
from typing import Any

import numpy as np

from mvsim_ros2.frames import rotation_matrix
from mvsim_ros2.sensors.base import Mount, Sensor
from mvsim_ros2.sensors.body_state import BodyState
from mvsim_ros2.sensors.model import SensorModel
from mvsim_ros2.sensors.navigation.georeference import Georeference
from mvsim_ros2.sensors.observations import PressureSample
from mvsim_ros2.world.spec.sensors.air_and_field import BarometerSpec

_LAPSE, _TEMPERATURE = 0.0065, 288.15  # K/m, K
_EXPONENT = 9.80665 * 0.028964420 / (8.31432 * _LAPSE)


def standard_pressure(height: float, sea_level: float = 101325.0) -> float:
    """Return the pressure [Pa] at a height [m] from -2 to 11 km."""
    return float(sea_level * (1.0 - _LAPSE * height / _TEMPERATURE) ** _EXPONENT)


class Barometer(Sensor):
    """Barometer on a vehicle."""

    def __init__(self, spec: BarometerSpec, owner: str, random: np.random.Generator,
                 ground: float = 0.0) -> None:
        """
        Mount a barometer.

        :param random: source of its noise.
        :param ground: height of z = 0 of the world [m].
        """
        super().__init__(spec, owner)
        self._random = random
        self._ground = ground
        self._sea_level = spec.sea_level_pressure
        self._place = spec.pose.position
        self._noise = spec.std_noise
        self._walk = spec.drift_noise * math.sqrt(1e-9 * self.period_ns)
        self.drift = 0.0

    def measure(self, stamp_ns: int, state: BodyState) -> PressureSample:
        """Return the pressure; the drift takes one step."""
        height = float(state.pose[2] + rotation_matrix(*state.pose[3:])[2] @ self._place)
        step, white = self._random.standard_normal(2).tolist()
        self.drift += self._walk * step
        pressure = (standard_pressure(self._ground + height, self._sea_level) + self.drift
                    + self._noise * white)
        return PressureSample(self.name, self.frame_id, stamp_ns, pressure, self._noise ** 2)

    def reset(self) -> None:
        """Put the drift back to zero."""
        self.drift = 0.0

    def state(self) -> dict[str, Any]:
        """Return the drift."""
        return {'drift': self.drift}

    def set_state(self, state: dict[str, Any]) -> None:
        """Continue with what `state` returned."""
        self.drift = state['drift']


def make_barometer(mount: Mount) -> Barometer:
    """Return a barometer; the world lies as high as its georeference says."""
    spec = mount.world.georeference
    ground = 0.0
    if spec is not None:
        ground = spec.height - float(Georeference(spec).origin[2])
    return Barometer(mount.spec, mount.owner, mount.random, ground)


MODELS = (SensorModel(spec=BarometerSpec, make=make_barometer),)
