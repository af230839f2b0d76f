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

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled, use_machine_code
from mvsim_ros2.sensors.lidar.hash_noise import bits, uniform
from mvsim_ros2.world.spec.weather import DROPS, rain_slope, WeatherSpec

WATER, ICE = 18.8, 25.0  # sr, ratios of extinction to backscatter
_FLAKES, _FLAKE_SLOPE = 3800.0, 2.55
_SIZES = 0.25 * 2.0 ** np.arange(7)  # mm, limits of the kinds
IN_CELL = 0.7  # particles, on average
_MIDDLE = 2 ** 31  # cell at the origin, so that all have positive numbers
# columns of kinds: edge of a cell [m], probability that it is empty; smallest and largest diameter
# [mm], how fast particles get fewer with it [1/mm], strength of an echo at full width, width over
# diameter, velocity [m/s]
EDGE, EMPTY, SMALL, LARGE, SLOPE, ECHO, WIDER, VELOCITY = range(8)
_COLUMNS = 10
# columns of plumes: number of the lattice; share of its particles that there are, for what is
# everywhere 2; extinction [1/m]; place of a wheel on the ground and its velocity, in the world;
# from there the box around the plume and five planes a x + b y + c z <= d
LATTICE, SHARE, EXTINCTION, PLACE, SPEED, LOW, HIGH, PLANES = 0, 1, 2, 3, 6, 9, 12, 15
_OF_PLUME = PLANES + 4 * 5
_MARK = 128  # first random number of a cell that says which particles there are


class Falling(NamedTuple):
    """What falls."""

    kinds: Array  # (K, 10): see the columns
    key: NDArray[np.uint64]  # (1,)
    time: Array  # (1,): of the end of a measurement [s]
    datum: Array  # (3,): of the rays that look, in the world [m]
    extinction: float  # 1/m, of the beams that look
    plumes: Array  # (K, 35): where they are, see the columns


NOTHING = Falling(np.zeros((0, _COLUMNS)), np.zeros(1, np.uint64), np.zeros(1), np.zeros(3), 0.0,
                  np.zeros((0, _OF_PLUME)))


def sorts_of(weather: WeatherSpec) -> list[tuple[float, float, float, float]]:
    """
    Return what falls.

    For each sort number [1/(m^3 mm)], slope [1/mm], strength of an echo at full width, and width
    over the diameter of water.
    """
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
    """
    Return what falls, nothing where it has no places.

    :param wind: m/s, in the world.
    :param seed: of the simulation.
    """
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
                          large, slope, echo, wider, *wind, -speed))
    digest = hashlib.sha256(f'falling {seed}'.encode()).digest()
    everywhere = np.zeros((len(kinds), _OF_PLUME))
    everywhere[:, LATTICE], everywhere[:, SHARE] = range(len(kinds)), 2.0
    return NOTHING._replace(
        kinds=np.array(kinds).reshape(-1, _COLUMNS), extinction=extinction, plumes=everywhere,
        key=np.frombuffer(digest[:8], np.uint64).copy())


def fall_speed(diameter: float) -> float:
    """
    Return how fast a drop falls [m/s].

    :param diameter: mm.
    """
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
def particle(cell: np.uint64, number: int, kinds: Array,
             kind: int) -> tuple[float, float, float, float]:
    """Return the place of a particle in its cell, 0 to 1, and its diameter [mm]."""
    slope = kinds[kind, SLOPE]
    most, least = math.exp(-slope * kinds[kind, SMALL]), math.exp(-slope * kinds[kind, LARGE])
    part = uniform(cell, 4 * number + 4)
    return (uniform(cell, 4 * number + 1), uniform(cell, 4 * number + 2),
            uniform(cell, 4 * number + 3), -math.log(least + part * (most - least)) / slope)


@compiled(inlined=True)
def is_in_plume(plume: Array, cell: np.uint64, number: int, x: float, y: float, z: float) -> bool:
    """Return whether there is a particle of a cell, whose place is from that of the wheel."""
    if uniform(cell, _MARK + number) >= plume[SHARE]:
        return False
    for k in range(PLANES, _OF_PLUME, 4):
        if plume[k] * x + plume[k + 1] * y + plume[k + 2] * z > plume[k + 3]:
            return False
    return True


@compiled(inlined=True)
def part_in_plume(plume: Array, x: float, y: float, z: float, dx: float, dy: float, dz: float,
                  near: float, far: float) -> tuple[float, float]:
    """Return from where to where a ray is in a plume [m]; it begins at a place from the wheel."""
    for k in range(PLANES, _OF_PLUME, 4):
        a, b, c = plume[k], plume[k + 1], plume[k + 2]
        along, room = a * dx + b * dy + c * dz, plume[k + 3] - (a * x + b * y + c * z)
        if along > 0.0:
            far = min(far, room / along)
        elif along < 0.0:
            near = max(near, room / along)
        elif room < 0.0:
            far = near
    return near, far
