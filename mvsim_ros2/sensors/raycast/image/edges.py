# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Antialiasing: pixels on edges get the mean of several samples.

An edge runs between pixels that see different things, faces at an angle, parallel faces one
behind the other, or sun and shadow, and through what has holes; where the colours on both sides
are the same there is nothing to smooth. The places of the samples in a pixel are those of the
usual pattern of four of graphics cards, one in each quarter. `sample_looks` finds what they
show, or leaves it to rays.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled

Array = NDArray[np.float64]

# places in a pixel, from its centre, right and down
SAMPLES = np.array([(0.375, 0.125), (0.875, 0.375), (0.125, 0.625), (0.625, 0.875)]) - 0.5
# bits of the sides of a pixel: edges between it and its neighbours, or all over it; the border of
# a shadow on a plane in it, or beside it where it is lit or dark, see `shadow_borders`
LEFT, RIGHT, ABOVE, BELOW, EACH, HALF_LIT, LIT_BESIDE, DARK_BESIDE = (2 ** i for i in range(8))
NEIGHBOURS = LEFT | RIGHT | ABOVE | BELOW
# what samples look like, four bits each: the pixel, neighbours, what a ray finds, or the plane of
# the pixel where a ray towards the sun says whether it is lit
OWN, TO_LEFT, TO_RIGHT, TO_ABOVE, TO_BELOW, RAY, SUN = range(7)
# bits of one, and where some are found by rays, or by rays to the sun
LOOK, SOME_RAYS, SOME_SUN = 0b111, 0x8000, 0x800
ALL_SUN = SUN * 0x1111 | SOME_SUN
INSTANCE, DISTANCE, NORMAL = 0, 1, 2  # columns of marks: what a pixel sees
HOLED = -2.0  # instance of marks of what has holes
LIT = 5  # whether the sun shines on it
MARKS = 6
_SAME_NORMAL = 0.97  # cosine
_SAME_PLANE = 3e-3  # offset of planes, of the distance
SAME_COLOUR = 8  # of 255
TILE = 16  # px: rays of pixels in such squares are cast together
_NO_DEPTHS = np.zeros((0, 0), np.float32)


class Edges(NamedTuple):
    """The pixels of an image on edges."""

    sides: NDArray[np.uint8]  # (height, width): see above
    pixels: NDArray[np.int32]  # (n,): those that have any, in order
    depth: NDArray[np.float32]  # (height, width): scale / depth [m] - shift, 0 for nothing; or
    # (0, 0) where lines are not looked for
    colours: NDArray[np.uint8]  # (height * width, 3 or more): before any is smoothed
    scale: float = 1.0
    shift: float = 0.0


@compiled(inner=True, counted=False)
def _same_colour(colour: NDArray[np.uint8], p: int, q: int) -> bool:
    """Return whether two pixels have about the same colour."""
    for i in range(3):
        if abs(int(colour[p, i]) - int(colour[q, i])) > SAME_COLOUR:
            return False
    return True


def edges_of(marks: NDArray[np.float32], colour: NDArray[np.uint8], directions: Array,
             rotation: Array) -> Edges:
    """
    Return the edges of an image drawn by rays.

    :param marks: what pixels see, shape (height, width, `MARKS`).
    :param colour: of pixels, shape (height, width, 3).
    :param directions: of the pixels in the optical frame, shape (height, width, 3).
    :param rotation: from that frame to the world, of the normals, shape (3, 3).
    """
    height, width = marks.shape[:2]
    sides = np.zeros((height, width), np.uint8)
    _find_edges(marks.reshape(-1, MARKS), colour.reshape(-1, 3), directions.reshape(-1, 3),
                rotation, width, sides.reshape(-1))
    return Edges(sides, np.flatnonzero(sides).astype(np.int32), _NO_DEPTHS,
                 colour.reshape(-1, 3).copy())


