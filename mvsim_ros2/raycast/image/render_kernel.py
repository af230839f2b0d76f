# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The kernel that draws an image by rays."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.raycast import ray_block as column
from mvsim_ros2.raycast.image.shading import colour_at
from mvsim_ros2.raycast.image.shading import NORMALS
from mvsim_ros2.raycast.image.shading import Shading
from mvsim_ros2.raycast.image.sky_colour import paint_sky
from mvsim_ros2.raycast.masks import EVERYTHING
from mvsim_ros2.raycast.query import find
from mvsim_ros2.raycast.query import find_any
from mvsim_ros2.raycast.ray_block import BLOCK
from mvsim_ros2.raycast.ray_block import Block
from mvsim_ros2.raycast.ray_block import new_block
from mvsim_ros2.raycast.target import Target

Array = NDArray[np.float64]

_RED, _GREEN, _BLUE, _LIT, _X, _Y, _Z = range(7)  # columns of `RenderBuffers.points`
_HOLES = 16  # that a ray goes through
_OFF = 1e-4  # by how much, of the distance and of 1 m, a shadow begins off the surface
_STEEPEST = 0.05  # cosine below which a texture gets no coarser
# columns of the light: direction towards it, its colour, that of the ambient, of the sky
LIGHT, AMBIENT, SKY = 3, 6, 9


class RenderBuffers(NamedTuple):
    """What a thread draws with."""

    block: Block
    pixels: NDArray[np.int64]  # (BLOCK,): of the rays in the block
    gone: Array  # (BLOCK,): how far the rays in the block have come before [m]
    points: Array  # (BLOCK, 7): colour, light and place of what was met
    places: NDArray[np.int64]  # (BLOCK,): pixels of the points


def new_easel() -> RenderBuffers:
    """Return room for one thread."""
    return RenderBuffers(new_block(), np.zeros(BLOCK, np.int64), np.zeros(BLOCK),
                         np.zeros((BLOCK, 7)), np.zeros(BLOCK, np.int64))


@compiled(inner=True)
def _light_on(faces: NDArray[np.float32], inverse: Array, instance: int, row: int,
              second: float, third: float, dx: float, dy: float, dz: float,
              light: Array) -> float:
    """Return the cosine towards the light on the side that is seen, 0 on the dark side."""
    first, at = 1.0 - second - third, NORMALS
    a = first * faces[row, at] + second * faces[row, at + 3] + third * faces[row, at + 6]
    b = first * faces[row, at + 1] + second * faces[row, at + 4] + third * faces[row, at + 7]
    c = first * faces[row, at + 2] + second * faces[row, at + 5] + third * faces[row, at + 8]
    x = (a * inverse[instance, 0, 0] + b * inverse[instance, 1, 0]
         + c * inverse[instance, 2, 0])
    y = (a * inverse[instance, 0, 1] + b * inverse[instance, 1, 1]
         + c * inverse[instance, 2, 1])
    z = (a * inverse[instance, 0, 2] + b * inverse[instance, 1, 2]
         + c * inverse[instance, 2, 2])
    slope = x * light[0] + y * light[1] + z * light[2]
    if x * dx + y * dy + z * dz > 0.0:
        slope = -slope
    cosine: float = max(0.0, slope) / math.sqrt(x * x + y * y + z * z + 1e-30)
    return cosine


@compiled(inner=True)
def _start(work: RenderBuffers, looks: Array, turn: Array, origin: Array, begin: int, end: int,
           colour: NDArray[np.uint8], depth: NDArray[np.float32],
           ids: NDArray[np.uint16]) -> int:
    """Fill in the rays of some pixels, blacken those that are blind; return how many rays."""
    rays, pixels, gone = work.block.rays, work.pixels, work.gone
    count = 0
    for p in range(begin, end):
        if len(depth) > 0:
            depth[p] = np.inf
        if len(ids) > 0:
            ids[p, 0] = ids[p, 1] = 0
        x, y, z = looks[p, 0], looks[p, 1], looks[p, 2]
        if x == 0.0 and y == 0.0 and z == 0.0:
            if len(colour) > 0:
                colour[p, 0] = colour[p, 1] = colour[p, 2] = 0
            continue
        rays[count, column.OX] = origin[0]
        rays[count, column.OY] = origin[1]
        rays[count, column.OZ] = origin[2]
        rays[count, column.DX] = turn[0, 0] * x + turn[0, 1] * y + turn[0, 2] * z
        rays[count, column.DY] = turn[1, 0] * x + turn[1, 1] * y + turn[1, 2] * z
        rays[count, column.DZ] = turn[2, 0] * x + turn[2, 1] * y + turn[2, 2] * z
        rays[count, column.TIME] = 1.0
        pixels[count] = p
        gone[count] = 0.0
        count += 1
    return count


