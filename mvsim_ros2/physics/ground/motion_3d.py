# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Motion of vehicles in all three dimensions.

The engine moves a vehicle in plan; height, pitch and roll follow from the ground under its wheels.
So their first and second derivatives are central differences of how the vehicle stands a little
before and after on its present motion, on the ground as that is then. A vehicle on springs, and
one off the ground, keeps its rates in its record.
"""

from dataclasses import dataclass
import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import rotation_matrix
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.ground.terrain import NO_RELIEF, Relief
from mvsim_ros2.physics.ground.vehicle_attitude import settle
from mvsim_ros2.physics.state.spring_records import free_rates, rates

if TYPE_CHECKING:
    from mvsim_ros2.physics.physics_world import PhysicsWorld

Array = NDArray[np.float64]
Records = NDArray[np.void]

# s before and after, over which the motion is averaged: what an accelerometer with a bandwidth
# of some 50 Hz notices of an edge of the ground
SPAN = 0.01

VELOCITY, RATE, ACCELERATION, RATE_CHANGE = 0, 3, 6, 9  # first columns
COLUMNS = 12


@dataclass(frozen=True, eq=False)
class SpatialMotion:
    """Motion of one or more reference points."""

    values: Array  # (..., COLUMNS)

    @property
    def velocity(self) -> Array:
        """Return the velocity in the world frame [m/s], shape (..., 3)."""
        return self.values[..., VELOCITY:VELOCITY + 3]

    @property
    def rate(self) -> Array:
        """Return the angular velocity in body axes [rad/s]."""
        return self.values[..., RATE:RATE + 3]

    @property
    def acceleration(self) -> Array:
        """Return the acceleration in the world frame [m/s^2]."""
        return self.values[..., ACCELERATION:ACCELERATION + 3]


def twist_in_space(pose: Array, motion: SpatialMotion) -> Array:
    """
    Return the velocity of a reference point and the angular velocity, both in the body frame.

    :param pose: x y z yaw pitch roll, shape (6,).
    :param motion: of the one body.
    :returns: vx vy vz [m/s] wx wy wz [rad/s], shape (6,).
    """
    rotation = rotation_matrix(pose[3], pose[4], pose[5])
    return np.concatenate([rotation.T @ motion.velocity, motion.rate])


def planar_motion(pose: Array, twist_body: Array, acceleration_body: Array) -> SpatialMotion:
    """
    Return the motion of bodies that keep their height, pitch and roll.

    :param pose: x y z yaw pitch roll, shape (..., 6).
    :param twist_body: vx, vy, wz along the yaw of the body, shape (..., 3).
    :param acceleration_body: change of the velocity along the yaw, and of wz.
    """
    values = np.zeros(pose.shape[:-1] + (COLUMNS,))
    _fill(pose.reshape(-1, 6), twist_body.reshape(-1, 3), acceleration_body.reshape(-1, 3),
          values.reshape(-1, COLUMNS), np.zeros((1, 3)), np.zeros((1, 3)), 0)
    return SpatialMotion(values)


def vehicle_motion(physics: 'PhysicsWorld', rows: NDArray[np.int64]) -> SpatialMotion:
    """
    Return the motion of vehicles on the ground, averaged over `SPAN` before and after.

    That of one on springs is of the last step.

    :param rows: numbers of the vehicles, shape (n,).
    """
    vehicles, records = physics.vehicles, physics.vehicles.arrays.records
    pose, twist = vehicles.pose[rows], vehicles.twist_body[rows]
    acceleration = vehicles.acceleration_body[rows]
    if physics.relief is None:
        if not np.any(records['loose'][rows]):
            return planar_motion(pose, twist, acceleration)
        reliefs = NO_RELIEF, NO_RELIEF, NO_RELIEF
    else:
        reliefs = physics.reliefs
    speed, speed_change = np.zeros((2, len(rows), 3))
    for i, row in enumerate(rows.tolist()):
        if records['loose'][row]:
            speed[i], speed_change[i] = free_rates(records[row], pose[i])
        elif records['sprung'][row]:
            speed[i], speed_change[i] = rates(records[row], twist[i, 2])
        else:
            wheels = vehicles.wheels[vehicles.wheel_start[row]:vehicles.wheel_start[row + 1]]
            _follow_ground(*reliefs, records[row:row + 1].copy(), np.array([0, len(wheels)]),
                           wheels, pose[i], twist[i], acceleration[i], speed[i], speed_change[i])
    values = np.zeros((len(rows), COLUMNS))
    _fill(pose, twist, acceleration, values, speed, speed_change, 1)
    return SpatialMotion(values)


@compiled
def _follow_ground(before: Relief, now: Relief, after: Relief, vehicle: Records,
                   wheel_start: NDArray[np.int64], wheels: Records, pose: Array, twist: Array,
                   change: Array, speed: Array, speed_change: Array) -> None:
    """
    Fill in how fast height, pitch and roll of a vehicle change, and how that changes.

    :param before: the ground as it is `SPAN` before; so now and after.
    :param vehicle: a copy of its record, of length 1.
    """
    place = np.empty((1, 6))
    cosine, sine = math.cos(pose[3]), math.sin(pose[3])
    for k in range(3):
        time = SPAN * (k - 1)
        along = time * twist[0] + 0.5 * time * time * change[0]
        across = time * twist[1] + 0.5 * time * time * change[1]
        place[0, 0] = pose[0] + cosine * along - sine * across
        place[0, 1] = pose[1] + sine * along + cosine * across
        place[0, 2], place[0, 4], place[0, 5] = pose[2], pose[4], pose[5]
        place[0, 3] = pose[3] + time * twist[2] + 0.5 * time * time * change[2]
        settle(before if k == 0 else (now if k == 1 else after), vehicle, wheel_start, wheels,
               place)
        weight = -2.0 if k == 1 else 1.0
        for n, column in enumerate((2, 4, 5)):
            speed[n] += (k - 1) * place[0, column] / (2.0 * SPAN)
            speed_change[n] += weight * place[0, column] / SPAN ** 2


@compiled
def _fill(poses: Array, twists: Array, changes: Array, values: Array, speeds: Array,
          speed_changes: Array, step: int) -> None:
    """
    Fill in the motion of bodies from those of their coordinates.

    Rates from the angles yaw, pitch, roll: J. Diebel, *Representing attitude* (2006).

    :param speeds: of z, pitch and roll, shape (n, 3); where `step` is 0 the first is that of
        all. So `speed_changes`.
    """
    for n in range(len(poses)):
        cy, sy = math.cos(poses[n, 3]), math.sin(poses[n, 3])
        cp, sp = math.cos(poses[n, 4]), math.sin(poses[n, 4])
        cr, sr = math.cos(poses[n, 5]), math.sin(poses[n, 5])
        vx, vy, yaw = twists[n, 0], twists[n, 1], twists[n, 2]
        ax, ay, yaw_change = changes[n, 0], changes[n, 1], changes[n, 2]
        climb, pitch, roll = speeds[n * step, 0], speeds[n * step, 1], speeds[n * step, 2]
        pitch_change, roll_change = speed_changes[n * step, 1], speed_changes[n * step, 2]
        row = values[n]
        row[VELOCITY] = cy * vx - sy * vy
        row[VELOCITY + 1] = sy * vx + cy * vy
        row[VELOCITY + 2] = climb
        row[RATE] = roll - yaw * sp
        row[RATE + 1] = pitch * cr + yaw * cp * sr
        row[RATE + 2] = yaw * cp * cr - pitch * sr
        row[ACCELERATION] = cy * ax - sy * ay
        row[ACCELERATION + 1] = sy * ax + cy * ay
        row[ACCELERATION + 2] = speed_changes[n * step, 0]
        row[RATE_CHANGE] = roll_change - yaw_change * sp - yaw * pitch * cp
        row[RATE_CHANGE + 1] = (
            pitch_change * cr - pitch * roll * sr + yaw_change * cp * sr
            - yaw * pitch * sp * sr + yaw * roll * cp * cr)
        row[RATE_CHANGE + 2] = (
            yaw_change * cp * cr - yaw * pitch * sp * cr - yaw * roll * cp * sr
            - pitch_change * sr - pitch * roll * cr)
