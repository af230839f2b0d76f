# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Occupancy maps whose solid cells are obstacles in a world."""

from dataclasses import dataclass
import math

from mvsim_ros2.world.spec.common import Resource
from mvsim_ros2.world.spec.element import Element, ElementSpec
from mvsim_ros2.world.spec.fields import tag
from mvsim_ros2.world.spec.grid import COARSEST, FINEST, grid_rectangles, OccupancyMap
from mvsim_ros2.world.spec.outlines import rectangle, StaticOutline

SKIN = 1e-3  # m, as in the original


@dataclass(frozen=True)
class OccupancyGridSpec(ElementSpec):
    """Occupancy map: solid for bodies and planar scanners."""

    XML_CLASS = 'occupancy_grid'

    file: Resource | None = tag('uri', None, required=True,
                                doc='image, ROS map-server yaml, or MRPT .gridmap / .gridmap.gz')
    resolution: float = tag('float', 0.1, unit='m/px', minimum=FINEST, maximum=COARSEST,
                            doc='size of a cell, for images only')
    centerpixel_x: float = tag(
        'float', -1.0, unit='px', doc='column of the world origin, from the left; images only')
    centerpixel_y: float = tag(
        'float', -1.0, unit='px', doc='row of the world origin, from the bottom; images only')
    show_collisions: bool = tag(
        'bool', True, idle='the window and `mvsim_ros2 picture` always draw them',
        doc='draw the solid cells')
    restitution: float = tag('float', 0.01, minimum=0, maximum=1, doc='bounce of contacts')
    lateral_friction: float = tag('float', 0.5, minimum=0, doc='friction of contacts')
    occupancy: OccupancyMap | None = None  # the map that was read from `file`


def cells_of(grid: OccupancyGridSpec) -> OccupancyMap | None:
    """Return its map."""
    return grid.occupancy


def grid_outlines(grid: OccupancyGridSpec) -> tuple[StaticOutline, ...]:
    """Return the solid cells, merged into rectangles; they reach from below to above all."""
    if grid.occupancy is None:
        return ()
    return tuple(
        StaticOutline(grid.name, rectangle(*corners), -math.inf, math.inf, grid.source,
                      grid.lateral_friction, grid.restitution, SKIN)
        for corners in grid_rectangles(grid.occupancy).tolist())


ELEMENT = Element(
    OccupancyGridSpec, grid_outlines, cells=cells_of,
    read='mvsim_ros2.world.file.maps.occupancy:with_map',
    looks='mvsim_ros2.scene.shapes.walls:add_occupancy')
