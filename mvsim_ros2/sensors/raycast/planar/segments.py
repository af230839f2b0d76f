# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Bodies: line segments with a bounding circle, static or moving.

Static geometry is divided into bodies of neighbouring segments of similar size, so that those
out of reach are skipped. The moving bodies follow them.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.scene.limbs import shin
from mvsim_ros2.scene.planar import LEG_SIDES

# columns of the array of bodies
CENTRE_X, CENTRE_Y, RADIUS = 0, 1, 2  # bounding circle in the world [m]
SPEED = 3  # upper bound of the speed of any of its points [m/s]
IS_GRID = 4  # 1: part of an occupancy grid
X, Y, COSINE, SINE = 5, 6, 7, 8  # pose
VX, VY, WZ = 9, 10, 11  # body twist
OWN_X, OWN_Y = 12, 13  # centre of the circle in the frame of the body [m]
FARTHEST = 14  # distance from its reference point to its farthest point [m]
Z = 15  # height of its reference point [m]
BALL_Z, BALL_RADIUS = 16, 17  # of a sphere: centre above the reference point, radius, else 0 [m]
IS_RIGID = 18  # 1: its outline stays the same, so that it is placed anew only where it has moved
YAW = 19  # where it was placed [rad]; NaN: not yet
COLUMNS = 20

_SEGMENTS_PER_BODY = 8  # roughly
STEP_REACH = 0.4  # height of a person; where legs can be


