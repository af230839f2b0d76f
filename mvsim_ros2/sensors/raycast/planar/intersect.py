# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Intersection of planar rays with bodies.

The kernel skips a body that is out of reach or occluded by earlier hits. It tests each segment
only with the rays in its interval of directions. Where rays have different origins or bodies move
during a scan, intervals are widened accordingly.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.scene.planar import HIGH, LOW
from mvsim_ros2.sensors.raycast.planar.rays import (
    ALONG_X, ALONG_Y, direction, EYE_X, EYE_Y, moved, NEAR, TIME)
from mvsim_ros2.sensors.raycast.planar.segments import (
    CENTRE_X, CENTRE_Y, COSINE, IS_GRID, outline_scale, RADIUS, SINE, SPEED, VX, VY, WZ, X, Y, Z)

_CLOSE = 0.25  # fraction of the reach: nearer bodies are tested first
_FEW_RAYS = 16  # this many are tested one by one against all segments of a body
_SLACK = 1e-9  # margin of circles [m] and of intervals of direction, covers rounding
_EDGE_ON = 1e-9  # sine of the angle that a segment subtends at the origin


@compiled(counted=False)
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


@compiled(counted=False)
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


@compiled(counted=False)
def meet_segment(
        begin: int, end: int, segments: Array, edge: int, lanes: Array,
        edges: NDArray[np.int64]) -> None:
    """
    Test rays that follow each other against a segment: `distance_to_segment`, without branches.

    So rays are computed side by side in the registers of the processor.

    :param begin: of the rays in `lanes`, up to `end`.
    :param lanes: rays side by side, see `rays.sort_rays`; nearer hits are filled in.
    :param edges: filled in, the segment of the closest hit of each, shape (N,).
    """
    eye_x, eye_y = lanes[EYE_X, begin:end], lanes[EYE_Y, begin:end]
    along_x, along_y = lanes[ALONG_X, begin:end], lanes[ALONG_Y, begin:end]
    near, met = lanes[NEAR, begin:end], edges[begin:end]
    from_x, from_y, to_x, to_y = (
        segments[edge, 0], segments[edge, 1], segments[edge, 2], segments[edge, 3])
    for k in range(end - begin):
        dx, dy = along_x[k], along_y[k]
        ax, ay = from_x - eye_x[k], from_y - eye_y[k]
        bx, by = to_x - eye_x[k], to_y - eye_y[k]
        side_a = dx * ay - dy * ax
        side_b = dx * by - dy * bx
        along_a = dx * ax + dy * ay
        along_b = dx * bx + dy * by
        nearer = along_b if along_b < along_a else along_a
        farther = along_a if along_b < along_a else along_b
        distance = (ax * by - ay * bx) / (side_b - side_a)
        distance = nearer if distance < nearer else distance
        distance = farther if distance > farther else distance
        collinear = 0.0 if nearer <= 0.0 and 0.0 < farther else nearer
        distance = collinear if side_a == side_b else distance
        distance = math.inf if side_a * side_b > 0.0 or distance < 0.0 else distance
        closer = distance < near[k]
        met[k] = edge if closer else met[k]
        near[k] = distance if closer else near[k]


@compiled(counted=False)
def meet_one_by_one(
        begin: int, end: int, count: int, body: Array, shrink: float, level: float, gap: float,
        segments: Array, surfaces: Array, first: int, last: int, lanes: Array,
        edges: NDArray[np.int64]) -> None:
    """
    Test rays against segments of a body, which may move during the scan, or of a sphere.

    :param begin: of the rays in `lanes`, up to `end`, which may be above `count`.
    :param body: a row of `bodies`.
    :param shrink: of the outline of a sphere at the height of the rays, 1 of other things.
    :param gap: no part of the body is nearer [m].
    :param first: segment, up to `last`.
    """
    cosine, sine = body[COSINE], body[SINE]
    for each in range(begin, end):
        k = each if each < count else each - count
        best = lanes[NEAR, k]
        if best <= gap:
            continue
        ox, oy, dx, dy = lanes[EYE_X, k], lanes[EYE_Y, k], lanes[ALONG_X, k], lanes[ALONG_Y, k]
        if body[SPEED] > 0.0 and lanes[TIME, k] != 0.0:
            # the ray relative to the body at the end of the scan
            then_x, then_y, then_cosine, then_sine = moved(
                body[X], body[Y], cosine, sine, body[VX], body[VY], body[WZ], lanes[TIME, k])
            turn_cosine = cosine * then_cosine + sine * then_sine
            turn_sine = sine * then_cosine - cosine * then_sine
            x, y = ox - then_x, oy - then_y
            ox = body[X] + turn_cosine * x - turn_sine * y
            oy = body[Y] + turn_sine * x + turn_cosine * y
            dx, dy = turn_cosine * dx - turn_sine * dy, turn_sine * dx + turn_cosine * dy
        if shrink < 1.0:  # the ray enlarged around the sphere
            x, y = body[CENTRE_X], body[CENTRE_Y]
            ox, oy = x + (ox - x) / shrink, y + (oy - y) / shrink
        for edge in range(first, last):
            if surfaces[edge, LOW] > level or surfaces[edge, HIGH] < level:
                continue
            distance = shrink * distance_to_segment(
                ox, oy, dx, dy, segments[edge, 0], segments[edge, 1], segments[edge, 2],
                segments[edge, 3])
            if distance < best:
                best = distance
                edges[k] = edge
        lanes[NEAR, k] = best


