# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Places on the Earth: geodetic, geocentric and on the map (transverse Mercator, UTM).

Geodetic coordinates are latitude and longitude [rad] and the height above the ellipsoid [m].
Geocentric ones (ECEF) have x through the Greenwich meridian and z through the North Pole [m].
"""

from dataclasses import dataclass
import math

import numpy as np

from mvsim_ros2.frames import Array


@dataclass(frozen=True)
class Ellipsoid:
    """Figure of the Earth: half the equatorial axis [m] and flattening."""

    a: float
    f: float

    @property
    def e2(self) -> float:
        """Square of the eccentricity."""
        return self.f * (2.0 - self.f)


WGS84 = Ellipsoid(6378137.0, 1.0 / 298.257223563)
UTM_SCALE, UTM_EASTING, UTM_NORTHING = 0.9996, 5e5, 1e7  # northing in the south
_TURNS = 6  # of iterations that converge to rounding


def ecef(latitude: float, longitude: float, height: float, ellipsoid: Ellipsoid = WGS84) -> Array:
    """Return the geocentric place of a geodetic one."""
    sine, cosine = math.sin(latitude), math.cos(latitude)
    across = ellipsoid.a / math.sqrt(1.0 - ellipsoid.e2 * sine * sine)  # radius of curvature
    return np.array([(across + height) * cosine * math.cos(longitude),
                     (across + height) * cosine * math.sin(longitude),
                     (across * (1.0 - ellipsoid.e2) + height) * sine])


def geodetic(place: Array, ellipsoid: Ellipsoid = WGS84) -> tuple[float, float, float]:
    """
    Return the geodetic place of a geocentric one, by Bowring's method, iterated.

    B. R. Bowring, *Transformation from spatial to geographical coordinates*, Survey Review 181
    (1976) 323. To rounding (some nm) from 5000 km below the ground to far above it.
    """
    x, y, z = place.tolist()
    a, e2 = ellipsoid.a, ellipsoid.e2
    b = a * (1.0 - ellipsoid.f)
    p = math.hypot(x, y)
    reduced = math.atan2(a * z, b * p)
    latitude = 0.0
    for _ in range(_TURNS):
        latitude = math.atan2(z + e2 * a * a / b * math.sin(reduced) ** 3,
                              p - e2 * a * math.cos(reduced) ** 3)
        reduced = math.atan2((1.0 - ellipsoid.f) * math.sin(latitude), math.cos(latitude))
    sine, cosine = math.sin(latitude), math.cos(latitude)
    height = p * cosine + z * sine - a * math.sqrt(1.0 - e2 * sine * sine)
    return latitude, math.atan2(y, x), height


def enu_axes(latitude: float, longitude: float) -> Array:
    """Return the directions east, north and up as rows, geocentric, shape (3, 3)."""
    sp, cp = math.sin(latitude), math.cos(latitude)
    sl, cl = math.sin(longitude), math.cos(longitude)
    return np.array([[-sl, cl, 0.0], [-sp * cl, -sp * sl, cp], [cp * cl, cp * sl, sp]])


class TransverseMercator:
    """
    Map projection around a meridian; easting and northing from where it meets the equator [m].

    The series of Kruger in the third flattening, to its fourth power: C. F. F. Karney,
    *Transverse Mercator with an accuracy of a few nanometers*, J. Geod. 85 (2011) 475,
    eqs. 7 to 36. Errors stay below 1 um within 3000 km of the meridian.
    """

    def __init__(self, meridian: float, scale: float = UTM_SCALE,
                 ellipsoid: Ellipsoid = WGS84) -> None:
        """Choose a projection by the longitude of its meridian [rad], and the scale on that."""
        self._meridian = meridian
        self._e = math.sqrt(ellipsoid.e2)
        n = ellipsoid.f / (2.0 - ellipsoid.f)
        self._radius = scale * ellipsoid.a / (1.0 + n) * (1.0 + n ** 2 / 4 + n ** 4 / 64)
        self._alpha = (
            n / 2 - 2 * n ** 2 / 3 + 5 * n ** 3 / 16 + 41 * n ** 4 / 180,
            13 * n ** 2 / 48 - 3 * n ** 3 / 5 + 557 * n ** 4 / 1440,
            61 * n ** 3 / 240 - 103 * n ** 4 / 140, 49561 * n ** 4 / 161280)
        self._beta = (
            n / 2 - 2 * n ** 2 / 3 + 37 * n ** 3 / 96 - n ** 4 / 360,
            n ** 2 / 48 + n ** 3 / 15 - 437 * n ** 4 / 1440,
            17 * n ** 3 / 480 - 37 * n ** 4 / 840, 4397 * n ** 4 / 161280)

    def project(self, latitude: float, longitude: float) -> tuple[float, float]:
        """Return easting and northing of a geodetic place."""
        turn = longitude - self._meridian
        tangent = self._conformal(math.tan(latitude))
        xi = math.atan2(tangent, math.cos(turn))
        eta = math.asinh(math.sin(turn) / math.hypot(tangent, math.cos(turn)))
        north, east = xi, eta
        for j, alpha in enumerate(self._alpha, 1):
            north += alpha * math.sin(2 * j * xi) * math.cosh(2 * j * eta)
            east += alpha * math.cos(2 * j * xi) * math.sinh(2 * j * eta)
        return self._radius * east, self._radius * north

    def unproject(self, easting: float, northing: float) -> tuple[float, float]:
        """Return latitude and longitude of a place on the map."""
        north, east = northing / self._radius, easting / self._radius
        xi, eta = north, east
        for j, beta in enumerate(self._beta, 1):
            xi -= beta * math.sin(2 * j * north) * math.cosh(2 * j * east)
            eta -= beta * math.cos(2 * j * north) * math.sinh(2 * j * east)
        goal = math.sin(xi) / math.hypot(math.sinh(eta), math.cos(xi))
        tangent, e2 = goal, self._e ** 2
        for _ in range(_TURNS):  # Newton
            now = self._conformal(tangent)
            tangent += ((goal - now) / math.sqrt(1.0 + now * now)
                        * (1.0 + (1.0 - e2) * tangent * tangent)
                        / ((1.0 - e2) * math.sqrt(1.0 + tangent * tangent)))
        return math.atan(tangent), self._meridian + math.atan2(math.sinh(eta), math.cos(xi))

    def _conformal(self, tangent: float) -> float:
        """Return the tangent of the conformal latitude from that of the latitude."""
        root = math.sqrt(1.0 + tangent * tangent)
        sigma = math.sinh(self._e * math.atanh(self._e * tangent / root))
        return tangent * math.sqrt(1.0 + sigma * sigma) - sigma * root


def utm_zone(latitude: float, longitude: float) -> int:
    """Return the number of the UTM zone of a place, with the exceptions in the far north."""
    lat, lon = math.degrees(latitude), (math.degrees(longitude) + 180.0) % 360.0 - 180.0
    if 56.0 <= lat < 64.0 and 3.0 <= lon < 12.0:
        return 32
    if 72.0 <= lat < 84.0 and 0.0 <= lon < 42.0:
        return 31 + 2 * int((lon + 3.0) // 12.0)
    return int((lon + 180.0) // 6.0) % 60 + 1


def utm_meridian(zone: int) -> float:
    """Return the longitude of the middle of a UTM zone [rad]."""
    return math.radians(6.0 * zone - 183.0)
