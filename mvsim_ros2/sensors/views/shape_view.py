# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The scene in three dimensions, as all sensors of a world share it."""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.scene.build import build_scene
from mvsim_ros2.scene.scene import Scene
from mvsim_ros2.sensors.views.views import SceneView


class ShapeView(SceneView):
    """
    The scene, brought up to date once for each instant of measurement.

    `scene` is another object after each change of the things in the world; at a new instant it
    is the same one with new transforms.
    """

    outlines = False  # see `build_scene`
    scene: Scene
    moved: NDArray[np.int64]  # instances whose transform is another one at this instant

    def rebuild(self) -> None:
        """Build the scene from what is there now."""
        views = self.views
        self.scene = build_scene(views.world, views.footprints, views.things.vehicles,
                                 views.things.blocks, views.instant.movers,
                                 objects=views.objects, outlines=self.outlines)

    def look(self) -> None:
        """Put everything where it is now."""
        self.moved = self.scene.update(self.views.instant.movers)


class OutlineView(ShapeView):
    """The same with bodies as planar LiDARs see them."""

    outlines = True
