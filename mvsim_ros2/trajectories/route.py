# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Routes: lines in the plane that vehicles follow."""

from dataclasses import dataclass
from dataclasses import replace
import math

import numpy as np
from numpy.typing import ArrayLike
from numpy.typing import NDArray

from mvsim_ros2.errors import TrajectoryError
from mvsim_ros2.frames import Pose

Array = NDArray[np.float64]

SAME = 1e-3  # m; points nearer than this are one
CLOSED = 0.01  # m from the last point to the first of a route that is a loop


@dataclass(frozen=True, eq=False)
class Route:
    """
    A line through points in the world, driven forward.

    It is a loop where it ends where it begins.
    """

    points: Array  # x, y [m], shape (n, 2), no two in a row the same
    speeds: Array | None = None  # wanted from each point on [m/s], shape (n,)
    yaw: float | None = None  # of the vehicle at the start [rad]; None: along the line
    name: str = 'route'  # for messages

    @classmethod
    def through(cls, points: ArrayLike, speeds: ArrayLike | None = None,
                yaw: float | None = None, name: str = 'route') -> 'Route':
        """
        Return the route through points, those that repeat the one before left out.

        :param points: x, y [m], shape (n, 2).
        :param speeds: wanted from each point on [m/s], shape (n,).
        :raises TrajectoryError: where fewer than two different points are left, or a number is
            not finite or a speed not above 0.
        """
        line = np.asarray(points, float).reshape(-1, 2)
        wanted = None if speeds is None else np.asarray(speeds, float)
        if not np.isfinite(line).all():
            raise TrajectoryError(f'{name}: a point is not finite')
        if wanted is not None and not (np.isfinite(wanted) & (wanted > 0.0)).all():
            raise TrajectoryError(f'{name}: a speed is not above 0: routes are driven forward')
        kept = [0] if len(line) else []
        for i in range(1, len(line)):
            if math.dist(line[i], line[kept[-1]]) > SAME:
                kept.append(i)
        if len(kept) < 2:
            raise TrajectoryError(
                f'{name}: a route needs two points that are not the same, there is '
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
        """Return whether it ends where it begins."""
        return len(self.points) > 2 and math.dist(self.points[0], self.points[-1]) < CLOSED

    @property
    def start(self) -> Pose:
        """Return the pose in the plane that a vehicle starts in."""
        (x, y), ahead = self.points[0], self.points[1] - self.points[0]
        yaw = math.atan2(ahead[1], ahead[0]) if self.yaw is None else self.yaw
        return Pose(float(x), float(y), yaw=yaw)

    def seen_from(self, pose: Pose) -> 'Route':
        """Return this route, given in the frame of `pose`, in the world."""
        c, s = math.cos(pose.yaw), math.sin(pose.yaw)
        return replace(
            self, points=self.points @ np.array([[c, s], [-s, c]]) + [pose.x, pose.y],
            yaw=None if self.yaw is None else self.yaw + pose.yaw)
