# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""What never moves: walls, vertical planes and occupancy grids as bodies."""

import math

from mvsim_ros2.physics.space import GRID_SKIN
from mvsim_ros2.physics.space import SKIN
from mvsim_ros2.physics.space import Space
from mvsim_ros2.physics.space import WALL_SKIN
from mvsim_ros2.world.spec.element import OccupancyGridSpec
from mvsim_ros2.world.spec.element import VerticalPlaneSpec
from mvsim_ros2.world.spec.outlines import grid_rectangles
from mvsim_ros2.world.spec.outlines import plane_outlines
from mvsim_ros2.world.spec.outlines import StaticOutline
from mvsim_ros2.world.spec.outlines import wall_outlines
from mvsim_ros2.world.spec.world import WorldSpec


def add_statics(space: Space, world: WorldSpec) -> None:
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
