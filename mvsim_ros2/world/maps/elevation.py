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
"""Elevation maps from images, matrices and lists of points, as the original reads them."""

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike
from numpy.typing import NDArray

from mvsim_ros2.errors import ResourceError
from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world.maps.image import read_grey
from mvsim_ros2.world.spec.element import FindFile
from mvsim_ros2.world.spec.elements.elevation_map import ElevationMapSpec
from mvsim_ros2.world.spec.grid import HeightMap

Array = NDArray[np.float64]

MAX_SAMPLES = 10 ** 7


def with_heights(spec: ElevationMapSpec, find: FindFile) -> ElevationMapSpec:
    """
    Return `spec` with the heights of its image, else its matrix, else its list of points.

    :raises ResourceError: where the file cannot be used.
    :raises WorldFileError: where there are too few heights, or one that is no number.
    """
    corner = spec.corner_min_x, spec.corner_min_y
    colours = None
    try:
        if spec.elevation_image is not None:
            values = image_heights(_path(spec.elevation_image.path), spec.elevation_image_min_z,
                                   spec.elevation_image_max_z)
        elif spec.elevation_data_matrix is not None:
            values = spec.elevation_data_matrix_scale * np.array(spec.elevation_data_matrix)
        else:
            assert spec.dem_xyzrgb_file is not None  # a rule of the format
            table = read_points(_path(spec.dem_xyzrgb_file.path))
            table[:, :3] += spec.dem_offset_x, spec.dem_offset_y, spec.dem_offset_z
            nearest, corner = resampled(table[:, :2], spec.resolution)
            values = table[nearest, 2]
            colours = rgb_colours(table[:, 3:])[nearest]
    except ResourceError as error:
        raise ResourceError(f'{spec.source}: {error}') from error
    if spec.apply_kernel is not None:
        values = smoothed(values, np.array(spec.apply_kernel))
    if min(values.shape) < 2 or not np.isfinite(values).all():
        raise WorldFileError(
            f'{spec.source}: the elevation map has {values.shape[0]} x {values.shape[1]} heights '
            f'from {values.min()} to {values.max()} m: give at least 2 x 2 finite ones')
    rows, columns = values.shape
    x_min, y_min = (
        -0.5 * (count - 1) * spec.resolution if start is None else start
        for start, count in zip(corner, (rows, columns), strict=True))
    return replace(spec, heights=HeightMap(values, spec.resolution, x_min, y_min, colours))


def _path(path: str | None) -> Path:
    if path is None:
        raise ResourceError('the elevation map names a file that cannot be had')
    return Path(path)


def image_heights(path: Path, low: float, high: float) -> Array:
    """
    Return the heights of a grey image [m], shape (rows, columns).

    The darkest pixel of the image is as high as `low`, the brightest as `high`; an image of
    one grey is `low` all over. The top row of the image has the smallest x.

    :raises ResourceError: where the file is no image.
    """
    grey = read_grey(path)[::-1]
    span = float(np.ptp(grey))
    return np.asarray(low + (grey - grey.min()) * ((high - low) / span if span else 0.0), float)


def read_points(path: Path) -> Array:
    """
    Return the columns x y z [m] r g b of a text file, shape (n, 6).

    :raises ResourceError: where the file is not of that form.
    """
    try:
        table = np.loadtxt(path, ndmin=2)
    except (OSError, ValueError) as error:
        raise ResourceError(f'{path}: this list of points cannot be read: {error}') from error
    if table.shape[1] != 6 or not len(table) or not np.isfinite(table).all():
        raise ResourceError(f'{path}: give one `x y z r g b` a line, finite numbers')
    return np.asarray(table, float)


def rgb_colours(columns: Array) -> NDArray[np.uint8]:
    """Return colours given from 0 to 1, or else from 0 to 255, as bytes."""
    largest = 1.0 if columns.max() <= 1.0 else 255.0
    return np.asarray(np.rint(np.clip(columns / largest, 0.0, 1.0) * 255), np.uint8)


def resampled(points: Array, resolution: float
              ) -> tuple[NDArray[np.int64], tuple[float, float]]:
    """
    Return the number of the nearest point for each node of a grid, and the corner of the grid.

    :param points: x y, shape (n, 2); the grid starts at their smallest and covers them all.
    :raises ResourceError: where the grid would be too large.
    """
    low = points.min(axis=0)
    places = (points - low) / resolution  # in cells
    shape = 1 + np.ceil(places.max(axis=0) - 1e-9).astype(int)
    if np.prod(shape, dtype=float) > MAX_SAMPLES:
        raise ResourceError(f'the points need {shape[0]} x {shape[1]} heights, {MAX_SAMPLES} are '
                            'allowed: take a larger <resolution>')
    rows, columns = shape.tolist()
    # points in order of the node that is nearest to them, and where those of a node start
    node = np.minimum(np.rint(places).astype(int), shape - 1) @ (columns, 1)
    order = np.argsort(node, kind='stable')
    first = np.searchsorted(node[order], np.arange(rows * columns + 1))
    best = np.full(rows * columns, np.inf)
    nearest = np.zeros(rows * columns, int)
    open_nodes = np.arange(rows * columns)
    ring = 0
    while len(open_nodes):
        row, column = np.divmod(open_nodes, columns)
        for i, j in _ring(ring):
            near = (0 <= row + i) & (row + i < rows) & (0 <= column + j) & (column + j < columns)
            ours = open_nodes[near]
            theirs = ours + i * columns + j
            start, end = first[theirs], first[theirs + 1]
            for k in range(int((end - start).max(initial=0))):
                some = start + k < end
                point = order[start[some] + k]
                at = ours[some]
                distance = np.hypot(*(places[point] - np.stack(
                    np.divmod(at, columns), axis=1)).T)
                closer = distance < best[at]
                best[at[closer]] = distance[closer]
                nearest[at[closer]] = point[closer]
        # points of the next ring are at least half a cell beyond this one
        open_nodes = open_nodes[best[open_nodes] > ring + 0.5]
        ring += 1
    return nearest.reshape(rows, columns), (float(low[0]), float(low[1]))


def _ring(radius: int) -> list[tuple[int, int]]:
    """Return the offsets of the cells at a distance, the larger of rows and columns."""
    span = range(-radius, radius + 1)
    return [(i, j) for i in span for j in span if max(abs(i), abs(j)) == radius]


def smoothed(values: ArrayLike, kernel: Array) -> Array:
    """
    Return `values` filtered with a square kernel.

    Beyond the border they count as 0, as in the original: borders sink towards 0.
    """
    heights = np.asarray(values, float)
    before = len(kernel) // 2
    padded = np.pad(heights, (before, len(kernel) - 1 - before))
    rows, columns = heights.shape
    return np.asarray(sum(
        factor * padded[i:i + rows, j:j + columns]
        for (i, j), factor in np.ndenumerate(kernel)), float)
