# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Convex polygons: area, its centre, least width, and corners that the engine can hold."""

from functools import lru_cache
import math

from mvsim_ros2.world.spec.common import Point, Polygon

# Twice the area of a corner and its neighbours, over extent and largest coordinate: some
# roundings in single precision, 6e-8 each
_STRAIGHT = 1e-6
_SAME = 1e-6  # m; corners that are nearer are one


@lru_cache(maxsize=4096)
def area(polygon: Polygon) -> float:
    """Return the area of a counter-clockwise polygon [m^2]."""
    return 0.5 * sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(
        polygon, polygon[1:] + polygon[:1], strict=True))


def centroid(polygon: Polygon) -> Point:
    """Return the centre of the area of a polygon [m], as exact wherever it lies."""
    from_x, from_y = polygon[0]
    total = sum_x = sum_y = 0.0
    for (ax, ay), (bx, by) in zip(polygon[1:-1], polygon[2:], strict=True):
        ax, ay, bx, by = ax - from_x, ay - from_y, bx - from_x, by - from_y
        double = ax * by - ay * bx
        total += double
        sum_x += double * (ax + bx)
        sum_y += double * (ay + by)
    return from_x + sum_x / (3.0 * total), from_y + sum_y / (3.0 * total)


def mean_distance(polygon: Polygon, x: float, y: float) -> float:
    """
    Return the mean distance of the points of a convex polygon from a point [m].

    Over the triangle of an edge at the distance d, from s_0 to s_1 along it, the integral is
    ``d (l s + d^2 asinh(s / d)) / 6`` between these, with ``l^2 = d^2 + s^2``.
    """
    total = 0.0
    for (ax, ay), (bx, by) in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        length = math.hypot(bx - ax, by - ay)
        if length == 0.0:
            continue
        ux, uy = (bx - ax) / length, (by - ay) / length
        d = (ax - x) * uy - (ay - y) * ux  # above 0 where the point is inside
        if d == 0.0:
            continue
        for sign, s in ((-1.0, (ax - x) * ux + (ay - y) * uy),
                        (1.0, (bx - x) * ux + (by - y) * uy)):
            total += sign * d * (math.hypot(d, s) * s + d * d * math.asinh(s / abs(d))) / 6.0
    return abs(total / area(polygon))


@lru_cache(maxsize=4096)
def sound(polygon: Polygon, farthest: float = 0.0) -> Polygon:
    """
    Return a convex polygon without corners that are straight in single precision.

    The engine computes its own hull of the corners. If rounding makes a straight corner concave,
    it never ends, or writes outside of its memory.

    :param farthest: its largest coordinate wherever it will be placed [m].
    :returns: counter-clockwise; empty where nothing with an area is left.
    """
    corners = list(polygon if area(polygon) > 0.0 else polygon[::-1])
    xs, ys = zip(*corners, strict=True)
    extent = max(max(xs) - min(xs), max(ys) - min(ys))
    straight = _STRAIGHT * extent * max(farthest, *map(abs, xs + ys))
    while len(corners) > 2:
        heights = {}  # over the line through the neighbours, of the corners that cannot stay
        for i, (bx, by) in enumerate(corners):
            (ax, ay), (cx, cy) = corners[i - 1], corners[(i + 1) % len(corners)]
            bend = (bx - ax) * (cy - by) - (by - ay) * (cx - bx)
            if bend <= straight or math.hypot(cx - bx, cy - by) <= _SAME:
                heights[i] = bend / max(math.hypot(cx - ax, cy - ay), _SAME)
        if not heights:
            return tuple(corners)
        del corners[min(heights, key=heights.__getitem__)]
    return ()


@lru_cache(maxsize=4096)
def thickness(polygon: Polygon) -> float:
    """Return the least width of a convex polygon [m]."""
    widths = []
    for (ax, ay), (bx, by) in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        length = math.hypot(bx - ax, by - ay)
        if length > 0.0:
            widths.append(max(abs((bx - ax) * (y - ay) - (by - ay) * (x - ax))
                              for x, y in polygon) / length)
    return min(widths, default=0.0)
