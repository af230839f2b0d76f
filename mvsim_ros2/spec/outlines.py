# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Plan outlines of the things of a world, in metres, from their specs alone.

Physics makes its bodies from them and the planar scanner its scene, so that both agree on
what is solid. All polygons are convex and counter-clockwise and have at most 16 vertices.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from numpy.typing import NDArray

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.frames import Pose
from mvsim_ros2.spec.block import BlockSpec
from mvsim_ros2.spec.block import UNIT_SQUARE
from mvsim_ros2.spec.common import Footprint
from mvsim_ros2.spec.common import GeometrySpec
from mvsim_ros2.spec.common import Polygon
from mvsim_ros2.spec.common import Source
from mvsim_ros2.spec.element import VerticalPlaneSpec
from mvsim_ros2.spec.element import WallsSpec
from mvsim_ros2.spec.grid import OccupancyMap
from mvsim_ros2.spec.vehicle.vehicle import VehicleSpec

Array = NDArray[np.float64]

MAX_VERTICES = 16  # of a Box2D polygon
CIRCLE_VERTICES = 10  # of a circle whose vertex_count is 0, as in the original
CIRCLE_VERTICES_MAX = 14  # more become a circumscribed polygon of this many, as in the original
SHORTEST_EDGE = 0.005  # m; Box2D cannot hold shorter ones (half its linear slop)
WALL_FRICTION, PLANE_FRICTION = 0.5, 0.2  # of contacts, as in the original
RESTITUTION = 0.01
_FAR = 1e9  # m; nothing reaches so far


@dataclass(frozen=True)
class StaticOutline:
    """One convex piece of something that never moves, in the world frame."""

    name: str
    polygon: Polygon  # convex, counter-clockwise [m]
    zmin: float  # m
    zmax: float  # m
    friction: float  # of contacts
    restitution: float
    source: Source


def convex_hull(points: ArrayLike, what: str, source: Source) -> Polygon:
    """
    Return the convex hull of `points`, counter-clockwise, without collinear vertices.

    Andrew's monotone chain.

    :param points: shape (n, 2) [m].
    :param what: owner of the points, for messages.
    :param source: its place in the world file.
    :raises WorldFileError: where the hull has no area, or more than 16 vertices.
    """
    cloud = np.asarray(points, float).reshape(-1, 2)
    if not np.all(np.abs(cloud) < _FAR):
        raise WorldFileError(f'{source}: {what} has a vertex that is not a finite number')
    ordered = sorted({(float(x), float(y)) for x, y in cloud})
    halves: list[list[tuple[float, float]]] = []
    for run in (ordered, ordered[::-1]):
        half: list[tuple[float, float]] = []
        for point in run:
            while len(half) > 1 and _turn(half[-2], half[-1], point) <= 1e-9:
                half.pop()
            half.append(point)
        halves.append(half[:-1])
    hull = tuple(halves[0] + halves[1])
    if len(hull) < 3:
        raise WorldFileError(
            f'{source}: the outline of {what} has no area: give three or more <pt> that do not '
            'lie on one line')
    if len(hull) > MAX_VERTICES:
        raise WorldFileError(
            f'{source}: the convex outline of {what} has {len(hull)} vertices: at most '
            f'{MAX_VERTICES} are possible, leave some out')
    return hull


def _turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _rectangle(x0: float, y0: float, x1: float, y1: float) -> Polygon:
    return (x0, y0), (x1, y0), (x1, y1), (x0, y1)


