# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Looks of elements that have none of their own: their outlines, extruded."""

from dataclasses import replace
import math
from typing import Any

from mvsim_ros2.errors import SceneError
from mvsim_ros2.frames import Pose
from mvsim_ros2.scene.scene_builder import matrix, Parts
from mvsim_ros2.scene.shapes.solids import prism
from mvsim_ros2.world.spec.shapes.solid_outlines import pieces_of


def add_extruded(parts: Parts, element: Any, body: int) -> None:
    """
    Add the outlines of an element as prisms of their colour and reflectivity.

    :param body: row of the body that carries it, -1 where it stands.
    :raises SceneError: where an outline has no height to extrude it to.
    """
    if body >= 0:
        element = replace(element, init_pose=Pose())
    thing = parts.thing(f'element {element.name}', 'wall', body, body >= 0)
    for piece in pieces_of(element):
        if not math.isfinite(piece.zmax - piece.zmin):
            raise SceneError(
                f'{piece.source}: {piece.name!r} reaches from {piece.zmin} to {piece.zmax} m and '
                'cannot be seen so: give its outlines finite heights, or its record `looks`')
        x, y = piece.polygon[0]  # near its middle the single precision of meshes is finest
        around = tuple((a - x, b - y) for a, b in piece.polygon)
        parts.add(replace(thing, reflectivity=piece.reflectivity),
                  prism(around, piece.zmin, piece.zmax), matrix(place=(x, y, 0.0)), piece.colour)


def add_nothing(parts: Parts, element: Any, body: int) -> None:
    """Add nothing: the element is no thing that could be seen."""
