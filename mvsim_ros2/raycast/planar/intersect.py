# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Intersection of planar rays with bodies.

A body is skipped where it is out of reach, or occluded by hits found already in its directions;
each of its segments is tested only by the rays within its interval of directions. Where rays have
different origins or bodies move during a scan, intervals are widened accordingly.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.raycast.planar.rays import direction
from mvsim_ros2.raycast.planar.rays import moved
from mvsim_ros2.raycast.planar.segments import BALL_RADIUS
from mvsim_ros2.raycast.planar.segments import BALL_Z
from mvsim_ros2.raycast.planar.segments import CENTRE_X
from mvsim_ros2.raycast.planar.segments import CENTRE_Y
from mvsim_ros2.raycast.planar.segments import COSINE
from mvsim_ros2.raycast.planar.segments import IS_GRID
from mvsim_ros2.raycast.planar.segments import RADIUS
from mvsim_ros2.raycast.planar.segments import SINE
from mvsim_ros2.raycast.planar.segments import SPEED
from mvsim_ros2.raycast.planar.segments import VX
from mvsim_ros2.raycast.planar.segments import VY
from mvsim_ros2.raycast.planar.segments import WZ
from mvsim_ros2.raycast.planar.segments import X
from mvsim_ros2.raycast.planar.segments import Y
from mvsim_ros2.raycast.planar.segments import Z
from mvsim_ros2.scene.planar import HIGH
from mvsim_ros2.scene.planar import LOW

Array = NDArray[np.float64]

_CLOSE = 0.25  # fraction of the reach: nearer bodies are tested first
_FEW_RAYS = 32  # this many are tested against all segments of a body
_SLACK = 1e-9  # margin of circles [m] and of intervals of direction, covers rounding
_EDGE_ON = 1e-9  # sine of the angle that a segment subtends at the origin


@compiled(inner=True)
def distance_to_segment(
        ox: float, oy: float, dx: float, dy: float,
        ax: float, ay: float, bx: float, by: float) -> float:
    """
    Return the distance from `o` along the unit vector `d` to the segment from `a` to `b`.

    It is inf without an intersection. The side of an end is computed from that end alone, so
    that two segments with a common end have no gap.
    """
    ax, ay = ax - ox, ay - oy
    bx, by = bx - ox, by - oy
    side_a = dx * ay - dy * ax
    side_b = dx * by - dy * bx
    if side_a * side_b > 0.0:
        return math.inf
    along_a = dx * ax + dy * ay
    along_b = dx * bx + dy * by
    nearer, farther = along_a, along_b
    if along_b < along_a:
        nearer, farther = along_b, along_a
    if side_a == side_b:  # the ray is collinear with the segment
        if nearer <= 0.0 < farther:
            return 0.0
        distance = nearer
    else:
        distance = (ax * by - ay * bx) / (side_b - side_a)
        if distance < nearer:
            distance = nearer
        if distance > farther:
            distance = farther
    return distance if distance >= 0.0 else math.inf


@compiled(inner=True)
def rays_between(
        right: float, left: float, count: int, sorting: NDArray[np.int64]) -> tuple[int, int]:
    """
    Return begin and end, in sorted order, of the rays from the direction `right` to `left`.

    The end is above `count` where the interval contains the direction 0.

    :param sorting: what `rays.sort_rays` filled in.
    """
    # one turn more, so that truncation rounds down
    first = int(0.25 * count * (right - _SLACK + 4.0))
    last = int(0.25 * count * (left + _SLACK + 4.0)) + 1
    if left < right:
        last += count
    if first >= count:
        first -= count
        last -= count
    if last - first >= count:
        return 0, count
    if last <= count:
        return sorting[1, first], sorting[1, last]
    return sorting[1, first], count + sorting[1, last - count]


