# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
All that smooths pixels on edges, strip by strip, in one call of machine code for each thread.

A strip is some rows of an image. Threads take them in turn, so that each has something to do until
all are done; what comes out of a strip depends on nothing that another one writes.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.native_function import fetch_add
from mvsim_ros2.sensors.raycast.image.edge_lines import cross_lines, Lines
from mvsim_ros2.sensors.raycast.image.edges import (
    Edges, in_tiles, MARKS, rays_within, SAMPLES, take_means, TILE)
from mvsim_ros2.sensors.raycast.image.render_kernel import draw_pixels, Looker, RenderBuffers
from mvsim_ros2.sensors.raycast.image.sample_looks import tell_samples
from mvsim_ros2.sensors.raycast.image.shadow_borders import light_borders

Array = NDArray[np.float64]

_BIG, _PARTS = 2, 3  # strips of each thread: one of two parts of three, and one of the third


class StripRoom(NamedTuple):
    """Scratch of a thread, for strips of up to n pixels on edges and the row above them."""

    buffers: RenderBuffers
    samples: Array  # (4, 2): their places in a pixel
    looks: NDArray[np.uint16]  # (n,): see `tell_samples`
    crossings: NDArray[np.int32]  # (4 n,): see `cross_lines`
    lines: Array  # (m, 3)
    planes: Array  # (2, 4)
    place: NDArray[np.int64]  # (5,)
    tiles: NDArray[np.int64]  # zeros, more than tiles lie in a row
    chosen: NDArray[np.int32]  # (n,): see `in_tiles`
    firsts: NDArray[np.int32]  # (n,): see `rays_within`
    rays: Array  # (4 n, 3)
    pixels: NDArray[np.int64]  # (4 n,): of the rays
    found: NDArray[np.uint8]  # (4 n, 3): colours of the rays
    none: tuple[NDArray[np.float32], NDArray[np.uint16], NDArray[np.float32],
                NDArray[np.float32]]  # layers other than colours, and marks: no rows

    def holds(self, most: int, lines: int, width: int) -> bool:
        """Return whether this is enough: parameters as of `strip_room`."""
        return (most <= len(self.looks) and lines <= len(self.lines)
                and len(self.tiles) == width // TILE + 2)


def strip_room(buffers: RenderBuffers, most: int, lines: int, width: int) -> StripRoom:
    """
    Return the scratch of a thread.

    :param most: pixels on edges of a strip and the row above it.
    :param lines: number of lines.
    :param width: of the image.
    """
    chosen, firsts = np.empty((2, most), np.int32)
    return StripRoom(
        buffers, SAMPLES, np.empty(most, np.uint16), np.empty(4 * most, np.int32),
        np.empty((lines, 3)), np.empty((2, 4)), np.empty(5, np.int64),
        np.zeros(width // TILE + 2, np.int64), chosen, firsts,
        np.empty((4 * most, 3)), np.empty(4 * most, np.int64), np.empty((4 * most, 3), np.uint8),
        (np.zeros(0, np.float32), np.zeros((0, 2), np.uint16), np.zeros((0, 3), np.float32),
         np.zeros((0, MARKS), np.float32)))


def most_pixels(count: int, threads: int, width: int) -> int:
    """
    Return how many pixels on edges a strip has at most, with those of the row above it.

    :param count: of the pixels on edges of the image.
    """
    return count if threads == 1 else min(count, _BIG * count // (_PARTS * threads) + 2 * width)


@compiled
def strip_of(number: int, threads: int, pixels: NDArray[np.int32], width: int,
             height: int) -> tuple[int, int, int, int, int]:
    """
    Return the rows of a strip, and its pixels on edges.

    There are two for each thread, of which the latter have half of the pixels of the former, so
    that all threads end at about the same time; fewer rays would be cast together in more strips.
    One thread alone goes through all pixels at once.

    :param number: of the strip.
    :param pixels: on edges, in order.
    :returns: the first row and the one after the last; numbers of the first pixel in the row
        above, of the first in the strip and of the one after its last; 0 rows beyond the last.
    """
    first = end = height
    if threads == 1:
        first, end = 0 if number == 0 else height, height
    elif number < 2 * threads:
        first = _row_of(number, threads, pixels, width)
        if number + 1 < 2 * threads:
            end = _row_of(number + 1, threads, pixels, width)
    return (first, end, _first_from((first - 1) * width, pixels),
            _first_from(first * width, pixels), _first_from(end * width, pixels))


@compiled(inner=True, counted=False)
def _row_of(number: int, threads: int, pixels: NDArray[np.int32], width: int) -> int:
    """Return the first row of a strip."""
    if number == 0:
        return 0
    part = _BIG * number if number < threads else _BIG * threads + number - threads
    return int(pixels[len(pixels) * part // (_PARTS * threads)]) // width


@compiled(inner=True, counted=False)
def _first_from(pixel: int, pixels: NDArray[np.int32]) -> int:
    """Return the number of the first of some pixels that is not before one."""
    low, high = 0, len(pixels)
    while low < high:
        middle = (low + high) // 2
        if pixels[middle] < pixel:
            low = middle + 1
        else:
            high = middle
    return low


@compiled(counted=False)
def smooth_strips(taken: int, threads: int, edges: Edges, lines: Lines, looker: Looker,
                  room: StripRoom, image: NDArray[np.uint8]) -> None:
    """
    Smooth pixels of strips that no thread has taken.

    :param taken: address of the number of those that are.
    :param threads: how many do so.
    :param room: of this thread.
    :param image: into which they are put, shape (height * width, 3).
    """
    height, width = edges.sides.shape
    while True:
        strip = strip_of(fetch_add(taken, 1), threads, edges.pixels, width, height)
        if strip[0] == height:
            break
        if strip[3] < strip[4]:
            _smooth_strip(strip, edges, lines, looker, room, image)


@compiled(inner=True, counted=False)
def _smooth_strip(strip: tuple[int, int, int, int, int], edges: Edges, lines: Lines,
                  looker: Looker, room: StripRoom, image: NDArray[np.uint8]) -> None:
    """Smooth the pixels of a strip, see `strip_of`."""
    sides, colours = edges.sides, edges.colours
    height, width = sides.shape
    first, end, above, begin, stop = strip
    pixels, count = edges.pixels[:stop], stop - begin
    band = pixels[begin:]
    lined = len(lines.numbers) > 0
    crossings = room.crossings[:4 * (stop - above) if lined else 0]
    if lined:
        crossings[:] = 0
        place = room.place
        place[0], place[1], place[2], place[3], place[4] = (
            width, height, first, end, above)
        cross_lines(lines, looker.lens, place, edges, pixels, crossings, room.lines, room.planes)
    looks = room.looks[:count]
    rays = tell_samples(sides, pixels, begin, above, crossings, room.lines, room.samples, looks)
    chosen = room.chosen[:in_tiles(
        band, looks, width, room.firsts, room.tiles, room.chosen)]
    rays_within(looker.directions, looker.lens, (height, width), band, looks, chosen, room.samples,
                room.rays, room.pixels, room.firsts)
    depths, ids, normals, marks = room.none
    draw_pixels(looker, room.buffers, room.rays, room.pixels, 0, rays, room.found, depths, ids,
                normals, marks)
    take_means(room.found, room.firsts, band, looks, width, colours, image)
    if lined:
        light_borders(
            looker.target, looker.opacity, room.buffers, sides, edges.depth, edges.scale,
            edges.shift, band, looks, chosen, looker.lens, looker.rotation, looker.origin,
            looker.light, room.samples, room.found, room.firsts, colours, image)
