# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Weather of planar LiDARs that measure in the plane: what `returns` does, for a whole scan."""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.raycast.planar.scan import WHITE
from mvsim_ros2.sensors.lidar.air import Air
from mvsim_ros2.sensors.lidar.air import air_of
from mvsim_ros2.sensors.lidar.air import FOCUS
from mvsim_ros2.sensors.lidar.air import strongest_of_air
from mvsim_ros2.sensors.lidar.hash_noise import uniform
from mvsim_ros2.spec.weather import WeatherSpec

REFLECTIVITY = 0.1  # of a surface whose echoes are half lost at max_range
HALF = 0.0015  # rad, half divergence of a beam


class PlanarWeather:
    """Loses echoes of a scan, and adds those of the air."""

    def __init__(self, weather: WeatherSpec, farthest: float) -> None:
        """
        Prepare the air.

        :param farthest: reach of the sensor [m].
        """
        self._power = farthest ** 2 / REFLECTIVITY
        self._air = air_of(weather, farthest, 1.0 / self._power, HALF)

    def act(self, measured: NDArray[np.float32], limits: tuple[float, float],
            random: np.random.Generator) -> None:
        """
        Change a scan.

        :param measured: ranges [m] and intensities, shape (2, rays).
        :param limits: smallest and largest range.
        :param random: source of the key of the scan.
        """
        key = random.integers(0, 2 ** 64, dtype=np.uint64)
        with np.errstate(over='ignore'):  # without numba: random bits wrap around
            _act(self._air, self._power, limits[0], key, measured[0], measured[1])


@compiled
def _act(air: Air, full_power: float, nearest: float, key: np.uint64,
         ranges: NDArray[np.float32], intensities: NDArray[np.float32]) -> None:
    """Change ranges and intensities; the chance of an echo is that of `returns.receive`."""
    extinction, hazard, weakest, step, farthest = air
    for n in range(ranges.shape[0]):
        distance, strength = float(ranges[n]), intensities[n] / WHITE
        if 0.0 < distance < math.inf:
            strength *= math.exp(-2.0 * extinction * distance)
            power = (strength * full_power) ** 4
            if uniform(key, 3 * n) >= power / (power + distance ** 8):
                distance = math.inf
        if distance == -math.inf:
            continue
        sight = distance if distance < math.inf else farthest
        power = strength / max(sight, FOCUS) ** 2 if distance < math.inf else 0.0
        met, power = strongest_of_air(hazard, weakest, step, farthest, power, sight,
                                      uniform(key, 3 * n + 1), uniform(key, 3 * n + 2))
        if met < math.inf:
            distance, strength = met, power * max(met, FOCUS) ** 2
        if distance < nearest:
            distance = -math.inf
        ranges[n] = distance
        intensities[n] = WHITE * strength if -math.inf < distance < math.inf else 0.0
