# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reports of all vehicles of a simulation, by one call."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.physics.vehicle.odometry import (
    MOTION, POSE, POSE_COVARIANCE, report, TWIST, TWIST_AT, TWIST_COVARIANCE, walks)

if TYPE_CHECKING:
    from mvsim_ros2.simulation import Simulation


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
        if tilted or physics.relief is not None:
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
