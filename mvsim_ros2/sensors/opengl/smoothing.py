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
surface that is shaded smoothly. Where marks differ by the sun alone and both lie in one plane, the
border of a shadow runs between them. Lines and rays smooth all this.
"""

from collections.abc import Callable
import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.base.threads import beside
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.scene.camera_view import CameraView
from mvsim_ros2.sensors.opengl.without_alpha import as_words, copy_colours
from mvsim_ros2.sensors.raycast.image.bands import band_count, first_rows
from mvsim_ros2.sensors.raycast.image.edges import (
    ABOVE, BELOW, DARK_BESIDE, EACH, Edges, HALF_LIT, LEFT, LIT_BESIDE, RIGHT, SAME_COLOUR)
from mvsim_ros2.sensors.raycast.image.shadow_borders import BENT, EXACT, slope

# smooths edges in an image of a view: see `raycast.image.edges`
Smoother = Callable[[CameraView, Edges, NDArray[np.uint8]], None]

_NOTHING, _EDGE, _SHADOW = range(3)  # what may be between two pixels
_TO_RIGHT, _TO_BELOW, _MARKED = 1, 2, 4  # what a pixel is not like, or that it is on a border
_FIRST_MARK = np.uint32(2 << 24)  # of words of four bytes, the mark last
# marks of pixels that are on an edge, or on the border of a shadow, whatever their neighbours are
UNSURE, BORDER = 0, 1
_AHEAD = 3  # rows below a band whose depths say what lies in a plane with its last row
_MOST = 255  # of a colour: it may be brighter
FEW = 50_000  # pixels of images that one thread looks at
_STEEPER, _SAME_SLOPE = 2, 4  # times, and levels: colours of a smooth surface change by no more


class EdgeFinder:
    """
    Finds the edges of images of one size; their memory is kept for the next.

    :ivar pixels: red, green, blue and mark, shape (height, width, 4).
    :ivar depth: reversed depths of OpenGL, 0 for nothing, shape (height, width).
    :ivar parts: first rows that are read for the bands, and the ends of these: those that a band
        looks at and that are not read for one before it.
    """

    def __init__(self, width: int, height: int) -> None:
        """Reserve memory."""
        self.pixels = np.empty((height, width, 4), np.uint8)
        self.depth = np.empty((height, width), np.float32)
        count = width * height
        self._bands = band_count() if count >= FEW else 1
        self._ends = first_rows(height, self._bands)
        ahead = [0, *(min(end + _AHEAD, height) for end in self._ends[1:])]
        self.parts = list(zip(ahead, ahead[1:]))
        self._sides = np.empty(count + -count % 8, np.uint8)
        self._listed = [np.empty((last - first) * width + 1, np.int32)
                        for first, last in zip(self._ends, self._ends[1:])]
        wide = width + -width % 8
        self._scratch = [(np.empty(wide, np.uint8), np.empty((4, wide + 1), np.int32))
                         for _ in self._listed]

    def find(self, read: Callable[[int], None], view: CameraView, image: NDArray[np.uint8],
             sun_alone: bool) -> Edges:
        """
        Copy the colours of pixels into an image, and return its edges.

        Other threads look at the first rows while later ones are read.

        :param read: fills in pixels and depths of one of the `parts`.
        :param image: red, green and blue, shape (height, width, 3).
        :param sun_alone: no lamp has a part in marks.
        """
        ends, depth, width, height = self._ends, self.depth, view.width, view.height
        words = self.pixels.reshape(height, -1).view(np.uint32)
        flat, colours, targets = self.pixels.reshape(-1, 4), image.reshape(-1), as_words(image)
        counts = [0] * self._bands

        def mark(number: int) -> None:
            changes, lists = self._scratch[number]
            counts[number] = _mark_band(
                words, flat, depth, BENT / view.fx, BENT / view.fy, sun_alone, ends[number],
                ends[number + 1], changes, lists, self._sides, self._listed[number], targets,
                colours)

        beside(self._bands, mark, read)
        near, far = view.near, view.far
        return Edges(
            self._sides[:width * height].reshape(height, width), np.concatenate([
                listed[:count] for listed, count in zip(self._listed, counts, strict=True)]),
            depth, flat, near * far / (far - near), near / (far - near))


@compiled(counted=False)
def _mark_band(
        words: NDArray[np.uint32], pixels: NDArray[np.uint8], depth: NDArray[np.float32],
        across: float, along: float, sun_alone: bool, first: int, end: int,
        changes: NDArray[np.uint8], lists: NDArray[np.int32], sides: NDArray[np.uint8],
        listed: NDArray[np.int32], targets: NDArray[np.uint32],
        colours: NDArray[np.uint8]) -> int:
    """
    Copy the colours of some rows, fill in the sides of their pixels, and list those that have any.

    :param listed: with room for one more than the rows have pixels.
    :param targets: of the colours as words, and `colours` as bytes; the rest as of `_mark_sides`.
    :returns: how many pixels are listed.
    """
    width = depth.shape[1]
    copy_colours(words.reshape(-1), targets, colours, first * width, end * width)
    begin, stop = first * width, end * width
    stop += -stop % 8  # beyond the last row of the image
    mine = sides[begin:stop]
    mine[:] = 0
    changes[:] = 0
    _mark_sides(words, pixels, depth, across, along, sun_alone, first, end, changes,
                changes.view(np.uint64), lists, sides)
    return _list_pixels(mine, mine.view(np.uint64), begin, listed)


@compiled(counted=False)
def _mark_sides(
        words: NDArray[np.uint32], pixels: NDArray[np.uint8], depth: NDArray[np.float32],
        across: float, along: float, sun_alone: bool, first: int, end: int,
        changes: NDArray[np.uint8], eight_changes: NDArray[np.uint64], lists: NDArray[np.int32],
        sides: NDArray[np.uint8]) -> None:
    """
    Fill in the sides of pixels in some rows.

    :param words: of the pixels, shape of `depth`; as bytes all are in a row, as `sides` are.
    :param across: share by which depths may bend from column to column; `along`: from row to row.
    :param first: of the rows, and the one after their last.
    :param changes: scratch, zeros for a row, as bytes and as eight at a time, and as `lists`.
    :param sides: zeros; those of other rows are left alone.
    """
    height, width = depth.shape
    for v in range(max(first - 1, 0), end):
        _find_changes(words[v], words[min(v + 1, height - 1)], changes)
        changed = right = below = marked = 0
        for block in range(len(eight_changes)):
            if eight_changes[block] != 0:
                for u in range(8 * block, 8 * block + 8):  # all are listed, and kept that changed
                    lists[3, changed] = u
                    changed += changes[u] != 0
        for n in range(changed):
            u = lists[3, n]
            change = changes[u]
            lists[0, right] = lists[1, below] = lists[2, marked] = v * width + u
            right += change & _TO_RIGHT
            below += change >> 1 & 1
            marked += change >> 2
        inside, on = v >= first, v + 1 < end  # whether this row is one of them, and that below
        if not inside:
            right = marked = 0
        for n in range(marked):
            p = lists[2, n]
            plane = pixels[p, 3] == BORDER and max(
                pixels[p, 0], pixels[p, 1], pixels[p, 2]) < _MOST and _is_plane(
                    depth, p // width, p % width, across, along)
            sides[p] |= HALF_LIT if plane else EACH
        for n in range(right):
            p = lists[0, n]
            kind = _kind(pixels, depth, p, p + 1, 0, 1, across, along, sun_alone)
            if kind == _EDGE:
                sides[p] |= RIGHT
                sides[p + 1] |= LEFT
            elif kind == _SHADOW:
                _note_border(pixels, depth, p, across, along, sides)
                _note_border(pixels, depth, p + 1, across, along, sides)
        for n in range(below):
            p = lists[1, n]
            kind = _kind(pixels, depth, p, p + width, 1, 0, across, along, sun_alone)
            if kind == _EDGE:
                if inside:
                    sides[p] |= BELOW
                if on:
                    sides[p + width] |= ABOVE
            elif kind == _SHADOW:
                if inside:
                    _note_border(pixels, depth, p, across, along, sides)
                if on:
                    _note_border(pixels, depth, p + width, across, along, sides)


@compiled(inner=True, counted=False)
def _find_changes(here: NDArray[np.uint32], below: NDArray[np.uint32],
                  changes: NDArray[np.uint8]) -> None:
    """Set what of a row is not as the pixel to the right, as that below, or has a mark alone."""
    last = len(here) - 1
    for u in range(last):
        changes[u] = (_TO_RIGHT if here[u] != here[u + 1] else 0) | (
            _TO_BELOW if here[u] != below[u] else 0) | (_MARKED if here[u] < _FIRST_MARK else 0)
    changes[last] = (_TO_BELOW if here[last] != below[last] else 0) | (
        _MARKED if here[last] < _FIRST_MARK else 0)


@compiled(inlined=True)
def _kind(pixels: NDArray[np.uint8], depth: NDArray[np.float32], p: int, q: int, down: int,
          right: int, across: float, along: float, sun_alone: bool) -> int:
    """Return what is between a pixel and the next: nothing, an edge, or the border of a shadow."""
    one, other = pixels[p, 3], pixels[q, 3]
    border = one == BORDER or other == BORDER
    if not _differ(pixels, p, q):
        return _SHADOW if border else _NOTHING
    # the sun shines on one of them, if this is the same thing
    lit = sun_alone and one ^ other == 1 and not border
    if one != other and not border and not lit:
        return _EDGE
    width = depth.shape[1]
    v, u = p // width, p % width
    if _bend(depth, v, u, down, right, along if down else across):
        return _NOTHING if one == other and not border and _blend(
            pixels, depth.shape, v, u, down, right) else _EDGE
    if lit and not (_is_plane(depth, v, u, across, along)
                    and _is_plane(depth, q // width, q % width, across, along)):
        return _EDGE
    return _SHADOW if lit or border else _NOTHING


@compiled(inlined=True)
def _note_border(pixels: NDArray[np.uint8], depth: NDArray[np.float32], p: int, across: float,
                 along: float, sides: NDArray[np.uint8]) -> None:
    """Note that a pixel in a plane is next to the border of a shadow, not on it."""
    mark = pixels[p, 3]
    if mark > BORDER and sides[p] & (LIT_BESIDE | DARK_BESIDE) == 0 and _is_plane(
            depth, p // depth.shape[1], p % depth.shape[1], across, along):
        sides[p] |= LIT_BESIDE if mark & 1 else DARK_BESIDE


@compiled(inlined=True)
def _is_plane(depth: NDArray[np.float32], v: int, u: int, across: float, along: float) -> bool:
    """Return whether depths around a pixel are those of a plane."""
    return not (math.isnan(slope(depth, v, u, 0, 1, across))
                or math.isnan(slope(depth, v, u, 1, 0, along)))


@compiled(counted=False)
def _list_pixels(sides: NDArray[np.uint8], eight_sides: NDArray[np.uint64], first: int,
                 found: NDArray[np.int32]) -> int:
    """
    Fill in the pixels that have sides, from a first one on; return how many these are.

    :param sides: which come in a row, as bytes and as eight at a time.
    :param found: with room for one more than there are.
    """
    count = 0
    for block in range(len(eight_sides)):
        if eight_sides[block] != 0:
            for p in range(8 * block, 8 * block + 8):  # each is listed, and kept if it has sides
                found[count] = first + p
                count += sides[p] != 0
    return count


@compiled(inlined=True)
def _differ(pixels: NDArray[np.uint8], p: int, q: int) -> bool:
    """Return whether two pixels have different colours."""
    return max(abs(int(pixels[p, 0]) - int(pixels[q, 0])),
               abs(int(pixels[p, 1]) - int(pixels[q, 1])),
               abs(int(pixels[p, 2]) - int(pixels[q, 2]))) > SAME_COLOUR


@compiled(inlined=True)
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
def _blend(pixels: NDArray[np.uint8], size: tuple[int, int], v: int, u: int, down: int,
           right: int) -> bool:
    """Return whether colours change from a pixel to the next about as before and after them."""
    height, width = size
    if v < down or u < right or v + 2 * down >= height or u + 2 * right >= width:
        return False
    p, step = v * width + u, down * width + right
    for part in range(3):
        one, other = int(pixels[p, part]), int(pixels[p + step, part])
        before = abs(one - int(pixels[p - step, part]))
        after = abs(int(pixels[p + 2 * step, part]) - other)
        if abs(other - one) > _STEEPER * min(before, after) + _SAME_SLOPE:
            return False
    return True
