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
"""
Motion of vehicles in all three dimensions.

A vehicle moves in plan as the engine says; height, pitch and roll follow from the ground under
its wheels. So how fast these change, and how that changes, is found by letting the vehicle
stand a little before and after where it is on its present motion.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.physics.attitude import settle

if TYPE_CHECKING:
    from mvsim_ros2.physics.world import PhysicsWorld

Array = NDArray[np.float64]

# s before and after, over which the motion is averaged: what an accelerometer with a bandwidth
# of some 50 Hz notices of an edge of the ground
SPAN = 0.01


@dataclass(frozen=True, eq=False)
class SpatialMotion:
    """Motion of reference points; each shape (n, 3), or (3,) for one."""

    velocity: Array  # world frame [m/s]
    rate: Array  # angular velocity in body axes [rad/s]
    acceleration: Array  # world frame [m/s^2]
    rate_change: Array  # derivative of `rate` [rad/s^2]


def planar_motion(pose: Array, twist_body: Array, acceleration_body: Array) -> SpatialMotion:
    """
    Return the motion of bodies that keep their height, pitch and roll.

    :param pose: x y z yaw pitch roll, shape (..., 6).
    :param twist_body: vx, vy, wz along the yaw of the body, shape (..., 3).
    :param acceleration_body: change of the velocity along the yaw, and of wz.
    """
    nothing = np.zeros(pose.shape[:-1] + (3,))
    return _motion(pose, twist_body, acceleration_body, nothing, nothing)


def vehicle_motion(physics: 'PhysicsWorld', rows: NDArray[np.int64]) -> SpatialMotion:
    """
    Return the motion of vehicles on the ground, averaged over `SPAN` before and after.

    :param rows: numbers of the vehicles, shape (n,).
    """
    vehicles, relief = physics.vehicles, physics.relief
    pose, twist = vehicles.pose[rows], vehicles.twist_body[rows]
    acceleration = vehicles.acceleration_body[rows]
    if relief is None:
        return planar_motion(pose, twist, acceleration)
    planar = planar_motion(pose * [1, 1, 1, 1, 0, 0], twist, acceleration)
    times = np.array([-SPAN, 0.0, SPAN])[:, None]
    poses = np.repeat(pose[:, None], 3, axis=1)
    for column in (0, 1):
        poses[..., column] += (times * planar.velocity[:, column]
                               + 0.5 * times ** 2 * planar.acceleration[:, column]).T
    poses[..., 3] += (times * twist[:, 2] + 0.5 * times ** 2 * acceleration[:, 2]).T
    for i, row in enumerate(rows.tolist()):
        wheels = vehicles.wheels[vehicles.wheel_start[row]:vehicles.wheel_start[row + 1]]
        settle(relief, np.repeat(vehicles.arrays.records[row], 3),
               np.arange(4) * len(wheels), np.tile(wheels, 3), poses[i])
    height_and_tilt = poses[..., [2, 4, 5]]
    before, now, after = (height_and_tilt[:, k] for k in range(3))
    return _motion(pose, twist, acceleration, (after - before) / (2.0 * SPAN),
                   (after - 2.0 * now + before) / SPAN ** 2)


def _motion(pose: Array, twist: Array, change: Array, speed: Array,
            speed_change: Array) -> SpatialMotion:
    """
    Return the motion of bodies from those of their coordinates.

    :param speed: of z, pitch and roll, shape (..., 3).
    :param speed_change: derivative of `speed`.
    """
    cy, sy = np.cos(pose[..., 3]), np.sin(pose[..., 3])
    cp, sp = np.cos(pose[..., 4]), np.sin(pose[..., 4])
    cr, sr = np.cos(pose[..., 5]), np.sin(pose[..., 5])
    climb, pitch, roll = (speed[..., k] for k in range(3))
    climb_change, pitch_change, roll_change = (speed_change[..., k] for k in range(3))
    yaw, yaw_change = twist[..., 2], change[..., 2]
    # rates from the angles yaw, pitch, roll (Diebel, Representing attitude, 2006), derived
    return SpatialMotion(
        np.stack([cy * twist[..., 0] - sy * twist[..., 1],
                  sy * twist[..., 0] + cy * twist[..., 1], climb], axis=-1),
        np.stack([roll - yaw * sp, pitch * cr + yaw * cp * sr, yaw * cp * cr - pitch * sr],
                 axis=-1),
        np.stack([cy * change[..., 0] - sy * change[..., 1],
                  sy * change[..., 0] + cy * change[..., 1], climb_change], axis=-1),
        np.stack([
            roll_change - yaw_change * sp - yaw * pitch * cp,
            (pitch_change * cr - pitch * roll * sr + yaw_change * cp * sr
             - yaw * pitch * sp * sr + yaw * roll * cp * cr),
            (yaw_change * cp * cr - yaw * pitch * sp * cr - yaw * roll * cp * sr
             - pitch_change * sr - pitch * roll * cr)], axis=-1))
