# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Polygons for round things, fine enough for sensors.

A regular polygon with n sides, whose vertices are on a circle of radius R, deviates least from a
circle of radius r where it is outside at its vertices as far as it is inside at the middle of its
sides: R - r = r - R cos(pi/n). The deviation is r tan(pi/2n)^2.
"""

import math

from mvsim_ros2.frames import Pose
from mvsim_ros2.world.spec import BlockSpec, Footprint, GeometrySpec
from mvsim_ros2.world.spec.shapes.outlines import circle, placed

DEVIATION = 2.5e-4  # m; the largest of a polygon from its circle
ROUND = 'cylinder', 'sphere'  # kinds of solids with a round outline
# numbers of sides, so that solids of similar size share a mesh
_COUNTS = (16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024)
_LEVEL = 1e-3  # rad; a solid at a greater angle to the vertical has no round outline


def side_count(radius: float, deviation: float = DEVIATION) -> int:
    """Return how many sides a polygon needs for a circle of a radius [m]; at most 1024."""
    sides = math.pi / (2.0 * math.atan(math.sqrt(deviation / max(radius, deviation))))
    return next((count for count in _COUNTS if count >= sides), _COUNTS[-1])


def vertex_radius(count: int) -> float:
    """Return the radius of the vertices of a polygon with `count` sides for a circle of 1."""
    return 2.0 / (1.0 + math.cos(math.pi / count))


def round_footprint(block: BlockSpec) -> tuple[Footprint, bool] | None:
    """
    Return the outline of a round block in its own frame, and whether it is a sphere.

    It is that of its geometry, or of its only visual, whatever outline its body has. None: the
    block is not round, or does not stand upright.
    """
    upright = abs(block.init_pose.pitch) < _LEVEL and abs(block.init_pose.roll) < _LEVEL
    if len(block.visuals) == 1 and block.visuals[0].enabled:
        visual = block.visuals[0]
        if visual.geometry is None or visual.geometry.kind not in ROUND:
            return None
        scale = visual.model_scale if block.visual_scale is None else block.visual_scale
        place = Pose(visual.model_offset_x, visual.model_offset_y, visual.model_offset_z)
        upright &= abs(visual.model_pitch) < _LEVEL and abs(visual.model_roll) < _LEVEL
        return _outline(visual.geometry, scale, place, upright)
    if block.visuals or block.geometry is None or block.geometry.kind not in ROUND:
        return None
    return _outline(block.geometry, 1.0, Pose(), upright)


def _outline(geometry: GeometrySpec, scale: float, place: Pose,
             upright: bool) -> tuple[Footprint, bool] | None:
    """Return what `round_footprint` does, of a solid of a size at a place."""
    radius, ball = scale * geometry.radius, geometry.kind == 'sphere'
    if not (upright or ball) or radius <= 0.0:
        return None
    count = side_count(radius)
    polygon = placed(circle(radius * vertex_radius(count), count), place)
    low, high = (-radius, radius) if ball else (0.0, scale * geometry.length)
    return Footprint(polygon, place.z + low, place.z + high), ball
