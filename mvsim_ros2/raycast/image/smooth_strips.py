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
from mvsim_ros2.jit.memory import fetch_add
from mvsim_ros2.raycast.image.edge_lines import cross_lines
from mvsim_ros2.raycast.image.edge_lines import Lines
from mvsim_ros2.raycast.image.edges import Edges
from mvsim_ros2.raycast.image.edges import in_tiles
from mvsim_ros2.raycast.image.edges import MARKS
from mvsim_ros2.raycast.image.edges import rays_within
from mvsim_ros2.raycast.image.edges import SAMPLES
from mvsim_ros2.raycast.image.edges import take_means
from mvsim_ros2.raycast.image.edges import TILE
from mvsim_ros2.raycast.image.render_kernel import draw_pixels
from mvsim_ros2.raycast.image.render_kernel import Looker
from mvsim_ros2.raycast.image.render_kernel import RenderBuffers
from mvsim_ros2.raycast.image.sample_looks import tell_samples
from mvsim_ros2.raycast.image.shadow_borders import light_borders

Array = NDArray[np.float64]

FIRST, END, ABOVE, BEGIN, STOP = range(5)  # columns of strips


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


def strips_of(pixels: NDArray[np.int32], threads: int, width: int,
              height: int) -> NDArray[np.int64]:
    """
    Return the strips of an image, shape (n, 5).

    There are two for each thread, of which the latter have half of the pixels of the former, so
    that all threads end at about the same time; fewer rays would be cast together in more strips.

    Columns are the first row and the one after the last; numbers of the first pixel in the row
    above, of the first in the strip and of the one after its last.

    :param pixels: on edges, in order, 3 or more for each thread.
    :param threads: one goes through all pixels at once.
    """
    parts = np.concatenate([2 * np.arange(threads), np.arange(2 * threads, 3 * threads)])
    if threads == 1:
        parts = parts[:1]
    rows = np.empty(len(parts) + 1, np.int32)
    rows[0], rows[-1] = 0, height
    rows[1:-1] = pixels[len(pixels) * parts[1:] // (3 * threads)] // width
    strips = np.empty((len(parts), 5), np.int64)
    strips[:, FIRST], strips[:, END] = rows[:-1], rows[1:]
    # keys of the type of the pixels, which are copied else
    ends = pixels.searchsorted(rows * np.int32(width))
    strips[:, BEGIN], strips[:, STOP] = ends[:-1], ends[1:]
    strips[:, ABOVE] = pixels.searchsorted((rows[:-1] - np.int32(1)) * np.int32(width))
    return strips


def most_pixels(strips: NDArray[np.int64]) -> int:
    """Return how many pixels on edges strips have at most, with those in the rows above them."""
    return int((strips[:, STOP] - strips[:, ABOVE]).max())


@compiled(counted=False)
def smooth_strips(taken: int, strips: NDArray[np.int64], edges: Edges, lines: Lines,
                  looker: Looker, room: StripRoom, image: NDArray[np.uint8]) -> None:
    """
    Smooth pixels of strips that no thread has taken.

    :param taken: address of the number of those that are.
    :param strips: see `strips_of`.
    :param room: of this thread.
    :param image: into which they are put, shape (height * width, 3).
    """
    while True:
        strip = fetch_add(taken, 1)
        if strip >= len(strips):
            break
        if strips[strip, BEGIN] < strips[strip, STOP]:
            _smooth_strip(strips[strip], edges, lines, looker, room, image)


@compiled(inner=True, counted=False)
def _smooth_strip(strip: NDArray[np.int64], edges: Edges, lines: Lines, looker: Looker,
                  room: StripRoom, image: NDArray[np.uint8]) -> None:
    """Smooth the pixels of a strip."""
    sides, colours = edges.sides, edges.colours
    height, width = sides.shape
    above, begin, stop = strip[ABOVE], strip[BEGIN], strip[STOP]
    pixels, count = edges.pixels[:stop], stop - begin
    band = pixels[begin:]
    lined = len(lines.numbers) > 0
    crossings = room.crossings[:4 * (stop - above) if lined else 0]
    if lined:
        crossings[:] = 0
        place = room.place
        place[0], place[1], place[2], place[3], place[4] = (
            width, height, strip[FIRST], strip[END], above)
        cross_lines(lines, looker.lens, place, edges, pixels, crossings, room.lines, room.planes)
    looks = room.looks[:count]
    rays = tell_samples(sides, pixels, begin, above, crossings, room.lines, room.samples, looks)
    chosen = room.chosen[:in_tiles(
        band, looks, width, room.firsts, room.tiles, room.chosen)]
    rays_within(looker.directions, band, looks, chosen, room.samples, room.rays, room.pixels,
                room.firsts)
    depths, ids, normals, marks = room.none
    draw_pixels(looker, room.buffers, room.rays, room.pixels, 0, rays, room.found, depths, ids,
                normals, marks)
    take_means(room.found, room.firsts, band, looks, width, colours, image)
    if lined:
        light_borders(
            looker.target, looker.opacity, room.buffers, sides, edges.depth, edges.scale,
            edges.shift, band, looks, chosen, looker.lens, looker.rotation, looker.origin,
            looker.light, room.samples, room.found, room.firsts, colours, image)
