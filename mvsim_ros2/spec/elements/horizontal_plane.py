# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Floors and ceilings."""

from dataclasses import dataclass

from mvsim_ros2.spec.checks import ranges
from mvsim_ros2.spec.checks import RECTANGLE
from mvsim_ros2.spec.element import Element
from mvsim_ros2.spec.element import not_solid
from mvsim_ros2.spec.elements.plane import PlaneSpec
from mvsim_ros2.spec.fields import tag


@dataclass(frozen=True)
class HorizontalPlaneSpec(PlaneSpec):
    """Floor or ceiling."""

    XML_CLASS = 'horizontal_plane'

    x_min: float = tag('float', -10.0, unit='m', doc='extent')
    x_max: float = tag('float', 10.0, unit='m', doc='extent')
    y_min: float = tag('float', -10.0, unit='m', doc='extent')
    y_max: float = tag('float', 10.0, unit='m', doc='extent')

    def is_in_front(self, x: float, y: float, z: float) -> bool:
        """Return whether a point in the frame of `init_pose` [m] is above it."""
        return z - self.z > 0


ELEMENT = Element(
    HorizontalPlaneSpec, not_solid, ranges(*RECTANGLE), is_ground=True,
    looks='mvsim_ros2.scene.shapes.ground:add_floor')
