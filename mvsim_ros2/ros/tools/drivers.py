# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Drivers of the demo: follow a route, or wander where there is none.

They depend neither on ROS nor on the simulation. A call gets the pose of the robot and the time
since the last call, and returns a twist. The longer that time, the slower they drive.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

# x y [m]: through office, meeting room, warehouse, lobby and workshop
DEMO_ROUTE = (
    (-9.9, 0.0), (-9.5, 0.6), (-9.5, 2.4), (-8.4, 4.8), (-7.4, 5.2), (-5.8, 5.2),
    (-5.3, 4.4), (-5.3, 0.5), (-4.7, 0.0), (0.4, 0.0), (9.6, 0.0), (10.7, 0.9), (10.7, 4.2),
    (0.3, 4.2), (0.3, -4.25), (6.6, -4.25), (7.9, -2.6), (6.9, -0.5), (1.2, -0.5), (0.2, -1.6),
    (0.0, -4.0), (-0.5, -4.6), (-7.4, -4.6), (-9.6, -4.6), (-10.4, -3.6), (-10.4, -0.6))
TOP_SPEED, TOP_TURN = 1.0, 1.4  # m/s, rad/s
LOOKAHEAD = 0.55  # m
MAX_COMMAND_DISTANCE = 0.2  # m that the robot may drive on one command
STUCK_TIME, BACK_TIME = 4.0, 1.5  # s
CLEARANCE = 0.75  # m to keep ahead when wandering


@dataclass(frozen=True)
class Twist:
    """A command: forward velocity [m/s] and yaw rate [rad/s]."""

    vx: float = 0.0
    wz: float = 0.0


class Driver(Protocol):
    """Interface of a driver."""

    @property
    def laps(self) -> int:
        """Return the number of finished laps."""

    def command(self, x: float, y: float, yaw: float, elapsed: float) -> Twist:
        """Return the command at this pose, `elapsed` seconds after the last one."""


class RouteDriver:
    """
    Follows a closed route by pure pursuit.

    Coulter, "Implementation of the Pure Pursuit Path Tracking Algorithm", CMU-RI-TR-92-01. The
    pose is first predicted over the delay of the control loop with the last command, so that
    the delay does not cause oscillation. A robot that makes no progress backs off.
    """

    def __init__(self, route: ArrayLike = DEMO_ROUTE) -> None:
        """
        Start at the first point.

        :param route: corners x y [m], shape (n, 2); the last is connected to the first.
        """
        corners = np.asarray(route, float).reshape(-1, 2)
        self._corners = np.vstack([corners, corners[:1]])
        self._along = np.concatenate(
            [[0.0], np.cumsum(np.hypot(*np.diff(self._corners, axis=0).T))])
        self.length = float(self._along[-1])  # m
        self.travelled = 0.0  # m along the route, all laps
        self._last = Twist()
        self._still = 0.0  # s without progress
        self._backing = 0.0  # s left to back off

    @property
    def laps(self) -> int:
        """Return the number of finished laps."""
        return int(self.travelled // self.length)

    def point(self, station: ArrayLike) -> NDArray[np.float64]:
        """Return the points of the route `station` metres from its start, shape (..., 2)."""
        at = np.asarray(station, float) % self.length
        return np.stack([np.interp(at, self._along, self._corners[:, axis]) for axis in (0, 1)],
                        axis=-1)

    def command(self, x: float, y: float, yaw: float, elapsed: float) -> Twist:
        """Return the command at this pose, `elapsed` seconds after the last one."""
        turned = self._last.wz * elapsed
        x += self._last.vx * elapsed * float(np.cos(yaw + 0.5 * turned))
        y += self._last.vx * elapsed * float(np.sin(yaw + 0.5 * turned))
        yaw += turned
        before = self.travelled
        self._advance(np.array([x, y]))
        self._last = self._escape(before, elapsed) or self._pursue(x, y, yaw, elapsed)
        return self._last

    def _advance(self, position: NDArray[np.float64]) -> None:
        """Move `travelled` forward to the nearest point of the next 1.5 m of the route."""
        stations = self.travelled + np.linspace(0.0, 1.5, 61)
        gaps = np.hypot(*(self.point(stations) - position).T)
        self.travelled = float(stations[int(np.argmin(gaps))])

    def _escape(self, before: float, elapsed: float) -> Twist | None:
        """Return a command to back off while the robot is stuck, else None."""
        moved = self.travelled - before > 0.02 * elapsed
        self._still = 0.0 if moved else self._still + elapsed
        if self._still > STUCK_TIME:
            self._still, self._backing = 0.0, BACK_TIME
        self._backing -= elapsed
        return Twist(-0.25, 0.0) if self._backing > 0 else None

    def _pursue(self, x: float, y: float, yaw: float, elapsed: float) -> Twist:
        target = self.point(self.travelled + LOOKAHEAD)
        bearing = float(np.arctan2(target[1] - y, target[0] - x)) - yaw
        error = float(np.arctan2(np.sin(bearing), np.cos(bearing)))
        gain = min(2.5, 0.6 / max(elapsed, 1e-3))
        speed = min(TOP_SPEED, MAX_COMMAND_DISTANCE / max(elapsed, 1e-3))
        return Twist(speed * max(0.0, 1.0 - abs(error)),
                     float(np.clip(gain * error, -TOP_TURN, TOP_TURN)))


class WanderDriver:
    """Drives by the scan alone: ahead while there is space, else toward the side with more."""

    laps = 0  # it has no route to finish

    def __init__(self) -> None:
        self._ahead, self._turn = 0.0, 0.0

    def use_scan(self, bearings: ArrayLike, ranges: ArrayLike) -> None:
        """
        Use a new scan.

        :param bearings: of the rays in the frame of the robot [rad].
        :param ranges: of the rays [m]; +inf: no return, -inf: too close.
        """
        angle, distance = np.asarray(bearings, float), np.asarray(ranges, float)
        distance = np.where(np.isnan(distance) | (distance > 6.0), 6.0, np.maximum(distance, 0.0))
        # 0.45 m: half-width of a corridor that the robot passes
        ahead = (np.abs(angle) < np.pi / 2) & (np.abs(distance * np.sin(angle)) < 0.45)
        self._ahead = float(distance[ahead].min(initial=6.0))
        left = distance[(angle > 0.2) & (angle < 1.6)]
        right = distance[(angle < -0.2) & (angle > -1.6)]
        if self._ahead > 2 * CLEARANCE or self._turn == 0.0:  # keep the direction while turning
            self._turn = 1.0 if left.sum() >= right.sum() else -1.0

    def command(self, x: float, y: float, yaw: float, elapsed: float) -> Twist:
        """Return the command; the pose is not used."""
        room = self._ahead - CLEARANCE
        if room <= 0:
            return Twist(0.0, 0.8 * self._turn)
        speed = min(0.6, 0.6 * room, 2 * MAX_COMMAND_DISTANCE / max(elapsed, 1e-3))
        return Twist(speed, 0.15 * self._turn)
