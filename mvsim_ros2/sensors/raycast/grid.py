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
"""
Line segments in a uniform grid, and the walk of a ray through it.

The walk is the grid traversal of Amanatides and Woo (A fast voxel traversal algorithm for
ray tracing, Eurographics 1987). Cells only decide which segments are tested; the distances
come from the segments themselves, so they are exact whatever the size of the cells.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.compiled import compiled

_CELLS_PER_SEGMENT = 2
_MOST_CELLS = 1 << 20  # bounds the memory of the index at 4 MB and a few bytes a segment
_PADDING = 1e-6  # of a cell: covers the rounding of the walk at borders of cells

Array = NDArray[np.float64]


class SegmentGrid(NamedTuple):
    """Segments sorted into square cells; cell (row, column) has number row * columns + column."""

    segments: Array  # (S, 4): x, y of both ends [m]
    marked: NDArray[np.bool_]  # (S,): part of an occupancy grid
    first: NDArray[np.int32]  # (cells + 1,): where the items of a cell start
    items: NDArray[np.int32]  # numbers of segments
    x_min: float  # m
    y_min: float  # m
    cell: float  # size of a cell [m]
    columns: int
    rows: int


def build_grid(segments: Array, marked: NDArray[np.bool_]) -> SegmentGrid:
    """
    Return the index of `segments`.

    :param segments: ends of the segments [m], shape (S, 4): x0, y0, x1, y1.
    :param marked: which of them belong to occupancy grids, shape (S,).
    """
    count = len(segments)
    if not count:
        return SegmentGrid(np.zeros((0, 4)), np.zeros(0, bool), np.zeros(2, np.int32),
                           np.zeros(0, np.int32), 0.0, 0.0, 1.0, 1, 1)
    ends = segments.reshape(-1, 2)
    low, high = ends.min(axis=0), ends.max(axis=0)
    margin = 1e-3 + 1e-9 * float(np.abs(ends).max())
    low, high = low - margin, high + margin
    width, height = (float(size) for size in high - low)
    cells = min(_CELLS_PER_SEGMENT * count, _MOST_CELLS)
    # no smaller than what keeps a long and narrow world within the number of cells
    cell = max(math.sqrt(width * height / cells), (width + height) / cells)
    columns, rows = max(math.ceil(width / cell), 1), max(math.ceil(height / cell), 1)
    numbers, cells_of = _touched_cells(segments, low, cell, columns, rows)
    first = np.zeros(columns * rows + 1, np.int32)
    np.cumsum(np.bincount(cells_of, minlength=columns * rows), out=first[1:])
    items = numbers[np.argsort(cells_of, kind='stable')].astype(np.int32)
    return SegmentGrid(np.ascontiguousarray(segments), np.ascontiguousarray(marked), first,
                       items, float(low[0]), float(low[1]), cell, columns, rows)


def _touched_cells(
        segments: Array, low: Array, cell: float, columns: int,
        rows: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """
    Return pairs of segment and cell that touch.

    :param low: lower left corner of the grid [m].
    """
    # in cells, from left to right
    a, b = (segments[:, :2] - low) / cell, (segments[:, 2:] - low) / cell
    swap = a[:, :1] > b[:, :1]
    a, b = np.where(swap, b, a), np.where(swap, a, b)
    left = np.clip(a[:, 0] - _PADDING, 0, columns - 1).astype(np.int64)
    right = np.clip(b[:, 0] + _PADDING, 0, columns - 1).astype(np.int64)
    numbers, column = _spread(left, right)
    a, b = a[numbers], b[numbers]
    width = b[:, 0] - a[:, 0]
    steep = width <= _PADDING
    slope = np.where(steep, 0.0, (b[:, 1] - a[:, 1]) / np.where(steep, 1.0, width))
    enter = a[:, 1] + slope * (np.maximum(column - _PADDING, a[:, 0]) - a[:, 0])
    leave = a[:, 1] + slope * (np.minimum(column + 1 + _PADDING, b[:, 0]) - a[:, 0])
    leave = np.where(steep, b[:, 1], leave)
    bottom = np.clip(np.minimum(enter, leave) - _PADDING, 0, rows - 1).astype(np.int64)
    top = np.clip(np.maximum(enter, leave) + _PADDING, 0, rows - 1).astype(np.int64)
    which, row = _spread(bottom, top)
    return numbers[which], row * columns + column[which]


def _spread(
        first: NDArray[np.int64],
        last: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return all pairs of i and a whole number from first[i] to last[i]."""
    counts = last - first + 1
    which = np.repeat(np.arange(len(first)), counts)
    begin = np.cumsum(counts) - counts
    return which, first[which] + np.arange(len(which)) - begin[which]


