# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Objects that are only seen."""

from dataclasses import replace

import numpy as np

from mvsim_ros2.scene.scene import Material, Mesh
from mvsim_ros2.scene.scene_builder import Parts
from mvsim_ros2.scene.shapes.solids import flat_mesh
from mvsim_ros2.world.spec.runtime_object import RuntimeObject


def add_runtime_object(parts: Parts, thing: RuntimeObject) -> None:
    """Add an object, which throws no shadow."""
    parts.add(parts.thing(thing.name, 'marker'), _mesh(thing), thing.pose.matrix, casts=False)


def _mesh(thing: RuntimeObject) -> Mesh:
    a, b, c = thing.corners.transpose(1, 0, 2)
    kept = np.linalg.norm(np.cross(b - a, c - a), axis=1) > 1e-12
    colours, material = np.unique(
        np.clip(thing.colours[kept], 0.0, 1.0), axis=0, return_inverse=True)
    return replace(
        flat_mesh(thing.corners[kept]), face_material=material.reshape(-1).astype(np.int32),
        materials=tuple(Material(tuple(each)) for each in colours.tolist()))
