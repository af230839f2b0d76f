# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Upright shapes: walls, vertical planes with doors and windows, occupancy maps."""

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
import math
from typing import Any

import numpy as np

from mvsim_ros2.errors import SceneError
from mvsim_ros2.frames import Array, Pose, rotation_matrix
from mvsim_ros2.scene.scene import Material, Mesh, Texture
from mvsim_ros2.scene.scene_builder import matrix, Parts
from mvsim_ros2.scene.shapes.geometry_meshes import flat_mesh, prism, quads, unit_box, WHITE
from mvsim_ros2.scene.shapes.models import painted, texture_of, texture_of_cells
from mvsim_ros2.world.spec import (
    OccupancyGridSpec, OccupancyMap, OpeningSpec, VerticalPlaneSpec, WallsSpec)
from mvsim_ros2.world.spec.common import Colour
from mvsim_ros2.world.spec.grid import grid_rectangles, grid_segments
from mvsim_ros2.world.spec.solids import pieces_of
from mvsim_ros2.world.spec.walls import wall_outlines

MAP_WALL_HEIGHT = 2.0  # m; maps have no height
_MAP_WALL: Colour = (0.35, 0.36, 0.38, 1.0)
_FREE, _UNKNOWN = (235, 234, 228), (150, 152, 150)  # sRGB


def add_walls(parts: Parts, walls: Iterable[WallsSpec]) -> None:
    """Add the boxes of `<walls>`, each a thing named as physics names it."""
    first = 1
    for spec in walls:
        outlines = wall_outlines(spec, first)
        first += len(outlines)
        for outline in outlines:
            corners = np.asarray(outline.polygon)
            local = np.eye(4)
            local[:2, 0], local[:2, 1] = corners[1] - corners[0], corners[3] - corners[0]
            local[2, 2] = outline.zmax - outline.zmin
            local[:3, 3] = *corners[0], outline.zmin
            thing = parts.thing(outline.name, 'wall', reflectivity=spec.reflectivity,
                                transmittance=spec.transmittance, matter=spec.material)
            parts.add(thing, unit_box(), local, spec.color)


def add_plane(parts: Parts, plane: VerticalPlaneSpec, body: int) -> None:
    """Add a vertical plane; where no body carries it, at its initial pose."""
    thing = parts.thing(f'element {plane.name}', 'wall', body, body >= 0,
                        reflectivity=plane.reflectivity, transmittance=plane.transmittance,
                        matter=plane.material)
    along = np.array([plane.x1 - plane.x0, plane.y1 - plane.y0])
    local = matrix(rotation_matrix(np.arctan2(along[1], along[0])), (plane.x0, plane.y0, 0.0))
    if body < 0:
        local = plane.init_pose.matrix @ local
    texture = texture_of(plane.texture)
    parts.add(thing, wall_with_openings(plane, texture, texture_of(plane.normal_map)), local,
              painted(plane.color, texture))


@lru_cache(maxsize=256)
def wall_with_openings(plane: VerticalPlaneSpec, texture: Texture | None = None,
                       bumps: Texture | None = None) -> Mesh:
    """
    Return the mesh of a vertical plane along x, from 0 to its length, centred in y.

    Heights of its openings are above z = 0, not above the foot of the wall.
    """
    length = float(np.hypot(plane.x1 - plane.x0, plane.y1 - plane.y0))
    foot, top = plane.z, plane.z + plane.height
    holes = [_hole(opening, length, foot, top) for opening in (*plane.doors, *plane.windows)]
    holes = [hole for hole in holes if hole[0] < hole[1] and hole[2] < hole[3]]
    x = np.unique([0.0, length, *(edge for hole in holes for edge in hole[:2])])
    z = np.unique([foot, top, *(edge for hole in holes for edge in hole[2:])])
    solid = np.ones((len(x) - 1, len(z) - 1), bool)
    for x0, x1, z0, z1 in holes:
        solid[np.searchsorted(x, x0):np.searchsorted(x, x1),
              np.searchsorted(z, z0):np.searchsorted(z, z1)] = False
    half = 0.5 * plane.thickness
    i, k = np.nonzero(solid)
    faces = [_upright(x[i], -half, x[i + 1], -half, z[k], z[k + 1]),
             _upright(x[i + 1], half, x[i], half, z[k], z[k + 1])]
    ringed = np.pad(solid, 1)
    for step in (-1, 1):  # reveals and ends: solid here, nothing beside
        i, k = np.nonzero(solid & ~np.roll(ringed, -step, axis=0)[1:-1, 1:-1])
        at = x[i + (step > 0)]
        faces.append(_upright(at, -step * half, at, step * half, z[k], z[k + 1])
                     if step > 0 else _upright(at, half, at, -half, z[k], z[k + 1]))
        i, k = np.nonzero(solid & ~np.roll(ringed, -step, axis=1)[1:-1, 1:-1])
        level = z[k + (step > 0)]
        faces.append(_level(x[i], x[i + 1], -step * half, step * half, level))
    corners = np.concatenate(faces)
    # across the wall the texture goes on where it is along it
    u = (corners[..., 0] + corners[..., 1] + half) / plane.texture_size_x
    v = (corners[..., 2] - foot) / plane.texture_size_y
    return flat_mesh(quads(corners), quads(np.stack([u, v], axis=-1)),
                     Material(WHITE.colour, texture, bumps=bumps))


