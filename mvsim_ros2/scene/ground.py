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
"""The ground: horizontal planes, elevation maps, and point clouds that lie about."""

import logging

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.scene.parts import matrix
from mvsim_ros2.scene.parts import Parts
from mvsim_ros2.scene.parts import Thing
from mvsim_ros2.scene.scene import Material
from mvsim_ros2.scene.scene import Mesh
from mvsim_ros2.scene.solids import flat_mesh
from mvsim_ros2.scene.solids import quads
from mvsim_ros2.scene.solids import smooth_mesh
from mvsim_ros2.scene.textures import texture_of
from mvsim_ros2.world.spec.element import ElevationMapSpec
from mvsim_ros2.world.spec.element import HorizontalPlaneSpec
from mvsim_ros2.world.spec.element import PointCloudSpec

Array = NDArray[np.float64]

_LOG = logging.getLogger(__name__)

TILE = 128  # cells; larger maps are several meshes, so that what is out of sight costs nothing
POINT_SIZE = 0.01  # m; radius of a point for each pixel of its drawn size
_POINT_COLOUR = (0.2, 0.3, 0.8, 1.0)
_TETRAHEDRON = np.array([(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]) / np.sqrt(3.0)
_ITS_FACES = np.array([(0, 1, 2), (0, 3, 1), (0, 2, 3), (1, 3, 2)])


def add_floor(parts: Parts, thing: Thing, plane: HorizontalPlaneSpec) -> None:
    """Add a horizontal plane; where nothing carries it, at its initial pose."""
    size = np.array([plane.x_max - plane.x_min, plane.y_max - plane.y_min])
    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * size
    texture = texture_of(plane.texture)
    mesh = flat_mesh(quads([np.column_stack([corners, np.zeros(4)])]),
                     quads([corners / (plane.texture_size_x, plane.texture_size_y)]),
                     Material((1.0, 1.0, 1.0, 1.0), texture))
    local = matrix(place=(plane.x_min, plane.y_min, plane.z))
    if thing.body < 0:
        local = plane.init_pose.matrix @ local
    parts.add(thing, mesh, local,
              (1.0, 1.0, 1.0, plane.color[3]) if texture else plane.color)


def add_terrain(parts: Parts, spec: ElevationMapSpec) -> None:
    """Add an elevation map; what has no texture has the colour of the map."""
    if spec.heights is None:
        return
    grid = spec.heights
    texture = texture_of(spec.texture_image)
    material = Material((1.0, 1.0, 1.0, 1.0), texture)
    colour = (1.0, 1.0, 1.0, 1.0) if texture else spec.mesh_color
    thing = parts.thing(f'element {spec.name}', 'terrain')
    rows, columns = grid.values.shape
    slope_x, slope_y = (
        np.gradient(grid.values, grid.resolution, axis=axis) for axis in (0, 1))
    normals = np.stack([-slope_x, -slope_y, np.ones_like(slope_x)], axis=-1)
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    x, y = np.meshgrid(grid.resolution * np.arange(rows), grid.resolution * np.arange(columns),
                       indexing='ij')
    uv = _texture_places(spec, x, y)
    local = matrix(place=(grid.x_min, grid.y_min, 0.0))
    for i in range(0, rows - 1, TILE):
        for j in range(0, columns - 1, TILE):
            part = slice(i, i + TILE + 1), slice(j, j + TILE + 1)
            points = np.stack([x[part], y[part], grid.values[part]], axis=-1)
            parts.add(thing, _patch(points, normals[part], uv[part], material), local, colour)


def _texture_places(spec: ElevationMapSpec, x: Array, y: Array) -> Array:
    """Return the texture coordinates of the nodes: seen from above with x to the right."""
    u = x / (spec.texture_extension_x or x[-1, 0])
    v = y / (spec.texture_extension_y or y[0, -1])
    quarter = round(spec.texture_image_rotate / 90) % 4  # the picture turns left
    return np.stack([(u, v), (v, 1.0 - u), (1.0 - u, 1.0 - v), (1.0 - v, u)][quarter], axis=-1)


def _patch(points: Array, normals: Array, uv: Array, material: Material) -> Mesh:
    """Return a grid of points, shape (rows, columns, 3), as triangles cut as physics cuts them."""
    rows, columns = points.shape[:2]
    at = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = (at[:-1, :-1].ravel(), at[1:, :-1].ravel(), at[1:, 1:].ravel(),
                  at[:-1, 1:].ravel())
    faces = np.stack([a, b, c, a, c, d], axis=1).reshape(-1, 3)
    return smooth_mesh(points.reshape(-1, 3), faces, normals.reshape(-1, 3), uv.reshape(-1, 2),
                       material)


def add_points(parts: Parts, spec: PointCloudSpec) -> None:
    """Add a point cloud, each point a small solid."""
    resource = spec.file_txt_3d or spec.file_txt_2d
    if resource is None or resource.path is None:
        return
    try:
        points = np.loadtxt(resource.path, ndmin=2)
    except (OSError, ValueError) as error:
        _LOG.warning('%s: the points %s cannot be read and are left out: %s', spec.source,
                     resource.uri, error)
        return
    width = 3 if spec.file_txt_3d else 2
    if points.shape[1] < width:
        _LOG.warning('%s: the points %s are left out: give %d columns', spec.source,
                     resource.uri, width)
        return
    places = np.zeros((len(points), 3))
    places[:, :width] = points[:, :width]
    corners = POINT_SIZE * spec.points_size * _TETRAHEDRON[_ITS_FACES]
    centre = places.mean(axis=0) if len(places) else np.zeros(3)
    mesh = flat_mesh((places - centre)[:, None, None] + corners)
    parts.add(parts.thing(f'element {spec.name}', 'points'), mesh,
              spec.pose_3d.matrix @ matrix(place=tuple(centre.tolist())), _POINT_COLOUR)
