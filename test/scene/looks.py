# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Where the things of a scene are."""

import numpy as np

from mvsim_ros2.scene.scene import Scene


def corners(scene: Scene, i: int) -> np.ndarray:
    """Return the vertices of instance `i` in the world that belong to faces."""
    mesh, matrix = scene.meshes[scene.mesh[i]], scene.transform[i]
    return mesh.vertices[np.unique(mesh.faces)] @ matrix[:3, :3].T + matrix[:3, 3]


def bounds(scene: Scene, name: str) -> np.ndarray:
    """Return the smallest and largest x, y, z of a thing."""
    number = scene.thing_names.index(name)
    points = np.concatenate([corners(scene, i) for i in np.flatnonzero(scene.thing == number)])
    return np.array([points.min(axis=0), points.max(axis=0)])


def instances(scene: Scene, name: str, label: str | None = None) -> list[int]:
    """Return the instances of a thing."""
    return [i for i in np.flatnonzero(scene.thing == scene.thing_names.index(name)).tolist()
            if label is None or Scene.LABELS[scene.label[i]] == label]