def geometry_footprint(geometry: GeometrySpec) -> Footprint:
    """
    Return outline and height range of a simple solid in its own frame.

    :raises WorldFileError: where a size that its kind needs is zero.
    """
    g = geometry
    needed = {'cylinder': ('radius', 'length'), 'sphere': ('radius',)}.get(
        g.kind, ('lx', 'ly', 'lz'))
    missing = [name for name in needed if getattr(g, name) <= 0]
    if missing:
        raise WorldFileError(
            f'{g.source}: a {g.kind} needs {" and ".join(missing)} above 0')
    if g.kind in ('cylinder', 'sphere'):
        count = max(3, g.vertex_count or CIRCLE_VERTICES)
        radius = g.radius
        if count > CIRCLE_VERTICES_MAX:
            count = CIRCLE_VERTICES_MAX
            radius /= np.cos(np.pi / count)
        angles = 2 * np.pi * np.arange(count) / count
        circle = tuple((float(radius * np.cos(a)), float(radius * np.sin(a))) for a in angles)
        low, high = (0.0, g.length) if g.kind == 'cylinder' else (-g.radius, g.radius)
        return Footprint(circle, low, high)
    if g.kind == 'box':
        return Footprint(_rectangle(0.0, 0.0, g.lx, g.ly), 0.0, g.lz)
    if g.kind == 'ramp':
        return Footprint(_rectangle(0.0, -g.ly / 2, g.lx, g.ly / 2), 0.0, g.lz)
    return Footprint(_rectangle(-g.lx / 2, -g.ly / 2, g.lx / 2, g.ly / 2), 0.0, g.lz)


def block_footprint(block: BlockSpec, mesh: Footprint | None = None) -> Footprint:
    """
    Return outline and height range of a block in its own frame.

    The rules of the original: `<shape>` wins; `<geometry>`, or else the meshes, count only
    with `<shape_from_visual/>`; without any of them a square of 1 m. Heights given in the
    file win over those of the shape.

    :param mesh: outline of the meshes of the block, where they have been read.
    :raises WorldFileError: where the outline is not possible.
    """
    solid = None
    if block.shape_from_visual:
        solid = mesh if block.geometry is None else geometry_footprint(block.geometry)
    what = f'block {block.name!r}'
    if block.shape is not None:
        polygon = convex_hull(block.shape, what, block.source)
    else:
        polygon = UNIT_SQUARE if solid is None else convex_hull(
            solid.polygon, what, block.source)
    zmin = block.zmin if block.zmin is not None else solid.zmin if solid else 0.0
    zmax = block.zmax if block.zmax is not None else solid.zmax if solid else 1.0
    if zmax < zmin:
        raise WorldFileError(
            f'{block.source}: {what} has zmax {zmax} below zmin {zmin}: exchange them')
    return Footprint(polygon, zmin, zmax)


def vehicle_footprint(vehicle: VehicleSpec, mesh: Footprint | None = None) -> Footprint:
    """
    Return outline and height range of the chassis of a vehicle in the body frame.

    :param mesh: outline of its meshes, which counts with `<shape_from_visual/>`.
    :raises WorldFileError: where the outline is not possible.
    """
    chassis = vehicle.dynamics.chassis
    what = f'vehicle {vehicle.name!r}'
    if chassis.shape_from_visual and mesh is not None:
        return Footprint(convex_hull(mesh.polygon, what, chassis.source), mesh.zmin, mesh.zmax)
    return Footprint(
        convex_hull(chassis.shape, what, chassis.source), chassis.zmin, chassis.zmax)


def wall_outlines(walls: WallsSpec, first: int = 1) -> tuple[StaticOutline, ...]:
    """
    Return the boxes of `<walls>`, one a segment.

    An end nearer than 1.01 thicknesses to an end of an earlier segment is lengthened by half
    a thickness, which fills the corner.

    :param first: number of the first wall, for names `wall_0001` and so on.
    :raises WorldFileError: where a segment has no length.
    """
    points = np.asarray(walls.shape, float).reshape(-1, 2)
    if walls.transformation is not None:
        matrix = np.asarray(walls.transformation, float)
        points = points @ matrix[:2, :2].T + matrix[:2, 3]
    outlines, ends = [], np.empty((0, 2))
    for number, (start, end) in enumerate(points.reshape(-1, 2, 2), first):
        length = float(np.linalg.norm(end - start))
        if length <= SHORTEST_EDGE:
            raise WorldFileError(
                f'{walls.source}: the wall from {tuple(start.tolist())} to '
                f'{tuple(end.tolist())} has no length')
        along = (end - start) / length
        across = 0.5 * walls.wall_thickness * np.array([-along[1], along[0]])
        extension = 0.5 * walls.wall_thickness * along
        near = [bool(np.any(np.linalg.norm(ends - point, axis=1) < 1.01 * walls.wall_thickness))
                for point in (start, end)]
        ends = np.vstack([ends, start, end])
        a, b = start - near[0] * extension, end + near[1] * extension
        outlines.append(StaticOutline(
            f'wall_{number:04d}', _points(a - across, b - across, b + across, a + across),
            0.0, walls.wall_height, WALL_FRICTION, RESTITUTION, walls.source))
    return tuple(outlines)


