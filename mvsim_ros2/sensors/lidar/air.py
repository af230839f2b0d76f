# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Effects of the air on a LiDAR: loss of light, and echoes of floating and falling particles.

An echo of strength s (1: a white surface that faces the sensor) from the range r has the power
p = s exp(-2 a r) / r^2. This is the LiDAR equation for beams within their target, with the
extinction a of the weather. Below 10 m the image of the spot exceeds the detector, and the power
stays constant, as measured for scanners (Fang et al., Intensity correction of terrestrial laser
scanning data by estimating laser transmission function, IEEE TGRS 53, 2015).

Fog and dust fill the beam. In a range cell L, half the length of the pulse, they have the strength
pi a L / S. The ratio S of extinction to backscatter is 18.8 sr for droplets of water (O'Connor,
Illingworth and Hogan, A technique for autocalibration of cloud lidar, J. Atmos. Oceanic Technol.
21, 2004), 55 sr for mineral dust (Tesche et al., Tellus B 61, 2009). The receiver sees the beam
from 0.9 m on, all of it from 1 m (Hahner and others, Fog simulation on real LiDAR point clouds for
3D object detection in adverse weather, ICCV 2021). Their power fluctuates as a sum of M speckles
does, by the gamma distribution (Goodman, Speckle phenomena in optics, 2007, 4.6).

Beams meet drops of rain and flakes of snow one by one, as in LISA (Kilic et al., Lidar light
scattering augmentation, arXiv:2107.07004, 2021). A particle of the diameter D in a beam of the
diameter B has the strength (2 pi / S) (D / B)^2: it blocks twice its cross-section. Drops are
distributed as by Marshall and Palmer (`spec.weather`). With the diameter D of the melted drop,
there are 3800 R^-0.87 exp(-2.55 R^-0.48 D) flakes per m^3 and mm (Gunn and Marshall, The
distribution with size of aggregate snowflakes, J. Meteorology 15, 1958). S is 25 sr for ice, and a
flake has a tenth of the density of water, three tenths when it is wet.

So echoes stronger than p come from each m of a beam independently, at some rate h(r, p). The
strongest one within a range R exceeds p with the probability 1 - exp(-H(p, R)), with the integral
H(p, R) of h. Tables contain H. The strongest echo is drawn from it exactly, with its range, and
replaces a weaker echo of the surface.
"""

from dataclasses import replace
import math
from typing import NamedTuple

import numpy as np

from mvsim_ros2.frames import Array, Reals
from mvsim_ros2.sensors.falling import Falling, NOTHING, sorts_of, WATER
from mvsim_ros2.sensors.lidar.falling_echoes import (
    APERTURE, CELL, FOCUS, SEEN_ALL, SEEN_FROM, SPECKLES)
from mvsim_ros2.world.spec.weather import dust_extinction, fog_extinction, WeatherSpec

WAVELENGTH = 905e-9  # m, of most LiDARs
DUST = 55.0  # sr
_RANGES, _LEVELS, _PARTS, _FADES = 128, 32, 16, 1024
_SPAN = math.log(1e6)  # from the first to the last power


class Air(NamedTuple):
    """
    The air between a LiDAR and what it looks at, for kernels; no rows where it is clear.

    Columns of ranges grow as the squares of their numbers; `scale` times the root of a range is
    its column. Levels are powers that grow by a factor.
    """

    fade: Reals  # (F,): of the power on the way there and back, at ranges as squares
    between: Reals  # (P - 1, K): H less that of the next level, by level and range
    none_above: Reals  # (K, P): exp(-H)
    weakest: float  # natural logarithm of the power of level 0 [1/m^2]
    levels: float  # in a factor e of powers
    scale: float  # 1/sqrt(m), of the columns of ranges
    farthest: float  # the last range [m]
    falling: Falling  # drops and flakes that have places


CLEAR = Air(np.zeros(0, np.float32), np.zeros((0, 0), np.float32), np.zeros((0, 0), np.float32),
            0.0, 1.0, 1.0, 1.0, NOTHING)


def air_of(weather: WeatherSpec, farthest: float, weakest: float, half: float,
           falling: Falling = NOTHING) -> Air:
    """
    Return the air of a LiDAR.

    :param farthest: its reach [m].
    :param weakest: power of an echo that is just seen [1/m^2].
    :param half: half divergence of its beams [rad].
    :param falling: drops and flakes, whose echoes then do not come by chance.
    """
    if weather.is_clear:
        return CLEAR
    extinction = weather.extinction(WAVELENGTH)
    edges = farthest * (np.arange(_RANGES) / (_RANGES - 1)) ** 2
    powers = weakest * np.exp(np.linspace(0.0, _SPAN, _LEVELS))[:, np.newaxis]
    parts = (np.arange(_PARTS) + 0.5) / _PARTS  # midpoints within each step of ranges
    places = (edges[:-1, np.newaxis] + np.diff(edges)[:, np.newaxis] * parts).ravel()
    by_chance = replace(weather, rain=0.0, snow=0.0) if len(falling.kinds) else weather
    rate = hazard_rate(by_chance, extinction, places, powers, half)
    steps = rate.reshape(_LEVELS, _RANGES - 1, _PARTS).mean(axis=2) * np.diff(edges)
    hazard = np.concatenate([np.zeros((_LEVELS, 1)), np.cumsum(steps, axis=1)], axis=1)
    table = hazard.astype(np.float32)
    ways = farthest * (np.arange(_FADES) / (_FADES - 1)) ** 2
    return Air(np.exp(-2.0 * extinction * ways).astype(np.float32), table[:-1] - table[1:],
               np.ascontiguousarray(np.exp(-hazard).T.astype(np.float32)), math.log(weakest),
               (_LEVELS - 1) / _SPAN, (_RANGES - 1) / math.sqrt(farthest), farthest, falling)


def hazard_rate(weather: WeatherSpec, extinction: float, ranges: Array, powers: Array,
                half: float) -> Array:
    """
    Return how many echoes above a power come from each m of a beam [1/m].

    :param extinction: 1/m, of the weather.
    :param ranges: m, shape (K,).
    :param powers: 1/m^2, shape (P, 1).
    :param half: half divergence of the beam [rad].
    :returns: shape (P, K).
    """
    seen = np.clip((ranges - SEEN_FROM) / (SEEN_ALL - SEEN_FROM), 0.0, 1.0)
    reach = seen * np.exp(-2.0 * extinction * ranges) / np.maximum(ranges, FOCUS) ** 2
    cloud = math.pi * CELL * (fog_extinction(weather.fog_visibility, WAVELENGTH) / WATER
                              + dust_extinction(weather.dust_visibility) / DUST) * reach
    with np.errstate(divide='ignore', over='ignore'):
        rate = _more_than(powers / cloud) / CELL
        beam = APERTURE + 2.0 * half * ranges
        for count, slope, strength, _ in sorts_of(weather):
            # mm, of the smallest one that is strong enough
            smallest = 1e3 * beam * np.sqrt(powers / (strength * reach))
            rate += 0.25 * math.pi * beam ** 2 * count / slope * np.exp(-slope * smallest)
    return np.asarray(rate)


def _more_than(ratio: Array) -> Array:
    """Return the probability that the mean of the speckles is above a multiple of itself."""
    value = np.minimum(SPECKLES * ratio, 700.0)  # beyond there is nothing
    term = np.exp(-value)
    total = np.zeros_like(value)
    for k in range(SPECKLES):
        total += term
        term = term * value / (k + 1)
    return total
