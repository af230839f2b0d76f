# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Spray: drops that wheels throw up from wet ground, as further kinds of `sensors.falling`.

A wheel of the width b at the speed V moves water of a film of the depth h. K = 0.75 is the share
of its tread without grooves, and h_f = 0.1 mm of water sticks to it. It moves V b K min(h, h_f)
rho by capillary adhesion and V b (1 - K) h rho in grooves. Bow wave and side wave each have half
of the rest. Of each a share that grows or falls linearly with V is in the air behind the wheel, in
kg/m^3 for each kg/s (G. Flintsch et al., Splash and Spray Assessment Tool Development Program,
FHWA, 2014, after D. Weir, J. Strange and R. Heffley, Reduction of Adverse Aerodynamic Effects of
Large Trucks, FHWA-RD-79-84, 1978). Rain of I mm/h makes a film of 0.01485 (0.5^0.11 4^0.43 I^0.59
0.02^-0.42) - 0.5 mm (B. Gallaway et al., Pavement and Geometric Design Criteria for Minimizing
Hydroplaning, FHWA-RD-79-31, 1979, for a texture of 0.5 mm, a way of 4 m and a slope of 2 %).

The mean diameter of the drops is 0.8 mm at 6 m/s and falls as 1 / V (C. Radovich, thesis,
University of Southern California, 2010: as the root of the Weber number); here their numbers fall
exponentially with the diameter.

Drops leave the wheel evenly over a square of its diameter above the ground. Then they drift with
the wind and fall at their own speed, so a plume is a wedge that ends on the ground. It follows the
present velocity of the wheel, also in a turn.
"""

from collections.abc import Iterator
import math
from typing import Any

import numpy as np

from mvsim_ros2.frames import Array, rotation_matrix
from mvsim_ros2.sensors.base import Mount
from mvsim_ros2.sensors.falling import fall_speed, Falling, IN_CELL, KIND, PLUME, WATER
from mvsim_ros2.sensors.views.instant import Instant
from mvsim_ros2.world.spec.weather import WeatherSpec

_SIZES = 0.125 * 2.0 ** np.arange(8)  # mm, limits of the kinds
_SOLID, _STICKING = 0.75, 1e-4  # K; m
_PER_MPH = 2.237  # mph in a m/s
# spray [kg/m^3] for each kg/s: by speed in mph, and at none
_SPRAYED = np.array([(-2.69e-5, 2.43e-3), (1.16e-5, -5.25e-5), (2.67e-5, -4.71e-4),
                     (1.65e-5, -3.99e-4)])
_MEAN = 4.8  # mm m/s, mean diameter times speed
_FEWEST = 1.0  # drops of a kind in a m^3 that count


def film_of(weather: WeatherSpec) -> float:
    """Return how deep water stands on the ground [m]."""
    if weather.water_film is not None:
        return 1e-3 * weather.water_film
    wet = 0.01485 * 0.5 ** 0.11 * 4.0 ** 0.43 * weather.rain ** 0.59 * 0.02 ** -0.42
    return float(1e-3 * max(wet - 0.5, 0.0))


def water_in_air(speed: float, width: float, film: float) -> float:
    """
    Return the water behind a wheel [kg/m^3].

    :param speed: m/s; `width` and `film` in m.
    """
    sticks = _SOLID * min(film, _STICKING)
    in_grooves = (1.0 - _SOLID) * film
    waves = 0.5 * (film - sticks - in_grooves)
    masses = 1000.0 * speed * width * np.array([sticks, in_grooves, waves, waves])
    shares = np.maximum(_SPRAYED @ [_PER_MPH * speed, 1.0], 0.0)
    return float(masses @ shares)


def with_spray(falling: Falling, mount: Mount, time: float) -> Falling:
    """
    Return what falls, and the spray of all wheels.

    :param falling: without spray.
    :param mount: of the sensor that looks.
    :param time: at which plumes begin at the wheels [s].
    """
    film, instant = film_of(mount.world.weather), mount.views.instant
    if film == 0.0 or not len(instant.physics.vehicles):
        return falling
    found = list(_plumes(film, instant, np.array(mount.world.air.wind), time))
    if not found:
        return falling
    kinds, plumes = map(list, zip(*found))
    return falling._replace(
        kinds=np.concatenate([falling.kinds, np.array(kinds, KIND)]),
        plumes=np.concatenate([falling.plumes, np.array(plumes, PLUME)]))


def _plumes(film: float, instant: Instant, wind: Array,
            time: float) -> Iterator[tuple[tuple[Any, ...], tuple[Any, ...]]]:
    """Give the kinds of drops behind wheels, with the plume of each."""
    vehicles, velocities = instant.physics.vehicles, instant.velocities.vehicles
    later, number = time - 1e-9 * instant.time_ns, 0
    for row, spec in enumerate(vehicles.specs):
        turned = rotation_matrix(*vehicles.pose[row, 3:])
        for wheel in spec.dynamics.wheels:
            number += 1
            arm = turned @ [*wheel.pos[:2], 0.0]
            speed = velocities[row, :3] + np.cross(velocities[row, 3:], arm)
            past = speed[:2] - wind
            fast, drift = math.hypot(*speed[:2]), math.hypot(*past)
            if fast < 0.1 or drift < 0.1:
                continue
            mean = _MEAN / fast
            drops = water_in_air(fast, wheel.width, film) / (math.pi * 1e-6 * mean ** 3)
            place = vehicles.pose[row, :3] + arm + later * speed
            for each, (small, large) in enumerate(zip(_SIZES, _SIZES[1:])):
                density = drops * (math.exp(-small / mean) - math.exp(-large / mean))
                if density < _FEWEST:
                    continue
                lattice = 2.0 ** math.ceil(math.log2(density))  # it stays as the speed changes
                fall = fall_speed(math.sqrt(small * large))
                # drops of three times the mean diameter stand for the extinction of all
                extinction = (1e-6 * math.pi * mean ** 2 * drops
                              if small <= 3.0 * mean < large else 0.0)
                yield (((IN_CELL / lattice) ** (1.0 / 3.0), math.exp(-IN_CELL), small, large,
                        1.0 / mean, 2.0 * math.pi / WATER, 1.0, (*wind, -fall)),
                       (64 * number + each, density / lattice, extinction, place, speed,
                        *_box_and_planes(past / drift, wheel.diameter, fall / drift)))


def _box_and_planes(ahead: Array, size: float, slope: float) -> tuple[Any, ...]:
    """
    Return the corners of the box around a plume, and its planes.

    :param ahead: where its wheel goes, as its drops see it, shape (2,).
    :param size: width and height where it begins [m].
    :param slope: by how much it gets lower with the distance.
    """
    x, y = ahead.tolist()
    half, end = 0.5 * size, size / slope
    corners = [(-back * x - side * y, -back * y + side * x)
               for back in (0.0, end) for side in (-half, half)]
    return ((*np.min(corners, axis=0), 0.0), (*np.max(corners, axis=0), size),
            ((x, y, 0.0, 0.0), (-y, x, 0.0, half), (y, -x, 0.0, half), (0.0, 0.0, -1.0, 0.0),
             (-slope * x, -slope * y, 1.0, size)))
