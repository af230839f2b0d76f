# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The ground: horizontal planes, elevation maps, point clouds."""

from functools import lru_cache
import logging

import numpy as np

from mvsim_ros2.frames import Array
from mvsim_ros2.scene.scene import Material, Mesh, Texture
from mvsim_ros2.scene.scene_builder import matrix, Parts
from mvsim_ros2.scene.shapes.geometry_meshes import flat_mesh, quads, smooth_mesh, WHITE
from mvsim_ros2.scene.shapes.models import painted, texture_of, texture_of_cells
from mvsim_ros2.world.spec import ElevationMapSpec, HeightMap, HorizontalPlaneSpec, PointCloudSpec

_LOG = logging.getLogger(__name__)

POINT_SIZE = 0.01  # m; radius of a point per pixel of its size
_POINT_COLOUR = (0.2, 0.3, 0.8, 1.0)
_TETRAHEDRON = np.array([(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]) / np.sqrt(3.0)
_ITS_FACES = np.array([(0, 1, 2), (0, 3, 1), (0, 2, 3), (1, 3, 2)])


def add_floor(parts: Parts, plane: HorizontalPlaneSpec, body: int) -> None:
    """Add a horizontal plane; where no body carries it, at its initial pose."""
    thing = parts.thing(f'element {plane.name}', 'ground', body, body >= 0,
                        reflectivity=plane.reflectivity, transmittance=plane.transmittance,
                        matter=plane.material)
    texture = texture_of(plane.texture)
    local = matrix(place=(plane.x_min, plane.y_min, plane.z))
    if body < 0:
        local = plane.init_pose.matrix @ local
    parts.add(thing, _floor(plane, texture, texture_of(plane.normal_map),
                            texture_of(plane.detail_image)), local,
              painted(plane.color, texture))


@lru_cache(maxsize=256)
def _floor(plane: HorizontalPlaneSpec, texture: Texture | None, bumps: Texture | None,
           detail: Texture | None) -> Mesh:
    """Return the rectangle of a plane relative to its corner."""
    size = np.array([plane.x_max - plane.x_min, plane.y_max - plane.y_min])
    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * size
    return flat_mesh(quads([np.column_stack([corners, np.zeros(4)])]),
                     quads([corners / (plane.texture_size_x, plane.texture_size_y)]),
                     Material(WHITE.colour, texture, bumps=bumps, detail=detail, detail_scale=(
                         plane.texture_size_x / plane.detail_size,
                         plane.texture_size_y / plane.detail_size)))


def add_terrain(parts: Parts, spec: ElevationMapSpec, body: int) -> None:
    """Add an elevation map with its texture, or the colours of its points, or its colour."""
    if spec.heights is None:
        return
    texture = texture_of(spec.texture_image)
    thing = parts.thing(f'element {spec.name}', 'terrain', reflectivity=spec.reflectivity,
                        matter=spec.material)
    coloured = texture is not None or spec.heights.colours is not None
    parts.add(thing, terrain_mesh(spec),
              matrix(place=(spec.heights.x_min, spec.heights.y_min, 0.0)),
              WHITE.colour if coloured else spec.mesh_color)


def terrain_mesh(spec: ElevationMapSpec) -> Mesh:
    """Return the surface of an elevation map that has heights, relative to its corner."""
    assert spec.heights is not None
    return _surface(spec, spec.heights, texture_of(spec.texture_image),
                    texture_of(spec.normal_map_image), texture_of(spec.detail_image))


@lru_cache(maxsize=64)
def _surface(spec: ElevationMapSpec, grid: HeightMap, texture: Texture | None,
             bumps: Texture | None, detail: Texture | None) -> Mesh:
    """Return a height map relative to its corner, with the triangulation of the physics."""
    rows, columns = grid.values.shape
    slope_x, slope_y = (np.gradient(grid.values, grid.resolution, axis=axis) for axis in (0, 1))
    normals = np.stack([-slope_x, -slope_y, np.ones_like(slope_x)], axis=-1)
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    x, y = np.meshgrid(grid.resolution * np.arange(rows), grid.resolution * np.arange(columns),
                       indexing='ij')
    node = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = node[:-1, :-1], node[1:, :-1], node[1:, 1:], node[:-1, 1:]
    faces = np.stack([a, b, c, a, c, d], axis=-1).reshape(-1, 3)
    points = np.stack([x, y, grid.values], axis=-1)
    if texture is None and grid.colours is not None:
        texture = texture_of_cells(grid.colours.swapaxes(0, 1))
        uv = np.stack([x + 0.5 * grid.resolution, y + 0.5 * grid.resolution], axis=-1) / (
            grid.resolution * np.array([rows, columns]))
        sides = grid.resolution * rows, grid.resolution * columns
    else:
        uv = _texture_places(spec, x, y)
        sides = spec.texture_extension_y or y[0, -1], spec.texture_extension_x or x[-1, 0]
        if spec.texture_image_rotate in (90, -90):
            sides = sides[::-1]
    return smooth_mesh(points.reshape(-1, 3), faces, normals.reshape(-1, 3), uv.reshape(-1, 2),
                       Material(WHITE.colour, texture, bumps=bumps, detail=detail,
                                detail_scale=(float(sides[0] / spec.detail_size),
                                              float(sides[1] / spec.detail_size))))


def _texture_places(spec: ElevationMapSpec, x: Array, y: Array) -> Array:
    """
    Return the texture coordinates of the nodes.

    As in the original rows of the image run along x and columns along y, from the corner of the
    smallest x and y.
    """
    u = y / (spec.texture_extension_y or y[0, -1])
    v = 1.0 - x / (spec.texture_extension_x or x[-1, 0])
    quarter = round(spec.texture_image_rotate / 90) % 4  # counter-clockwise
    return np.stack([(u, v), (v, 1.0 - u), (1.0 - u, 1.0 - v), (1.0 - v, u)][quarter], axis=-1)


def add_points(parts: Parts, spec: PointCloudSpec, body: int) -> None:
    """Add a point cloud, each point a small solid."""
    mesh, centre = _cloud(spec)
    if mesh is not None:
        parts.add(parts.thing(f'element {spec.name}', 'points'), mesh,
                  spec.pose_3d.matrix @ matrix(place=centre), _POINT_COLOUR)


@lru_cache(maxsize=16)
def _cloud(spec: PointCloudSpec) -> tuple[Mesh | None, tuple[float, float, float]]:
    """Return the points of a cloud relative to their centre, and the centre; None without any."""
    nothing = None, (0.0, 0.0, 0.0)
    resource, width = (spec.file_txt_3d, 3) if spec.file_txt_3d else (spec.file_txt_2d, 2)
    if resource is None or resource.path is None:
        return nothing
    try:
        table = np.loadtxt(resource.path, ndmin=2)
    except (OSError, ValueError) as error:
        _LOG.warning('%s: the points %s cannot be read and are left out: %s', spec.source,
                     resource.uri, error)
        return nothing
    if not len(table) or table.shape[1] < width or not np.isfinite(table[:, :width]).all():
        _LOG.warning('%s: the points %s are left out: give one of %d finite numbers a line',
                     spec.source, resource.uri, width)
        return nothing
    places = np.zeros((len(table), 3))
    places[:, :width] = table[:, :width]
    x, y, z = places.mean(axis=0).tolist()
    corners = POINT_SIZE * spec.points_size * _TETRAHEDRON[_ITS_FACES]
    return flat_mesh((places - (x, y, z))[:, None, None] + corners), (x, y, z)
