# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Visibility from places, and hits of rays, by the shapes of a scene."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.scene.scene import Scene
from mvsim_ros2.world.spec import HorizontalPlaneSpec, PlaneSpec, VerticalPlaneSpec, WorldSpec

_NEAR = 0.05  # m before its end at which a line of sight no longer counts as broken
_GROUND = tuple(Scene.LABELS.index(name) for name in ('ground', 'terrain', 'points'))


class Sight:
    """Lines of sight in a scene as it stands; ground, terrain and points break none."""

    def __init__(self, scene: Scene, hidden: Mapping[str, Array]) -> None:
        """Take in a scene; see `hidden_sides`."""
        self._triangles: list[tuple[Array, Array, Array]] = []  # a corner and two edges, (F, 3)
        self.thing: list[int] = []  # object number of each solid
        self._sides: list[Array | None] = []
        boxes = []
        for row in np.flatnonzero(~np.isin(scene.label, _GROUND)):
            corners = scene.triangles(int(row))
            a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
            self._triangles.append((a, b - a, c - a))
            self.thing.append(int(scene.thing[row]))
            self._sides.append(hidden.get(scene.thing_names[scene.thing[row]]))
            points = corners.reshape(-1, 3)
            boxes.append([points.min(axis=0), points.max(axis=0)])
        self._boxes = np.array(boxes, float).reshape(-1, 2, 3)

    def clear(self, eye: Array, targets: Array, owners: NDArray[np.int64]) -> NDArray[np.bool_]:
        """
        Return which places (n, 3) an eye sees.

        :param owners: object number of the thing that each place is on, which does not hide it.
        """
        rays = targets - eye
        lengths = np.linalg.norm(rays, axis=1)
        reach = 1.0 - _NEAR / np.maximum(lengths, 2 * _NEAR)
        seen = np.ones(len(targets), bool)
        met = boxes_met(self._boxes, eye, rays)
        for k in np.flatnonzero(met.any(axis=1)):
            side = self._sides[k]
            if side is not None and (eye - self._boxes[k].mean(axis=0)) @ side > 0:
                continue
            rows = np.flatnonzero(met[k] & seen & (owners != self.thing[k]))
            if len(rows):
                shares = triangle_shares(*self._triangles[k], eye, rays[rows])
                seen[rows] &= ~(shares < reach[rows][:, None]).any(axis=1)
        return seen


def boxes_met(boxes: Array, origin: Array, rays: Array) -> NDArray[np.bool_]:
    """
    Return which upright boxes rays may meet, shape (boxes, rays).

    :param boxes: least and greatest corners, shape (boxes, 2, 3).
    """
    with np.errstate(divide='ignore', invalid='ignore'):
        enter, leave = ((boxes[:, None, i] - origin) / rays for i in (0, 1))
    near = np.fmin(enter, leave).max(axis=2, initial=-np.inf)
    far = np.fmax(enter, leave).min(axis=2, initial=np.inf)
    return np.asarray((near <= far) & (far > 0.0))


def triangle_shares(corner: Array, edge_1: Array, edge_2: Array, origin: Array,
                    rays: Array) -> Array:
    """
    Return at which share of its length each ray meets each triangle, inf where it does not.

    T. Möller, B. Trumbore, "Fast, minimum storage ray/triangle intersection", 1997.

    :returns: shape (rays, triangles).
    """
    p = np.cross(rays[:, None], edge_2)
    determinant = (edge_1 * p).sum(axis=2)
    away = origin - corner
    q = np.cross(away, edge_1)
    with np.errstate(divide='ignore', invalid='ignore'):
        u = (away * p).sum(axis=2) / determinant
        v = rays @ q.T / determinant
        share = (edge_2 * q).sum(axis=1) / determinant
        hit = (np.abs(determinant) > 1e-15) & (u >= 0) & (v >= 0) & (u + v <= 1) & (share > 0)
    return np.where(hit, share, np.inf)


def hidden_sides(world: WorldSpec) -> dict[str, NDArray[np.float64]]:
    """Return the sides from which planes are not seen, unit vectors by name in the scene."""
    sides = {}
    for element in world.elements:
        if not isinstance(element, PlaneSpec) or element.cull_face == 'NONE' or element.animation:
            continue
        front = np.array([0.0, 0.0, 1.0])
        if isinstance(element, VerticalPlaneSpec):  # on the right from start to end
            along = np.array([element.x1 - element.x0, element.y1 - element.y0])
            front = np.array([along[1], -along[0], 0.0]) / np.hypot(*along)
        elif not isinstance(element, HorizontalPlaneSpec):
            continue  # a plane of a plugin is seen from both sides
        side = front if element.cull_face == 'FRONT' else -front
        sides[f'element {element.name}'] = element.init_pose.rotation @ side
    return sides
