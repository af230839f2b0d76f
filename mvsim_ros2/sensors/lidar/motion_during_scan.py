# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Where a sensor is during a sweep."""

from functools import lru_cache
import math
from typing import NamedTuple

import numpy as np

from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.scene.poses import rotate
from mvsim_ros2.sensors.body_state import BodyState


class SweepPath(NamedTuple):
    """
    Pose of a sensor as a function of the time until the end of its sweep.

    The sweep has pieces, youngest first. In each, the matrix of the pose is linear in 1, the time,
    and sine and cosine of an angle. Kernels compute it.
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
    mounted = mount.position, _rotation(mount), origin
    if known is None:
        path = path_of(1)
        keep_turning(state.pose, state.motion.velocity, state.motion.rate, *mounted, *path)
        return path
    path = path_of(len(known[0]) - 1)
    follow(*known, *mounted, *path)
    return path


def path_of(pieces: int) -> SweepPath:
    """Return a path of so many pieces, to be filled in."""
    return SweepPath(np.zeros(pieces), np.empty((pieces, 3, 3, 3)), np.empty((pieces, 4, 3)),
                     np.empty(pieces))


@compiled
def keep_turning(
        pose: Array, velocity: Array, rates: Array, arm: Array, mounted: Array, origin: Array,
        age: Array, rotation: Array, place: Array, rate: Array) -> None:
    """
    Fill in the path of a sensor whose carrier keeps its velocity and rate in its own axes.

    :param pose: of the carrier at the end, shape (6,).
    :param velocity: in the world [m/s], shape (3,).
    :param rates: in its own axes [rad/s], shape (3,).
    :param arm: place of the sensor on the carrier [m], shape (3,).
    :param mounted: rotation of the sensor on it, shape (3, 3).
    :param origin: of the frame of the result, in the world [m], shape (3,).
    :param age: filled in, as the others: see `SweepPath`.
    """
    turn, factors, ahead = np.empty((3, 3)), np.empty((3, 3, 3)), np.empty(3)
    rotate(pose[3], pose[4], pose[5], turn)
    age[0] = 0.0
    rate[0] = _turn_evenly(turn, rates[0], rates[1], rates[2], arm, mounted, factors, rotation[0],
                           place[0])
    per_rate = 1.0 / rate[0] if rate[0] > 0.0 else 0.0
    for i in range(3):
        ahead[i] = (turn[0, i] * velocity[0] + turn[1, i] * velocity[1]
                    + turn[2, i] * velocity[2])
    for i in range(3):
        place[0, 0, i] += pose[i] - origin[i]
        along, aside, back = _times(factors[0], i, ahead), _times(factors[1], i, ahead), _times(
            factors[2], i, ahead)
        place[0, 1, i] = along + back
        place[0, 2, i] += per_rate * back
        place[0, 3, i] += per_rate * aside


@compiled
def follow(
        ages: Array, poses: Array, arm: Array, mounted: Array, origin: Array, age: Array,
        rotation: Array, place: Array, rate: Array) -> None:
    """
    Fill in the path of a sensor whose carrier was at known places.

    :param ages: s before the end, from 0, shape (S + 1,).
    :param poses: of the carrier then, shape (S + 1, 6); for the others see `keep_turning`.
    """
    turn, before, factors = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3, 3))
    rotate(poses[0, 3], poses[0, 4], poses[0, 5], turn)
    for piece in range(len(age)):
        span = ages[piece + 1] - ages[piece]
        rotate(poses[piece + 1, 3], poses[piece + 1, 4], poses[piece + 1, 5], before)
        x, y, z = rotation_vector(before, turn)
        age[piece] = ages[piece]
        rate[piece] = _turn_evenly(turn, x / span, y / span, z / span, arm, mounted, factors,
                                   rotation[piece], place[piece])
        for i in range(3):
            place[piece, 0, i] += poses[piece, i] - origin[i]
            place[piece, 1, i] = (poses[piece, i] - poses[piece + 1, i]) / span
        for i in range(3):
            for j in range(3):
                turn[i, j] = before[i, j]


@compiled
def planar_path(ages: Array, poses: Array, increment: float, path: Array) -> None:
    """
    Fill in where a carrier was in plan at the times of rays; between the steps it moves straight.

    :param ages: see `follow`, as `poses`; the time from ray to ray is in s.
    :param path: filled in: x, y [m], cosine and sine of yaw, shape (R, 4).
    """
    count, piece, pieces = len(path), -1, len(ages) - 1
    young = older = poses[0, 3]  # yaw where the piece begins and ends, without leaps
    leaps = x = y = turn = 0.0  # whole turns until then; change in each second
    for n in range(count):
        age = increment * n
        while piece < pieces and (piece < 0 or ages[piece + 1] <= age):
            piece += 1
            young = older
            if piece < pieces:
                span = ages[piece + 1] - ages[piece]
                way = poses[piece + 1, 3] - poses[piece, 3]
                if abs(way) >= math.pi:
                    leaps += (way + math.pi) % (2.0 * math.pi) - math.pi - way
                older = poses[piece + 1, 3] + leaps
                x = (poses[piece + 1, 0] - poses[piece, 0]) / span
                y = (poses[piece + 1, 1] - poses[piece, 1]) / span
                turn = (older - young) / span
            else:
                x = y = turn = 0.0
        since = age - ages[piece]
        ray = count - 1 - n
        path[ray, 0] = x * since + poses[piece, 0]
        path[ray, 1] = y * since + poses[piece, 1]
        yaw = turn * since + young
        path[ray, 2], path[ray, 3] = math.cos(yaw), math.sin(yaw)


@compiled
def _turn_evenly(
        turn: Array, wx: float, wy: float, wz: float, arm: Array, mounted: Array, factors: Array,
        rotation: Array, place: Array) -> float:
    """
    Fill in a piece of the path for a carrier at the origin that only turns; return its rate.

    :param turn: its rotation at the end; rates are in its own axes [rad/s].
    :param factors: filled in: of its rotation, as those of `rotation` of the sensor's.
    """
    rate = math.sqrt(wx * wx + wy * wy + wz * wz)
    if rate < 1e-12:
        rate, wx, wy, wz = 0.0, 0.0, 0.0, 0.0
    else:
        wx, wy, wz = wx / rate, wy / rate, wz / rate
    for k in range(3):
        for i in range(3):
            if k == 0:
                x, y, z = turn[i, 0], turn[i, 1], turn[i, 2]
            else:  # times the cross product with the axis
                a, b, c = factors[k - 1, i, 0], factors[k - 1, i, 1], factors[k - 1, i, 2]
                x, y, z = b * wz - c * wy, c * wx - a * wz, a * wy - b * wx
            factors[k, i, 0], factors[k, i, 1], factors[k, i, 2] = x, y, z
            for j in range(3):
                rotation[k, i, j] = x * mounted[0, j] + y * mounted[1, j] + z * mounted[2, j]
    for i in range(3):
        place[0, i] = _times(factors[0], i, arm)
        place[1, i] = 0.0
        place[2, i] = -_times(factors[1], i, arm)
        place[3, i] = _times(factors[2], i, arm)
    return rate


@compiled
def _times(matrix: Array, i: int, vector: Array) -> float:
    """Return a component of a matrix times a vector."""
    return (matrix[i, 0] * vector[0] + matrix[i, 1] * vector[1]  # type: ignore[no-any-return]
            + matrix[i, 2] * vector[2])


@compiled
def rotation_vector(before: Array, after: Array) -> tuple[float, float, float]:
    """Return the turn between rotations (3, 3) in body axes, less than half a turn [rad]."""
    x = y = z = trace = 0.0
    for k in range(3):
        x += before[k, 2] * after[k, 1] - before[k, 1] * after[k, 2]
        y += before[k, 0] * after[k, 2] - before[k, 2] * after[k, 0]
        z += before[k, 1] * after[k, 0] - before[k, 0] * after[k, 1]
        trace += before[k, 0] * after[k, 0] + before[k, 1] * after[k, 1] + (
            before[k, 2] * after[k, 2])
    sine = 0.5 * math.sqrt(x * x + y * y + z * z)
    angle = math.atan2(sine, 0.5 * (trace - 1.0))
    share = 0.5 * (angle / sine if sine > 0.0 else 1.0)
    return share * x, share * y, share * z


@lru_cache(maxsize=256)
def _rotation(mount: Pose) -> Array:
    """Return the rotation of a sensor on its carrier, which is the same in all its scans."""
    return mount.rotation