@compiled(inner=True)
def meet_bodies(
        ignored: int, grids_only: bool, height: float, bodies: Array, first: NDArray[np.int64],
        segments: Array, surfaces: Array, count: int, rays: Array, sorting: NDArray[np.int64],
        limit: float, ranges: Array, edges: NDArray[np.int64]) -> None:
    """
    Fill in the distance to the closest hit of each ray, inf where nothing is in reach.

    :param ignored: number of a body that is ignored, or -1.
    :param grids_only: ignore all but occupancy grids.
    :param height: of the plane of the scan [m]: what does not cover it is ignored, and of a
        sphere it is the circle there that is met. NaN: all is met at any height.
    :param bodies: shape (B, bodies.COLUMNS).
    :param first: index of the first segment of a body, shape (B + 1,).
    :param segments: ends in the world [m], shape (S, 4).
    :param surfaces: heights that they cover, see `scene.planar`, shape (S, 3).
    :param count: number of rays.
    :param rays: shape (N, rays.RAY), the last one at the time of `bodies`.
    :param sorting: what `rays.sort_rays` filled in.
    :param limit: largest distance of interest [m].
    :param ranges: shape (N,).
    :param edges: filled in, index of the segment that is met, shape (N,).
    """
    eye_x, eye_y, sweep = rays[0, 0], rays[0, 1], -rays[0, 4]
    spread = 0.0  # of the origins of the rays [m]
    for i in range(count):
        ranges[i] = math.inf
        if sweep > 0.0:
            away = math.sqrt((rays[i, 0] - eye_x) ** 2 + (rays[i, 1] - eye_y) ** 2)
            if away > spread:
                spread = away
    close, reach = _CLOSE * limit, limit
    for turn in range(2 * bodies.shape[0]):  # first the close ones, which occlude others
        body = turn
        if turn >= bodies.shape[0]:
            body = turn - bodies.shape[0]
            if body == 0:
                reach = 0.0
                for i in range(count):
                    if ranges[i] > reach:
                        reach = ranges[i]
                if reach > limit:
                    reach = limit
        if body == ignored or (grids_only and bodies[body, IS_GRID] == 0.0):
            continue
        level = height - bodies[body, Z]
        shrink = 1.0  # of the outline of a sphere at this height
        if bodies[body, BALL_RADIUS] > 0.0 and level == level:
            off = (level - bodies[body, BALL_Z]) / bodies[body, BALL_RADIUS]
            if abs(off) >= 1.0:
                continue
            shrink = math.sqrt(1.0 - off * off)
        x, y = bodies[body, CENTRE_X] - eye_x, bodies[body, CENTRE_Y] - eye_y
        play = spread + bodies[body, SPEED] * sweep
        radius = bodies[body, RADIUS] + play + _SLACK
        away = math.sqrt(x * x + y * y)
        gap = away - radius
        first_turn = body == turn
        if gap > reach or first_turn != (gap <= close):
            continue
        whole_begin, whole_end = 0, count
        if away > radius:
            whole_begin, whole_end = rays_between(
                direction(x, y, -radius), direction(x, y, radius), count, sorting)
            hidden = True
            for k in range(whole_begin, whole_end):
                if ranges[sorting[0, k if k < count else k - count]] > gap:
                    hidden = False
                    break
            if hidden:
                continue
        moving = sweep > 0.0 and bodies[body, SPEED] > 0.0
        edge, stop = first[body], first[body + 1]
        while edge < stop:
            begin, end, following = whole_begin, whole_end, stop
            if end - begin > _FEW_RAYS and shrink == 1.0:  # then each segment
                following = edge + 1
                if surfaces[edge, LOW] > level or surfaces[edge, HIGH] < level:
                    edge = following
                    continue
                ax, ay = segments[edge, 0] - eye_x, segments[edge, 1] - eye_y
                bx, by = segments[edge, 2] - eye_x, segments[edge, 3] - eye_y
                side = ax * by - ay * bx
                if side < 0.0:
                    ax, ay, bx, by = bx, by, ax, ay
                if abs(side) > (_EDGE_ON * (abs(ax) + abs(ay)) * (abs(bx) + abs(by))
                                + play * (abs(bx - ax) + abs(by - ay))):
                    begin, end = rays_between(
                        direction(ax, ay, -play), direction(bx, by, play), count, sorting)
            for k in range(begin, end):
                i = sorting[0, k if k < count else k - count]
                best = ranges[i]
                if best <= gap:
                    continue
                ox, oy, dx, dy = rays[i, 0], rays[i, 1], rays[i, 2], rays[i, 3]
                if moving and rays[i, 4] != 0.0:
                    # the ray relative to the body at the end of the scan
                    cosine, sine = bodies[body, COSINE], bodies[body, SINE]
                    then_x, then_y, then_cosine, then_sine = moved(
                        bodies[body, X], bodies[body, Y], cosine, sine, bodies[body, VX],
                        bodies[body, VY], bodies[body, WZ], rays[i, 4])
                    turn_cosine = cosine * then_cosine + sine * then_sine
                    turn_sine = sine * then_cosine - cosine * then_sine
                    x, y = ox - then_x, oy - then_y
                    ox = bodies[body, X] + turn_cosine * x - turn_sine * y
                    oy = bodies[body, Y] + turn_sine * x + turn_cosine * y
                    dx, dy = turn_cosine * dx - turn_sine * dy, turn_sine * dx + turn_cosine * dy
                if shrink < 1.0:  # the ray enlarged around the sphere
                    x, y = bodies[body, CENTRE_X], bodies[body, CENTRE_Y]
                    ox, oy = x + (ox - x) / shrink, y + (oy - y) / shrink
                for item in range(edge, following):
                    if surfaces[item, LOW] > level or surfaces[item, HIGH] < level:
                        continue
                    distance = shrink * distance_to_segment(
                        ox, oy, dx, dy, segments[item, 0], segments[item, 1], segments[item, 2],
                        segments[item, 3])
                    if distance < best:
                        best = distance
                        edges[i] = item
                ranges[i] = best
            edge = following
    for i in range(count):
        if ranges[i] > limit:
            ranges[i] = math.inf