def cut(
        segments: Array, is_grid: NDArray[np.bool_],
        ball: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """
    Return the segments in order of bodies, and the first segment of each body.

    A body has the segments with midpoints in the same square cell; long ones have larger cells.
    A sphere is a body of its own.

    :param segments: ends [m], shape (S, 4).
    :param is_grid: whether they belong to an occupancy grid, shape (S,).
    :param ball: number of their sphere, 0 for none, shape (S,).
    :returns: indices of segments, shape (S,), and first segments of B bodies, shape (B + 1,).
    """
    if not len(segments):
        return np.zeros(0, np.int64), np.zeros(1, np.int64)
    a, b = segments[:, :2], segments[:, 2:]
    low, size = segments.reshape(-1, 2).min(axis=0), np.ptp(segments.reshape(-1, 2), axis=0)
    cell = max(float(size.max()) * math.sqrt(_SEGMENTS_PER_BODY / len(segments)), 1e-3)
    level = np.ceil(np.log2(np.maximum(np.abs(b - a).max(axis=1) / cell, 1.0)))
    place = np.floor(((a + b) / 2 - low) / (cell * 2.0 ** level[:, None]))
    keys = np.column_stack([is_grid, level, place, ball])
    keys[ball > 0, 1:4] = 0
    order = np.lexsort(keys.T)
    new = np.any(np.diff(keys[order], axis=0) != 0, axis=1)
    return order, np.concatenate([[0], np.flatnonzero(new) + 1, [len(segments)]])


def table(segments: Array, first: NDArray[np.int64], surfaces: Array,
          is_ball: NDArray[np.bool_]) -> Array:
    """
    Return bodies at rest at the origin, shape (B, COLUMNS); each has a segment or more.

    :param surfaces: heights covered by the segments, see `scene.planar`, shape (S, 3).
    :param is_ball: which bodies are spheres, shape (B,).
    """
    result = np.zeros((len(first) - 1, COLUMNS))
    if not len(result):
        return result
    result[:, YAW] = math.nan
    ends, begin = segments.reshape(-1, 2), 2 * first[:-1]
    centre = (np.minimum.reduceat(ends, begin) + np.maximum.reduceat(ends, begin)) / 2
    result[:, [OWN_X, OWN_Y]] = result[:, [CENTRE_X, CENTRE_Y]] = centre
    away = ends - np.repeat(centre, 2 * np.diff(first), axis=0)
    result[:, RADIUS] = np.maximum.reduceat(np.hypot(*away.T), begin)
    result[:, FARTHEST] = np.maximum.reduceat(np.hypot(*ends.T), begin)
    low, high = surfaces[first[:-1][is_ball], :2].T
    result[is_ball, BALL_Z], result[is_ball, BALL_RADIUS] = (low + high) / 2, (high - low) / 2
    return result


@compiled(counted=False)
def place(
        outlines: Array, poses: Array, heights: Array, twists: Array, still: int,
        first: NDArray[np.int64], bodies: Array, segments: Array) -> None:
    """
    Update the moving bodies, which follow `still` static ones, to their present poses.

    For the parameters see `scan.measure_scans`.
    """
    for i in range(poses.shape[0]):
        body = still + i
        x, y, yaw = poses[i, 0], poses[i, 1], poses[i, 2]
        vx, vy, wz = twists[i, 0], twists[i, 1], twists[i, 2]
        bodies[body, Z] = heights[i]
        bodies[body, VX], bodies[body, VY], bodies[body, WZ] = vx, vy, wz
        bodies[body, SPEED] = math.sqrt(vx * vx + vy * vy) + abs(wz) * bodies[body, FARTHEST]
        if bodies[body, IS_RIGID] != 0.0 and (
                x == bodies[body, X] and y == bodies[body, Y] and yaw == bodies[body, YAW]):
            continue
        cosine, sine = math.cos(yaw), math.sin(yaw)
        bodies[body, X], bodies[body, Y], bodies[body, YAW] = x, y, yaw
        bodies[body, COSINE], bodies[body, SINE] = cosine, sine
        own_x, own_y = bodies[body, OWN_X], bodies[body, OWN_Y]
        bodies[body, CENTRE_X] = x + cosine * own_x - sine * own_y
        bodies[body, CENTRE_Y] = y + sine * own_x + cosine * own_y
        for edge in range(first[body], first[body + 1]):
            own = edge - first[still]
            for end in range(0, 4, 2):
                own_x, own_y = outlines[own, end], outlines[own, end + 1]
                segments[edge, end] = x + cosine * own_x - sine * own_y
                segments[edge, end + 1] = y + sine * own_x + cosine * own_y


@compiled(inlined=True)
def outline_scale(bodies: Array, body: int, height: float) -> float:
    """
    Return the scale of the outline of a body in the plane of a scan.

    It is 1, of a sphere at most 1, and 0 where the plane passes the sphere.

    :param height: of the plane [m]; NaN: everything has its outline.
    """
    level = height - bodies[body, Z]
    if bodies[body, BALL_RADIUS] > 0.0 and level == level:
        off = (level - bodies[body, BALL_Z]) / bodies[body, BALL_RADIUS]
        return math.sqrt(max(0.0, 1.0 - off * off))
    return 1.0


@compiled
def steer(wheels: NDArray[np.void], rows: NDArray[np.int64], first: NDArray[np.int64],
          shapes: Array, gait: Array, people: NDArray[np.int64], sizes: Array, standing: Array,
          outlines: Array) -> None:
    """
    Turn the outlines of wheels as they are steered now, and put legs where they are.

    :param wheels: records of all wheels.
    :param rows: which of them these are, shape (n,).
    :param first: of the four segments of each, shape (n,).
    :param shapes: x, y [m] and toe [rad] in the frame of the body, half the diameter and half the
        width [m], shape (n, 5).
    :param gait: of the figures, see `MoverStates`.
    :param people: number among these, and the first segment of the left leg, shape (p, 2).
    :param sizes: heights of people [m], shape (p,).
    :param standing: `outlines` with people who stand and wheels that are not steered.
    :param outlines: segments of all movers in the frames of their bodies [m], shape (Q, 4), to
        change.
    """
    for k in range(len(rows)):
        x, y, toe, length, width = shapes[k]
        angle = toe + wheels[rows[k]]['steer']
        cosine, sine = math.cos(angle), math.sin(angle)
        for corner in range(4):
            along = length if 0 < corner < 3 else -length
            aside = width if corner > 1 else -width
            at_x, at_y = x + cosine * along - sine * aside, y + sine * along + cosine * aside
            begins, ends = first[k] + corner, first[k] + (corner + 3) % 4
            outlines[begins, 0], outlines[begins, 1] = at_x, at_y
            outlines[ends, 2], outlines[ends, 3] = at_x, at_y
    for k in range(len(people)):
        row, begin = people[k]
        for side in range(2):
            ahead = sizes[k] * shin(side, gait[row, 0], gait[row, 1])
            for edge in range(begin + side * LEG_SIDES, begin + (side + 1) * LEG_SIDES):
                outlines[edge, 0] = standing[edge, 0] + ahead
                outlines[edge, 2] = standing[edge, 2] + ahead
