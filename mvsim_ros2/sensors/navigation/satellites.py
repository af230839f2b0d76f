# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Satellites of GPS and Galileo on circular orbits, and the errors that receivers have in common.

GPS has the 24 slots of its standard (GPS Standard Positioning Service Performance Standard, 4th
edition, 2008, table 3.2-1). The semi-major axis is 26559.7 km, the inclination 55 degrees. At the
epoch of right ascensions and arguments of latitude, Greenwich has the sidereal time 18 h 36 min
14.4 s. Galileo has its reference constellation, Walker 24/3/1 at 29599.8 km and 56 degrees
(Galileo Open Service Definition Document, 2019, annex B). Earth and satellites turn; nodes do not
drift.

Common errors, of orbits, clocks and the air, are a Gauss-Markov process of first order, as a
function of seed and time. Its values at multiples of a short time come from `lidar.hash_noise`,
and are interpolated linearly.
"""

import math

import numpy as np

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.sensors.lidar.hash_noise import normal

GPS_RADIUS, GALILEO_RADIUS = 26_559_700.0, 29_599_800.0  # m
_GRAVITY = 3.986005e14  # m^3/s^2, of the Earth (WGS84 of GPS)
_TURN = 7.2921151467e-5  # rad/s, of the Earth
_GREENWICH = math.radians(15.0 * (18.0 + 36.0 / 60.0 + 14.4 / 3600.0))
_NODES = (272.847, 332.847, 32.847, 92.847, 152.847, 212.847)  # deg, of the planes A to F
_LATITUDES = (  # deg, arguments of the slots of each plane
    (268.126, 161.786, 11.676, 41.806), (80.956, 173.336, 309.976, 204.376),
    (111.876, 11.796, 339.666, 241.556), (135.226, 265.446, 35.156, 167.356),
    (197.046, 302.596, 66.066, 333.686), (238.886, 345.226, 105.206, 135.346))

CONSTELLATIONS = ('gps', 'gps_galileo')


def satellite_places(constellations: str, time: float) -> Array:
    """
    Return where satellites are, Earth-centred and Earth-fixed, shape (n, 3) [m].

    :param constellations: one of `CONSTELLATIONS`.
    :param time: after the epoch [s].
    """
    gps = _places(np.repeat(np.radians(_NODES), 4), np.radians(_LATITUDES).ravel(),
                  GPS_RADIUS, math.radians(55.0), time)
    if constellations == 'gps':
        return gps
    plane, slot = np.divmod(np.arange(24), 8)
    galileo = _places(2.0 * math.pi / 3.0 * plane,
                      2.0 * math.pi * (slot / 8.0 + plane / 24.0), GALILEO_RADIUS,
                      math.radians(56.0), time)
    return np.concatenate([gps, galileo])


def _places(nodes: Array, latitudes: Array, radius: float, inclination: float,
            time: float) -> Array:
    """
    Return where the satellites of a constellation are, see `satellite_places`.

    :param nodes: right ascension of the ascending node of each [rad].
    :param latitudes: argument of latitude of each at the epoch [rad].
    """
    along = latitudes + math.sqrt(_GRAVITY / radius ** 3) * time
    node = nodes - _GREENWICH - _TURN * time
    level, across = np.cos(along), np.sin(along)
    return radius * np.stack([
        level * np.cos(node) - across * math.cos(inclination) * np.sin(node),
        level * np.sin(node) + across * math.cos(inclination) * np.cos(node),
        across * math.sin(inclination)], axis=1)


STREAM = 'site/gnss'  # its random stream, which nothing is drawn from
_STEPS = 100  # in a correlation time


class SiteErrors:
    """The errors of a site with the deviation 1, east-north-up."""

    def __init__(self, random: np.random.Generator, drift_time: float) -> None:
        """Begin; of the stream, which is the same for all, only the state is read."""
        self._random = random
        self._step = drift_time / _STEPS
        self._keep = float(np.exp(-1.0 / _STEPS))
        self._known: tuple[int, int, Array] | None = None  # key, number of the last node, value

    def at(self, time: float) -> Array:
        """Return the errors at a simulated time [s], shape (3,)."""
        key = int(self._random.bit_generator.state['state']['state'][0])
        number, part = divmod(time / self._step, 1.0)
        wanted = int(number)
        if self._known is None or self._known[0] != key or self._known[1] > wanted:
            self._known = key, -1, np.zeros(3)
        _, known, value = self._known
        before = value.copy()
        with np.errstate(over='ignore'):  # without numba: random bits wrap around
            if known < 0:
                _go(np.uint64(key), -1, 0, 0.0, before)
                known = 0
            _go(np.uint64(key), known, wanted, self._keep, before)
            self._known = key, wanted, before
            after = before.copy()
            _go(np.uint64(key), wanted, wanted + 1, self._keep, after)
        return before + part * (after - before)


@compiled
def _go(key: np.uint64, begin: int, end: int, keep: float, value: Array) -> None:
    """Replace the errors at the node `begin` by those at the node `end`."""
    fresh = math.sqrt(1.0 - keep * keep)
    for node in range(begin, end):
        for axis in range(3):
            value[axis] = keep * value[axis] + fresh * normal(key, 3 * (node + 1) + axis)
