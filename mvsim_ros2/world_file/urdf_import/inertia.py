# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Masses and inertias of links, alone and together."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world_file.tree import Node
from mvsim_ros2.world_file.urdf_import.reading import number
from mvsim_ros2.world_file.urdf_import.reading import origin

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
