# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Autonomous exploration."""

import math

import numpy as np

from mvsim_ros2.base.random_streams import stream
from mvsim_ros2.errors import TrajectoryError
from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.simulation.handles import VehicleHandle
from mvsim_ros2.trajectories.controller import command, Steering, vehicle_to_drive

RAYS = 120
PERIOD_NS = 100_000_000  # between two casts of rays
REACH = 8.0  # m
ACCELERATION = 0.5  # m/s^2
TURN = 1.0  # rad/s
CELL = 1.0  # m, of the grid of visits
GOAL_TIMEOUT_NS = 15_000_000_000  # for a goal
BACKING_NS = 2_500_000_000
_TURNED = 2.0 * math.pi / RAYS * np.arange(RAYS)
_BETWEEN = _TURNED[:, None] - _TURNED
_COS, _SIN = np.cos(_BETWEEN), np.sin(_BETWEEN)


class Explorer:
    """
    Wanders, with a preference for free space and unvisited places.

    It uses `Simulation.cast_rays`, so it needs no LiDAR and has no effect on sensors. Its path
    depends on the world and its seed only.
    """

    finished = False  # it has no end

    def __init__(self, vehicle: str | None = None, seed: int | None = None, speed: float = 0.6,
                 margin: float = 0.12,
                 bounds: tuple[float, float, float, float] | None = None) -> None:
        """
        Prepare to explore.

        :param vehicle: name, None for the first one.
        :param seed: of its choices, None for that of the simulation.
        :param speed: in free space [m/s].
        :param margin: clearance around the circumscribed circle of the vehicle [m].
        :param bounds: x and y of the lower left, x and y of the upper right corner of the area
            [m]; None for no limit.
        :raises TrajectoryError: where a number is out of range.
        """
        if not (0.0 < speed < math.inf and 0.0 <= margin < math.inf):
            raise TrajectoryError(f'explore: speed {speed} must be above 0 and margin {margin} '
                                  'at least 0')
        if bounds is not None and not (bounds[0] < bounds[2] and bounds[1] < bounds[3]):
            raise TrajectoryError(f'explore: the bounds {bounds} are empty: give x and y of '
                                  'the lower left corner, then of the upper right one')
        self._name, self._seed, self._speed = vehicle, seed, speed
        self._margin, self._bounds = margin, bounds
        self._random: np.random.Generator | None = None
        self._visits: dict[tuple[int, int], int] = {}
        self._goal: tuple[float, float] | None = None
        self._next_ns = self._goal_ns = self._backing_ns = 0

    def __call__(self, simulation: Simulation) -> None:
        """
        Command the vehicle.

        :raises TrajectoryError: where there is no such vehicle.
        :raises ControllerError: where it accepts neither twists nor steering.
        """
        now = simulation.time_ns
        if now < self._next_ns:
            return
        self._next_ns = now + PERIOD_NS
        vehicle = vehicle_to_drive(simulation, self._name)
        if self._random is None:
            seed = simulation.seed if self._seed is None else self._seed
            self._random = stream(seed, f'explorer/{vehicle.name}')
        pose = vehicle.pose
        free = self._cast_rays(simulation, vehicle, pose)
        cell = _cell(pose.x, pose.y)
        self._visits[cell] = self._visits.get(cell, 0) + 1
        if self._goal is None or now >= self._goal_ns or self._blocked(free, pose):
            self._choose(free, pose, self._random)
            self._goal_ns = now + GOAL_TIMEOUT_NS
        command(vehicle, *self._towards(free, pose, Steering.of(vehicle), now))

    def _cast_rays(self, simulation: Simulation, vehicle: VehicleHandle, pose: Pose) -> Array:
        """Return how far its circumscribed circle is free to go, in RAYS directions from yaw."""
        bearings = np.add(pose.yaw, _TURNED)
        ranges = simulation.cast_rays((pose.x, pose.y), bearings, REACH, vehicle.name)
        if self._bounds is not None:
            ranges = np.minimum(ranges, _to_border(pose, bearings, self._bounds))
        radius = _radius(vehicle) + self._margin
        hits = np.where(ranges < REACH, ranges, 1e9)  # without a hit: no obstacle
        along, across = hits * _COS, hits * _SIN
        stops = np.where((along > 0.0) & (abs(across) < radius),
                         along - np.sqrt(np.maximum(radius ** 2 - across ** 2, 0.0)), REACH)
        return np.asarray(np.clip(stops.min(axis=1), 0.0, REACH - radius))

    def _blocked(self, free: Array, pose: Pose) -> bool:
        """Return whether the goal is reached, or the way to it is not free."""
        distance, bearing = self._to_goal(pose)
        return distance < 0.4 or _ahead(free, bearing) < min(distance, 0.8)

    def _to_goal(self, pose: Pose) -> tuple[float, float]:
        """Return distance [m] and bearing [rad] of the goal."""
        x, y = self._goal or (pose.x, pose.y)
        return math.hypot(x - pose.x, y - pose.y), math.remainder(
            math.atan2(y - pose.y, x - pose.x) - pose.yaw, 2.0 * math.pi)

    def _choose(self, free: Array, pose: Pose, random: np.random.Generator) -> None:
        """Choose a goal, with a preference for free space, ahead and unvisited cells."""
        distances = free * random.uniform(0.5, 0.95)
        x = pose.x + distances * np.cos(pose.yaw + _TURNED)
        y = pose.y + distances * np.sin(pose.yaw + _TURNED)
        visits = np.array([self._visits.get(_cell(*centre), 0)
                           for centre in zip(x.tolist(), y.tolist(), strict=True)])
        weights = free ** 2 * (1.2 + np.cos(_TURNED)) / (1.0 + 0.1 * visits) ** 2 + 1e-12
        chosen = int(random.choice(RAYS, p=weights / weights.sum()))
        self._goal = float(x[chosen]), float(y[chosen])

    def _towards(self, free: Array, pose: Pose, steering: Steering,
                 now: int) -> tuple[float, float]:
        """Return speed [m/s] and yaw rate [rad/s] towards the goal."""
        distance, bearing = self._to_goal(pose)
        room = math.sqrt(2.0 * ACCELERATION * max(_ahead(free, 0.0) - 0.05, 0.0))
        if steering.on_the_spot:
            speed = min(self._speed * max(0.0, math.cos(bearing)) ** 2, room)
            return speed, min(max(2.0 * bearing, -TURN), TURN)
        curvature = 2.0 * math.sin(bearing) / max(distance, 1e-6)
        curvature = min(max(curvature, -steering.tightest), steering.tightest)
        if abs(bearing) > 0.5 * math.pi:
            curvature = math.copysign(steering.tightest, bearing)
        if room < 0.4 and _ahead(free, math.pi) > 0.2:
            self._backing_ns = now + BACKING_NS
        if now < self._backing_ns and _ahead(free, math.pi) > 0.1:
            speed = -min(0.4, self._speed)
            return speed, speed * -curvature
        speed = min(self._speed, room, TURN / max(abs(curvature), 1e-9))
        return speed, speed * curvature


