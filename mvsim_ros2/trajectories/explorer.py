# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""Vehicles that look around for themselves."""

from dataclasses import dataclass
import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import TrajectoryError
from mvsim_ros2.frames import Pose
from mvsim_ros2.handles import VehicleHandle
from mvsim_ros2.randomness import stream
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.trajectories.controller import command
from mvsim_ros2.trajectories.controller import Steering
from mvsim_ros2.trajectories.controller import vehicle_to_drive

Array = NDArray[np.float64]

RAYS = 120
LOOK_NS = 100_000_000  # from one look around to the next
REACH = 8.0  # m
ACCELERATION = 0.5  # m/s^2
TURN = 1.0  # rad/s
CELL = 1.0  # m, of the memory of where it was
PATIENCE_NS = 15_000_000_000  # for a goal
BACKING_NS = 2_500_000_000
_TURNED = 2.0 * math.pi / RAYS * np.arange(RAYS)
_BETWEEN = _TURNED[:, None] - _TURNED
_COS, _SIN = np.cos(_BETWEEN), np.sin(_BETWEEN)


@dataclass(frozen=True)
class Surroundings:
    """What one look around has shown."""

    free: Array  # m that the vehicle could go straight, in RAYS directions from yaw on

    def ahead(self, aside: float) -> float:
        """Return how far it could go in a direction, left of forward [rad]."""
        return float(self.free[round(aside / (2.0 * math.pi) * RAYS) % RAYS])