@compiled
def _index(value: float, most: int) -> int:
    """Return the whole part of `value`, within 0 .. most."""
    return int(min(max(value, 0.0), float(most)))


@compiled
def distance_to_segment(
        ox: float, oy: float, dx: float, dy: float,
        ax: float, ay: float, bx: float, by: float) -> float:
    """
    Return the distance from `o` along the unit vector `d` to the segment from `a` to `b`.

    It is inf where the ray misses. The side on which an end lies is computed from that end
    alone, so that two segments that share an end leave no gap between them.
    """
    ax, ay = ax - ox, ay - oy
    bx, by = bx - ox, by - oy
    side_a = dx * ay - dy * ax
    side_b = dx * by - dy * bx
    if side_a * side_b > 0.0:
        return math.inf
    along_a = dx * ax + dy * ay
    along_b = dx * bx + dy * by
    if side_a == side_b:  # the ray runs along the segment
        if (along_a <= 0.0) != (along_b <= 0.0):
            return 0.0
        distance = min(along_a, along_b)
    else:
        distance = (ax * by - ay * bx) / (side_b - side_a)
        distance = min(max(distance, min(along_a, along_b)), max(along_a, along_b))
    return distance if distance >= 0.0 else math.inf


@compiled
def _enter(position: float, direction: float, low: float, high: float) -> float:
    """Return the distance after which a ray is between `low` and `high` along one axis."""
    if low <= position <= high:
        return 0.0
    outward = direction >= 0.0 if position > high else direction <= 0.0
    if outward:
        return math.inf
    return ((high if position > high else low) - position) / direction


@compiled
def meet_grid(
        grid: SegmentGrid, marked_only: bool, origins: NDArray[np.float64],
        directions: NDArray[np.float64], limit: float, ranges: NDArray[np.float64]) -> None:
    """
    Fill in the distance of each ray to the nearest segment, inf where none is in reach.

    :param marked_only: see only marked segments.
    :param origins: where the rays start [m], shape (N, 2).
    :param directions: unit vectors, shape (N, 2).
    :param limit: largest distance of interest [m].
    :param ranges: distances [m], shape (N,).
    """
    cell, columns, rows = grid.cell, grid.columns, grid.rows
    for i in range(ranges.shape[0]):
        ranges[i] = math.inf
        ox, oy = origins[i, 0], origins[i, 1]
        dx, dy = directions[i, 0], directions[i, 1]
        enter = max(_enter(ox, dx, grid.x_min, grid.x_min + columns * cell),
                    _enter(oy, dy, grid.y_min, grid.y_min + rows * cell))
        if not enter <= limit or enter == math.inf:
            continue
        column = _index((ox + enter * dx - grid.x_min) / cell, columns - 1)
        row = _index((oy + enter * dy - grid.y_min) / cell, rows - 1)
        exit_x, exit_y, pace_x, pace_y = math.inf, math.inf, math.inf, math.inf
        step_x, step_y = 1, 1
        if dx != 0.0:
            step_x = 1 if dx > 0.0 else -1
            inverse = 1.0 / dx
            pace_x = abs(cell * inverse)
            exit_x = (grid.x_min + (column + (dx > 0.0)) * cell - ox) * inverse
        if dy != 0.0:
            step_y = 1 if dy > 0.0 else -1
            inverse = 1.0 / dy
            pace_y = abs(cell * inverse)
            exit_y = (grid.y_min + (row + (dy > 0.0)) * cell - oy) * inverse
        best = math.inf
        while 0 <= column < columns and 0 <= row < rows:
            number = row * columns + column
            for k in range(grid.first[number], grid.first[number + 1]):
                item = grid.items[k]
                if marked_only and not grid.marked[item]:
                    continue
                distance = distance_to_segment(
                    ox, oy, dx, dy, grid.segments[item, 0], grid.segments[item, 1],
                    grid.segments[item, 2], grid.segments[item, 3])
                best = min(best, distance)
            border = min(exit_x, exit_y)
            if best <= border or border > limit:
                break
            along_x = exit_x <= exit_y  # selections, not branches: those are unpredictable here
            column += step_x if along_x else 0
            row += 0 if along_x else step_y
            exit_x += pace_x if along_x else 0.0
            exit_y += 0.0 if along_x else pace_y
        if best <= limit:
            ranges[i] = best
