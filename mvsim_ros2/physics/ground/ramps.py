# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Ramps and bumps as solids: as high in each place as their surface is there.

Seen from above they are cut into slices, each a wall as high as its lower edge. So the low side of
a ramp stops no vehicle, its high end and its sides do where they are higher than a wheel climbs. A
wheel reaches ahead of its centre over slices that are higher than the ground below it; `rise`
finds how far the ground that it can roll onto rises up to there.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.physics.ground.terrain import ground_below, Relief
from mvsim_ros2.world.spec.block import BlockSpec
from mvsim_ros2.world.spec.common import Footprint, Polygon
from mvsim_ros2.world.spec.shapes.geometry_shapes import shape_of

Array = NDArray[np.float64]

SLICES = 16  # at most
THINNEST = 0.02  # m; Box2D knows nothing thinner than a centimetre
BEYOND = 0.05  # m; how far beyond a wheel contacts begin and collisions are reported
SAMPLES = 8  # on each side of a wheel


def solid_parts(block: BlockSpec, footprint: Footprint) -> tuple[Footprint, ...]:
    """
    Return the outlines of a block with their heights, in its frame.

    The slices of a ramp or bump that cannot be pushed, but those that have no height; else the
    block as it is.

    :param footprint: of the whole block.
    """
    solid = block.geometry
    pushed = not block.static and block.animation is None
    profile = None if solid is None else shape_of(solid).profile
    if solid is None or profile is None or pushed:
        return (footprint,)
    axis = profile.axis
    places = [point[axis] for point in footprint.polygon]
    count = max(1, min(SLICES, int((max(places) - min(places)) / THINNEST)))
    cuts = np.linspace(min(places), max(places), count + 1).tolist()
    parts = []
    for low, high in zip(cuts[:-1], cuts[1:], strict=True):
        top = min(profile.height(solid, low), profile.height(solid, high))
        outline = _cut(_cut(footprint.polygon, axis, low, 1.0), axis, high, -1.0)
        if top > footprint.zmin and len(outline) > 2:
            parts.append(Footprint(outline, footprint.zmin, top))
    return tuple(parts)


def _cut(polygon: Polygon, axis: int, at: float, sign: float) -> Polygon:
    """Return what of a convex polygon is beyond `at`, or before it where `sign` is -1."""
    kept: list[tuple[float, float]] = []
    for one, other in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        here, there = sign * (one[axis] - at), sign * (other[axis] - at)
        if here >= 0.0:
            kept.append(one)
        if min(here, there) < 0.0 < max(here, there):
            share = here / (here - there)
            kept.append((one[0] + share * (other[0] - one[0]),
                         one[1] + share * (other[1] - one[1])))
    return tuple(kept)


@compiled(inlined=True)
def rise(relief: Relief, x: float, y: float, yaw: float, ground: float, half_length: float,
         half_width: float, climb: float) -> float:
    """
    Return how much higher the ground is that a wheel can roll onto from where it is [m].

    From its centre ahead, back and to both sides, sample by sample, each at most as much above
    the one before as the wheel climbs, or as a slope rises that its friction holds.

    :param ground: height below the centre (x, y).
    :param half_length: radius of the wheel.
    :param climb: highest step that it rolls onto.
    """
    total = 0.0
    friction = math.sqrt(2.0 * climb / half_length)
    for side in range(2):
        along = (half_length if side == 0 else half_width) + BEYOND
        step = along / SAMPLES
        limit = max(climb, step * friction)
        turned = yaw + 0.5 * math.pi * side
        ahead_x, ahead_y = step * math.cos(turned), step * math.sin(turned)
        highest = ground
        for sign in (-1, 1):
            z = ground
            for k in range(1, SAMPLES + 1):
                found = ground_below(relief, x + sign * k * ahead_x, y + sign * k * ahead_y,
                                     z + limit)
                if found <= z + limit:  # there may be none
                    z = found
                    highest = max(highest, z)
        total += highest - ground
    return total
