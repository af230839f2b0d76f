# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Antialiasing of images that OpenGL draws with one sample a pixel: where their edges are.

Several samples of all pixels are cheap on a graphics card and dear without one. So software
OpenGL takes one and leaves a mark in the opacity of each pixel, which says what is seen and
whether the sun shines on it, `UNSURE` on the border of a shadow or of a hole, or `BORDER` on that
of a shadow on a plane face, which has its colour in the sun there. Edges run between
neighbours whose colours differ and whose marks do, or that do not lie in one plane: across a plane
the depths of OpenGL, which are inverse, grow evenly; not where colours change as evenly as on a
surface that is shaded smoothly. Lines and rays smooth them.
"""

from collections.abc import Callable
import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.raycast.image.bands import in_bands
from mvsim_ros2.raycast.image.edges import ABOVE
from mvsim_ros2.raycast.image.edges import BELOW
from mvsim_ros2.raycast.image.edges import DARK_BESIDE
from mvsim_ros2.raycast.image.edges import EACH
from mvsim_ros2.raycast.image.edges import Edges
from mvsim_ros2.raycast.image.edges import HALF_LIT
from mvsim_ros2.raycast.image.edges import LEFT
from mvsim_ros2.raycast.image.edges import LIT_BESIDE
from mvsim_ros2.raycast.image.edges import RIGHT
from mvsim_ros2.raycast.image.edges import SAME_COLOUR
from mvsim_ros2.raycast.image.shadow_borders import BENT
from mvsim_ros2.raycast.image.shadow_borders import EXACT
from mvsim_ros2.raycast.image.shadow_borders import slope
from mvsim_ros2.render.without_alpha import without_alpha
from mvsim_ros2.scene.camera_view import CameraView

# smooths edges in an image of a view: see `raycast.image.edges`
Smoother = Callable[[CameraView, Edges, NDArray[np.uint8]], None]

_FIRST_MARK = np.uint32(2 << 24)  # of words of four bytes, the mark last
# marks of pixels that are on an edge, or on the border of a shadow, whatever is beside them
UNSURE, BORDER = 0, 1
_MOST = 255  # of a colour: it may be brighter
_FEW = 50_000  # pixels of images that one thread looks at
_STEEPER, _SAME_SLOPE = 2, 4  # times, and levels: colours of a smooth surface change by no more


def marked_edges(pixels: NDArray[np.uint8], depth: NDArray[np.float32], view: CameraView,
                 image: NDArray[np.uint8]) -> Edges:
    """
    Copy the colours of pixels into an image, and return its edges.

    :param pixels: red, green, blue and mark, shape (height, width, 4).
    :param depth: reversed depths of OpenGL, 0 for nothing, shape (height, width).
    :param image: red, green and blue, shape (height, width, 3).
    """
    without_alpha(pixels, image)
    height, width = depth.shape
    every = np.zeros(depth.size + -depth.size % 8, np.uint8)
    sides, words = every[:depth.size].reshape(depth.shape), pixels.view(np.uint32)[..., 0]

    def mark(first: int, last: int) -> None:
        count = (last - first) * width
        changes = np.zeros(count + -count % 8, np.uint8)
        _find_changes(words, first, changes[:count].reshape(-1, width))
        _mark_sides(pixels, depth, BENT / view.fx, BENT / view.fy, first, changes,
                    changes.view(np.uint64), sides)

    between: list[int] = []  # rows that mark the next band

    def mark_band(_: int, first: int, last: int) -> None:
        if last == height:
            mark(first, last)
        elif last > first:
            mark(first, last - 1)
            between.append(last - 1)

    if depth.size < _FEW:
        mark(0, height)
    else:
        in_bands(height, mark_band)
    for row in between:
        mark(row, row + 1)
    found = np.empty(depth.size, np.int32)
    count = _list_pixels(every, every.view(np.uint64), found)
    near, far = view.near, view.far
    return Edges(sides, found[:count], depth, near * far / (far - near), near / (far - near))


@compiled(counted=False)
def _find_changes(words: NDArray[np.uint32], first: int, changes: NDArray[np.uint8]) -> None:
    """Set what is not as the pixel to the right and that below, or is `UNSURE`, in some rows."""
    height, width = words.shape
    for v in range(first, first + changes.shape[0]):
        here, beside = words[v, :width - 1], words[v, 1:]
        below, found = words[min(v + 1, height - 1), :width - 1], changes[v - first]
        for u in range(width - 1):
            found[u] = 1 if here[u] != beside[u] or here[u] != below[u] or (
                here[u] < _FIRST_MARK) else 0
        last = words[v, width - 1]
        found[width - 1] = 1 if last != words[min(v + 1, height - 1), width - 1] or (
            last < _FIRST_MARK) else 0


@compiled(counted=False)
def _mark_sides(
        pixels: NDArray[np.uint8], depth: NDArray[np.float32], across: float, along: float,
        first: int, changes: NDArray[np.uint8], eight_changes: NDArray[np.uint64],
        sides: NDArray[np.uint8]) -> None:
    """
    Fill in the sides of pixels in some rows, and of their neighbours in the row below.

    :param across: share by which depths may bend from column to column; `along`: from row to row.
    :param first: of the rows.
    :param changes: what has changed, in a row from there on, as bytes and as eight at a time.
    """
    height, width = depth.shape
    for block in range(len(eight_changes)):
        if eight_changes[block] == 0:
            continue
        for p in range(8 * block, 8 * block + 8):
            if changes[p] == 0:
                continue
            v, u = first + p // width, p % width
            mark = pixels[v, u, 3]
            if mark <= BORDER:
                plane = mark == BORDER and max(
                    pixels[v, u, 0], pixels[v, u, 1], pixels[v, u, 2]) < _MOST and _is_plane(
                        depth, v, u, across, along)
                sides[v, u] |= HALF_LIT if plane else EACH
            if u + 1 < width:
                if _is_edge(pixels, depth, v, u, 0, 1, across):
                    sides[v, u] |= RIGHT
                    sides[v, u + 1] |= LEFT
                elif mark == BORDER or pixels[v, u + 1, 3] == BORDER:
                    _note_border(pixels, depth, v, u, v, u + 1, across, along, sides)
            if v + 1 < height:
                if _is_edge(pixels, depth, v, u, 1, 0, along):
                    sides[v, u] |= BELOW
                    sides[v + 1, u] |= ABOVE
                elif mark == BORDER or pixels[v + 1, u, 3] == BORDER:
                    _note_border(pixels, depth, v, u, v + 1, u, across, along, sides)


@compiled(inner=True, counted=False)
def _is_edge(pixels: NDArray[np.uint8], depth: NDArray[np.float32], v: int, u: int, down: int,
             right: int, share: float) -> bool:
    """Return whether an edge other than the border of a shadow is between a pixel and the next."""
    one, other = pixels[v, u, 3], pixels[v + down, u + right, 3]
    if not _differ(pixels, v, u, v + down, u + right):
        return False
    if one == BORDER or other == BORDER:
        return _bend(depth, v, u, down, right, share)
    return bool(one != other or _bend(depth, v, u, down, right, share)
                and not _blend(pixels, v, u, down, right))


@compiled(inner=True, counted=False)
def _note_border(pixels: NDArray[np.uint8], depth: NDArray[np.float32], v: int, u: int, row: int,
                 column: int, across: float, along: float, sides: NDArray[np.uint8]) -> None:
    """Note where one of two pixels in a plane is on the border of a shadow, and one beside it."""
    if pixels[v, u, 3] <= BORDER:
        v, u = row, column
    if pixels[v, u, 3] > BORDER and sides[v, u] & (LIT_BESIDE | DARK_BESIDE) == 0 and _is_plane(
            depth, v, u, across, along):
        sides[v, u] |= LIT_BESIDE if pixels[v, u, 3] & 1 else DARK_BESIDE


@compiled(inner=True, counted=False)
def _is_plane(depth: NDArray[np.float32], v: int, u: int, across: float, along: float) -> bool:
    """Return whether depths around a pixel are those of a plane."""
    return not (math.isnan(slope(depth, v, u, 0, 1, across))
                or math.isnan(slope(depth, v, u, 1, 0, along)))


@compiled(counted=False)
def _list_pixels(sides: NDArray[np.uint8], eight_sides: NDArray[np.uint64],
                 found: NDArray[np.int32]) -> int:
    """Fill in the pixels that have sides, which come in a row; return how many these are."""
    count = 0
    for block in range(len(eight_sides)):
        if eight_sides[block] != 0:
            for p in range(8 * block, 8 * block + 8):
                if sides[p] != 0:
                    found[count] = p
                    count += 1
    return count


@compiled(inner=True, counted=False)
def _differ(pixels: NDArray[np.uint8], v: int, u: int, row: int, column: int) -> bool:
    """Return whether two pixels do not look alike."""
    for part in range(3):
        if abs(int(pixels[v, u, part]) - int(pixels[row, column, part])) > SAME_COLOUR:
            return True
    return False


@compiled(inner=True, counted=False)
def _bend(depth: NDArray[np.float32], v: int, u: int, down: int, right: int,
          share: float) -> bool:
    """Return whether a pixel and the next do not lie in one plane, by those around them."""
    one, other = float(depth[v, u]), float(depth[v + down, u + right])
    limit = share * min(one, other) + EXACT
    if v - down >= 0 and u - right >= 0 and abs(
            depth[v - down, u - right] - 2.0 * one + other) > limit:
        return True
    v, u = v + 2 * down, u + 2 * right
    return bool(v < depth.shape[0] and u < depth.shape[1]
                and abs(one - 2.0 * other + depth[v, u]) > limit)


@compiled(inner=True, counted=False)
def _blend(pixels: NDArray[np.uint8], v: int, u: int, down: int, right: int) -> bool:
    """Return whether colours change from a pixel to the next about as before and after them."""
    row, column = v + 2 * down, u + 2 * right
    if v < down or u < right or row >= pixels.shape[0] or column >= pixels.shape[1]:
        return False
    for part in range(3):
        one, other = int(pixels[v, u, part]), int(pixels[v + down, u + right, part])
        before = abs(one - int(pixels[v - down, u - right, part]))
        after = abs(int(pixels[row, column, part]) - other)
        if abs(other - one) > _STEEPER * min(before, after) + _SAME_SLOPE:
            return False
    return True