@compiled(inner=True)
def _take_in(target: Target, shading: Shading, work: RenderBuffers, count: int, met: int,
             pixel: float, light: Array, with_surface: bool, sky: NDArray[np.uint8], looks: Array,
             colour: NDArray[np.uint8],
             depth: NDArray[np.float32], ids: NDArray[np.uint16]) -> tuple[int, int]:
    """
    Take in what the rays of the block met.

    Returns how many points there are now, and how many rays are to go on through holes: they
    are the first of the block.
    """
    rays, hits, found = work.block.rays, work.block.hits, work.block.found
    pixels, gone, points, places = work.pixels, work.gone, work.points, work.places
    inverse, first_face, labels = target.inverse, target.first_face, target.labels
    faces, instances, levels, texels = shading
    left = 0
    for n in range(count):
        p = pixels[n]
        instance = found[n, column.INSTANCE]
        if instance < 0:
            if len(colour) > 0 and len(sky) > 0:
                paint_sky(sky, rays[n, column.DX], rays[n, column.DY], rays[n, column.DZ],
                          colour, p)
            elif len(colour) > 0:
                for i in range(3):
                    colour[p, i] = int(255.0 * light[SKY + i] + 0.5)
            continue
        distance = hits[n, column.DISTANCE]
        dx, dy, dz = rays[n, column.DX], rays[n, column.DY], rays[n, column.DZ]
        ox, oy, oz = rays[n, column.OX], rays[n, column.OY], rays[n, column.OZ]
        if with_surface:
            nx, ny, nz = hits[n, column.NX], hits[n, column.NY], hits[n, column.NZ]
            second, third = hits[n, column.WEIGHT_1], hits[n, column.WEIGHT_2]
            row = first_face[instance] + found[n, column.FACE]
            square = dx * dx + dy * dy + dz * dz
            slope = max(-(nx * dx + ny * dy + nz * dz), _STEEPEST * math.sqrt(square))
            red, green, blue, alpha = colour_at(
                faces, instances, levels, texels, instance, row, second, third,
                (gone[n] + distance) * square * pixel / slope)
            if alpha < 0.5:
                further = distance + 1e-5 * (1.0 + distance)
                rays[left, column.OX] = ox + further * dx
                rays[left, column.OY] = oy + further * dy
                rays[left, column.OZ] = oz + further * dz
                rays[left, column.DX], rays[left, column.DY] = dx, dy
                rays[left, column.DZ] = dz
                pixels[left] = p
                gone[left] = gone[n] + further
                left += 1
                continue
            points[met, _RED], points[met, _GREEN], points[met, _BLUE] = red, green, blue
            points[met, _LIT] = _light_on(
                faces, inverse, instance, row, second, third, dx, dy, dz, light)
            off = _OFF * (1.0 + distance)
            points[met, _X] = ox + distance * dx + off * nx
            points[met, _Y] = oy + distance * dy + off * ny
            points[met, _Z] = oz + distance * dz + off * nz
        places[met] = p
        met += 1
        if len(depth) > 0:
            depth[p] = (gone[n] + distance) * looks[p, 2]
        if len(ids) > 0:
            ids[p, 0] = labels[instance] & 0xFFFF
            ids[p, 1] = labels[instance] >> 16
    return met, left


@compiled(inner=True)
def _darken(target: Target, work: RenderBuffers, met: int, light: Array) -> None:
    """Take the light from points that do not see it."""
    rays, found, points, pixels = (
        work.block.rays, work.block.found, work.points, work.pixels)
    count = 0
    for n in range(met):
        if points[n, _LIT] > 0.0:
            rays[count, column.OX] = points[n, _X]
            rays[count, column.OY] = points[n, _Y]
            rays[count, column.OZ] = points[n, _Z]
            rays[count, column.DX], rays[count, column.DY] = light[0], light[1]
            rays[count, column.DZ] = light[2]
            pixels[count] = n
            count += 1
    if count:
        find_any(target, work.block, count, 0.0, 1e6, EVERYTHING, True)
    for k in range(count):
        if found[k, column.INSTANCE] >= 0:
            points[pixels[k], _LIT] = 0.0


@compiled
def draw_pixels(
        target: Target, shading: Shading, work: RenderBuffers, looks: Array, turn: Array,
        origin: Array, near: float, far: float, mask: int, pixel: float, light: Array,
        shadows: bool, holes: bool, sky: NDArray[np.uint8], first: int, last: int,
        colour: NDArray[np.uint8], depth: NDArray[np.float32], ids: NDArray[np.uint16]) -> None:
    """
    Draw some pixels of an image, row after row; layers of no size are left alone.

    :param looks: directions of all pixels in the optical frame, shape (pixels, 3); zero where
        the lens sees nothing.
    :param turn: from the optical to the world frame, shape (3, 3).
    :param origin: in the target, shape (3,).
    :param near: least distance in lengths of the direction, as `far`.
    :param pixel: width of a pixel at a distance of 1 [m].
    :param light: see the columns above, shape (12,).
    :param holes: whether some surfaces have them.
    :param sky: see `Lighting.sky`; no faces where it has one colour.
    :param colour: shape (pixels, 3); `depth` (pixels,), `ids` (pixels, 2).
    """
    for begin in range(first, last, BLOCK):
        count = _start(work, looks, turn, origin, begin, min(begin + BLOCK, last), colour,
                       depth, ids)
        met = 0
        for attempt in range(_HOLES):
            if count == 0:
                break
            find(target, work.block, count, near if attempt == 0 else 0.0, far, mask,
                 True)
            met, count = _take_in(target, shading, work, count, met, pixel, light,
                                  holes or len(colour) > 0, sky, looks, colour, depth,
                                  ids)
        if len(colour) == 0:
            continue
        if shadows:
            _darken(target, work, met, light)
        points, places = work.points, work.places
        for n in range(met):
            for i in range(3):
                value = points[n, _RED + i] * math.sqrt(
                    light[AMBIENT + i] + points[n, _LIT] * light[LIGHT + i])
                colour[places[n], i] = int(255.0 * min(max(value, 0.0), 1.0) + 0.5)
