# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The kernel of image rendering by ray casting."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.raycast import ray_block as column
from mvsim_ros2.raycast.image.shading import colour_at
from mvsim_ros2.raycast.image.shading import NORMALS
from mvsim_ros2.raycast.image.shading import paint_sky
from mvsim_ros2.raycast.image.shading import Shading
from mvsim_ros2.raycast.query import find
from mvsim_ros2.raycast.query import find_any
from mvsim_ros2.raycast.ray_block import BLOCK
from mvsim_ros2.raycast.ray_block import Block
from mvsim_ros2.raycast.ray_block import new_block
from mvsim_ros2.raycast.target import EVERYTHING
from mvsim_ros2.raycast.target import Target

Array = NDArray[np.float64]

_RED, _GREEN, _BLUE, _LIT, _X, _Y, _Z = range(7)  # columns of `RenderBuffers.points`
_HOLES = 16  # transparent surfaces that a ray passes
_OFF = 1e-4  # offset of shadow rays from the surface, of the distance and of 1 m
_STEEPEST = 0.05  # cosine below which the mipmap level is constant
# columns of the light: direction towards it, its colour, ambient colour, sky colour
LIGHT, AMBIENT, SKY = 3, 6, 9


class RenderBuffers(NamedTuple):
    """Buffers of a thread."""

    block: Block
    pixels: NDArray[np.int64]  # (BLOCK,): of the rays in the block
    travelled: Array  # (BLOCK,): distance travelled before the present cast [m]
    points: Array  # (BLOCK, 7): colour, light and position of the hits
    hit_pixels: NDArray[np.int64]  # (BLOCK,): pixels of the points


def new_render_buffers() -> RenderBuffers:
    """Return the buffers of one thread."""
    return RenderBuffers(new_block(), np.zeros(BLOCK, np.int64), np.zeros(BLOCK),
                         np.zeros((BLOCK, 7)), np.zeros(BLOCK, np.int64))


@compiled(inner=True)
def _light_cosine(faces: NDArray[np.float32], inverse: Array, instance: int, row: int,
                  second: float, third: float, dx: float, dy: float, dz: float,
                  light: Array) -> float:
    """Return the cosine towards the light on the visible side, 0 on the unlit side."""
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
def _fill_rays(buffers: RenderBuffers, pixel_rays: Array, rotation: Array, origin: Array,
               begin: int, end: int, colour: NDArray[np.uint8], depth: NDArray[np.float32],
               ids: NDArray[np.uint16]) -> int:
    """Fill in the rays of some pixels, clear those outside the lens; return their number."""
    rays, pixels, travelled = buffers.block.rays, buffers.pixels, buffers.travelled
    count = 0
    for p in range(begin, end):
        if len(depth) > 0:
            depth[p] = np.inf
        if len(ids) > 0:
            ids[p, 0] = ids[p, 1] = 0
        x, y, z = pixel_rays[p, 0], pixel_rays[p, 1], pixel_rays[p, 2]
        if x == 0.0 and y == 0.0 and z == 0.0:
            if len(colour) > 0:
                colour[p, 0] = colour[p, 1] = colour[p, 2] = 0
            continue
        rays[count, column.OX] = origin[0]
        rays[count, column.OY] = origin[1]
        rays[count, column.OZ] = origin[2]
        rays[count, column.DX] = rotation[0, 0] * x + rotation[0, 1] * y + rotation[0, 2] * z
        rays[count, column.DY] = rotation[1, 0] * x + rotation[1, 1] * y + rotation[1, 2] * z
        rays[count, column.DZ] = rotation[2, 0] * x + rotation[2, 1] * y + rotation[2, 2] * z
        rays[count, column.TIME] = 1.0
        pixels[count] = p
        travelled[count] = 0.0
        count += 1
    return count


