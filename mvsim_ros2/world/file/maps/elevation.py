# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Elevation maps from images, matrices and lists of points, as in the original."""

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mvsim_ros2.errors import ResourceError, WorldFileError
from mvsim_ros2.frames import Array
from mvsim_ros2.world.file.maps.occupancy import read_grey
from mvsim_ros2.world.spec import ElevationMapSpec, HeightMap
from mvsim_ros2.world.spec.element import FindFile

MAX_SAMPLES = 10 ** 7


def with_heights(spec: ElevationMapSpec, find: FindFile) -> ElevationMapSpec:
    """Return `spec` with the heights of its image, else its matrix, else its list of points."""
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
        raise ResourceError('the file of the elevation map is not available')
    return Path(path)


def image_heights(path: Path, low: float, high: float) -> Array:
    """
    Return the heights of a grey image [m], shape (rows, columns).

    The darkest pixel has the height `low`, the brightest `high`; a uniform image has the height
    `low`. The top row of the image has the smallest x.
    """
    grey = read_grey(path)[::-1]
    span = float(np.ptp(grey))
    return np.asarray(low + (grey - grey.min()) * ((high - low) / span if span else 0.0), float)


def read_points(path: Path) -> Array:
    """Return the columns x y z [m] r g b of a text file, shape (n, 6)."""
    try:
        table = np.loadtxt(path, ndmin=2)
    except (OSError, ValueError) as error:
        raise ResourceError(f'{path}: this list of points cannot be read: {error}') from error
    if table.shape[1] != 6 or not len(table) or not np.isfinite(table).all():
        raise ResourceError(f'{path}: give one `x y z r g b` a line, finite numbers')
    return np.asarray(table, float)


def rgb_colours(columns: Array) -> NDArray[np.uint8]:
    """Return colours in 0 .. 1, else in 0 .. 255, as bytes."""
    largest = 1.0 if columns.max() <= 1.0 else 255.0
    return np.asarray(np.rint(np.clip(columns / largest, 0.0, 1.0) * 255), np.uint8)


def resampled(points: Array, resolution: float) -> tuple[NDArray[np.int64], tuple[float, float]]:
    """
    Return the index of the nearest point for each node of a grid, and the corner of the grid.

    :param points: x y, shape (n, 2); the grid starts at their minimum and covers them all.
    """
    low = points.min(axis=0)
    places = (points - low) / resolution  # in cells
    size = 1.0 + np.ceil(places.max(axis=0) - 1e-9)
    if not np.prod(size) <= MAX_SAMPLES:
        raise ResourceError(f'the points need {size[0]:.0f} x {size[1]:.0f} heights, '
                            f'{MAX_SAMPLES} are allowed: take a larger <resolution>')
    shape = size.astype(int)
    rows, columns = shape.tolist()
    # points in order of their nearest nodes, and the first point of each node
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
                distance = np.hypot(*(places[point] - np.stack(np.divmod(at, columns), axis=1)).T)
                closer = distance < best[at]
                best[at[closer]] = distance[closer]
                nearest[at[closer]] = point[closer]
        # points of the next ring are at least half a cell beyond this one
        open_nodes = open_nodes[best[open_nodes] > ring + 0.5]
        ring += 1
    return nearest.reshape(rows, columns), (float(low[0]), float(low[1]))


def _ring(radius: int) -> list[tuple[int, int]]:
    """Return the offsets of the cells at a Chebyshev distance."""
    span = range(-radius, radius + 1)
    return [(i, j) for i in span for j in span if max(abs(i), abs(j)) == radius]


def smoothed(values: ArrayLike, kernel: Array) -> Array:
    """
    Return `values` filtered with a square kernel.

    Values beyond the border are 0, as in the original, so that borders are lowered.
    """
    heights = np.asarray(values, float)
    before = len(kernel) // 2
    padded = np.pad(heights, (before, len(kernel) - 1 - before))
    rows, columns = heights.shape
    return np.asarray(sum(
        factor * padded[i:i + rows, j:j + columns]
        for (i, j), factor in np.ndenumerate(kernel)), float)
