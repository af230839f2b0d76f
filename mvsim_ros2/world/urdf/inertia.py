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
"""Masses and inertias of links, alone and together."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world.tree import Node
from mvsim_ros2.world.urdf.reading import number
from mvsim_ros2.world.urdf.reading import origin

Array = NDArray[np.float64]

_MOMENTS = ('ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz')


@dataclass(frozen=True, eq=False)
class Inertial:
    """Mass, its centre, and the inertia about that centre, in one frame."""

    mass: float  # kg
    centre: Array  # (3,) [m]
    tensor: Array  # (3, 3) [kg m^2]

    def about(self, axis: Array, point: Array) -> float:
        """Return the inertia about an axis (unit vector) through a point [kg m^2]."""
        arm = self.centre - point
        across = float(arm @ arm - (arm @ axis) ** 2)
        return float(axis @ self.tensor @ axis) + self.mass * across

    def placed(self, pose: Array) -> 'Inertial':
        """Return it in another frame, in which this one has the pose (4, 4)."""
        rotation = pose[:3, :3]
        return Inertial(self.mass, rotation @ self.centre + pose[:3, 3],
                        rotation @ self.tensor @ rotation.T)


def inertial_of(link: Node) -> Inertial | None:
    """
    Return the `<inertial>` of a link in the frame of the link, None where it has none.

    :raises WorldFileError: where mass or moments are below 0.
    """
    node = link.child('inertial')
    if node is None:
        return None
    mass_node, moments = node.child('mass'), node.child('inertia')
    if mass_node is None:
        raise WorldFileError(f'{node.source}: <inertial> lacks <mass value="..."/>')
    mass = number(mass_node, 'value')
    if mass < 0.0:
        raise WorldFileError(f'{mass_node.source}: the mass is {mass:g} kg: it must not be below '
                             '0')
    xx, yy, zz, xy, xz, yz = ([0.0] * 6 if moments is None
                              else [number(moments, key, 0.0) for key in _MOMENTS])
    if moments is not None and min(xx, yy, zz) < 0.0:
        raise WorldFileError(f'{moments.source}: ixx, iyy and izz must not be below 0')
    pose = origin(node)
    return Inertial(mass, np.zeros(3), np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
                    ).placed(pose)


def together(parts: Iterable[Inertial]) -> Inertial:
    """Return several bodies, all in one frame, as one; the inertia is about their centre."""
    parts = list(parts)
    mass = sum(part.mass for part in parts)
    if mass <= 0.0:
        return Inertial(0.0, np.zeros(3), np.zeros((3, 3)))
    centre: Array = sum((part.mass * part.centre for part in parts), np.zeros(3)) / mass
    tensor = np.zeros((3, 3))
    for part in parts:
        arm = part.centre - centre
        tensor += part.tensor + part.mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    return Inertial(mass, centre, tensor)