@compiled(inner=True)
def _shade_hits(
        target: Target, shading: Shading, buffers: RenderBuffers, count: int, shaded: int,
        pixel: float, light: Array, with_surface: bool, sky: NDArray[np.uint8],
        pixel_rays: Array, colour: NDArray[np.uint8], depth: NDArray[np.float32],
        ids: NDArray[np.uint16]) -> tuple[int, int]:
    """
    Store colour, depth and ids of the hits of a block.

    Returns the number of points so far, and the number of rays to continue through transparent
    surfaces, which are the first of the block.
    """
    rays, hits, found = buffers.block.rays, buffers.block.hits, buffers.block.found
    pixels, travelled = buffers.pixels, buffers.travelled
    points, hit_pixels = buffers.points, buffers.hit_pixels
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
                (travelled[n] + distance) * square * pixel / slope)
            if alpha < 0.5:
                further = distance + 1e-5 * (1.0 + distance)
                rays[left, column.OX] = ox + further * dx
                rays[left, column.OY] = oy + further * dy
                rays[left, column.OZ] = oz + further * dz
                rays[left, column.DX], rays[left, column.DY] = dx, dy
                rays[left, column.DZ] = dz
                pixels[left] = p
                travelled[left] = travelled[n] + further
                left += 1
                continue
            points[shaded, _RED], points[shaded, _GREEN] = red, green
            points[shaded, _BLUE] = blue
            points[shaded, _LIT] = _light_cosine(
                faces, inverse, instance, row, second, third, dx, dy, dz, light)
            off = _OFF * (1.0 + distance)
            points[shaded, _X] = ox + distance * dx + off * nx
            points[shaded, _Y] = oy + distance * dy + off * ny
            points[shaded, _Z] = oz + distance * dz + off * nz
        hit_pixels[shaded] = p
        shaded += 1
        if len(depth) > 0:
            depth[p] = (travelled[n] + distance) * pixel_rays[p, 2]
        if len(ids) > 0:
            ids[p, 0] = labels[instance] & 0xFFFF
            ids[p, 1] = labels[instance] >> 16
    return shaded, left


@compiled(inner=True)
def _apply_shadows(target: Target, buffers: RenderBuffers, shaded: int, light: Array) -> None:
    """Set the light of points in shadow to 0."""
    rays, found, points, pixels = (
        buffers.block.rays, buffers.block.found, buffers.points, buffers.pixels)
    count = 0
    for n in range(shaded):
        if points[n, _LIT] > 0.0:
            rays[count, column.OX] = points[n, _X]
            rays[count, column.OY] = points[n, _Y]
            rays[count, column.OZ] = points[n, _Z]
            rays[count, column.DX], rays[count, column.DY] = light[0], light[1]
            rays[count, column.DZ] = light[2]
            pixels[count] = n
            count += 1
    if count:
        find_any(target, buffers.block, count, 0.0, 1e6, EVERYTHING, True)
    for k in range(count):
        if found[k, column.INSTANCE] >= 0:
            points[pixels[k], _LIT] = 0.0


@compiled
def draw_pixels(
        target: Target, shading: Shading, buffers: RenderBuffers, pixel_rays: Array,
        rotation: Array, origin: Array, near: float, far: float, mask: int, pixel: float,
        light: Array, shadows: bool, holes: bool, sky: NDArray[np.uint8], first: int, last: int,
        colour: NDArray[np.uint8], depth: NDArray[np.float32], ids: NDArray[np.uint16]) -> None:
    """
    Render some pixels of an image; empty layers are skipped.

    :param pixel_rays: directions of all pixels in the optical frame, shape (pixels, 3); zero
        outside of the lens.
    :param rotation: from the optical to the world frame, shape (3, 3).
    :param origin: in the target, shape (3,).
    :param near: smallest distance in lengths of the direction, as `far` the largest.
    :param pixel: width of a pixel at a distance of 1 [m].
    :param light: see the columns above, shape (12,).
    :param holes: whether some surfaces are transparent.
    :param sky: see `Lighting.sky`; empty where it has one colour.
    :param colour: shape (pixels, 3); `depth` (pixels,), `ids` (pixels, 2).
    """
    for begin in range(first, last, BLOCK):
        count = _fill_rays(buffers, pixel_rays, rotation, origin, begin,
                           min(begin + BLOCK, last), colour, depth, ids)
        shaded = 0
        for attempt in range(_HOLES):
            if count == 0:
                break
            find(target, buffers.block, count, near if attempt == 0 else 0.0, far, mask,
                 True)
            shaded, count = _shade_hits(
                target, shading, buffers, count, shaded, pixel, light,
                holes or len(colour) > 0, sky, pixel_rays, colour, depth, ids)
        if len(colour) == 0:
            continue
        if shadows:
            _apply_shadows(target, buffers, shaded, light)
        points, hit_pixels = buffers.points, buffers.hit_pixels
        for n in range(shaded):
            for i in range(3):
                value = points[n, _RED + i] * math.sqrt(
                    light[AMBIENT + i] + points[n, _LIT] * light[LIGHT + i])
                colour[hit_pixels[n], i] = int(255.0 * min(max(value, 0.0), 1.0) + 0.5)
