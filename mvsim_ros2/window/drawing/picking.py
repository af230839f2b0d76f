# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What a click on the picture means."""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.pictures.sight import boxes_met, triangle_shares
from mvsim_ros2.scene.scene import Scene

Array = NDArray[np.float64]

_AROUND = 0.25  # m; a click this near beside a vehicle still means it
_VEHICLE = Scene.LABELS.index('vehicle')


def picked(scene: Scene, origin: Array, direction: Array) -> tuple[str, Array] | None:
    """
    Return the thing that a ray meets first, and where [m]; None where it meets nothing.

    Small things are hard to hit: where the ray passes a vehicle closely before it meets anything
    else, the vehicle is meant.

    :param origin: of the ray, shape (3,) [m].
    :param direction: unit vector, shape (3,).
    """
    best, found = np.inf, -1
    for row in range(len(scene.mesh)):
        distance = _distance(scene, row, origin, direction)
        if distance < best:
            best, found = distance, row
    if found < 0 or scene.label[found] != _VEHICLE:
        for row in np.flatnonzero(scene.label == _VEHICLE).tolist():
            place = scene.transform[row, :3, 3]
            along = float((place - origin) @ direction)
            if (0 < along < best + _AROUND
                    and np.linalg.norm(origin + along * direction - place) < _AROUND):
                best, found = along, row
    if found < 0:
        return None
    return scene.thing_names[scene.thing[found]], origin + best * direction


def _distance(scene: Scene, row: int, origin: Array, direction: Array) -> float:
    """Return how far a ray goes until it meets an instance, inf where it does not."""
    mesh = scene.meshes[scene.mesh[row]]
    inverse = np.linalg.inv(scene.transform[row])
    start, ray = inverse[:3, :3] @ origin + inverse[:3, 3], inverse[:3, :3] @ direction
    box = np.stack([mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)])
    if not boxes_met(box[None], start, ray[None])[0, 0]:
        return float('inf')
    a, b, c = (mesh.vertices[mesh.faces[:, i]] for i in range(3))
    return float(triangle_shares(a, b - a, c - a, start, ray[None]).min())
