# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Controllers: their interface, the loop that calls them, and one that follows a route."""

from collections.abc import Callable
from dataclasses import dataclass
import math
from typing import Protocol

import numpy as np

from mvsim_ros2.errors import TrajectoryError
from mvsim_ros2.frames import Pose
from mvsim_ros2.sensors.observations import Observation
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.simulation.handles import VehicleHandle
from mvsim_ros2.trajectories.route import Limits, Route, Track

PERIOD = 0.02  # s of simulated time between two calls of a controller


class Controller(Protocol):
    """Drives a vehicle."""

    @property
    def finished(self) -> bool:
        """Return whether it has reached its end; from then on it commands a stop."""

    def __call__(self, simulation: Simulation) -> None:
        """Command the vehicle in its present state; called once each control period."""


@dataclass(frozen=True)
class Steering:
    """Relation between steering angle and curvature of the path."""

    # m: curvature = tan(angle) / reach; 0 where it can turn in place, negative if it steers behind
    reach: float
    tightest: float  # 1/m, largest curvature; inf where it can turn in place

    @classmethod
    def of(cls, vehicle: VehicleHandle) -> 'Steering':
        """Return the limit of a vehicle, including a steered rear axle."""
        dynamics = vehicle.spec.dynamics
        if not dynamics.steered_wheels:
            return cls(0.0, math.inf)
        reach = dynamics.reach
        return cls(reach, math.tan(dynamics.largest_steering) / abs(reach))

    @property
    def on_the_spot(self) -> bool:
        """Return whether the vehicle can turn in place."""
        return math.isinf(self.tightest)


def command(vehicle: VehicleHandle, v: float, w: float) -> None:
    """
    Command a velocity as a twist or a steering angle, depending on the vehicle.

    :param v: forward [m/s].
    :param w: yaw rate [rad/s].
    """
    reach = Steering.of(vehicle).reach
    if vehicle.accepts_twist or not reach:
        vehicle.set_twist(v, w)
    else:
        vehicle.set_steering(v, math.atan(reach * w / v) if v else 0.0)


def vehicle_to_drive(simulation: Simulation, name: str | None) -> VehicleHandle:
    """Return the vehicle called `name`, or the first one where that is None."""
    names = list(simulation.vehicles)
    if not names or (name is not None and name not in names):
        raise TrajectoryError(
            f'{simulation.world.path}: there is no vehicle {name or "to drive"}, only '
            f'{", ".join(names) or "none"}')
    return simulation.vehicles[name or names[0]]


def drive(simulation: Simulation, controller: Controller, duration: float,
          on_observation: Callable[[Observation], None] | None = None) -> None:
    """
    Run the simulation with a controller, until it has finished or the duration is over.

    :param duration: simulated time [s], `math.inf` for no limit.
    :param on_observation: called with every observation, in time order.
    :raises ValueError: where the duration is negative or no number.
    """
    if not duration >= 0.0:
        raise ValueError(f'cannot drive for {duration} s: give a time, 0 or more')
    each = max(1, round(PERIOD / simulation.dt))
    remaining = duration / simulation.dt
    while not controller.finished and remaining > 0.5:
        controller(simulation)
        count = int(min(each, round(min(remaining, each))))
        for observation in simulation.step(count):
            if on_observation is not None:
                on_observation(observation)
        remaining -= count


DEFAULT_SPEED = 0.8  # m/s
MIN_SPEED = 0.1  # m/s, lowest speed before the end
MIN_LOOKAHEAD, LOOKAHEAD_TIME = 0.4, 0.5  # m, s: lookahead distance and its growth with speed
SEARCH = 1.5  # m of the route searched for the nearest point
ARRIVED = 0.02  # m
MAX_BEARING = 1.2  # rad: turned in place beyond


