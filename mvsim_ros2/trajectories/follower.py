# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Vehicles that follow a route."""

import math

import numpy as np

from mvsim_ros2.errors import TrajectoryError
from mvsim_ros2.frames import Pose
from mvsim_ros2.handles import VehicleHandle
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.trajectories.controller import command
from mvsim_ros2.trajectories.controller import Steering
from mvsim_ros2.trajectories.controller import vehicle_to_drive
from mvsim_ros2.trajectories.route import Route
from mvsim_ros2.trajectories.speed_profile import Limits
from mvsim_ros2.trajectories.speed_profile import Track

USUAL_SPEED = 0.8  # m/s
CRAWL = 0.1  # m/s, at the least while the end is not reached
SHORTEST_LOOK, LOOK_TIME = 0.4, 0.5  # m, s: how far ahead it aims
SEARCH = 1.5  # m of the route in which it looks for itself
ARRIVED = 0.02  # m
AWAY = 1.2  # rad: what lies farther aside is turned to on the spot


class RouteFollower:
    """
    Follows a route by pure pursuit, at a speed that suits the bends ahead.

    R. C. Coulter, *Implementation of the pure pursuit path tracking algorithm*, CMU-RI-TR-92-01.
    It aims at a point of the route ahead and drives the arc that leads there: as a twist, or
    with a steering angle where the vehicle takes that. What it does depends on the pose and on
    how far along the route it is, on nothing else.
    """

    def __init__(self, route: Route, vehicle: str | None = None, speed: float | None = None,
                 laps: int = 1, relative: bool = False, place: bool = False,
                 limits: Limits | None = None) -> None:
        """
        Plan to follow a route.

        :param vehicle: name, None for the first one.
        :param speed: the most [m/s]; None as the route says, or 0.8 where it says nothing.
        :param laps: how often to drive a loop; 0 for ever.
        :param relative: the route starts where the vehicle stands, its x axis points forward.
        :param place: put the vehicle at the start of the route first.
        :raises TrajectoryError: where the speed is not above 0, or laps are asked of a route
            that is no loop.
        """
        if speed is not None and not 0.0 < speed < math.inf:
            raise TrajectoryError(f'{route.name}: speed is {speed}: it must be above 0')
        if laps != 1 and not (laps >= 0 and route.closed):
            raise TrajectoryError(
                f'{route.name}: cannot drive {laps} laps of it: ' + (
                    'give a number, 0 or more' if route.closed else
                    'it is no loop, its last point is not its first'))
        self.route, self.travelled = route, 0.0  # m, along the route
        self.cross_track = 0.0  # m from the route when last called, left positive
        if speed is None:
            speed = USUAL_SPEED if route.speeds is None else math.inf
        self._name, self._speed, self._laps = vehicle, speed, laps
        self._relative, self._place = relative, place
        self._limits = limits or Limits()
        self._track: Track | None = None
        self._finished = False

    @property
    def finished(self) -> bool:
        """Return whether it has reached the end."""
        return self._finished

    def __call__(self, simulation: Simulation) -> None:
        """
        Command the vehicle.

        :raises TrajectoryError: where there is no such vehicle.
        :raises ControllerError: where it takes neither twists nor steering.
        """
        vehicle = vehicle_to_drive(simulation, self._name)
        steering = Steering.of(vehicle)
        track = self._track or self._begin(simulation, vehicle, steering)
        pose = vehicle.pose
        self._advance(track, pose)
        remaining = self._total - self.travelled
        self._finished = self._finished or remaining < ARRIVED
        if self._finished:
            command(vehicle, 0.0, 0.0)
            return
        a = self._limits.acceleration
        speed = min(track.speed_at(self.travelled),
                    CRAWL + a * (simulation.time - self._began),
                    max(CRAWL, math.sqrt(2.0 * a * remaining)))
        look = self._look + LOOK_TIME * speed
        x, y = track.point(self.travelled + look)
        aside = math.remainder(math.atan2(y - pose.y, x - pose.x) - pose.yaw, 2.0 * math.pi)
        if steering.on_the_spot and abs(aside) > AWAY:
            command(vehicle, 0.0, math.copysign(min(self._limits.turn, 2.0 * abs(aside)), aside))
            return
        bend = 2.0 * math.sin(aside) / max(math.hypot(x - pose.x, y - pose.y), 1e-6)
        if abs(aside) > 0.5 * math.pi:
            bend = math.copysign(math.inf, aside)
        bend = min(max(bend, -steering.tightest), steering.tightest)
        speed = min(speed, self._limits.turn / max(abs(bend), 1e-9))
        command(vehicle, speed, speed * bend)

    def _begin(self, simulation: Simulation, vehicle: VehicleHandle,
               steering: Steering) -> Track:
        """Lay the route, and put the vehicle at its start where that is asked for."""
        if self._relative:
            self.route = self.route.seen_from(vehicle.pose)
        elif self._place:
            start = self.route.start
            simulation.set_pose(
                vehicle.name, Pose(start.x, start.y, vehicle.pose.z, start.yaw))
        self._began = simulation.time
        self._look = max(SHORTEST_LOOK, steering.reach)
        self._track = Track.of(self.route, self._speed, max(0.5, self._look), self._limits)
        self._total = self._track.length * (self._laps or math.inf)
        return self._track

    def _advance(self, track: Track, pose: Pose) -> None:
        """Move on to the nearest place of the route just ahead; it never goes back."""
        rows = track.rows(self.travelled, SEARCH)
        places = track.points[rows % len(track.points)]
        nearest = int(np.argmin((places[:, 0] - pose.x) ** 2 + (places[:, 1] - pose.y) ** 2))
        station = float(rows[nearest] * track.step)
        (x0, y0), (x1, y1) = (track.point(max(0.0, station + side * track.step))
                              for side in (-1, 1))
        length = max(math.hypot(x1 - x0, y1 - y0), 1e-9)
        tx, ty = (x1 - x0) / length, (y1 - y0) / length
        x, y = track.point(station)
        along = tx * (pose.x - x) + ty * (pose.y - y)
        self.cross_track = tx * (pose.y - y) - ty * (pose.x - x)
        station += min(max(along, -track.step), track.step)
        self.travelled = min(max(self.travelled, station), self._total)
