# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Starts of episodes: on the ground, and apart from other vehicles."""

from collections.abc import Callable, Iterable
from dataclasses import replace
import math

import numpy as np

from mvsim_ros2.errors import LearningError
from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.simulation import Simulation
from mvsim_ros2.simulation.handles import VehicleHandle

_TRIES = 200
_APART = 0.05  # m; vehicles count as touching from 0.03 m on


class Starts:
    """Where vehicles of a world stand while episodes of some of them begin."""

    def __init__(self, simulation: Simulation, beginning: Iterable[str]) -> None:
        """Prepare for episodes with the `beginning` vehicles put somewhere one after another."""
        self._simulation, self._beginning = simulation, set(beginning)
        joints = simulation.world.joints
        self._joined = [{joint.body_a, joint.body_b} for joint in joints]
        self._parts: dict[str, list[Array]] = {}  # outlines of those that were compared
        self._reach: dict[str, float] = {}
        self._places: dict[str, Pose] = {}  # of those that stand where they begin

    def find(self, name: str, draw: Callable[[], Pose]) -> Pose:
        """
        Return the first start that is drawn where a vehicle touches no other.

        Those that have still to be put somewhere do not count, nor those that it is joined to.

        :raises LearningError: where there is none.
        """
        vehicles = self._simulation.vehicles
        train = self._train(name)
        others = [(other, self._place(other)) for other in vehicles
                  if other not in train and other not in self._beginning]
        self._place(name)
        for each in train:  # which its start moves
            self._places.pop(each, None)
        self._beginning.discard(name)
        footprint = vehicles[name].footprint
        middle = 0.5 * (footprint.zmin + footprint.zmax)
        for _ in range(_TRIES):
            pose = draw()
            pose = replace(pose, z=self._simulation.ground_at(pose.x, pose.y, pose.z + middle))
            met = next((other for other, there in others
                        if self._meet(name, pose, other, there)), None)
            if met is None:
                return pose
        raise LearningError(
            f'{self._simulation.world.path}: of {_TRIES} starts of {name} none is apart from '
            f'{met}: give them more room, or take fewer vehicles')

    def _train(self, name: str) -> set[str]:
        """Return a vehicle and all vehicles that are joined to it, directly or not."""
        train, grown = {name}, True
        while grown:
            found = train.union(*(pair for pair in self._joined if pair & train))
            grown, train = len(found) > len(train), found
        return train

    def _place(self, name: str) -> Pose:
        """Return where a vehicle stands, and prepare its outline."""
        if name not in self._parts:
            vehicle = self._simulation.vehicles[name]
            self._parts[name], self._reach[name] = parts(vehicle), reach(vehicle)
        if name not in self._places:
            self._places[name] = self._simulation.vehicles[name].pose
        return self._places[name]

    def _meet(self, name: str, pose: Pose, other: str, there: Pose) -> bool:
        """Return whether a vehicle at a pose would touch another one, which is there."""
        if math.hypot(pose.x - there.x, pose.y - there.y) > (
                self._reach[name] + self._reach[other] + _APART):
            return False
        vehicles = self._simulation.vehicles
        high, low = vehicles[name].footprint, vehicles[other].footprint
        if pose.z + high.zmin > there.z + low.zmax or there.z + low.zmin > pose.z + high.zmax:
            return False
        return any(_overlap(_placed(part, pose), _placed(each, there))
                   for part in self._parts[name] for each in self._parts[other])


def parts(vehicle: VehicleHandle) -> list[Array]:
    """Return the outlines of chassis and wheels, in the body frame, shape (n, 2) each [m]."""
    found = [np.array(vehicle.footprint.polygon)]
    return found + [wheel_outline(wheel['x'], wheel['y'], wheel['radius'], wheel['width'])
                    for wheel in vehicle.wheels]


def wheel_outline(x: float, y: float, radius: float, width: float) -> Array:
    """Return the corners of a wheel that is not steered, in the body frame, shape (4, 2) [m]."""
    wide = 0.5 * width
    return np.array([[x - radius, y - wide], [x + radius, y - wide], [x + radius, y + wide],
                     [x - radius, y + wide]])


def reach(vehicle: VehicleHandle) -> float:
    """Return how far chassis and wheels are from the reference point at most [m]."""
    return float(np.linalg.norm(np.concatenate(parts(vehicle)), axis=1).max())


def _placed(points: Array, pose: Pose) -> Array:
    """Return points of a body in the world, shape (n, 2) [m]."""
    return pose.transform(np.column_stack([points, np.zeros(len(points))]))[:, :2]


def _overlap(one: Array, two: Array) -> bool:
    """Return whether two convex outlines are nearer than `_APART`, by their separating axes."""
    for corners in (one, two):
        sides = np.roll(corners, -1, axis=0) - corners
        sides = sides[np.linalg.norm(sides, axis=1) > 0.0]
        across = sides[:, ::-1] * (1.0, -1.0) / np.linalg.norm(sides, axis=1)[:, None]
        first, second = one @ across.T, two @ across.T
        if (first.max(axis=0) + _APART < second.min(axis=0)).any() or (
                second.max(axis=0) + _APART < first.min(axis=0)).any():
            return False
    return True