class Explorer:
    """
    Wanders, and rather goes where there is room and where it has not been.

    It sees by `Simulation.cast_rays`, so it needs no LiDAR and changes nothing of what sensors
    measure. Where it goes depends on the world and its seed alone.
    """

    finished = False  # there is always somewhere else to go

    def __init__(self, vehicle: str | None = None, seed: int | None = None, speed: float = 0.6,
                 margin: float = 0.12,
                 bounds: tuple[float, float, float, float] | None = None) -> None:
        """
        Prepare to explore.

        :param vehicle: name, None for the first one.
        :param seed: of its choices, None for that of the simulation.
        :param speed: where there is room [m/s].
        :param margin: to keep from everything, around the circle about the vehicle [m].
        :param bounds: x and y of the lower left, x and y of the upper right corner of where it
            stays [m]; without them nothing but walls holds it.
        :raises TrajectoryError: where a number is not possible.
        """
        if not (0.0 < speed < math.inf and 0.0 <= margin < math.inf):
            raise TrajectoryError(f'explore: speed {speed} must be above 0 and margin {margin} '
                                  'not below')
        if bounds is not None and not (bounds[0] < bounds[2] and bounds[1] < bounds[3]):
            raise TrajectoryError(f'explore: the bounds {bounds} hold nothing: give x and y of '
                                  'the lower left corner, then of the upper right one')
        self._name, self._seed, self._speed = vehicle, seed, speed
        self._margin, self._bounds = margin, bounds
        self._random: np.random.Generator | None = None
        self._been: dict[tuple[int, int], int] = {}
        self._goal: tuple[float, float] | None = None
        self._next_ns = self._goal_ns = self._backing_ns = 0

    def __call__(self, simulation: Simulation) -> None:
        """
        Command the vehicle.

        :raises TrajectoryError: where there is no such vehicle.
        :raises ControllerError: where it takes neither twists nor steering.
        """
        now = simulation.time_ns
        if now < self._next_ns:
            return
        self._next_ns = now + LOOK_NS
        vehicle = vehicle_to_drive(simulation, self._name)
        if self._random is None:
            seed = simulation.seed if self._seed is None else self._seed
            self._random = stream(seed, f'explorer/{vehicle.name}')
        pose = vehicle.pose
        around = self._look(simulation, vehicle, pose)
        cell = _cell(pose.x, pose.y)
        self._been[cell] = self._been.get(cell, 0) + 1
        if self._goal is None or now >= self._goal_ns or self._blocked(around, pose):
            self._choose(around, pose, self._random)
            self._goal_ns = now + PATIENCE_NS
        command(vehicle, *self._towards(around, pose, Steering.of(vehicle), now))

    def _look(self, simulation: Simulation, vehicle: VehicleHandle, pose: Pose) -> Surroundings:
        """Return how far the circle about the vehicle could go in each direction."""
        bearings = np.add(pose.yaw, _TURNED)
        ranges = simulation.cast_rays((pose.x, pose.y), bearings, REACH, vehicle.name)
        if self._bounds is not None:
            ranges = np.minimum(ranges, _to_border(pose, bearings, self._bounds))
        radius = _radius(vehicle) + self._margin
        met = np.where(ranges < REACH, ranges, 1e9)  # far ahead: in the way of nothing
        along, across = met * _COS, met * _SIN
        stops = np.where((along > 0.0) & (abs(across) < radius),
                         along - np.sqrt(np.maximum(radius ** 2 - across ** 2, 0.0)), REACH)
        return Surroundings(np.clip(stops.min(axis=1), 0.0, REACH - radius))

    def _blocked(self, around: Surroundings, pose: Pose) -> bool:
        """Return whether the goal is reached, or the way to it is not free any more."""
        distance, aside = self._to_goal(pose)
        return distance < 0.4 or around.ahead(aside) < min(distance, 0.8)

    def _to_goal(self, pose: Pose) -> tuple[float, float]:
        """Return how far it is to the goal [m], and how far left of forward it lies [rad]."""
        x, y = self._goal or (pose.x, pose.y)
        return math.hypot(x - pose.x, y - pose.y), math.remainder(
            math.atan2(y - pose.y, x - pose.x) - pose.yaw, 2.0 * math.pi)

    def _choose(self, around: Surroundings, pose: Pose, random: np.random.Generator) -> None:
        """Choose a goal: with room before it, rather ahead, rather where it has not been."""
        distances = around.free * random.uniform(0.5, 0.95)
        x = pose.x + distances * np.cos(pose.yaw + _TURNED)
        y = pose.y + distances * np.sin(pose.yaw + _TURNED)
        been = np.array([self._been.get(_cell(*place), 0)
                         for place in zip(x.tolist(), y.tolist(), strict=True)])
        weights = around.free ** 2 * (1.2 + np.cos(_TURNED)) / (1.0 + 0.1 * been) ** 2 + 1e-12
        chosen = int(random.choice(RAYS, p=weights / weights.sum()))
        self._goal = float(x[chosen]), float(y[chosen])

    def _towards(self, around: Surroundings, pose: Pose, steering: Steering,
                 now: int) -> tuple[float, float]:
        """Return speed [m/s] and yaw rate [rad/s] towards the goal."""
        distance, aside = self._to_goal(pose)
        room = math.sqrt(2.0 * ACCELERATION * max(around.ahead(0.0) - 0.05, 0.0))
        if steering.on_the_spot:
            speed = min(self._speed * max(0.0, math.cos(aside)) ** 2, room)
            return speed, min(max(2.0 * aside, -TURN), TURN)
        bend = 2.0 * math.sin(aside) / max(distance, 1e-6)
        bend = math.copysign(steering.tightest, aside) if abs(aside) > 0.5 * math.pi else (
            min(max(bend, -steering.tightest), steering.tightest))
        if room < 0.4 and around.ahead(math.pi) > 0.2:
            self._backing_ns = now + BACKING_NS
        if now < self._backing_ns and around.ahead(math.pi) > 0.1:
            speed = -min(0.4, self._speed)
            return speed, speed * -bend
        speed = min(self._speed, room, TURN / max(abs(bend), 1e-9))
        return speed, speed * bend


def _cell(x: float, y: float) -> tuple[int, int]:
    return math.floor(x / CELL), math.floor(y / CELL)


def _radius(vehicle: VehicleHandle) -> float:
    """
    Return the radius of a circle about the reference point that the vehicle needs [m].

    One that turns about an axle swings the reference point round it.
    """
    corners = list(vehicle.footprint.polygon)
    corners += [(abs(wheel.pos[0]) + 0.5 * wheel.diameter, abs(wheel.pos[1]) + 0.5 * wheel.width)
                for wheel in vehicle.spec.dynamics.wheels]
    return max(math.hypot(x, y) for x, y in corners) + abs(vehicle.spec.dynamics.pivot_x)


def _to_border(pose: Pose, bearings: Array,
               bounds: tuple[float, float, float, float]) -> Array:
    """Return how far it is to the border of a rectangle along rays from within [m]."""
    with np.errstate(divide='ignore'):
        per_x, per_y = 1.0 / np.cos(bearings), 1.0 / np.sin(bearings)
    x = np.maximum((bounds[0] - pose.x) * per_x, (bounds[2] - pose.x) * per_x)
    y = np.maximum((bounds[1] - pose.y) * per_y, (bounds[3] - pose.y) * per_y)
    return np.maximum(np.minimum(x, y), 0.0)