class RouteFollower:
    """
    Follows a route by pure pursuit, slower in curves.

    R. C. Coulter, *Implementation of the pure pursuit path tracking algorithm*, CMU-RI-TR-92-01.
    It commands the arc to the lookahead point of the route as a twist or a steering angle. If the
    route turns back, it drives to that point first. The command depends only on the pose and the
    distance along the route.
    """

    def __init__(self, route: Route, vehicle: str | None = None, speed: float | None = None,
                 laps: int = 1, relative: bool = False, place: bool = False,
                 limits: Limits | None = None) -> None:
        """
        Prepare to follow a route.

        :param vehicle: name, None for the first one.
        :param speed: limit [m/s]; None for the speeds of the route, or 0.8 without any.
        :param laps: number of rounds of a loop; 0 for ever.
        :param relative: the route is in the frame of the vehicle at the start.
        :param place: set the vehicle to the start of the route first.
        :raises TrajectoryError: where the speed is not above 0, or the route of several laps is
            not a loop.
        """
        if speed is not None and not 0.0 < speed < math.inf:
            raise TrajectoryError(f'{route.name}: speed is {speed}: it must be above 0')
        if laps != 1 and not (laps >= 0 and route.closed):
            raise TrajectoryError(
                f'{route.name}: cannot drive {laps} laps of it: ' + (
                    'give a number, 0 or more' if route.closed else
                    'it is not a loop, its last point is not its first'))
        self.route, self.travelled = route, 0.0  # m, along the route
        self.cross_track = 0.0  # m from the route at the last call, left positive
        if speed is None:
            speed = DEFAULT_SPEED if route.speeds is None else math.inf
        self._name, self._speed, self._laps = vehicle, speed, laps
        self._relative, self._place = relative, place
        self._limits = limits or Limits()
        self._track: Track | None = None
        self._finished = False

    @property
    def finished(self) -> bool:
        """Return whether the end of the route is reached."""
        return self._finished

    def __call__(self, simulation: Simulation) -> None:
        """
        Command the vehicle.

        :raises TrajectoryError: where there is no such vehicle.
        :raises ControllerError: where it accepts neither twists nor steering.
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
        ahead = min(remaining, self._turn - self.travelled)
        speed = min(track.speed_at(self.travelled),
                    MIN_SPEED + a * (simulation.time - self._began),
                    max(MIN_SPEED, math.sqrt(2.0 * a * ahead)))
        lookahead = self._lookahead + LOOKAHEAD_TIME * speed
        x, y = track.straight_on(self.travelled + lookahead, self._turn)
        bearing = math.remainder(math.atan2(y - pose.y, x - pose.x) - pose.yaw, 2.0 * math.pi)
        if steering.on_the_spot and abs(bearing) > MAX_BEARING:
            rate = min(self._limits.turn, 2.0 * abs(bearing))
            command(vehicle, 0.0, math.copysign(rate, bearing))
            return
        curvature = 2.0 * math.sin(bearing) / max(math.hypot(x - pose.x, y - pose.y), 1e-6)
        if abs(bearing) > 0.5 * math.pi:
            curvature = math.copysign(math.inf, bearing)
        curvature = min(max(curvature, -steering.tightest), steering.tightest)
        speed = min(speed, self._limits.turn / max(abs(curvature), 1e-9))
        command(vehicle, speed, speed * curvature)

    def _begin(self, simulation: Simulation, vehicle: VehicleHandle,
               steering: Steering) -> Track:
        """Prepare the track, and set the vehicle to its start where `place` is set."""
        if self._relative:
            self.route = self.route.transformed(vehicle.pose)
        elif self._place:
            start = self.route.start
            simulation.set_pose(
                vehicle.name, Pose(start.x, start.y, vehicle.pose.z, start.yaw))
        self._began = simulation.time
        self._lookahead = max(MIN_LOOKAHEAD, steering.reach)
        self._track = Track.of(self.route, self._speed, max(0.5, self._lookahead), self._limits)
        self._total = self._track.length * (self._laps or math.inf)
        self._turn = self._track.next_turn(0.0)
        return self._track

    def _advance(self, track: Track, pose: Pose) -> None:
        """Move `travelled` forward to the nearest point of the route ahead."""
        rows = track.rows(self.travelled, min(SEARCH, self._turn - self.travelled))
        points = track.points[rows % len(track.points)]
        nearest = int(np.argmin((points[:, 0] - pose.x) ** 2 + (points[:, 1] - pose.y) ** 2))
        station = float(rows[nearest] * track.step)
        (x0, y0), (x1, y1) = (track.point(max(0.0, station + side * track.step))
                              for side in (-1, 1))
        length = max(math.hypot(x1 - x0, y1 - y0), 1e-9)
        tx, ty = (x1 - x0) / length, (y1 - y0) / length
        x, y = track.point(station)
        along = tx * (pose.x - x) + ty * (pose.y - y)
        self.cross_track = tx * (pose.y - y) - ty * (pose.x - x)
        station += min(max(along, -track.step), track.step)
        self.travelled = min(max(self.travelled, station), self._total, self._turn)
        if self._turn - self.travelled < ARRIVED:
            self.travelled = self._turn
            self._turn = track.next_turn(self._turn)
