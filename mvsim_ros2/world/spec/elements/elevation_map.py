# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Terrain."""

from dataclasses import dataclass

from mvsim_ros2.world.spec.common import (
    Colour, colour, made_of, MaterialSpec, reflects, Resource, SPLITTING)
from mvsim_ros2.world.spec.element import Element, ElementSpec, not_solid
from mvsim_ros2.world.spec.fields import ordered, Problems, tag
from mvsim_ros2.world.spec.grid import FINEST, HeightMap


@dataclass(frozen=True)
class ElevationMapSpec(ElementSpec):
    """Terrain heights on a grid; rows along x, columns along y."""

    XML_CLASS = 'elevation_map'

    elevation_image: Resource | None = tag(
        'uri', None, doc='grey image; the top row is the smallest x')
    elevation_image_min_z: float = tag(
        'float', 0.0, unit='m', doc='height of the darkest pixel of the image')
    elevation_image_max_z: float = tag(
        'float', 5.0, unit='m', doc='height of the brightest pixel of the image')
    elevation_data_matrix: tuple[tuple[float, ...], ...] | None = tag(
        'matrix', None, unit='m', doc='heights, instead of an image')
    elevation_data_matrix_scale: float = tag('float', 1.0, doc='factor of the matrix')
    dem_xyzrgb_file: Resource | None = tag(
        'uri', None, doc='text file with columns x y z r g b, instead of an image')
    dem_offset_x: float = tag('float', 0.0, unit='m', doc='offset of that file')
    dem_offset_y: float = tag('float', 0.0, unit='m', doc='offset of that file')
    dem_offset_z: float = tag('float', 0.0, unit='m', doc='offset of that file')
    resolution: float = tag(
        'float', 1.0, unit='m', minimum=FINEST, maximum=1e4, doc='size of a cell')
    corner_min_x: float | None = tag('float', None, unit='m', doc='smallest x; else centred')
    corner_min_y: float | None = tag('float', None, unit='m', doc='smallest y; else centred')
    texture_image: Resource | None = tag(
        'uri', None, stand_in='the plain colour', doc='texture; its rows run along x and its '
        'columns along y, from the corner of the smallest x and y')
    normal_map_image: Resource | None = tag(
        'uri', None, stand_in='a smooth surface',
        doc='normal map, placed and turned like the texture, in the convention of OpenGL')
    detail_image: Resource | None = tag(
        'uri', None, stand_in='the texture alone', doc='details of the ground near a camera: a '
        'tile whose grey level multiplies the colour; medium grey leaves it unchanged')
    detail_size: float = tag('float', 2.0, unit='m', above=0, needs='detail_image',
                             doc='side of the tile')
    texture_image_rotate: int = tag('int', 0, unit='deg', doc='rotation of the image before that, '
                                    'counter-clockwise: 0, 90, -90, 180 or -180')
    texture_extension_x: float = tag(
        'float', 0.0, unit='m', minimum=0, doc='length of the texture along x, 0: of the map')
    texture_extension_y: float = tag(
        'float', 0.0, unit='m', minimum=0, doc='length of the texture along y, 0: of the map')
    mesh_color: Colour = tag('colour', colour('#a0e0a0'), doc='colour')
    reflectivity: float = reflects()
    material: MaterialSpec = made_of()
    model_split_size: float = tag('float', 0.0, unit='m', idle=SPLITTING, doc='tile size')
    apply_kernel: tuple[tuple[float, ...], ...] | None = tag(
        'matrix', None, doc='square filter with sum 1 that smooths the heights')
    heights: HeightMap | None = None  # what was read from the file or the matrix


def _check(spec: ElevationMapSpec) -> Problems:
    matrix = spec.elevation_data_matrix
    if spec.elevation_image is None and matrix is None and spec.dem_xyzrgb_file is None:
        yield 'give <elevation_image>, <elevation_data_matrix> or <dem_xyzrgb_file>'
    if matrix is not None and (len(matrix) < 2 or len(matrix[0]) < 2):
        yield 'elevation_data_matrix needs at least two rows and two columns'
    if spec.elevation_image is not None:
        yield from ordered(spec, ('elevation_image_min_z', 'elevation_image_max_z'))
    if spec.texture_image_rotate not in (0, 90, -90, 180, -180):
        yield 'texture_image_rotate must be 0, 90, -90, 180 or -180'
    kernel = spec.apply_kernel
    if kernel is not None and (any(len(row) != len(kernel) for row in kernel)
                               or abs(sum(map(sum, kernel)) - 1) >= 5e-3):
        yield 'apply_kernel must be a square matrix whose numbers add up to 1'


ELEMENT = Element(
    ElevationMapSpec, not_solid, _check, is_ground=True,
    read='mvsim_ros2.world.file.maps.elevation:with_heights',
    looks='mvsim_ros2.scene.shapes.ground:add_terrain')