def _points(*points: Array) -> Polygon:
    return tuple((float(x), float(y)) for x, y in points)


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

    :raises WorldFileError: where the wall has no length.
    """
    start, end = np.array([plane.x0, plane.y0]), np.array([plane.x1, plane.y1])
    length = float(np.linalg.norm(end - start))
    if length <= SHORTEST_EDGE:
        raise WorldFileError(f'{plane.source}: the vertical plane has no length')
    along = (end - start) / length
    across = 0.5 * plane.thickness * np.array([-along[1], along[0]])
    doors = door_intervals(plane, length)
    edges = [0.0, *(edge for door in doors for edge in door), length]
    outlines = []
    for low, high in zip(edges[::2], edges[1::2], strict=True):
        if high - low > SHORTEST_EDGE:
            a, b = start + low * along, start + high * along
            corners = _points(a - across, b - across, b + across, a + across)
            outlines.append(StaticOutline(
                plane.name, placed(corners, plane.init_pose), plane.init_pose.z + plane.z,
                plane.init_pose.z + plane.z + plane.height, PLANE_FRICTION, RESTITUTION,
                plane.source))
    return tuple(outlines)


def placed(polygon: Polygon, pose: Pose) -> Polygon:
    """Return a polygon of a body that stands at `pose` in the world frame, seen in plan."""
    cosine, sine = np.cos(pose.yaw), np.sin(pose.yaw)
    return tuple((float(pose.x + cosine * x - sine * y), float(pose.y + sine * x + cosine * y))
                 for x, y in polygon)


def _runs(mask: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return row, first column and column after the last of every run of True in the rows."""
    padded = np.zeros((mask.shape[0], mask.shape[1] + 2), np.int8)
    padded[:, 1:-1] = mask
    change = np.diff(padded, axis=1)
    row, begin = np.nonzero(change == 1)
    return np.stack([row, begin, np.nonzero(change == -1)[1]], axis=1)


def _row_rectangles(solid: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return x0 y0 x1 y1 [cells] of the runs of `solid`, equal runs of adjacent rows in one."""
    row, begin, end = _runs(solid).T
    order = np.lexsort((row, end, begin))
    row, begin, end = row[order], begin[order], end[order]
    new = np.ones(len(row), bool)
    new[1:] = (np.diff(row) != 1) | (np.diff(begin) != 0) | (np.diff(end) != 0)
    first = np.flatnonzero(new)
    last = np.append(first[1:], len(row)) - 1 if len(first) else first
    return np.stack([begin[first], row[first], end[first], row[last] + 1], axis=1)


def _in_metres(cells: NDArray[np.int64], grid: OccupancyMap) -> Array:
    origin = np.array([grid.x_min, grid.y_min, grid.x_min, grid.y_min])
    return np.asarray(cells * grid.resolution + origin, float)


def grid_rectangles(grid: OccupancyMap) -> Array:
    """
    Return x0 y0 x1 y1 [m] of rectangles that cover the solid cells exactly, shape (n, 4).

    Runs of cells are merged across rows, or across columns where that gives fewer.
    """
    by_row = _row_rectangles(grid.solid)
    by_column = _row_rectangles(grid.solid.T)[:, [1, 0, 3, 2]]
    return _in_metres(by_row if len(by_row) <= len(by_column) else by_column, grid)


def grid_segments(grid: OccupancyMap) -> Array:
    """
    Return x0 y0 x1 y1 [m] of the outline of the solid area, shape (n, 4).

    Edges between a solid cell and one that is not, merged into the longest straight runs.
    """
    solid = np.pad(grid.solid, 1)
    row, begin, end = _runs((solid[1:] != solid[:-1])[:, 1:-1]).T
    horizontal = np.stack([begin, row, end, row], axis=1)
    column, begin, end = _runs((solid[:, 1:] != solid[:, :-1])[1:-1].T).T
    vertical = np.stack([column, begin, column, end], axis=1)
    return _in_metres(np.vstack([horizontal, vertical]), grid)
