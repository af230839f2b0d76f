# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Rotations, many at once, and SE(3) poses.

Conventions: REP-103 axes (x forward, y left, z up), angles in radians, quaternions in the order x
y z w. R = Rz(yaw) Ry(pitch) Rx(roll), so positive pitch is nose down. The functions take arrays of
any leading shape.
"""

from dataclasses import dataclass
import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

# kinds of arrays
Array = NDArray[np.float64]
Numbers = NDArray[np.int64]
Reals = NDArray[np.float32]
Records = NDArray[np.void]


def wrap_angle(angle: ArrayLike) -> Array:
    """Return `angle` [rad] wrapped into [-pi, pi)."""
    return (np.asarray(angle, float) + np.pi) % (2 * np.pi) - np.pi


def rotation_matrix(yaw: ArrayLike, pitch: ArrayLike = 0.0, roll: ArrayLike = 0.0) -> Array:
    """Return Rz(yaw) Ry(pitch) Rx(roll), shape (..., 3, 3)."""
    yaw, pitch, roll = (np.asarray(angle, float) for angle in (yaw, pitch, roll))
    if yaw.ndim == pitch.ndim == roll.ndim == 0:  # the same in a third of the time
        angles = np.array((yaw, pitch, roll))
        return np.array(_rows(*np.cos(angles).tolist(), *np.sin(angles).tolist()))
    rows = _rows(np.cos(yaw), np.cos(pitch), np.cos(roll), np.sin(yaw), np.sin(pitch),
                 np.sin(roll))
    matrix = np.empty(np.broadcast(yaw, pitch, roll).shape + (3, 3))
    for i, row in enumerate(rows):
        for j, values in enumerate(row):
            matrix[..., i, j] = values
    return matrix


def _rows(cy: Any, cp: Any, cr: Any, sy: Any, sp: Any,
          sr: Any) -> tuple[tuple[Any, Any, Any], ...]:
    """Return rows of rotations from cosines and sines of yaw, pitch and roll."""
    return ((cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
            (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
            (-sp, cp * sr, cp * cr))


def ypr_from_matrix(rotation: ArrayLike) -> tuple[Array, Array, Array]:
    """Return yaw, pitch and roll [rad] of rotation matrices of shape (..., 3, 3)."""
    r = np.asarray(rotation, float)
    pitch = np.arctan2(-r[..., 2, 0], np.hypot(r[..., 0, 0], r[..., 1, 0]))
    upright = np.hypot(r[..., 0, 0], r[..., 1, 0]) > 1e-12
    # in gimbal lock only yaw - roll (or their sum) is defined: take roll = 0
    yaw = np.where(upright, np.arctan2(r[..., 1, 0], r[..., 0, 0]),
                   np.arctan2(-r[..., 0, 1], r[..., 1, 1]))
    roll = np.where(upright, np.arctan2(r[..., 2, 1], r[..., 2, 2]), 0.0)
    return yaw, pitch, roll


def axis_rotation(axis: ArrayLike, angle: float) -> NDArray[np.float64]:
    """Return the matrix (4, 4) of a rotation about a unit vector by an angle [rad] (Rodrigues)."""
    x, y, z = np.asarray(axis, float)
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    matrix = np.eye(4)
    matrix[:3, :3] += np.sin(angle) * cross + (1.0 - np.cos(angle)) * cross @ cross
    return matrix


def rotations(quaternions: ArrayLike) -> Array:
    """Return the matrices of unit quaternions x y z w, shape (n, 3, 3)."""
    x, y, z, w = np.asarray(quaternions, float).T
    rows = [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w),
            2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
            2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]
    return np.stack(rows, axis=-1).reshape(-1, 3, 3)


def quaternions(matrices: Array) -> Array:
    """Return unit quaternions x y z w, w not negative, of rotation matrices (n, 3, 3)."""
    m = matrices
    trace = np.trace(m, axis1=1, axis2=2)
    # the largest component from the diagonal, the others from it
    squares = np.stack([1 + 2 * m[:, i, i] - trace for i in range(3)] + [1 + trace], axis=1)
    largest = squares.argmax(axis=1)
    differences = np.stack([m[:, 2, 1] - m[:, 1, 2], m[:, 0, 2] - m[:, 2, 0],
                            m[:, 1, 0] - m[:, 0, 1]], axis=1)
    q = np.empty((len(m), 4))
    for k in range(4):
        rows = largest == k
        if k == 3:
            q[rows, :3], q[rows, 3] = differences[rows], squares[rows, 3]
        else:
            q[rows, :3] = m[rows, k, :] + m[rows, :, k]
            q[rows, k], q[rows, 3] = squares[rows, k], differences[rows, k]
    q /= np.linalg.norm(q, axis=1)[:, None]
    q[q[:, 3] < 0] *= -1.0
    return q


@dataclass(frozen=True)
class Pose:
    """Pose of a frame in another: position [m] and yaw, pitch, roll [rad]."""

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    yaw: float = 0.0
    pitch: float = 0.0
    roll: float = 0.0

    @property
    def position(self) -> Array:
        """Return the position x y z [m]."""
        return np.array([self.x, self.y, self.z])

    @property
    def rows(self) -> tuple[tuple[float, float, float], ...]:
        """Return the rows of the rotation matrix: see `rotation_matrix`, ten times slower."""
        cy, sy = math.cos(self.yaw), math.sin(self.yaw)
        cp, sp = math.cos(self.pitch), math.sin(self.pitch)
        cr, sr = math.cos(self.roll), math.sin(self.roll)
        return _rows(cy, cp, cr, sy, sp, sr)

    @property
    def rotation(self) -> Array:
        """Return the rotation matrix, shape (3, 3)."""
        return np.array(self.rows)

    @property
    def quaternion(self) -> tuple[float, float, float, float]:
        """Return the unit quaternion x y z w."""
        cy, sy = math.cos(0.5 * self.yaw), math.sin(0.5 * self.yaw)
        cp, sp = math.cos(0.5 * self.pitch), math.sin(0.5 * self.pitch)
        cr, sr = math.cos(0.5 * self.roll), math.sin(0.5 * self.roll)
        return (cy * cp * sr - sy * sp * cr, cy * sp * cr + sy * cp * sr,
                sy * cp * cr - cy * sp * sr, cy * cp * cr + sy * sp * sr)

    @property
    def matrix(self) -> Array:
        """Return the homogeneous matrix, shape (4, 4)."""
        matrix = np.eye(4)
        matrix[:3, :3] = self.rotation
        matrix[:3, 3] = self.position
        return matrix

    @classmethod
    def from_matrix(cls, matrix: ArrayLike) -> 'Pose':
        """Return the pose of a homogeneous matrix of shape (4, 4)."""
        m = np.asarray(matrix, float)
        yaw, pitch, roll = ypr_from_matrix(m[:3, :3])
        return cls(float(m[0, 3]), float(m[1, 3]), float(m[2, 3]),
                   float(yaw), float(pitch), float(roll))

    def compose(self, other: 'Pose') -> 'Pose':
        """Return the pose `other`, given in this frame, in this pose's parent frame."""
        return Pose.from_matrix(self.matrix @ other.matrix)

    def inverse(self) -> 'Pose':
        """Return the pose of the parent in this frame."""
        return Pose.from_matrix(np.linalg.inv(self.matrix))

    def transform(self, points: ArrayLike) -> Array:
        """Return points of this frame, shape (..., 3), in the parent frame."""
        return np.asarray(points, float) @ self.rotation.T + self.position
