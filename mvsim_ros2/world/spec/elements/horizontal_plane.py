# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Floors and ceilings."""

from dataclasses import dataclass

from mvsim_ros2.world.spec.common import Resource
from mvsim_ros2.world.spec.element import Element, not_solid, PlaneSpec
from mvsim_ros2.world.spec.fields import Problems, tag


@dataclass(frozen=True)
class HorizontalPlaneSpec(PlaneSpec):
    """Floor or ceiling."""

    XML_CLASS = 'horizontal_plane'

    x_min: float = tag('float', -10.0, unit='m', doc='extent')
    x_max: float = tag('float', 10.0, unit='m', over='x_min', doc='extent')
    y_min: float = tag('float', -10.0, unit='m', doc='extent')
    y_max: float = tag('float', 10.0, unit='m', over='y_min', doc='extent')
    detail_image: Resource | None = tag(
        'uri', None, stand_in='the texture alone', doc='details of the ground near a camera: a '
        'tile whose grey level multiplies the colour; medium grey leaves it unchanged')
    detail_size: float = tag('float', 2.0, unit='m', above=0, needs='detail_image',
                             doc='side of the tile')
    geo_corner_sw: tuple[float, ...] = tag(
        'values', (), unit='deg', doc='latitude and longitude of the south-western corner, '
        'instead of the extent; the texture, with north at its top, covers the rectangle once')
    geo_corner_ne: tuple[float, ...] = tag(
        'values', (), unit='deg', doc='latitude and longitude of the north-eastern corner')

    def is_in_front(self, x: float, y: float, z: float) -> bool:
        """Return whether a point in the frame of `init_pose` [m] is above it."""
        return z - self.z > 0


def _check(spec: HorizontalPlaneSpec) -> Problems:
    corners = spec.geo_corner_sw, spec.geo_corner_ne
    if any(corners) and not all(len(corner) == 2 for corner in corners):
        yield ('geo_corner_sw and geo_corner_ne go together, each a latitude and a longitude in '
               'degrees, such as 36.71 -4.49')
    elif not all(low < high for low, high in zip(*corners, strict=True)):
        yield 'geo_corner_ne must lie north and east of geo_corner_sw'


ELEMENT = Element(
    HorizontalPlaneSpec, not_solid, _check, is_ground=True,
    looks='mvsim_ros2.scene.shapes.ground:add_floor')