def _hole(opening: OpeningSpec, length: float, foot: float,
          top: float) -> tuple[float, float, float, float]:
    """Return the interval of an opening along the wall and upwards [m]."""
    centre, half = opening.position * length, 0.5 * opening.width
    return (max(0.0, centre - half), min(length, centre + half),
            max(foot, opening.z_min), min(top, opening.z_max))


def _upright(x0: Array, y0: float, x1: Array, y1: float, z0: Array, z1: Array) -> Array:
    """Return upright quadrilaterals, shape (n, 4, 3), seen with (x0, y0) on the left."""
    a, b = np.full(len(x0), y0), np.full(len(x0), y1)
    return np.stack([np.stack([x0, a, z0], 1), np.stack([x1, b, z0], 1),
                     np.stack([x1, b, z1], 1), np.stack([x0, a, z1], 1)], axis=1)


def _level(x0: Array, x1: Array, y0: float, y1: float, z: Array) -> Array:
    """Return level quadrilaterals, shape (n, 4, 3), with normals upwards where y0 < y1."""
    a, b = np.full(len(x0), y0), np.full(len(x0), y1)
    return np.stack([np.stack([x0, a, z], 1), np.stack([x1, a, z], 1),
                     np.stack([x1, b, z], 1), np.stack([x0, b, z], 1)], axis=1)


def add_occupancy(parts: Parts, spec: OccupancyGridSpec, body: int) -> None:
    """Add the solid cells of a map as walls, 2 m high."""
    if spec.occupancy is not None:
        parts.add(parts.thing(f'element {spec.name}', 'wall'), extruded(spec.occupancy),
                  matrix(place=(spec.occupancy.x_min, spec.occupancy.y_min, 0.0)), _MAP_WALL)


def add_sheet(parts: Parts, name: str, grid: OccupancyMap | None) -> None:
    """Add a map as a sheet at height 0, as ground."""
    if grid is not None:
        parts.add(parts.thing(f'element {name} sheet', 'ground'), _sheet(grid),
                  matrix(place=(grid.x_min, grid.y_min, 0.0)))


@lru_cache(maxsize=16)
def _sheet(grid: OccupancyMap) -> Mesh:
    """Return a map as a rectangle from its corner: light where it is free, else grey."""
    rows, columns = grid.values.shape
    free = (grid.values >= 0) & ~grid.solid
    cells = np.where(free[..., None], _FREE, _UNKNOWN).astype(np.uint8)
    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
    plan = corners * grid.resolution * (columns, rows)
    return flat_mesh(quads([np.column_stack([plan, np.zeros(4)])]), quads([corners]),
                     Material(WHITE.colour, texture_of_cells(cells)))


@lru_cache(maxsize=16)
def extruded(grid: OccupancyMap) -> Mesh:
    """Return the solid cells of a map as an upright solid, relative to the corner of the map."""
    corner = np.array([grid.x_min, grid.y_min])
    x0, y0, x1, y1 = (grid_segments(grid) - np.tile(corner, 2)).T
    solid = np.pad(grid.solid, 1)
    # the solid cell beside the middle of an edge: left of its direction, or else turn it
    middle = np.stack([x0 + x1, y0 + y1], axis=1) / (2 * grid.resolution)
    left = 0.5 * np.stack([np.sign(y0 - y1), np.sign(x1 - x0)], axis=1)
    column, row = np.floor(middle + left).astype(int).T + 1
    inside = solid[row, column][:, None]
    first, second = np.stack([x0, y0], 1), np.stack([x1, y1], 1)
    start, end = np.where(inside, first, second), np.where(inside, second, first)
    low, high = np.zeros((len(start), 1)), np.full((len(start), 1), MAP_WALL_HEIGHT)
    sides = np.stack([np.hstack([start, low]), np.hstack([end, low]),
                      np.hstack([end, high]), np.hstack([start, high])], axis=1)
    x0, y0, x1, y1 = (grid_rectangles(grid) - np.tile(corner, 2)).T
    z = np.full(len(x0), MAP_WALL_HEIGHT)
    tops = np.stack([np.stack(each, 1) for each in (
        (x0, y0, z), (x1, y0, z), (x1, y1, z), (x0, y1, z))], axis=1)
    return flat_mesh(quads(np.concatenate([sides, tops])))


def add_extruded(parts: Parts, element: Any, body: int) -> None:
    """Add the outlines of an element as prisms of their colour and reflectivity."""
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
