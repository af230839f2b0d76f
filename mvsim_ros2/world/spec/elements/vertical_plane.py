# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Walls with doors and windows."""

from dataclasses import dataclass
import math

import numpy as np

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world.spec.common import Polygon
from mvsim_ros2.world.spec.element import Element, PlaneSpec
from mvsim_ros2.world.spec.fields import Problems, Spec, tag
from mvsim_ros2.world.spec.outlines import placed, SHORTEST_EDGE, StaticOutline

FRICTION = 0.2  # of contacts, as in the original
SKIN = 1e-2  # m, as in the original: the default of Box2D


@dataclass(frozen=True)
class OpeningSpec(Spec):
    """Door or window of a wall; heights are above z = 0, not above the foot of the wall."""

    position: float = tag('float', 0.5, attribute=True, minimum=0, maximum=1,
                          doc='centre of the opening as a share of the length of the wall')
    width: float = tag('float', 1.0, unit='m', attribute=True, above=0, doc='width')
    z_min: float = tag(
        'float', 0.0, unit='m', attribute=True, aliases=('z_start',), doc='lower side')
    z_max: float = tag('float', 2.1, unit='m', attribute=True, aliases=('z_end',), over='z_min',
                       doc='upper side')
    name: str = tag('text', '', attribute=True, doc='name, for readers of the file or spec')


@dataclass(frozen=True)
class VerticalPlaneSpec(PlaneSpec):
    """Wall with doors and windows; bodies and planar scanners pass doors, not windows."""

    XML_CLASS = 'vertical_plane'

    x0: float = tag('float', -10.0, unit='m', doc='start')
    y0: float = tag('float', -10.0, unit='m', doc='start')
    x1: float = tag('float', -10.0, unit='m', doc='end')
    y1: float = tag('float', 10.0, unit='m', doc='end')
    height: float = tag('float', 3.0, unit='m', above=0, doc='height')
    thickness: float = tag('float', 0.02, unit='m', above=0, doc='thickness')
    doors: tuple[OpeningSpec, ...] = tag(
        'specs', (), name='door', spec=OpeningSpec, doc='openings that bodies pass')
    windows: tuple[OpeningSpec, ...] = tag(
        'specs', (), name='window', spec=OpeningSpec, doc='openings that are closed for bodies')

    def is_in_front(self, x: float, y: float, z: float) -> bool:
        """Return whether a point is on the right of the way from its start to its end."""
        return ((self.y1 - self.y0) * (x - self.x0) - (self.x1 - self.x0) * (y - self.y0)) > 0

    def doubts(self) -> Problems:
        length = math.hypot(self.x1 - self.x0, self.y1 - self.y0)
        foot = self.init_pose.z + self.z
        for kind, openings in (('door', self.doors), ('window', self.windows)):
            for each in openings:
                middle, half = each.position * length, 0.5 * each.width
                what = f'the {kind} in line {each.source.line}'
                if middle - half < -1e-6 or middle + half > length + 1e-6:
                    yield (f'{what} goes from {middle - half:g} to {middle + half:g} m of a wall '
                           f'that is {length:g} m long: make it narrower, or move its `position`, '
                           'a share of that length')
                if each.z_min >= foot + self.height or each.z_max <= foot:
                    yield (f'{what} goes from z = {each.z_min:g} to {each.z_max:g} and the wall '
                           f'from {foot:g} to {foot + self.height:g}: it misses the wall')


def door_intervals(plane: VerticalPlaneSpec, length: float) -> list[tuple[float, float]]:
    """Return the merged doors as intervals [m] from the start of the wall, in order."""
    doors = sorted(
        (max(0.0, door.position * length - door.width / 2),
         min(length, door.position * length + door.width / 2)) for door in plane.doors)
    merged: list[tuple[float, float]] = []
    for low, high in doors:
        if merged and low <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], high)
        else:
            merged.append((low, high))
    return merged


def plane_outlines(plane: VerticalPlaneSpec) -> tuple[StaticOutline, ...]:
    """
    Return the solid stretches of a vertical plane, from door to door; windows are solid.

    Unlike in the original its `init_pose` moves them, as it moves what is seen.
    """
    start, end = np.array([plane.x0, plane.y0]), np.array([plane.x1, plane.y1])
    length = float(np.linalg.norm(end - start))
    if length <= SHORTEST_EDGE:
        raise WorldFileError(f'{plane.source}: the vertical plane has no length')
    along = (end - start) / length
    across = 0.5 * plane.thickness * np.array([-along[1], along[0]])
    doors = door_intervals(plane, length)
    edges = [0.0, *(edge for door in doors for edge in door), length]
    foot = plane.init_pose.z + plane.z
    outlines = []
    for low, high in zip(edges[::2], edges[1::2], strict=True):
        if high - low > SHORTEST_EDGE:
            a, b = start + low * along, start + high * along
            corners: Polygon = tuple(
                (float(x), float(y))
                for x, y in (a - across, b - across, b + across, a + across))
            outlines.append(StaticOutline(
                plane.name, placed(corners, plane.init_pose), foot, foot + plane.height,
                plane.source, FRICTION, skin=SKIN, colour=plane.color,
                reflectivity=plane.reflectivity))
    return tuple(outlines)


ELEMENT = Element(
    VerticalPlaneSpec, plane_outlines, looks='mvsim_ros2.scene.shapes.walls:add_plane')
