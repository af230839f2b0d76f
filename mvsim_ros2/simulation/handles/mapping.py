# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Handles by name, and reports of all vehicles of a simulation by one call."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.physics.vehicle.odometry import (
    MOTION, POSE, POSE_COVARIANCE, report, TWIST, TWIST_AT, TWIST_COVARIANCE, walks)

if TYPE_CHECKING:
    from mvsim_ros2.simulation import Simulation

SHOWN = 8  # names that are printed

Handle = TypeVar('Handle')


class Handles(Mapping[str, Handle]):
    """
    Read-only mapping from names to handles, in the order of the world.

    Things that come are in it; where one goes, the simulation has another mapping.

    >>> from mvsim_ros2 import Simulation, world_path
    >>> simulation = Simulation.from_file(world_path('two_robots'))
    >>> simulation.vehicles
    <2 vehicles: 'r1', 'r2'>
    >>> 'r3' in simulation.vehicles
    False
    >>> [vehicle.pose.x for vehicle in simulation.vehicles.values()]
    [-3.0, 3.0]
    """

    __slots__ = ('_what', '_handles')

    def __init__(self, what: str, handles: dict[str, Handle]) -> None:
        """
        Hold handles.

        :param what: kind of thing, for messages: ``'vehicle'``.
        :param handles: by name.
        """
        self._what = what
        self._handles = handles

    def add(self, name: str, handle: Handle) -> None:
        """Take in a thing that came behind the others; `Simulation` does that."""
        self._handles[name] = handle

    def without(self, name: str) -> 'Handles[Handle]':
        """Return another mapping that has all others."""
        others = self._handles.copy()
        del others[name]
        return Handles(self._what, others)

    def __getitem__(self, name: str) -> Handle:
        """
        Return the handle called `name`.

        :raises KeyError: where there is none; lists the names there are.
        """
        try:
            return self._handles[name]
        except KeyError:
            raise KeyError(
                f'no {self._what} {name!r}; there are: {", ".join(self._handles) or "none"}'
            ) from None

    def __contains__(self, name: object) -> bool:
        """Return whether there is a handle called `name`."""
        return name in self._handles

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of now: things may come and go meanwhile."""
        return iter(list(self._handles))

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._handles)

    def __repr__(self) -> str:
        """Return how many there are, and the first names."""
        names = [*map(repr, list(self)[:SHOWN]), *['...'] * (len(self) > SHOWN)]
        return (f'<{len(self)} {self._what}{"s" * (len(self) != 1)}'
                f'{": " * bool(names)}{", ".join(names)}>')


@dataclass(frozen=True)
class Report:
    """Report of one vehicle: the bytes of numbers, which change with each call."""

    wheel: int  # place of its first wheel in `Fleet.wheels`
    belief: memoryview  # odometry, the 85 numbers of nav_msgs/Odometry in their order
    truth: memoryview  # true motion, likewise
    # pose of the odometry frame in the world by which both agree: x y z, quaternion x y z w
    origin: memoryview
    robot: memoryview  # pose by odometry


class Fleet:
    """
    Reports of all vehicles of a simulation.

    :ivar reports: as of the last `look`, by name.
    :ivar wheels: rolled, and steering angles of all wheels then [rad].
    """

    def __init__(self, simulation: 'Simulation', unknown: Array) -> None:
        """
        Prepare; `look` fills in.

        :param unknown: covariance of odometry but for x, y and yaw, shape (36,).
        """
        self._simulation, self._unknown = simulation, unknown
        self._arrange()

    def _arrange(self) -> None:
        physics = self._simulation._physics
        names, starts = physics.vehicles.names, physics.vehicles.wheel_start
        self._pose = physics.vehicles.pose  # replaced when vehicles come or go
        self._walks = walks(physics.vehicles.arrays.records)
        self._belief, self._truth = np.zeros((2, len(names), MOTION))
        self._origin, self._robot = np.zeros((2, len(names), POSE))
        for first in (POSE_COVARIANCE, TWIST_COVARIANCE):
            self._belief[:, first:first + len(self._unknown)] = self._unknown
        self.reports = {name: Report(wheel, *(each[i].data.cast('B') for each in (
            self._belief, self._truth, self._origin, self._robot)))
            for i, (name, wheel) in enumerate(zip(names, starts.tolist(), strict=False))}

    def look(self) -> None:
        """Fill in what the vehicles report now."""
        physics = self._simulation._physics
        arrays = physics.vehicles.arrays
        if arrays.pose is not self._pose:
            self._arrange()
        self.wheels = [physics.vehicles.wheels[each].tolist() for each in ('angle', 'steer')]
        tilted = report(arrays.pose, arrays.twist_body, arrays.odometers, *self._walks,
                        self._belief, self._truth, self._origin, self._robot)
        if tilted or not physics.is_flat:
            self._look_at_tilted()

    def _look_at_tilted(self) -> None:
        """Fill in what the ground does to vehicles."""
        for i, vehicle in enumerate(self._simulation.vehicles.values()):
            self._truth[i, TWIST_AT:TWIST_AT + TWIST] = vehicle.twist_in_space
            pose = vehicle.pose
            if pose.pitch != 0.0 or pose.roll != 0.0:
                x, y, yaw = vehicle.odometry.pose
                origin = pose.compose(Pose(x, y, 0.0, yaw).inverse())
                self._origin[i] = origin.x, origin.y, origin.z, *origin.quaternion
