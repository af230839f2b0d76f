# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
What vehicles report, in the numbers of messages: poses, twists, covariances.

A pose is x, y, z [m] and a quaternion x, y, z, w; a twist vx, vy, vz [m/s], wx, wy, wz [rad/s];
a covariance the 36 numbers of both in rows. So they stand in nav_msgs/Odometry, one after the
other: pose, its covariance, twist, its covariance.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.state.record_layout import (
    C_WW, C_XW, C_XX, C_XY, C_YW, C_YY, O_VX, O_VY, O_WZ, O_X, O_Y, O_YAW)
from mvsim_ros2.physics.vehicle.odometry import FLOOR

POSE, TWIST = 7, 6
MOTION = POSE + 36 + TWIST + 36  # pose, covariance, twist, covariance
POSE_COVARIANCE, TWIST_AT, TWIST_COVARIANCE = POSE, POSE + 36, POSE + 36 + TWIST  # first of each

Array = NDArray[np.float64]


@compiled
def report(pose: Array, twist_body: Array, odometers: Array, walk_distance: Array,
           walk_turn: Array, walk_drift: Array, belief: Array, truth: Array, origin: Array,
           robot: Array) -> bool:
    """
    Fill in what all vehicles report.

    The true motion, and the origin, of those that are tilted is left out.

    :param pose: true ones, shape (V, 6).
    :param twist_body: shape (V, 3).
    :param odometers: shape (V, ODOMETER).
    :param walk_distance: of the odometer, shape (V,); so `walk_turn` and `walk_drift`.
    :param belief: motion as odometry has it, shape (V, MOTION); what planar odometry does not
        estimate of its covariances is left as it is.
    :param truth: true motion, shape (V, MOTION); its covariances are left as they are.
    :param origin: pose of the odometry frame in the world that makes both agree, shape (V, POSE).
    :param robot: pose that odometry has, shape (V, POSE).
    :returns: whether a vehicle is tilted.
    """
    tilted = False
    for i in range(len(pose)):
        o = odometers[i]
        x, y, yaw = o[O_X], o[O_Y], o[O_YAW]
        _place(robot[i], x, y, 0.0, yaw, 0.0, 0.0)
        row = belief[i]
        row[:POSE] = robot[i]
        _covary(row[POSE_COVARIANCE:], o[C_XX] + FLOOR, o[C_XY], o[C_XW], o[C_YY] + FLOOR,
                o[C_YW], o[C_WW] + FLOOR)
        vx, vy, wz = o[O_VX], o[O_VY], o[O_WZ]
        row[TWIST_AT], row[TWIST_AT + 1], row[TWIST_AT + 5] = vx, vy, wz
        speed = math.sqrt(vx * vx + vy * vy)
        velocity = walk_distance[i] * walk_distance[i] * speed + FLOOR
        _covary(row[TWIST_COVARIANCE:], velocity, 0.0, 0.0, velocity, 0.0,
                walk_turn[i] * walk_turn[i] * abs(wz) + walk_drift[i] * walk_drift[i] * speed
                + FLOOR)
        px, py, pz, heading = pose[i, 0], pose[i, 1], pose[i, 2], pose[i, 3]
        _place(truth[i], px, py, pz, heading, pose[i, 4], pose[i, 5])
        if pose[i, 4] != 0.0 or pose[i, 5] != 0.0:
            tilted = True
            continue
        row = truth[i]
        row[TWIST_AT], row[TWIST_AT + 1] = twist_body[i, 0], twist_body[i, 1]
        row[TWIST_AT + 2] = row[TWIST_AT + 3] = row[TWIST_AT + 4] = 0.0
        row[TWIST_AT + 5] = twist_body[i, 2]
        turn = heading - yaw
        cosine, sine = math.cos(turn), math.sin(turn)
        _place(origin[i], px - cosine * x + sine * y, py - sine * x - cosine * y, pz, turn, 0.0,
               0.0)
    return tilted


@compiled(inlined=True)
def _place(row: Array, x: float, y: float, z: float, yaw: float, pitch: float,
           roll: float) -> None:
    """Fill in a pose, as `Pose.quaternion` has it."""
    cy, sy = math.cos(0.5 * yaw), math.sin(0.5 * yaw)
    cp, sp = math.cos(0.5 * pitch), math.sin(0.5 * pitch)
    cr, sr = math.cos(0.5 * roll), math.sin(0.5 * roll)
    row[0], row[1], row[2] = x, y, z
    row[3] = cy * cp * sr - sy * sp * cr
    row[4] = cy * sp * cr + sy * cp * sr
    row[5] = sy * cp * cr - cy * sp * sr
    row[6] = cy * cp * cr + sy * sp * sr


@compiled(inlined=True)
def _covary(row: Array, xx: float, xy: float, xw: float, yy: float, yw: float, ww: float) -> None:
    """Fill in the covariance of x, y and yaw."""
    row[0], row[1], row[5] = xx, xy, xw
    row[6], row[7], row[11] = xy, yy, yw
    row[30], row[31], row[35] = xw, yw, ww


def walks(records: Any) -> tuple[Array, Array, Array]:
    """Return the random walks of the odometers: the arguments of `report`."""
    return records['walk_distance'], records['walk_turn'], records['walk_drift']
