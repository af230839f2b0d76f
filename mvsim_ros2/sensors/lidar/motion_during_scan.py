# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Where a sensor is during a sweep."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Pose
from mvsim_ros2.frames import rotation_matrix
from mvsim_ros2.sensors.body_state import BodyState

Array = NDArray[np.float64]


class SweepPath(NamedTuple):
    """
    Pose of a sensor as a function of the time until the end of its sweep.

    The sweep has pieces, youngest first, in each of which the matrix of the pose is linear in
    1, the time, and sine and cosine of an angle. Kernels compute it.
    """

    age: Array  # (S,): end of each piece, in s before the end of the sweep
    rotation: Array  # (S, 3, 3, 3): factors of 1, -sin and 1 - cos
    place: Array  # (S, 4, 3): factors of 1, -time, sin and 1 - cos [m]
    rate: Array  # (S,): rad/s


def sweep_path(mount: Pose, state: BodyState, origin: Array, span: float) -> SweepPath:
    """
    Return the path of a sensor.

    The carrier moves straight and turns evenly between the steps. Where its past is not known
    it has kept its velocity and rate in its own axes: the pose is the exponential of the twist.

    :param mount: pose of the sensor on its carrier.
    :param state: state of the carrier at the end of the sweep.
    :param origin: of the frame of the result, in the world [m].
    :param span: time of the sweep [s].
    """
    known = state.path(span) if span > 0.0 else None
    if known is None:
        motion = state.motion
        turn = rotation_matrix(*state.pose[3:])[np.newaxis]
        pieces = _pieces(mount, turn, motion.rate[np.newaxis], state.pose[:3] - origin)
        velocity = pieces[0] @ (motion.velocity @ turn[0])
        rate = pieces[2][0]
        per_rate = 1.0 / rate if rate > 0.0 else 0.0
        place = pieces[1]
        place[:, 1] = velocity[:, 0] + velocity[:, 2]
        place[:, 2] += per_rate * velocity[:, 2]
        place[:, 3] += per_rate * velocity[:, 1]
        return SweepPath(np.zeros(1), pieces[0] @ _rotation(mount), place, pieces[2])
    ages, poses = known
    time = np.diff(ages)[:, np.newaxis]
    turns = rotation_matrix(*poses[:, 3:].T)
    factors, place, rate = _pieces(
        mount, turns[:-1], _rotation_vectors(np.swapaxes(turns[1:], 1, 2) @ turns[:-1]) / time,
        poses[:-1, :3] - origin)
    place[:, 1] = (poses[:-1, :3] - poses[1:, :3]) / time
    return SweepPath(ages[:-1].copy(), factors @ _rotation(mount), place, rate)


def _pieces(mount: Pose, turns: Array, rates: Array,
            places: Array) -> tuple[Array, Array, Array]:
    """
    Return factors of the carrier's rotation, those of the sensor's place, and rates.

    :param turns: rotations of the carrier, shape (S, 3, 3).
    :param rates: in its own axes [rad/s], shape (S, 3).
    :param places: of the carrier, which does not move but for its turn, shape (S, 3) or (3,).
    """
    rate = np.sqrt(np.sum(rates * rates, axis=1))
    rate[rate < 1e-12] = 0.0
    x, y, z = (rates / np.where(rate > 0.0, rate, np.inf)[:, np.newaxis]).T
    zero = np.zeros_like(x)
    axis = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=1).reshape(-1, 3, 3)
    factors = np.empty((len(turns), 3, 3, 3))
    factors[:, 0] = turns
    np.matmul(turns, axis, out=factors[:, 1])
    np.matmul(factors[:, 1], axis, out=factors[:, 2])
    arm = factors @ mount.position
    place = np.empty((len(turns), 4, 3))
    place[:, 0] = places + arm[:, 0]
    place[:, 1] = 0.0
    place[:, 2] = -arm[:, 1]
    place[:, 3] = arm[:, 2]
    return factors, place, rate


def _rotation_vectors(rotations: Array) -> Array:
    """Return rotation vectors of less than half a turn, shape (S, 3) [rad]."""
    twice = np.stack([rotations[:, 2, 1] - rotations[:, 1, 2],
                      rotations[:, 0, 2] - rotations[:, 2, 0],
                      rotations[:, 1, 0] - rotations[:, 0, 1]], axis=1)
    sine = 0.5 * np.sqrt(np.sum(twice * twice, axis=1))
    angle = np.arctan2(sine, 0.5 * (np.trace(rotations, axis1=1, axis2=2) - 1.0))
    share = np.where(sine > 0.0, angle / np.where(sine > 0.0, sine, 1.0), 1.0)
    result: Array = 0.5 * share[:, np.newaxis] * twice
    return result


@lru_cache(maxsize=256)
def _rotation(mount: Pose) -> Array:
    """Return the rotation of a sensor on its carrier, which is the same in all its scans."""
    return mount.rotation
