# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What stands and is solid as bodies."""

from itertools import groupby

from mvsim_ros2.physics.engine.box2d_world import Box2dWorld
from mvsim_ros2.spec.shapes.solid_outlines import solids
from mvsim_ros2.spec.world import WorldSpec


def add_statics(space: Box2dWorld, world: WorldSpec) -> None:
    """Add a body for each element of `world` that stands and is solid, and for each wall."""
    for _, outlines in groupby(solids(world), key=lambda outline: outline.name):
        space.add_static(outlines)
