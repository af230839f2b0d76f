# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""From where planes are not to be seen in pictures, as `<cull_face>` says."""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.world.spec.elements.horizontal_plane import HorizontalPlaneSpec
from mvsim_ros2.world.spec.elements.plane import PlaneSpec
from mvsim_ros2.world.spec.elements.vertical_plane import VerticalPlaneSpec
from mvsim_ros2.world.spec.world import WorldSpec


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