@compiled(counted=False)
def meet_bodies(
        ignored: int, grids_only: bool, height: float, bodies: Array, first: NDArray[np.int64],
        segments: Array, surfaces: Array, count: int, rays: Array, sorting: NDArray[np.int64],
        lanes: Array, limit: float) -> None:
    """
    Find the closest hit of each ray; for the bodies see `scan.measure_scans`.

    :param ignored: number of a body that is ignored, or -1.
    :param grids_only: ignore all but occupancy grids.
    :param height: height of the plane of the scan [m]. Shapes that do not reach it are ignored; a
        sphere has its circle there. NaN: all is met at any height.
    :param rays: shape (rays.RAY, N), the last one at the time of `bodies`.
    :param sorting: what `rays.sort_rays` filled in; in row 2 segments that are met are filled in,
        of any number where there is none.
    :param lanes: what it filled in; in row `rays.NEAR` distances of the hits are filled in, inf or
        above `limit` where nothing is in reach [m].
    :param limit: largest distance of interest [m].
    """
    eye_x, eye_y, sweep = rays[EYE_X, 0], rays[EYE_Y, 0], -rays[TIME, 0]
    spread = 0.0  # of the origins of the rays [m]
    met = sorting[2]
    for i in range(count):
        lanes[NEAR, i], met[i] = math.inf, 0
        if sweep > 0.0:
            away = math.sqrt((rays[EYE_X, i] - eye_x) ** 2 + (rays[EYE_Y, i] - eye_y) ** 2)
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
                    if lanes[NEAR, i] > reach:
                        reach = lanes[NEAR, i]
                if reach > limit:
                    reach = limit
        if body == ignored or (grids_only and bodies[body, IS_GRID] == 0.0):
            continue
        level = height - bodies[body, Z]
        shrink = outline_scale(bodies, body, height)
        if shrink == 0.0:
            continue
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
                if lanes[NEAR, k if k < count else k - count] > gap:
                    hidden = False
                    break
            if hidden:
                continue
        whole = shrink < 1.0 or whole_end - whole_begin <= _FEW_RAYS
        one_by_one = whole or sweep > 0.0 and bodies[body, SPEED] > 0.0
        edge, stop = first[body], first[body + 1]
        while edge < stop:
            begin, end, following = whole_begin, whole_end, edge + 1
            if whole:
                following = stop
            elif surfaces[edge, LOW] > level or surfaces[edge, HIGH] < level:
                edge = following
                continue
            else:  # only those in the directions of the segment
                ax, ay = segments[edge, 0] - eye_x, segments[edge, 1] - eye_y
                bx, by = segments[edge, 2] - eye_x, segments[edge, 3] - eye_y
                side = ax * by - ay * bx
                if side < 0.0:
                    ax, ay, bx, by = bx, by, ax, ay
                if abs(side) > (_EDGE_ON * (abs(ax) + abs(ay)) * (abs(bx) + abs(by))
                                + play * (abs(bx - ax) + abs(by - ay))):
                    begin, end = rays_between(
                        direction(ax, ay, -play), direction(bx, by, play), count, sorting)
            if one_by_one:
                meet_one_by_one(begin, end, count, bodies[body], shrink, level, gap, segments,
                                surfaces, edge, following, lanes, met)
            else:
                meet_segment(begin, min(end, count), segments, edge, lanes, met)
                if end > count:
                    meet_segment(0, end - count, segments, edge, lanes, met)
            edge = following
