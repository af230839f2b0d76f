# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Odometry with drift and an honest covariance.

Every step adds a measured motion (ahead, aside, turn) to the pose at the heading halfway. Distance
and heading have random walks. Over a path s and a turned angle a, the variance of the distance
grows by ``walk_distance^2 s``, of the heading by ``walk_turn^2 a + walk_drift^2 s``. The
covariance is propagated to first order through the same model (R. Siegwart, I. Nourbakhsh,
Introduction to Autonomous Mobile Robots, 5.2.4). It covers the random walks, not the factors and
not the slip of the wheels.
"""

from dataclasses import dataclass
import math
from typing import Any

import numpy as np

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.elementary_functions import sine_cosine
from mvsim_ros2.physics.state.spatial_motion import quaternion_of

FLOOR = 1e-6  # m^2, rad^2 and their squares per second: so that no covariance is singular
# numbers of nav_msgs/Odometry: pose (x y z, quaternion x y z w), 6 x 6 covariance, twist, its own
POSE, TWIST = 7, 6
MOTION = POSE + 36 + TWIST + 36  # pose, covariance, twist, covariance
POSE_COVARIANCE, TWIST_AT, TWIST_COVARIANCE = POSE, POSE + 36, POSE + 36 + TWIST  # first of each


@dataclass(frozen=True)
class Odometry:
    """
    Where a robot believes to be, in the frame in which it started.

    The twist is measured in the last step, without the random walks. Its covariance is the
    variance that these walks reach in one second at this speed.
    """

    pose: tuple[float, float, float]  # x, y, yaw [m, rad]
    twist: tuple[float, float, float]  # vx, vy, wz [m/s, rad/s], body frame
    pose_covariance: Array  # (3, 3), odometry frame
    twist_covariance: Array  # (3, 3)


@compiled
def displacement(
        vx: float, vy: float, turn: float, part: float, com_x: float, com_y: float, dt: float,
        ) -> tuple[float, float]:
    """
    Return how the reference point moves in a step, in the axes of the heading halfway [m].

    The engine moves the centre of mass by its velocity after a step, along one heading within the
    step, and turns the body about it.

    :param vx: velocity of the reference point in the body frame [m/s]; so vy.
    :param turn: change of heading [rad].
    :param part: of the turn at which the velocity has its direction, from 0 to 1.
    :param com_x: place of the centre of mass in the body frame [m]; so com_y.
    """
    ahead, aside = dt * vx - turn * com_y, dt * vy + turn * com_x
    if part == 1.0:
        sine, cosine = sine_cosine(0.5 * turn)
        half = 2.0 * sine
    else:
        half = 2.0 * math.sin(0.5 * turn)
        angle = (part - 0.5) * turn
        cosine, sine = math.cos(angle), math.sin(angle)
    return (cosine * ahead - sine * aside + half * com_y,
            sine * ahead + cosine * aside - half * com_x)


@compiled(counted=False)
def odometer_step(
        ahead: float, aside: float, turn: float, walk_distance: float, walk_turn: float,
        walk_drift: float, noise_distance: float, noise_heading: float, odometer: np.void,
        physical: bool) -> None:
    """
    Add a measured motion of one step to an odometer; its twist stays.

    :param ahead: motion forward [m]; aside, to the left; turn, change of heading [rad].
    :param walk_distance: m/sqrt(m); walk_turn, rad/sqrt(rad); walk_drift, rad/sqrt(m).
    :param noise_distance: standard normal number; noise_heading, another.
    :param physical: whether the mode is that: the other one has the sines of the C library.
    """
    o = odometer
    path = math.sqrt(ahead * ahead + aside * aside)
    if path == 0.0 and turn == 0.0:
        return
    variance_distance = walk_distance * walk_distance * path
    variance_heading = walk_turn * walk_turn * abs(turn) + walk_drift * walk_drift * path
    if path > 0.0:
        stretch = 1.0 + math.sqrt(variance_distance) * noise_distance / path
        ahead *= stretch
        aside *= stretch
    turn += math.sqrt(variance_heading) * noise_heading
    middle = o['yaw'] + 0.5 * turn
    if physical:
        sine, cosine = sine_cosine(middle)
    else:
        cosine, sine = math.cos(middle), math.sin(middle)
    dx, dy = cosine * ahead - sine * aside, sine * ahead + cosine * aside
    o['x'] += dx
    o['y'] += dy
    o['yaw'] += turn
    # P <- F P F' + G Q G', F = [[1 0 -dy] [0 1 dx] [0 0 1]], the heading noise acts half
    # through the middle heading, the distance noise along the motion
    xw, yw, ww = o['xw'], o['yw'], o['ww']
    along_x, along_y = 0.0, 0.0
    if path > 0.0:
        square = dx * dx + dy * dy
        along_x = dx * dx / square if square > 0.0 else 1.0
        along_y = 1.0 - along_x
    along_xy = math.sqrt(along_x * along_y) * (1.0 if dx * dy > 0.0 else -1.0)
    o['xx'] += (-2.0 * dy * xw + dy * dy * ww + variance_distance * along_x
                + 0.25 * variance_heading * dy * dy)
    o['xy'] += (dx * xw - dy * yw - dx * dy * ww + variance_distance * along_xy
                - 0.25 * variance_heading * dx * dy)
    o['yy'] += (2.0 * dx * yw + dx * dx * ww + variance_distance * along_y
                + 0.25 * variance_heading * dx * dx)
    o['xw'] = xw - dy * ww - 0.5 * variance_heading * dy
    o['yw'] = yw + dx * ww + 0.5 * variance_heading * dx
    o['ww'] = ww + variance_heading


def reading(odometer: np.void, walks: tuple[float, float, float]) -> Odometry:
    """
    Return what an odometer says.

    :param walks: `walk_distance`, `walk_turn` and `walk_drift` of its vehicle.
    """
    x, y, yaw, vx, vy, wz, xx, xy, xw, yy, yw, ww = odometer.tolist()
    covariance = np.array([[xx + FLOOR, xy, xw], [xy, yy + FLOOR, yw], [xw, yw, ww + FLOOR]])
    speed, rate = math.sqrt(vx * vx + vy * vy), abs(wz)
    distance, turn, drift = walks
    velocity = distance ** 2 * speed + FLOOR
    return Odometry(
        (x, y, yaw), (vx, vy, wz), covariance,
        np.array([[velocity, 0.0, 0.0], [0.0, velocity, 0.0],
                  [0.0, 0.0, turn ** 2 * rate + drift ** 2 * speed + FLOOR]]))


@compiled
def report(pose: Array, twist_body: Array, odometers: Records, walk_distance: Array,
           walk_turn: Array, walk_drift: Array, belief: Array, truth: Array, origin: Array,
           robot: Array) -> bool:
    """
    Fill in what all vehicles report.

    The true motion, and the origin, of those that are tilted is left out.

    :param pose: true ones, shape (V, 6); twist_body, shape (V, 3).
    :param odometers: shape (V,); walk_distance, walk_turn, walk_drift, shape (V,).
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
        x, y, yaw = o['x'], o['y'], o['yaw']
        _place(robot[i], x, y, 0.0, yaw, 0.0, 0.0)
        row = belief[i]
        row[:POSE] = robot[i]
        _covary(row[POSE_COVARIANCE:], o['xx'] + FLOOR, o['xy'], o['xw'], o['yy'] + FLOOR,
                o['yw'], o['ww'] + FLOOR)
        vx, vy, wz = o['vx'], o['vy'], o['wz']
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
    row[0], row[1], row[2] = x, y, z
    row[6], row[3], row[4], row[5] = quaternion_of(yaw, pitch, roll)


@compiled(inlined=True)
def _covary(row: Array, xx: float, xy: float, xw: float, yy: float, yw: float, ww: float) -> None:
    """Fill in the covariance of x, y and yaw."""
    row[0], row[1], row[5] = xx, xy, xw
    row[6], row[7], row[11] = xy, yy, yw
    row[30], row[31], row[35] = xw, yw, ww


def walks(records: Any) -> tuple[Array, Array, Array]:
    """Return the random walks of the odometers: the arguments of `report`."""
    return records['walk_distance'], records['walk_turn'], records['walk_drift']
