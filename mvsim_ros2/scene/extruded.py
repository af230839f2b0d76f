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
"""Looks of elements that have none of their own: their outlines, extruded."""

from dataclasses import replace
import math
from typing import Any

from mvsim_ros2.errors import SceneError
from mvsim_ros2.frames import Pose
from mvsim_ros2.scene.parts import matrix
from mvsim_ros2.scene.parts import Parts
from mvsim_ros2.scene.solids import prism
from mvsim_ros2.world.spec.solid_outlines import pieces_of


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
