# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Drops and flakes that fall: particles with places, which all sensors share.

A kind has the diameters of an octave and one velocity: that of the wind and its fall. Its
particles rest in a frame that moves with this velocity, in cells of a lattice. The seed of the
simulation and the place of a cell determine number, positions and diameters in it. So they need no
memory, and all sensors find the same ones. Numbers and diameters are those of rain and snow in
`lidar.air`.

Drops fall as by D. Atlas, R. Srivastava and R. Sekhon (Doppler radar characteristics of
precipitation at vertical incidence, 1973). Flakes fall with 0.8 d^0.16 m/s for the diameter d in
mm, as aggregates of dendrites (J. Locatelli and P. Hobbs, Fall speeds and masses of solid
precipitation particles, J. Geophys. Res. 79, 1974).
"""

import hashlib
import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.jit.kernel import compiled, use_machine_code
from mvsim_ros2.sensors.lidar.hash_noise import bits, uniform
from mvsim_ros2.world.spec.weather import DROPS, rain_slope, WeatherSpec

WATER, ICE = 18.8, 25.0  # sr, ratios of extinction to backscatter
_FLAKES, _FLAKE_SLOPE = 3800.0, 2.55
_SIZES = 0.25 * 2.0 ** np.arange(7)  # mm, limits of the kinds
IN_CELL = 0.7  # particles, on average
_MIDDLE = 2 ** 31  # cell at the origin, so that all have positive numbers
KIND = np.dtype([(name, np.float64) for name in (
    'edge', 'empty',  # of a cell [m]; probability that there is nothing in it
    'small', 'large', 'slope',  # diameters [mm], and how fast particles get fewer with it [1/mm]
    'echo', 'wider',  # strength of an echo at full width; width over diameter
)] + [('velocity', np.float64, (3,))])  # m/s
PLUME = np.dtype([
    ('lattice', np.int64),  # its number
    ('share', np.float64),  # of the particles of the lattice that there are; everywhere: 2
    ('extinction', np.float64)] + [  # 1/m
    # place of a wheel on the ground and its velocity, in the world; the box from there
    (name, np.float64, (3,)) for name in ('place', 'speed', 'low', 'high')] + [
    ('planes', np.float64, (5, 4))])  # a x + b y + c z <= d
_MARK = 128  # first random number of a cell that says which particles there are


class Falling(NamedTuple):
    """What falls."""

    kinds: Records  # (K,) of KIND
    key: NDArray[np.uint64]  # (1,)
    time: Array  # (1,): of the end of a measurement [s]
    datum: Array  # (3,): of the rays that look, in the world [m]
    extinction: float  # 1/m, of the beams that look
    plumes: Records  # (K,) of PLUME: where they are


NOTHING = Falling(np.zeros(0, KIND), np.zeros(1, np.uint64), np.zeros(1), np.zeros(3), 0.0,
                  np.zeros(0, PLUME))


def sorts_of(weather: WeatherSpec) -> list[tuple[float, float, float, float]]:
    """Return number [1/(m^3 mm)], slope [1/mm], echo at full width, width over that of water."""
    found = []
    if weather.rain > 0.0:
        found.append((DROPS, rain_slope(weather.rain), 2.0 * math.pi / WATER, 1.0))
    if weather.snow > 0.0:
        wider = (0.3 if weather.snow_is_wet else 0.1) ** (-1.0 / 3.0)
        found.append((_FLAKES * weather.snow ** -0.87, _FLAKE_SLOPE * weather.snow ** -0.48,
                      2.0 * math.pi / ICE * (wider * wider), wider))
    return found


def falling_of(weather: WeatherSpec, wind: tuple[float, float], seed: int,
               extinction: float = 0.0) -> Falling:
    """Return what falls, nothing where it has no places; `seed` is that of the simulation."""
    if not weather.shows_particles:
        return NOTHING
    use_machine_code()  # millions of cells
    kinds = []
    for count, slope, echo, wider in sorts_of(weather):
        for small, large in zip(_SIZES, _SIZES[1:]):
            number = count / slope * (math.exp(-slope * small) - math.exp(-slope * large))
            middle = math.sqrt(small * large)
            speed = (fall_speed(middle) if wider == 1.0 else 0.8 * (middle * wider) ** 0.16)
            kinds.append((float(IN_CELL / number) ** (1.0 / 3.0), math.exp(-IN_CELL), small,
                          large, slope, echo, wider, (*wind, -speed)))
    digest = hashlib.sha256(f'falling {seed}'.encode()).digest()
    everywhere = np.zeros(len(kinds), PLUME)
    everywhere['lattice'], everywhere['share'] = range(len(kinds)), 2.0
    return NOTHING._replace(
        kinds=np.array(kinds, KIND), extinction=extinction, plumes=everywhere,
        key=np.frombuffer(digest[:8], np.uint64).copy())


def fall_speed(diameter: float) -> float:
    """Return how fast a drop of a diameter [mm] falls [m/s]."""
    return max(9.65 - 10.3 * math.exp(-0.6 * diameter), 0.1)


@compiled(counted=False)
def cell_of(key: np.uint64, kind: int, i: int, j: int, k: int) -> np.uint64:
    """Return the key of a cell."""
    return bits(bits(bits(bits(key, kind), i + _MIDDLE), j + _MIDDLE), k + _MIDDLE)


@compiled(counted=False)
def number_in(cell: np.uint64, empty: float) -> int:
    """Return how many particles are in a cell, by the distribution of Poisson."""
    chance, share, number = uniform(cell, 0), empty, 0
    total = share
    while chance > total and number < 20:
        number += 1
        share *= IN_CELL / number
        total += share
    return number


@compiled(counted=False)
def particle(cell: np.uint64, number: int, kind: np.void) -> tuple[float, float, float, float]:
    """Return the place of a particle in its cell, 0 to 1, and its diameter [mm]."""
    slope = kind['slope']
    most, least = math.exp(-slope * kind['small']), math.exp(-slope * kind['large'])
    part = uniform(cell, 4 * number + 4)
    return (uniform(cell, 4 * number + 1), uniform(cell, 4 * number + 2),
            uniform(cell, 4 * number + 3), -math.log(least + part * (most - least)) / slope)


@compiled(inlined=True)
def is_in_plume(plume: np.void, cell: np.uint64, number: int, x: float, y: float,
                z: float) -> bool:
    """Return whether there is a particle of a cell, whose place is from that of the wheel."""
    if uniform(cell, _MARK + number) >= plume['share']:
        return False
    planes = plume['planes']
    for k in range(len(planes)):
        if planes[k, 0] * x + planes[k, 1] * y + planes[k, 2] * z > planes[k, 3]:
            return False
    return True


@compiled(inlined=True)
def part_in_plume(plume: np.void, x: float, y: float, z: float, dx: float, dy: float, dz: float,
                  near: float, far: float) -> tuple[float, float]:
    """Return from where to where a ray is in a plume [m]; it begins at a place from the wheel."""
    planes = plume['planes']
    for k in range(len(planes)):
        a, b, c = planes[k, 0], planes[k, 1], planes[k, 2]
        along, room = a * dx + b * dy + c * dz, planes[k, 3] - (a * x + b * y + c * z)
        if along > 0.0:
            far = min(far, room / along)
        elif along < 0.0:
            near = max(near, room / along)
        elif room < 0.0:
            far = near
    return near, far
