# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Routes, lines in the plane that vehicles follow, regular patterns of them, and speeds along them.

Speeds are limited in curves, with braking before them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mvsim_ros2.errors import TrajectoryError
from mvsim_ros2.frames import Array, Pose

SAME = 1e-3  # m; closer points are merged
CLOSED = 0.01  # m; largest distance between last and first point of a loop
LONGEST = 2e5  # m
FARTHEST = 1e7  # m from the origin
MOST_LANES = 10_000
FINE = 0.05  # rad between the points of an arc


@dataclass(frozen=True, eq=False, repr=False)
class Route:
    """
    A line through points in the world, driven forward.

    It is a loop where its last point is its first.
    """

    points: Array  # x, y [m], shape (n, 2), consecutive points differ
    speeds: Array | None = None  # from each point on [m/s], shape (n,)
    yaw: float | None = None  # of the vehicle at the start [rad]; None: tangential
    name: str = 'route'  # for messages

    def __repr__(self) -> str:
        return (f'<Route {self.name!r}: {len(self.points)} points, {self.length:.1f} m'
                f'{", closed" if self.closed else ""}>')

    @classmethod
    def through(cls, points: ArrayLike, speeds: ArrayLike | None = None,
                yaw: float | None = None, name: str = 'route',
                lines: Sequence[int] | None = None) -> 'Route':
        """
        Return the route through points; repeated points are removed.

        :param points: x, y [m], shape (n, 2).
        :param speeds: from each point on [m/s], shape (n,).
        :param lines: of the file `name` that the points are from, for errors.
        :raises TrajectoryError: for fewer than two different points, invalid numbers, a speed of 0
            or less, or a route that is too long or too far away.
        """
        def check(valid: NDArray[np.bool_], what: Callable[[int], str]) -> None:
            for row in np.flatnonzero(~valid)[:1].tolist():
                at = '' if lines is None else f':{lines[row]}'
                raise TrajectoryError(f'{name}{at}: {what(row)}')

        line = np.asarray(points, float).reshape(-1, 2)
        wanted = None if speeds is None else np.asarray(speeds, float)
        check(np.isfinite(line).all(axis=1), lambda row: 'a point is not finite')
        far = abs(line).max(axis=1, initial=0.0)
        check(far <= FARTHEST, lambda row: f'a point is {far[row]:g} m from the origin: at most '
                                           f'{FARTHEST:g} m are possible')
        travelled = np.append(0.0, np.cumsum(np.hypot(*np.diff(line, axis=0).T)))
        check(travelled <= LONGEST, lambda row: f'the route is {travelled[row]:g} m long up to '
                                                f'here: at most {LONGEST:g} m are possible')
        if wanted is not None:
            check(np.isfinite(wanted) & (wanted > 0.0), lambda row: f'a speed of {wanted[row]:g} '
                  'm/s: it must be above 0, routes are driven forward')
        kept = [0] if len(line) else []
        for i in range(1, len(line)):
            if math.dist(line[i], line[kept[-1]]) > SAME:
                kept.append(i)
        if len(kept) < 2:
            raise TrajectoryError(
                f'{name}: a route needs two different points, there is '
                f'{len(kept) or "none"}')
        return cls(line[kept], None if wanted is None else wanted[kept], yaw, name)

    @property
    def stations(self) -> Array:
        """Return the distance of each point from the start, along the line [m]."""
        steps = np.hypot(*np.diff(self.points, axis=0).T)
        return np.concatenate([[0.0], np.cumsum(steps)])

    @property
    def length(self) -> float:
        """Return the length [m]."""
        return float(self.stations[-1])

    @property
    def closed(self) -> bool:
        """Return whether it is a loop."""
        return len(self.points) > 2 and math.dist(self.points[0], self.points[-1]) < CLOSED

    @property
    def start(self) -> Pose:
        """Return the planar pose of a vehicle at the start."""
        (x, y), ahead = self.points[0], self.points[1] - self.points[0]
        yaw = math.atan2(ahead[1], ahead[0]) if self.yaw is None else self.yaw
        return Pose(float(x), float(y), yaw=yaw)

    def transformed(self, pose: Pose) -> 'Route':
        """Return the route transformed from the frame of `pose` to the world."""
        c, s = math.cos(pose.yaw), math.sin(pose.yaw)
        return replace(
            self, points=self.points @ np.array([[c, s], [-s, c]]) + [pose.x, pose.y],
            yaw=None if self.yaw is None else self.yaw + pose.yaw)


def lawn_mower(length: float = 10.0, width: float = 6.0, spacing: float = 1.5) -> Route:
    """
    Return parallel lanes, each to the left of the previous one, connected by half circles.

    :param length: of the straight part of a lane [m].
    :param width: largest distance between the first and the last lane [m].
    :param spacing: between lanes [m].
    :raises TrajectoryError: where a number is not above 0.
    """
    _check(length=length, width=width, spacing=spacing)
    if width / spacing > MOST_LANES:
        raise TrajectoryError(f'a spacing of {spacing:g} m makes {width / spacing:.3g} lanes in '
                              f'{width:g} m: at most {MOST_LANES} are possible')
    points = []
    turns = math.pi * _fractions(math.pi)
    for lane in range(int(width / spacing + 1e-9) + 1):
        y, forth = lane * spacing, lane % 2 == 0
        ends = (0.0, length) if forth else (length, 0.0)
        if lane:
            side = -1.0 if forth else 1.0  # end of the lane with the turn into it
            points += [(ends[0] + side * 0.5 * spacing * math.sin(angle),
                        y - spacing + 0.5 * spacing * (1.0 - math.cos(angle)))
                       for angle in turns]
        points += [(ends[0], y), (ends[1], y)]
    return Route.through(points, name='lawn_mower')


def figure_of_eight(radius: float = 3.0) -> Route:
    """
    Return a loop of two circles tangent at the origin, the left one first.

    :param radius: of both [m].
    :raises TrajectoryError: where it is not above 0.
    """
    _check(radius=radius)
    angles = 2.0 * math.pi * _fractions(2.0 * math.pi)
    circle = radius * np.stack([np.sin(angles), 1.0 - np.cos(angles)], axis=1)
    return Route.through(np.concatenate([circle, circle * [1.0, -1.0]]), name='eight')


def _fractions(angle: float) -> np.ndarray:
    """Return the positions of points on an arc, from 0 to 1."""
    return np.linspace(0.0, 1.0, math.ceil(angle / FINE) + 1)


def _check(**sizes: float) -> None:
    for name, size in sizes.items():
        if not 0.0 < size < math.inf:
            raise TrajectoryError(f'the {name} of the pattern is {size}: it must be above 0')


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
