# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Motion of bodies in space: velocity, angular velocity, and how both changed in the last step.

The engine gives the motion in plan. Vertical velocity and rates of a vehicle are the difference of
its heights and the rotation vector, over the step. So the velocities integrate to the pose, and
their changes, which an accelerometer feels, to the velocities.
"""

from dataclasses import dataclass
import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array, Records, rotation_matrix
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.lazy_kernel import lazy_kernel
from mvsim_ros2.physics.state.record_layout import A_VEHICLE, ROW

if TYPE_CHECKING:
    from mvsim_ros2.physics.state.vehicles import Vehicles


VELOCITY, RATE, ACCELERATION, RATE_CHANGE = 0, 3, 6, 9  # first columns
COLUMNS = 12
_FIELDS = {  # of the record of a vehicle that moves in height or tilts
    VELOCITY + 2: 'climb', ACCELERATION + 2: 'climb_change',
    **{RATE + k: f'rate_{axis}' for k, axis in enumerate('xyz')},
    **{RATE_CHANGE + k: f'rate_{axis}_change' for k, axis in enumerate('xyz')}}


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
          values.reshape(-1, COLUMNS))
    return SpatialMotion(values)


def vehicle_motion(vehicles: 'Vehicles', rows: NDArray[np.int64]) -> SpatialMotion:
    """
    Return the motion of vehicles in the last step.

    :param rows: numbers of the vehicles, shape (n,).
    """
    motion = planar_motion(
        vehicles.pose[rows], vehicles.twist_body[rows], vehicles.acceleration_body[rows])
    records = vehicles.arrays.records
    tilts = np.flatnonzero(records['tilts'][rows])
    if len(tilts):
        for column, name in _FIELDS.items():
            motion.values[tilts, column] = records[name][rows[tilts]]
    return motion


@compiled(counted=False)
def _fill(poses: Array, twists: Array, changes: Array, values: Array) -> None:
    """Fill in the motion of bodies that turn about the vertical only: see `planar_motion`."""
    for n in range(len(poses)):
        cy, sy = math.cos(poses[n, 3]), math.sin(poses[n, 3])
        cp, sp = math.cos(poses[n, 4]), math.sin(poses[n, 4])
        cr, sr = math.cos(poses[n, 5]), math.sin(poses[n, 5])
        vx, vy, yaw = twists[n, 0], twists[n, 1], twists[n, 2]
        ax, ay, yaw_change = changes[n, 0], changes[n, 1], changes[n, 2]
        row = values[n]
        row[VELOCITY] = cy * vx - sy * vy
        row[VELOCITY + 1] = sy * vx + cy * vy
        row[RATE], row[RATE + 1], row[RATE + 2] = -yaw * sp, yaw * cp * sr, yaw * cp * cr
        row[ACCELERATION] = cy * ax - sy * ay
        row[ACCELERATION + 1] = sy * ax + cy * ay
        row[RATE_CHANGE] = -yaw_change * sp
        row[RATE_CHANGE + 1] = yaw_change * cp * sr
        row[RATE_CHANGE + 2] = yaw_change * cp * cr


@compiled
def rotation_of(yaw: float, pitch: float, roll: float) -> tuple[
        float, float, float, float, float, float, float, float, float]:
    """Return the matrix from body axes to the world, row by row."""
    cy, sy, cp, sp, cr, sr = (math.cos(yaw), math.sin(yaw), math.cos(pitch), math.sin(pitch),
                              math.cos(roll), math.sin(roll))
    return (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr,
            sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr,
            -sp, cp * sr, cp * cr)


@compiled
def rotation_vector(yaw: float, pitch: float, roll: float, to_yaw: float, to_pitch: float,
                    to_roll: float) -> tuple[float, float, float]:
    """Return the vector of the turn from one attitude to another, in body axes [rad]."""
    w, x, y, z = quaternion_of(yaw, pitch, roll)
    a, b, c, d = quaternion_of(to_yaw, to_pitch, to_roll)
    return turn_between(w, x, y, z, a, b, c, d)


@compiled
def turn_between(w: float, x: float, y: float, z: float, a: float, b: float, c: float, d: float,
                 ) -> tuple[float, float, float]:
    """
    Return the vector of the turn from quaternion (w, x, y, z) to (a, b, c, d), in body axes [rad].

    By the quaternion of ``R^T R'``, the short way round.
    """
    real = w * a + x * b + y * c + z * d
    i = w * b - x * a - y * d + z * c
    j = w * c + x * d - y * a - z * b
    k = w * d - x * c + y * b - z * a
    sine = math.sqrt(i * i + j * j + k * k)
    part = 2.0 * math.atan2(sine, abs(real)) / sine if sine > 1e-9 else 2.0
    part = math.copysign(part, real)
    return part * i, part * j, part * k


@compiled
def quaternion_of(yaw: float, pitch: float, roll: float) -> tuple[float, float, float, float]:
    """Return the unit quaternion w x y z of an attitude."""
    cy, sy = math.cos(0.5 * yaw), math.sin(0.5 * yaw)
    cp, sp = math.cos(0.5 * pitch), math.sin(0.5 * pitch)
    cr, sr = math.cos(0.5 * roll), math.sin(0.5 * roll)
    return (cy * cp * cr + sy * sp * sr, cy * cp * sr - sy * sp * cr,
            cy * sp * cr + sy * cp * sr, sy * cp * cr - cy * sp * sr)


@compiled(counted=False)
def observe_in_space(dt: float, vehicles: Records, pose: Array, twist: Array,
                     acceleration: Array) -> None:
    """
    Write into the records of vehicles how they move in height and turn, after a step.

    :param dt: since the last time [s]; 0 where some were put elsewhere.
    :param pose: shape (V, 6).
    :param twist: of the reference points along the yaw, shape (V, 3).
    :param acceleration: change of that over the step, shape (V, 3).
    """
    for i in range(len(vehicles)):
        vehicle, now = vehicles[i], pose[i]
        z, pitch, roll = now[2], now[4], now[5]
        same = (z == vehicle['z_before'] and pitch == 0.0 and roll == 0.0
                and vehicle['pitch_before'] == 0.0 and vehicle['roll_before'] == 0.0)
        if dt > 0.0 and (not same or vehicle['tilts'] != 0.0):
            observe_tilting(dt, vehicle, now, twist[i], acceleration[i], same)
        vehicle['z_before'], vehicle['pitch_before'], vehicle['roll_before'] = z, pitch, roll
        if dt > 0.0:
            vehicle['steps'] += 1.0


@lazy_kernel(0.0, A_VEHICLE, ROW, ROW, ROW, False)
def observe_tilting(dt: float, vehicle: np.void, pose: Array, twist: Array, acceleration: Array,
                    same: bool) -> None:
    """
    Write into the record of a vehicle how it moves in height and turns, after a step.

    :param same: it stands upright at the height at which it stood.
    """
    z, pitch, roll = pose[2], pose[4], pose[5]
    if vehicle['tilts'] == 0.0:
        vehicle['rate_x'] = vehicle['rate_y'] = 0.0
        vehicle['rate_z'] = twist[2] - dt * acceleration[2]
    if vehicle['spatial'] != 0.0:
        q, p = vehicle['q_before'][:], (
            vehicle['q_w'], vehicle['q_x'], vehicle['q_y'], vehicle['q_z'])
        x, y, turn = turn_between(q[0], q[1], q[2], q[3], p[0], p[1], p[2], p[3])
    else:
        x, y, turn = rotation_vector(
            pose[3] - dt * twist[2], vehicle['pitch_before'], vehicle['roll_before'], pose[3],
            pitch, roll)
    climb, x, y, turn = (z - vehicle['z_before']) / dt, x / dt, y / dt, turn / dt
    vehicle['climb_change'] = (climb - vehicle['climb']) / dt
    vehicle['rate_x_change'] = (x - vehicle['rate_x']) / dt
    vehicle['rate_y_change'] = (y - vehicle['rate_y']) / dt
    vehicle['rate_z_change'] = (turn - vehicle['rate_z']) / dt
    vehicle['climb'] = climb
    vehicle['rate_x'], vehicle['rate_y'], vehicle['rate_z'] = x, y, turn
    still = same and climb == 0.0 and vehicle['climb_change'] == 0.0
    vehicle['tilts'] = 0.0 if still else 1.0


@compiled(counted=False)
def feel_mean(pose: Array, motion: Array, gravity: float, place: Array, rotation: Array,
              time: float, longest: float, step: float, steps: float, last: Array, felt: Array,
              ) -> None:
    """
    Fill in the means of rate and specific force since the last sample, where that is known.

    A sample a step on a level course keeps what it has.

    :param pose: x y z yaw pitch roll of the body.
    :param motion: `SpatialMotion.values` of its reference point.
    :param place: of the sensor in the body frame [m]; rotation: its axes there, shape (3, 3).
    :param time: of the sample [s].
    :param longest: time between samples [s].
    :param step: of the simulation [s].
    :param steps: that the body has made since it was put somewhere.
    :param last: time, velocity of the sensor, and yaw, pitch, roll at the last sample; set to
        those now. A negative time says that there was none.
    :param felt: rate [rad/s] and specific force [m/s^2] in axes of the sensor, shape (6,).
    """
    r = rotation_of(pose[3], pose[4], pose[5])
    x, y, z = place[0], place[1], place[2]
    wx, wy, wz = motion[3], motion[4], motion[5]
    ahead, left, up = wy * z - wz * y, wz * x - wx * z, wx * y - wy * x
    before, span = last[0], time - last[0]
    change_x, change_y, change_z = last[1], last[2], last[3]
    last[1] = motion[0] + r[0] * ahead + r[1] * left + r[2] * up
    last[2] = motion[1] + r[3] * ahead + r[4] * left + r[5] * up
    last[3] = motion[2] + r[6] * ahead + r[7] * left + r[8] * up
    yaw, pitch, roll = last[4], last[5], last[6]
    last[0], last[4], last[5], last[6] = time, pose[3], pose[4], pose[5]
    known = before >= 0.0 and 0.5 * step < span < min(1.5 * longest, (steps + 0.5) * step)
    level = wx == 0.0 and wy == 0.0 and motion[9] == 0.0 and motion[10] == 0.0
    if not known or level and span < 1.5 * step:
        return
    change_x, change_y = (last[1] - change_x) / span, (last[2] - change_y) / span
    change_z = (last[3] - change_z) / span + gravity
    fx = r[0] * change_x + r[3] * change_y + r[6] * change_z
    fy = r[1] * change_x + r[4] * change_y + r[7] * change_z
    fz = r[2] * change_x + r[5] * change_y + r[8] * change_z
    if span * math.sqrt(wx * wx + wy * wy + wz * wz) < 2.0:  # else it may have turned further
        wx, wy, wz = rotation_vector(yaw, pitch, roll, pose[3], pose[4], pose[5])
        wx, wy, wz = wx / span, wy / span, wz / span
    for k in range(3):
        felt[k] = rotation[0, k] * wx + rotation[1, k] * wy + rotation[2, k] * wz
        felt[3 + k] = rotation[0, k] * fx + rotation[1, k] * fy + rotation[2, k] * fz