def _ahead(free: Array, bearing: float) -> float:
    """Return the free distance at a bearing, left positive [m]."""
    return float(free[round(bearing / (2.0 * math.pi) * RAYS) % RAYS])


def _cell(x: float, y: float) -> tuple[int, int]:
    return math.floor(x / CELL), math.floor(y / CELL)


def _radius(vehicle: VehicleHandle) -> float:
    """
    Return the radius of the circle about the reference point that covers the vehicle [m].

    It includes the motion of the reference point about the axle that the vehicle turns about.
    """
    corners = list(vehicle.footprint.polygon)
    corners += [(abs(wheel.pos[0]) + 0.5 * wheel.diameter, abs(wheel.pos[1]) + 0.5 * wheel.width)
                for wheel in vehicle.spec.dynamics.wheels]
    return max(math.hypot(x, y) for x, y in corners) + abs(vehicle.spec.dynamics.pivot_x)


def _to_border(pose: Pose, bearings: Array,
               bounds: tuple[float, float, float, float]) -> Array:
    """Return the distances to the border of a rectangle along rays from inside [m]."""
    with np.errstate(divide='ignore'):
        per_x, per_y = 1.0 / np.cos(bearings), 1.0 / np.sin(bearings)
    x = np.maximum((bounds[0] - pose.x) * per_x, (bounds[2] - pose.x) * per_x)
    y = np.maximum((bounds[1] - pose.y) * per_y, (bounds[3] - pose.y) * per_y)
    return np.maximum(np.minimum(x, y), 0.0)
