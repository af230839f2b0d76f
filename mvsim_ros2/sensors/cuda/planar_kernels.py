# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Planar scans on the card, in double precision.

The arithmetic is that of `raycast.planar`: a ray meets a segment by the same function, so that
ranges agree to rounding. Each ray is tested against all segments of the bodies within its reach.
"""

import math
from typing import Any

from numba import cuda
import numpy as np

from mvsim_ros2.scene.planar import HIGH, LOW
from mvsim_ros2.sensors.cuda.card import kernel, on_card, part
from mvsim_ros2.sensors.raycast.planar.intersect import distance_to_segment
from mvsim_ros2.sensors.raycast.planar.rays import (
    ANGLE_NOISE, GRIDS_ONLY, HEIGHT, IGNORED, MAX_RANGE, MIN_RANGE, MOUNT_X, MOUNT_Y, RANGE_NOISE,
    X, Y, YAW)
from mvsim_ros2.sensors.raycast.planar.segments import (
    BALL_RADIUS, BALL_Z, CENTRE_X, CENTRE_Y, IS_GRID, OWN_X, OWN_Y, RADIUS, Z)

_SLACK = 1e-9  # margin of circles [m], covers rounding
MOST = 512  # threads of a block
# columns of the spans of a world: first and last of its segments at rest, of those that move, and
# the first of the bodies that move
STILL, STILL_END, MOVER, MOVER_END, FIRST_MOVER = range(5)

_meet = on_card(distance_to_segment)


@kernel
def place(poses: Any, heights: Any, still: int, outlines: Any, first: Any, bodies: Any,
          segments: Any) -> None:
    """
    Put the bodies that move where they are, as `segments.place`.

    :param poses: x, y, yaw of those of all worlds, shape (M, 3).
    :param heights: shape (M,) [m].
    :param still: number of bodies that rest, before them.
    :param outlines: their segments in the frame of each, shape (Q, 4).
    :param first: first segment of each body, shape (B + 1,).
    """
    i = cuda.grid(1)
    if i >= poses.shape[0]:
        return
    body = still + i
    x, y = poses[i, 0], poses[i, 1]
    cosine, sine = math.cos(poses[i, 2]), math.sin(poses[i, 2])
    own_x, own_y = bodies[body, OWN_X], bodies[body, OWN_Y]
    bodies[body, Z] = heights[i]
    bodies[body, CENTRE_X] = x + cosine * own_x - sine * own_y
    bodies[body, CENTRE_Y] = y + sine * own_x + cosine * own_y
    for edge in range(first[body], first[body + 1]):
        own = edge - first[still]
        for end in range(0, 4, 2):
            own_x, own_y = outlines[own, end], outlines[own, end + 1]
            segments[edge, end] = x + cosine * own_x - sine * own_y
            segments[edge, end + 1] = y + sine * own_x + cosine * own_y


@part
def _seen(bodies: Any, body: Any, ignored: Any, grids_only: Any, height: Any, eye_x: Any,
          eye_y: Any, farthest: Any) -> Any:
    """Return the scale of the outline of a body in the plane of a scan: 1, less of a ball, 0."""
    x, y = bodies[body, CENTRE_X] - eye_x, bodies[body, CENTRE_Y] - eye_y
    reach = farthest + bodies[body, RADIUS] + _SLACK
    if ignored or grids_only and bodies[body, IS_GRID] == 0.0 or x * x + y * y > reach * reach:
        return 0.0
    level = height - bodies[body, Z]
    if bodies[body, BALL_RADIUS] > 0.0 and level == level:
        off = (level - bodies[body, BALL_Z]) / bodies[body, BALL_RADIUS]
        return math.sqrt(max(0.0, 1.0 - off * off))
    return 1.0


@kernel
def scan(rows: Any, scans: Any, worlds: Any, spans: Any, headings: Any, lines: Any,
         angle_normals: Any, range_normals: Any, bodies: Any, body_of: Any, segments: Any,
         surfaces: Any, ranges: Any) -> None:
    """
    Write the ranges of some scans [m]; a block has rays of one, each thread one ray.

    The segments within reach are gathered in memory that the block shares, one of each thread
    at a time, and then all rays are tested against these. What is nearer than a LiDAR measures
    reads as 0, and what is farther, or nothing, as its largest range.

    :param rows: numbers of the scans.
    :param scans: shape (K, rays.COLUMNS); all rays measure at once.
    :param worlds: of each scan, shape (K,).
    :param spans: segments of each world, shape (W, 5).
    :param headings: unit vectors of rays in the vehicle frame, shape (H, N, 2).
    :param lines: number of the headings of each scan, shape (K,).
    :param angle_normals: standard normal numbers, shape (K, N), as `range_normals`.
    :param body_of: number of the body of each segment, shape (S,).
    :param ranges: filled in, shape (K, N).
    """
    near = cuda.shared.array((MOST, 4), np.float64)  # segments about the eye
    count = cuda.shared.array(1, np.int32)
    k, thread = rows[cuda.blockIdx.x], cuda.threadIdx.x
    world = worlds[k]
    i = cuda.blockIdx.y * cuda.blockDim.x + thread
    is_ray = i < ranges.shape[1]
    height, farthest = scans[k, HEIGHT], scans[k, MAX_RANGE]
    ignored = -1
    if scans[k, IGNORED] >= 0.0:
        ignored = spans[world, FIRST_MOVER] + int(scans[k, IGNORED])
    cosine, sine = math.cos(scans[k, YAW]), math.sin(scans[k, YAW])
    eye_x = scans[k, X] + cosine * scans[k, MOUNT_X] - sine * scans[k, MOUNT_Y]
    eye_y = scans[k, Y] + sine * scans[k, MOUNT_X] + cosine * scans[k, MOUNT_Y]
    dx, dy, best = 1.0, 0.0, math.inf
    if is_ray:
        hx, hy = headings[lines[k], i, 0], headings[lines[k], i, 1]
        noise = scans[k, ANGLE_NOISE]
        if noise > 0.0:
            turn_cosine = math.cos(noise * angle_normals[k, i])
            turn_sine = math.sin(noise * angle_normals[k, i])
            hx, hy = turn_cosine * hx - turn_sine * hy, turn_sine * hx + turn_cosine * hy
        dx, dy = cosine * hx - sine * hy, sine * hx + cosine * hy
    for of in range(STILL, MOVER_END, 2):
        for begin in range(spans[world, of], spans[world, of + 1], cuda.blockDim.x):
            if thread == 0:
                count[0] = 0
            cuda.syncthreads()
            edge = begin + thread
            if edge < spans[world, of + 1]:
                body = body_of[edge]
                shrink = _seen(bodies, body, body == ignored, scans[k, GRIDS_ONLY] != 0.0,
                               height, eye_x, eye_y, farthest)
                level = height - bodies[body, Z]
                if shrink > 0.0 and not (
                        surfaces[edge, LOW] > level or surfaces[edge, HIGH] < level):
                    place = cuda.atomic.add(count, 0, 1)
                    x, y = bodies[body, CENTRE_X], bodies[body, CENTRE_Y]
                    for end in range(0, 4, 2):
                        far_x, far_y = segments[edge, end], segments[edge, end + 1]
                        if shrink < 1.0:
                            far_x, far_y = x + shrink * (far_x - x), y + shrink * (far_y - y)
                        near[place, end], near[place, end + 1] = far_x - eye_x, far_y - eye_y
            cuda.syncthreads()
            if is_ray:
                for n in range(count[0]):
                    best = min(best, _meet(
                        0.0, 0.0, dx, dy, near[n, 0], near[n, 1], near[n, 2], near[n, 3]))
            cuda.syncthreads()
    if is_ray:
        if best <= farthest and scans[k, RANGE_NOISE] > 0.0:
            best += scans[k, RANGE_NOISE] * range_normals[k, i]
        ranges[k, i] = 0.0 if best < scans[k, MIN_RANGE] else min(best, farthest)
