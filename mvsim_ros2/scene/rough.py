# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Which round things fewer faces show as well: far from a camera, or in maps of shadows."""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.scene.camera_view import CameraView
from mvsim_ros2.scene.scene import Scene

_OFF = 0.1  # px: by which outlines may be off


class RoughMeshes:
    """The rough meshes of the instances of a scene, see `Mesh`."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        most = max((len(mesh.rough) for mesh in scene.meshes), default=0)
        deviation = np.full((len(scene.meshes), most), np.inf)
        radius = np.zeros(len(scene.meshes))
        for number, mesh in enumerate(scene.meshes):
            deviation[number, :len(mesh.rough)] = [off for off, _ in mesh.rough]
            radius[number] = np.linalg.norm(mesh.vertices, axis=1).max(initial=0.0)
        stretch = np.linalg.norm(scene.transform[:, :3, :3], 2, axis=(1, 2)) if len(
            scene.mesh) else np.zeros(0)
        self._deviation = deviation[scene.mesh] * stretch[:, np.newaxis]
        self._radius = radius[scene.mesh] * stretch

    def levels(self, view: CameraView) -> NDArray[np.uint8]:
        """Return how rough the instances are in a view, shape (N,): 0 for the mesh itself."""
        levels = np.zeros(len(self._radius), np.uint8)
        if view.rough:
            _choose(self._scene.transform, self._radius, self._deviation,
                    np.ascontiguousarray(view.pose[:3, 3], float), max(view.fx, view.fy), levels)
        return levels

    def levels_within(self, deviation: float) -> NDArray[np.int64]:
        """Return how rough the instances are that deviate by no more [m], shape (N,)."""
        levels: NDArray[np.int64] = (self._deviation <= deviation).sum(axis=1)
        return levels


@compiled(counted=False, brief=True)
def _choose(transform: Array, radius: Array, deviation: Array, position: Array, focal: float,
            levels: NDArray[np.uint8]) -> None:
    """
    Fill in the levels of instances.

    :param radius: about the origins of their meshes [m], shape (N,).
    :param deviation: of the levels, ascending [m], shape (N, L).
    """
    for n in range(len(radius)):
        square = 0.0
        for i in range(3):
            square += (transform[n, i, 3] - position[i]) ** 2
        away = math.sqrt(square) - radius[n]
        for level in range(deviation.shape[1]):
            if deviation[n, level] * focal <= _OFF * away:
                levels[n] = level + 1