@compiled(counted=False)
def _find_edges(marks: NDArray[np.float32], colour: NDArray[np.uint8], directions: Array,
                rotation: Array, width: int, sides: NDArray[np.uint8]) -> None:
    """Set the sides of pixels on edges, all in one row; see `edges_of`."""
    count = marks.shape[0]
    for p in range(count):
        if marks[p, INSTANCE] == HOLED:
            sides[p] |= EACH
        for k in range(2):
            q = p + 1 if k == 0 else p + width
            if q >= count or k == 0 and q % width == 0:
                continue
            if _same_colour(colour, p, q):
                continue
            if marks[p, INSTANCE] == marks[q, INSTANCE]:
                if marks[p, INSTANCE] < 0.0:
                    continue
                straight = offset_p = offset_q = 0.0
                near, far = marks[p, DISTANCE], marks[q, DISTANCE]
                a = far * directions[q, 0] - near * directions[p, 0]
                b = far * directions[q, 1] - near * directions[p, 1]
                c = far * directions[q, 2] - near * directions[p, 2]
                for i in range(3):
                    one, other = marks[p, NORMAL + i], marks[q, NORMAL + i]
                    step = rotation[i, 0] * a + rotation[i, 1] * b + rotation[i, 2] * c
                    straight += one * other
                    offset_p += one * step
                    offset_q += other * step
                limit = _SAME_PLANE * min(near, far)
                if straight >= _SAME_NORMAL and abs(offset_p) <= limit and (
                        abs(offset_q) <= limit) and marks[p, LIT] == marks[q, LIT]:
                    continue
            sides[p] |= RIGHT if k == 0 else BELOW
            sides[q] |= LEFT if k == 0 else ABOVE


@compiled(counted=False)
def in_tiles(pixels: NDArray[np.int32], looks: NDArray[np.uint16], width: int,
             tiles: NDArray[np.int32], ends: NDArray[np.int64],
             chosen: NDArray[np.int32]) -> int:
    """
    Fill in which pixels need rays, tile by tile, since those of one meet the same things.

    :param pixels: see `tell_samples`, as `looks`.
    :param width: of the image.
    :param tiles: scratch, shape (n,), as `ends`: zeros, more than tiles lie in a row.
    :param chosen: indices of `pixels`, shape (n,).
    :returns: how many there are.
    """
    begin = count = row = 0
    while begin < len(pixels):
        while pixels[begin] >= (row + TILE) * width:
            row += TILE
        line, end, last = row, begin, (row + TILE) * width
        while end < len(pixels) and pixels[end] < last:
            tiles[end] = -1
            if looks[end] & (SOME_RAYS | SOME_SUN) != 0:
                while pixels[end] >= (line + 1) * width:
                    line += 1
                tiles[end] = (pixels[end] - line * width) // TILE
                ends[tiles[end] + 1] += 1
            end += 1
        ends[0] = count
        for tile in range(1, len(ends)):
            ends[tile] += ends[tile - 1]
        count = ends[len(ends) - 1]
        for n in range(begin, end):
            if tiles[n] >= 0:
                chosen[ends[tiles[n]]] = n
                ends[tiles[n]] += 1
        for tile in range(len(ends)):
            ends[tile] = 0
        begin = end
    return int(count)


