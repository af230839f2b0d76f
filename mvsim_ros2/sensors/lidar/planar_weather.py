# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Weather of planar LiDARs that measure in the plane: what `returns` does, for a whole scan."""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.sensors.lidar.air import Air, air_of
from mvsim_ros2.sensors.lidar.hash_noise import uniform
from mvsim_ros2.sensors.lidar.returns import see_air
from mvsim_ros2.sensors.raycast.planar.scan import WHITE
from mvsim_ros2.world.spec.weather import WeatherSpec

_OF_AIR = np.uint64(0x5851F42D4C957F2D)  # turns a key into another
REFLECTIVITY = 0.1  # of a surface whose echoes are half lost at max_range
HALF = 0.0015  # rad, half divergence of a beam


class PlanarWeather:
    """Removes echoes of a scan, and adds echoes of the air."""

    def __init__(self, weather: WeatherSpec, farthest: float) -> None:
        self._power = farthest ** 2 / REFLECTIVITY
        self._air = air_of(weather, farthest, 1.0 / self._power, HALF)

    def act(self, measured: NDArray[np.float32], limits: tuple[float, float],
            random: np.random.Generator) -> None:
        """Change a scan: ranges [m] and intensities, shape (2, rays), within limits of ranges."""
        count = measured.shape[1]
        key = random.integers(0, 2 ** 64, dtype=np.uint64)
        with np.errstate(over='ignore'):  # without numba: random bits wrap around
            _act(self._air, self._power, limits[0], key, measured[0], measured[1],
                 np.arange(count), np.zeros(count), np.zeros((1, count, 3)))


@compiled(counted=False)
def _act(air: Air, full_power: float, nearest: float, key: np.uint64,
         ranges: NDArray[np.float32], intensities: NDArray[np.float32],
         beam: NDArray[np.int64], sight: Array, made: Array) -> None:
    """
    Change ranges and intensities; the chance of an echo is that of `returns.weaken`.

    :param beam: numbers of the rays, shape (N,).
    :param sight: scratch, shape (N,), as `made`, shape (1, N, 3).
    """
    fade, farthest, count = air.fade, air.farthest, ranges.shape[0]
    fades = (fade.shape[0] - 1) / math.sqrt(farthest)
    for n in range(count):
        distance, strength = float(ranges[n]), intensities[n] / WHITE
        sight[n] = max(0.0, min(distance, farthest))
        if 0.0 < distance < math.inf:
            column = fades * math.sqrt(sight[n])
            k = min(int(column), fade.shape[0] - 2)
            strength *= fade[k] + (column - k) * (fade[k + 1] - fade[k])
            power = (strength * full_power) ** 4
            if uniform(key, n) >= power / (power + distance ** 8):
                distance = math.inf
        made[0, n, 0], made[0, n, 1], made[0, n, 2] = distance, strength, 0.0
    see_air(air, key ^ _OF_AIR, 0, beam, count, sight, made)
    for n in range(count):
        distance = made[0, n, 0]
        if distance < nearest:
            distance = -math.inf
        ranges[n] = distance
        intensities[n] = WHITE * made[0, n, 1] if -math.inf < distance < math.inf else 0.0
