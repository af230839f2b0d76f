# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Speed profile along a route: limited in curves, with braking before them."""

from dataclasses import dataclass
import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.trajectories.route import Route

STEP = 0.05  # m between the samples of a route


@dataclass(frozen=True)
class Limits:
    """Limits of the motion of a vehicle."""

    acceleration: float = 0.5  # m/s^2, along the route
    sideways: float = 0.5  # m/s^2, in curves
    turn: float = 1.0  # rad/s


@dataclass(frozen=True, eq=False)
class Track:
    """A route sampled at equal distances."""

    step: float  # m, about STEP
    points: Array  # x, y, shape (n, 2); without the end where it is a loop
    speed: Array  # m/s, shape (n,)
    closed: bool
    turns: Array  # stations at which the route leads back, increasing, shape (k,)

    @classmethod
    def of(cls, route: Route, speed: float, window: float, limits: Limits) -> 'Track':
        """
        Return the track of a route.

        :param speed: limit [m/s].
        :param window: length over which the curvature is averaged [m].
        """
        count = max(2, round(route.length / STEP))
        places = np.linspace(0.0, route.length, count + 1)
        stations = route.stations
        points = np.stack([np.interp(places, stations, axis) for axis in route.points.T], axis=1)
        if route.closed:
            places, points = places[:-1], points[:-1]
        step = route.length / count
        rows = np.clip(np.searchsorted(stations, places, side='right') - 1, 0, None)
        top = np.full(len(places), speed)
        if route.speeds is not None:
            top = np.minimum(top, route.speeds[rows])
        bend = _curvature(points, step, window, route.closed)
        top = np.minimum(top, np.sqrt(limits.sideways / np.maximum(bend, 1e-9)))
        top = np.minimum(top, limits.turn / np.maximum(bend, 1e-9))
        return cls(step, points, _reachable(top, step, limits.acceleration, route.closed),
                   route.closed, _turns(route))

    @property
    def length(self) -> float:
        """Return the length of one lap [m]."""
        return self.step * (len(self.points) - (not self.closed))

    def rows(self, station: float, reach: float) -> NDArray[np.int64]:
        """Return the indices of the samples from a station on, continued in the next lap."""
        first = int(station / self.step)
        numbers = np.arange(first, first + max(2, round(reach / self.step)))
        return numbers if self.closed else numbers[numbers < len(self.points)]

    def point(self, station: float) -> tuple[float, float]:
        """Return the point at a station, extrapolated beyond an open end."""
        place, count = station / self.step, len(self.points)
        row = int(place) if self.closed else min(int(place), count - 2)
        (x0, y0), (x1, y1) = self.points[row % count], self.points[(row + 1) % count]
        part = place - row
        return float(x0 + part * (x1 - x0)), float(y0 + part * (y1 - y0))

    def next_turn(self, station: float) -> float:
        """Return the first station after one at which the route leads back, inf for none."""
        if not len(self.turns):
            return math.inf
        laps = math.floor(station / self.length) if self.closed else 0
        ahead = np.concatenate([self.turns, self.turns + self.length]) if self.closed else (
            self.turns)
        ahead = ahead + laps * self.length
        ahead = ahead[ahead > station + 1e-9]
        return float(ahead[0]) if len(ahead) else math.inf

    def straight_on(self, station: float, turn: float) -> tuple[float, float]:
        """Return the point at a station as if the route went on where it leads back."""
        if station <= turn:
            return self.point(station)
        (x0, y0), (x1, y1) = (self.point(max(0.0, turn - side * self.step))
                              for side in (2, 1))
        part = (station - turn) / self.step + 1.0
        return x1 + part * (x1 - x0), y1 + part * (y1 - y0)

    def speed_at(self, station: float) -> float:
        """Return the speed at a station [m/s]."""
        row = int(station / self.step)
        return float(self.speed[row % len(self.speed) if self.closed
                                else min(row, len(self.speed) - 1)])


def _turns(route: Route) -> Array:
    """Return the stations of points at which a route turns by more than a right angle."""
    points, stations = route.points, route.stations
    if route.closed:
        points = np.vstack([points, points[1:2]])
    ways = np.diff(points, axis=0)
    back = np.flatnonzero(np.sum(ways[1:] * ways[:-1], axis=1) < 0.0) + 1
    found: Array = np.asarray(stations, float)[back]
    return found


def _curvature(points: Array, step: float, window: float, closed: bool) -> Array:
    """Return the mean curvature in a window around each point [1/m]."""
    half = max(1, round(0.5 * window / step))
    around = (half + 1, half + 1), (0, 0)
    line = np.pad(points, around, 'wrap') if closed else np.pad(points, around, 'edge')
    steps = np.diff(line, axis=0)
    still = ~steps.any(axis=1)  # before the first and after the last point
    headings = np.unwrap(np.where(still, np.nan, np.arctan2(steps[:, 1], steps[:, 0]))[~still])
    known = np.interp(np.arange(len(steps)), np.flatnonzero(~still), headings)
    turned: Array = abs(known[2 * half:] - known[:-2 * half])[:len(points)]
    return turned / (2 * half * step)


def _reachable(top: Array, step: float, acceleration: float, closed: bool) -> Array:
    """Return the largest speeds below `top` that respect an acceleration."""
    speed = top.copy()
    laps = 2 if closed else 1
    for order in (range(len(top)), range(len(top) - 1, -1, -1)):
        last = float('inf')
        for row in list(order) * laps:
            last = min(float(speed[row]), (last * last + 2.0 * acceleration * step) ** 0.5)
            speed[row] = last
    return speed