@compiled(counted=False)
def rays_within(
        directions: Array, lens: Array, size: tuple[int, int], pixels: NDArray[np.int32],
        looks: NDArray[np.uint16], chosen: NDArray[np.int32], samples: Array, rays: Array,
        numbers: NDArray[np.int64], firsts: NDArray[np.int32]) -> None:
    """
    Fill in the directions of the samples that rays find, and the pixel of each.

    They are the pixel's, and steps to its neighbours in the lens.

    :param directions: of all pixels, shape (height, width, 3); zero outside of the lens; none for
        a pinhole camera, of which to compute them is faster than to read them.
    :param lens: of a pinhole camera: fx, fy, cx, cy.
    :param size: height and width of the image.
    :param pixels: see `tell_samples`, as `looks` and `samples`.
    :param chosen: see `in_tiles`.
    :param rays: shape (n, 3), as `numbers` (n,).
    :param firsts: the first ray of each pixel, shape of `pixels`.
    """
    height, width = size
    n = 0
    for number in chosen:
        look = looks[number]
        if look & SOME_RAYS == 0:
            continue
        firsts[number] = n
        row = pixels[number] // width
        column = pixels[number] - row * width
        left, right = max(column - 1, 0), min(column + 1, width - 1)
        above, below = max(row - 1, 0), min(row + 1, height - 1)
        wide, high = max(right - left, 1), max(below - above, 1)
        across = along = 1.0
        if len(directions) > 0:
            across = 1.0 if _seen(directions, row, left) and (
                _seen(directions, row, right) and _seen(directions, row, column)) else 0.0
            along = 1.0 if _seen(directions, above, column) and (
                _seen(directions, below, column) and _seen(directions, row, column)) else 0.0
        for k in range(4):
            if look >> 4 * k & LOOK != RAY:
                continue
            numbers[n] = pixels[number]
            u, v = across * samples[k, 0] / wide, along * samples[k, 1] / high
            if len(directions) == 0:
                rays[n, 0] = _at(column, lens, 0) + u * (_at(right, lens, 0) - _at(left, lens, 0))
                rays[n, 1] = _at(row, lens, 1) + v * (_at(below, lens, 1) - _at(above, lens, 1))
                rays[n, 2] = 1.0
            else:
                for i in range(3):
                    rays[n, i] = (
                        directions[row, column, i]
                        + u * (directions[row, right, i] - directions[row, left, i])
                        + v * (directions[below, column, i] - directions[above, column, i]))
            n += 1


@compiled(inlined=True)
def _at(place: int, lens: Array, axis: int) -> float:
    """Return where a column or row of a pinhole camera lies, at a depth of 1."""
    at: float = (place - lens[2 + axis]) / lens[axis]
    return at


@compiled(inner=True, counted=False)
def _seen(directions: Array, row: int, column: int) -> bool:
    """Return whether a pixel lies within the lens."""
    return bool(directions[row, column, 0] != 0.0 or directions[row, column, 1] != 0.0
                or directions[row, column, 2] != 0.0)


@compiled(counted=False)
def take_means(found: NDArray[np.uint8], firsts: NDArray[np.int32], pixels: NDArray[np.int32],
               looks: NDArray[np.uint16], width: int, colours: NDArray[np.uint8],
               image: NDArray[np.uint8]) -> None:
    """
    Put the means of the samples of pixels into an image, other than those with some of `SUN`.

    :param found: colours of those that rays have found, shape (n, 3).
    :param firsts: see `rays_within`.
    :param pixels: see `tell_samples`, as `looks`.
    :param width: of the image.
    :param colours: see `Edges`.
    :param image: shape (height * width, 3).
    """
    for n in range(len(pixels)):
        p, look = int(pixels[n]), int(looks[n])
        if look & SOME_SUN != 0 or look == OWN:
            continue
        red = green = blue = np.int64(2)
        ray = firsts[n] if look & SOME_RAYS != 0 else 0
        for k in range(4):
            seen = look >> 4 * k & LOOK
            if seen == RAY:
                red, green, blue = red + found[ray, 0], green + found[ray, 1], (
                    blue + found[ray, 2])
                ray += 1
                continue
            # of OWN, TO_LEFT, TO_RIGHT, TO_ABOVE, TO_BELOW, without branches
            q = p + (seen == TO_RIGHT) - (seen == TO_LEFT) + width * (
                (seen == TO_BELOW) - (seen == TO_ABOVE))
            red, green, blue = red + colours[q, 0], green + colours[q, 1], blue + colours[q, 2]
        image[p, 0], image[p, 1], image[p, 2] = red >> 2, green >> 2, blue >> 2
