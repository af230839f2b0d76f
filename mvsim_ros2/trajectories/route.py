# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Routes, lines in the plane that vehicles follow, and regular patterns of them."""

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
