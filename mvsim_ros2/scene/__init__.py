# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Shapes of a world for sensors, and footprints of meshes."""

from typing import TYPE_CHECKING

from mvsim_ros2.base.lazy import lazy_names

if TYPE_CHECKING:
    from mvsim_ros2.scene.scene import Lighting, Material, Mesh, Scene, Texture
else:
    __getattr__, __dir__ = lazy_names(__name__)

__all__ = ['Lighting', 'Material', 'Mesh', 'Scene', 'Texture']
