# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Straight walls from segments."""

from dataclasses import dataclass
import math

import numpy as np

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world.spec.common import (
    Colour, colour, made_of, MaterialSpec, Point, Polygon, reflects, Resource, transmits)
from mvsim_ros2.world.spec.fields import Problems, Spec, tag
from mvsim_ros2.world.spec.outlines import SHORTEST_EDGE, StaticOutline


@dataclass(frozen=True)
class WallsSpec(Spec):
    """Straight walls from segments (`<walls>`); each becomes a solid static box."""

    model_uri: Resource | None = tag(
        'uri', None, doc='mesh with lines as walls, instead of a shape')
    transformation: tuple[tuple[float, ...], ...] | None = tag(
        'matrix', None, doc='4 x 4 matrix that moves the segments')
    wall_thickness: float = tag(
        'float', 0.1, name='wallThickness', unit='m', above=0, doc='thickness')
    wall_height: float = tag('float', 2.0, name='wallHeight', unit='m', above=0, doc='height')
    color: Colour = tag('colour', colour('#323232'), doc='colour')
    reflectivity: float = reflects()
    transmittance: float | None = transmits()
    material: MaterialSpec = made_of()
    scale: float = tag('float', 1.0, idle='not used in MVSim either: `transformation` scales',
                       doc='not used, as in MVSim')
    shape: tuple[Point, ...] = tag('segments', (), unit='m', doc='ends of the segments')

    def problems(self) -> Problems:
        if self.transformation is not None and [*map(len, self.transformation)] != [4] * 4:
            yield ('transformation must be a 4 x 4 matrix, such as [1 0 0 0; 0 1 0 0; 0 0 1 0; '
                   '0 0 0 1]')
        elif not self.shape and self.model_uri is None:
            yield 'give the walls a <shape> or a <model_uri>'


def wall_outlines(walls: WallsSpec, first: int = 1) -> tuple[StaticOutline, ...]:
    """
    Return the boxes of `<walls>`, one a segment.

    An end nearer than 1.01 thicknesses to an end of an earlier segment is lengthened by half
    a thickness, which fills the corner.
    """
    points = np.asarray(walls.shape, float).reshape(-1, 2)
    if walls.transformation is not None:
        matrix = np.asarray(walls.transformation, float)
        points = points @ matrix[:2, :2].T + matrix[:2, 3]
    outlines, ends = [], _Ends(1.01 * walls.wall_thickness)
    for number, (start, end) in enumerate(points.reshape(-1, 2, 2), first):
        length = float(np.linalg.norm(end - start))
        if length <= SHORTEST_EDGE:
            raise WorldFileError(
                f'{walls.source}: the wall from {tuple(start.tolist())} to '
                f'{tuple(end.tolist())} has no length')
        along = (end - start) / length
        across = 0.5 * walls.wall_thickness * np.array([-along[1], along[0]])
        extension = 0.5 * walls.wall_thickness * along
        near = ends.near(*start.tolist()), ends.near(*end.tolist())
        ends.add(*start.tolist())
        ends.add(*end.tolist())
        a, b = start - near[0] * extension, end + near[1] * extension
        corners: Polygon = tuple(
            (float(x), float(y)) for x, y in (a - across, b - across, b + across, a + across))
        outlines.append(StaticOutline(
            f'wall_{number:04d}', corners, 0.0, walls.wall_height, walls.source,
            colour=walls.color, reflectivity=walls.reflectivity))
    return tuple(outlines)


class _Ends:
    """Ends of walls by square cells, to find those near a place."""

    def __init__(self, reach: float) -> None:
        """
        Start without any.

        :param reach: nearer than this is near [m].
        """
        self._reach = reach
        self._cells: dict[tuple[int, int], list[Point]] = {}

    def _cell(self, x: float, y: float) -> tuple[int, int]:
        return math.floor(x / self._reach), math.floor(y / self._reach)

    def add(self, x: float, y: float) -> None:
        """Add an end."""
        self._cells.setdefault(self._cell(x, y), []).append((x, y))

    def near(self, x: float, y: float) -> bool:
        """Return whether there is an end near a place."""
        column, row = self._cell(x, y)
        return any(
            math.sqrt((there_x - x) ** 2 + (there_y - y) ** 2) < self._reach
            for i in (column - 1, column, column + 1) for j in (row - 1, row, row + 1)
            for there_x, there_y in self._cells.get((i, j), ()))
