# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Steps of the ground that stop vehicles in mode `mvsim`, by the rule of MVSim 1.2.0.

Before each step the ground is looked up at every corner of each chassis, from 1.05 times its top
downwards. If it exceeds the mean ground under the wheels by more than 0.55 diameters of the first
wheel, a small static square is put there. It snaps to a grid of its half size, which grows with
the speed. The vehicle runs against it in that step.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.base.bulk import appended
from mvsim_ros2.frames import Array, Pose, Records
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.engine import bridge
from mvsim_ros2.physics.engine.bodies import Body, STATIC
from mvsim_ros2.physics.engine.box2d_world import Box2dWorld
from mvsim_ros2.physics.ground.relief import ground_below, NO_RELIEF, Relief
from mvsim_ros2.physics.ground.vehicle_attitude import settle
from mvsim_ros2.physics.state.record_layout import SOME_WHEELS, STARTS, TABLE
from mvsim_ros2.physics.state.spatial_motion import rotation_of
from mvsim_ros2.physics.state.vehicles import Vehicles
from mvsim_ros2.world.spec.vehicle.vehicle import VehicleSpec

SMALLEST, PER_SPEED = 0.01, 0.07  # half size of a square: m, and m for each m/s
REACH, WORKABLE = 1.05, 0.55  # of the height of the chassis; of the diameter of a wheel
FRICTION, RESTITUTION, SQUARE_SKIN = 0.5, 0.1, 1e-3
VEHICLE, CORNER_X, CORNER_Y, TOP = range(4)  # columns of the corners


@lazy_kernel(NO_RELIEF, STARTS, SOME_WHEELS, TABLE, TABLE, TABLE, TABLE)
def find_steps(relief: Relief, wheel_start: NDArray[np.int64], wheels: Records, pose: Array,
               twist: Array, corners: Array, squares: Array) -> int:
    """
    Write into `squares` where they are, shape (C, 3): x, y and half size; 0 for none there.

    :param wheels: as they stand on the ground.
    :param corners: of all vehicles that stand on the ground, shape (C, 4).
    :returns: how many there are.
    """
    count = 0
    for k in range(len(corners)):
        squares[k, 2] = 0.0
        i = int(corners[k, VEHICLE])
        x, y, z = corners[k, CORNER_X], corners[k, CORNER_Y], REACH * corners[k, TOP]
        r = rotation_of(pose[i, 3], pose[i, 4], pose[i, 5])
        at_x = pose[i, 0] + (r[0] * x + r[1] * y + r[2] * z)
        at_y = pose[i, 1] + (r[3] * x + r[4] * y + r[5] * z)
        height = ground_below(relief, at_x, at_y, pose[i, 2] + r[6] * x + r[7] * y + r[8] * z)
        first, last = wheel_start[i], wheel_start[i + 1]
        mean = 0.0
        for n in range(first, last):
            mean += wheels[n]['ground'] / (last - first)
        if height - mean > WORKABLE * 2.0 * wheels[first]['radius']:
            size = SMALLEST + PER_SPEED * math.sqrt(
                twist[i, 0] * twist[i, 0] + twist[i, 1] * twist[i, 1])
            squares[k, 0] = np.rint(at_x / size) * size
            squares[k, 1] = np.rint(at_y / size) * size
            squares[k, 2] = size
            count += 1
    return count


class StepObstacles:
    """The squares around all vehicles of a world."""

    def __init__(self, space: Box2dWorld, vehicles: Vehicles) -> None:
        """Start with none."""
        self._space, self._vehicles = space, vehicles
        self._corners, self._seen = np.zeros((0, 4)), list[VehicleSpec]()
        self._fixtures: dict[int, int] = {}  # by number of the corner
        self._body: Body | None = None

    def look(self) -> None:
        """Collect the corners of the vehicles, of those that came behind the others at least."""
        self._remove(list(self._fixtures))
        specs = self._vehicles.specs
        if specs[:len(self._seen)] != self._seen:
            self._corners, self._seen = np.zeros((0, 4)), []
        for i in range(len(self._seen), len(specs)):
            if specs[i].animation is None:
                outline = self._vehicles.footprints[i]
                self._corners = appended(
                    self._corners, [(i, x, y, outline.zmax) for x, y in outline.polygon])
        self._seen = list(specs)

    def before_step(self, relief: Relief) -> None:
        """Put squares where the ground is too high, and take the others out."""
        vehicles = self._vehicles
        wheels, pose = vehicles.wheels.copy(), vehicles.pose.copy()
        settle(relief, vehicles.arrays.records.copy(), vehicles.wheel_start, wheels, pose, False)
        squares = np.zeros((len(self._corners), 3))
        if not find_steps(relief, vehicles.wheel_start, wheels, pose, vehicles.twist_body,
                          self._corners, squares):
            self._remove(list(self._fixtures))
            return
        self._remove([k for k in self._fixtures if squares[k, 2] == 0.0])
        if self._body is None:
            self._body = Body(self._space.world, STATIC, Pose())
        for k in np.flatnonzero(squares[:, 2]).tolist():
            x, y, size = squares[k].tolist()
            if k in self._fixtures:
                bridge.box_change(self._fixtures[k], size, size, x, y, 0.0)
                continue
            self._fixtures[k] = bridge.box_new(
                self._body.address, size, size, x, y, 0.0, 0.0, FRICTION, RESTITUTION)
            bridge.fixture_set_skin(self._fixtures[k], SQUARE_SKIN)
        self._body.put(0.0, 0.0, 0.0)  # so that the engine takes the shapes' new places

    def _remove(self, corners: list[int]) -> None:
        for k in corners:
            bridge.fixture_delete(self._fixtures.pop(k))
