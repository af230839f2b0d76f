# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Whether a body touches another one, or is about to."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.engine.collision_heights import apart, Heights, row_of

Polygon = NDArray[np.float32]
Placement = NDArray[np.float32]


@compiled(inlined=True)
def _seen_from(base: Placement, other: Placement) -> tuple[float, float, float, float]:
    """Return x, y, sine and cosine of `other` in the frame of `base`, both as those."""
    sine, cosine = float(base[2]), float(base[3])
    x, y = float(other[0]) - float(base[0]), float(other[1]) - float(base[1])
    return (cosine * x + sine * y, cosine * y - sine * x,
            cosine * float(other[2]) - sine * float(other[3]),
            cosine * float(other[3]) + sine * float(other[2]))


@compiled(inlined=True)
def _separation(polygon: Polygon, other: Polygon, x: float, y: float, sine: float,
                cosine: float, enough: float) -> float:
    """
    Return how far `other`, placed there, lies outside the outermost edge line of `polygon`.

    A lower bound of their distance; stops at an edge line that it lies `enough` outside of.
    """
    outside = -math.inf
    count = len(polygon)
    for i in range(count):
        px, py = float(polygon[i, 0]), float(polygon[i, 1])
        end = i + 1 if i + 1 < count else 0
        ex, ey = float(polygon[end, 0]) - px, float(polygon[end, 1]) - py
        length = math.sqrt(ex * ex + ey * ey)
        nearest = math.inf
        for k in range(len(other)):
            vx, vy = float(other[k, 0]), float(other[k, 1])
            dx = x + cosine * vx - sine * vy - px
            dy = y + sine * vx + cosine * vy - py
            nearest = min(nearest, ey * dx - ex * dy)
        outside = max(outside, nearest / length)
        if outside >= enough:
            return outside
    return outside


@compiled(inlined=True)
def _least_square(polygon: Polygon, other: Polygon, x: float, y: float, sine: float,
                  cosine: float) -> float:
    """Return the least squared distance of a corner of `other` and an edge of `polygon`."""
    least = math.inf
    count = len(polygon)
    for i in range(count):
        px, py = float(polygon[i, 0]), float(polygon[i, 1])
        end = i + 1 if i + 1 < count else 0
        ex, ey = float(polygon[end, 0]) - px, float(polygon[end, 1]) - py
        square = ex * ex + ey * ey
        for k in range(len(other)):
            vx, vy = float(other[k, 0]), float(other[k, 1])
            dx = x + cosine * vx - sine * vy - px
            dy = y + sine * vx + cosine * vy - py
            share = min(1.0, max(0.0, (dx * ex + dy * ey) / square))
            dx, dy = dx - share * ex, dy - share * ey
            least = min(least, dx * dx + dy * dy)
    return least


@compiled
def is_nearer(first: Polygon, first_at: Placement, second: Polygon, second_at: Placement,
              limit: float) -> bool:
    """
    Return whether two convex polygons overlap or are nearer than `limit`.

    :param first: corners in its frame, counter-clockwise, shape (n, 2) [m].
    :param first_at: x, y, sine, cosine of its frame.
    :param limit: above 0 [m].
    """
    x, y, sine, cosine = _seen_from(first_at, second_at)
    back_x, back_y, back_sine, back_cosine = _seen_from(second_at, first_at)
    one = _separation(first, second, x, y, sine, cosine, limit)
    if one >= limit:
        return False
    other = _separation(second, first, back_x, back_y, back_sine, back_cosine, limit)
    if other >= limit:
        return False
    if max(one, other) <= 0.0:
        return True
    return min(_least_square(first, second, x, y, sine, cosine),
               _least_square(second, first, back_x, back_y, back_sine, back_cosine),
               ) < limit * limit


def is_near_another(body: Any, threshold: float, heights: Heights | None) -> bool:
    """
    Return whether a fixture of `body` touches one of another body or is nearer than this.

    :param threshold: distance of the skins [m].
    :param heights: None where all bodies overlap in height.
    """
    for edge in body.contacts:
        contact = edge.contact
        first, second = contact.fixtureA, contact.fixtureB
        if heights is not None and apart(heights.table, row_of(first), row_of(second)):
            continue
        if contact.touching:
            return True
        if threshold > 0.0 and is_nearer(
                *_polygon(first), *_polygon(second),
                threshold + first.shape.radius + second.shape.radius):
            return True
    return False


def contact_partners(body: Any) -> list[tuple[str, float, float]]:
    """Return the names of what touches `body`, each with a point of contact in the world [m]."""
    return [(_name_of(edge), point[0], point[1]) for edge in body.contacts if _pushes(edge.contact)
            for point in edge.contact.worldManifold.points[:edge.contact.manifold.pointCount]]


def _pushes(contact: Any) -> bool:
    """Return whether two things touch that are not apart in height."""
    return bool(contact.touching and contact.enabled)


def _name_of(edge: Any) -> str:
    """Return the name of the other body of a contact, or of the block that is a part of it."""
    contact = edge.contact
    other = contact.fixtureA if contact.fixtureA.body == edge.other else contact.fixtureB
    return edge.other.userData or other.userData or ''


def contact_points(body: Any) -> NDArray[np.float64]:
    """Return where others touch `body`, x, y in its frame, shape (n, 2) [m]."""
    points = [body.GetLocalPoint(point) for edge in body.contacts if _pushes(edge.contact)
              for point in edge.contact.worldManifold.points[:edge.contact.manifold.pointCount]]
    return np.array([(point.x, point.y) for point in points], float).reshape(-1, 2)


def _polygon(fixture: Any) -> tuple[Polygon, Placement]:
    """Return corners and placement of a polygon fixture."""
    at = fixture.body.transform
    return (np.array(fixture.shape.vertices, np.float32),
            np.array([at.position.x, at.position.y, at.q.s, at.q.c], np.float32))
