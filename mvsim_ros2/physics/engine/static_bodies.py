# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""What never moves: walls, vertical planes and occupancy grids as bodies."""

import math

from mvsim_ros2.physics.engine.box2d_world import Box2dWorld
from mvsim_ros2.physics.engine.box2d_world import GRID_SKIN
from mvsim_ros2.physics.engine.box2d_world import SKIN
from mvsim_ros2.physics.engine.box2d_world import WALL_SKIN
from mvsim_ros2.spec.element import OccupancyGridSpec
from mvsim_ros2.spec.element import VerticalPlaneSpec
from mvsim_ros2.spec.outlines import grid_rectangles
from mvsim_ros2.spec.outlines import plane_outlines
from mvsim_ros2.spec.outlines import StaticOutline
from mvsim_ros2.spec.outlines import wall_outlines
from mvsim_ros2.spec.world import WorldSpec


def add_statics(space: Box2dWorld, world: WorldSpec) -> None:
    """Add a body for each element of `world` that stands and is solid, and for each wall."""
    for element in world.elements:
        if isinstance(element, VerticalPlaneSpec) and element.animation is None:
            space.add_static(plane_outlines(element), WALL_SKIN)
        elif isinstance(element, OccupancyGridSpec) and element.occupancy is not None:
            space.add_static(grid_outlines(element), GRID_SKIN)
    count = 0
    for walls in world.walls:
        outlines = wall_outlines(walls, count + 1)
        count += len(outlines)
        for outline in outlines:
            space.add_static([outline], SKIN)


def grid_outlines(grid: OccupancyGridSpec) -> list[StaticOutline]:
    """Return the solid cells of an occupancy grid, merged into rectangles."""
    if grid.occupancy is None:
        return []
    return [
        StaticOutline(grid.name, ((x0, y0), (x1, y0), (x1, y1), (x0, y1)), -math.inf,
                      math.inf,
                      grid.lateral_friction, grid.restitution, grid.source)
        for x0, y0, x1, y1 in grid_rectangles(grid.occupancy).tolist()]
