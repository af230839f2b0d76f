# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The kernel of image rendering by ray casting."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.raycast import ray_block as column
from mvsim_ros2.raycast.image.edges import DISTANCE
from mvsim_ros2.raycast.image.edges import HOLED
from mvsim_ros2.raycast.image.edges import INSTANCE
from mvsim_ros2.raycast.image.edges import NORMAL
from mvsim_ros2.raycast.image.shading import add_sky
from mvsim_ros2.raycast.image.shading import colour_at
from mvsim_ros2.raycast.image.shading import NORMALS
from mvsim_ros2.raycast.image.shading import Shading
from mvsim_ros2.raycast.opacity import ANYTHING
from mvsim_ros2.raycast.opacity import find_opaque
from mvsim_ros2.raycast.opacity import FULL
from mvsim_ros2.raycast.opacity import go_on
from mvsim_ros2.raycast.opacity import LAYERS
from mvsim_ros2.raycast.opacity import MASK
from mvsim_ros2.raycast.opacity import Opacity
from mvsim_ros2.raycast.opacity import SOLID
from mvsim_ros2.raycast.query import find
from mvsim_ros2.raycast.query import find_any
from mvsim_ros2.raycast.ray_block import BLOCK
from mvsim_ros2.raycast.ray_block import Block
from mvsim_ros2.raycast.ray_block import new_block
from mvsim_ros2.raycast.target import EVERYTHING
from mvsim_ros2.raycast.target import Target

Array = NDArray[np.float64]

_RED, _GREEN, _BLUE, _LIT, _X, _Y, _Z, _SHARE = range(8)  # columns of `RenderBuffers.points`
_OFF = 1e-4  # offset of shadow rays from the surface, of the distance and of 1 m
_STEEPEST = 0.05  # cosine below which the mipmap level is constant
# columns of the light: direction towards it, its colour, ambient colour, sky colour
LIGHT, AMBIENT, SKY = 3, 6, 9


class RenderBuffers(NamedTuple):
    """Buffers of a thread."""

    block: Block
    pixels: NDArray[np.int64]  # (BLOCK,): of the rays in the block
    travelled: Array  # (BLOCK,): distance travelled before the present cast [m]
    clear: Array  # (BLOCK,): share of the colour that nothing has hidden before it
    points: Array  # (BLOCK, 8): colour, light and position of the hits, share of the pixel
    hit_pixels: NDArray[np.int64]  # (BLOCK,): pixels of the points
    sums: Array  # (BLOCK, 3): colours of the pixels, 0 to 255
    light_rays: Block  # from the points towards the light
    light_beyond: Block
    scratch: Array  # (BLOCK,)
    lit_points: NDArray[np.int64]  # (BLOCK,): points of the rays towards the light
    numbers: NDArray[np.int64]  # (BLOCK,)


def new_render_buffers() -> RenderBuffers:
    """Return the buffers of one thread."""
    return RenderBuffers(
        new_block(), np.zeros(BLOCK, np.int64), np.zeros(BLOCK), np.zeros(BLOCK),
        np.zeros((BLOCK, 8)), np.zeros(BLOCK, np.int64), np.zeros((BLOCK, 3)), new_block(),
        new_block(), np.zeros(BLOCK), np.zeros(BLOCK, np.int64), np.zeros(BLOCK, np.int64))


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
               begin: int, end: int, depth: NDArray[np.float32], ids: NDArray[np.uint16]) -> int:
    """Fill in the rays of some pixels, clear what is known of them; return their number."""
    rays, pixels, travelled = buffers.block.rays, buffers.pixels, buffers.travelled
    clear, sums = buffers.clear, buffers.sums
    count = 0
    for p in range(begin, end):
        for i in range(3):
            sums[p - begin, i] = 0.0
        if len(depth) > 0:
            depth[p] = np.inf
        if len(ids) > 0:
            ids[p, 0] = ids[p, 1] = 0
        x, y, z = pixel_rays[p, 0], pixel_rays[p, 1], pixel_rays[p, 2]
        if x == 0.0 and y == 0.0 and z == 0.0:
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
        clear[count] = 1.0
        count += 1
    return count


@compiled(inner=True)
def _shade_hits(
        target: Target, shading: Shading, buffers: RenderBuffers, count: int, begin: int,
        pixel: float, light: Array, coloured: bool, transparent: bool, sky: NDArray[np.uint8],
        pixel_rays: Array, depth: NDArray[np.float32], ids: NDArray[np.uint16],
        marks: NDArray[np.float32], opacity: Opacity) -> tuple[int, int]:
    """
    Store points, depth and ids of the hits of a block, and add the sky where there are none.

    Returns the number of points, and the number of rays to continue through surfaces that are
    not opaque, which are the first of the block.
    """
    rays, hits, found = buffers.block.rays, buffers.block.hits, buffers.block.found
    pixels, travelled, clear, sums = (
        buffers.pixels, buffers.travelled, buffers.clear, buffers.sums)
    points, hit_pixels = buffers.points, buffers.hit_pixels
    inverse, first_face, labels = target.inverse, target.first_face, target.labels
    faces, instances, levels, texels = shading
    left = shaded = 0
    masked = opacity.faces
    with_surface = coloured or transparent
    for n in range(count):
        p = pixels[n]
        instance = found[n, column.INSTANCE]
        if instance < 0:
            if coloured and len(sky) > 0:
                add_sky(sky, rays[n, column.DX], rays[n, column.DY], rays[n, column.DZ],
                        clear[n], sums, p - begin)
            elif coloured:
                for i in range(3):
                    sums[p - begin, i] += clear[n] * 255.0 * light[SKY + i]
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
            if len(marks) > 0 and marks[p, INSTANCE] != HOLED:
                holed = transparent and masked[row, MASK] >= 0.0
                marks[p, INSTANCE] = HOLED if holed else float(instance)
                marks[p, DISTANCE] = travelled[n] + distance
                marks[p, NORMAL], marks[p, NORMAL + 1], marks[p, NORMAL + 2] = nx, ny, nz
            alpha = 1.0 if alpha >= FULL else alpha if alpha >= ANYTHING else 0.0
            if coloured and alpha > 0.0:
                points[shaded, _RED], points[shaded, _GREEN] = red, green
                points[shaded, _BLUE], points[shaded, _SHARE] = blue, alpha * clear[n]
                points[shaded, _LIT] = _light_cosine(
                    faces, inverse, instance, row, second, third, dx, dy, dz, light)
                off = _OFF * (1.0 + distance)
                points[shaded, _X] = ox + distance * dx + off * nx
                points[shaded, _Y] = oy + distance * dy + off * ny
                points[shaded, _Z] = oz + distance * dz + off * nz
                hit_pixels[shaded] = p
                shaded += 1
            rest, gone = (1.0 - alpha) * clear[n], travelled[n]
            if alpha < (FULL if coloured else SOLID):
                travelled[left] = gone + go_on(rays, n, distance, rays, left)
                pixels[left], clear[left] = p, rest
                left += 1
            if alpha < SOLID:
                continue
            distance += gone
        if len(depth) > 0 and depth[p] == np.inf:
            depth[p] = distance * pixel_rays[p, 2]
        if len(ids) > 0 and ids[p, 1] == 0:
            ids[p, 0] = labels[instance] & 0xFFFF
            ids[p, 1] = labels[instance] >> 16
    return shaded, left


@compiled(inner=True)
def _apply_shadows(target: Target, opacity: Opacity, buffers: RenderBuffers, shaded: int,
                   light: Array) -> None:
    """Set the light of points in shadow to 0."""
    rays, found = buffers.light_rays.rays, buffers.light_rays.found
    points, number = buffers.points, buffers.lit_points
    count = 0
    for n in range(shaded):
        if points[n, _LIT] > 0.0:
            rays[count, column.OX] = points[n, _X]
            rays[count, column.OY] = points[n, _Y]
            rays[count, column.OZ] = points[n, _Z]
            rays[count, column.DX], rays[count, column.DY] = light[0], light[1]
            rays[count, column.DZ] = light[2]
            rays[count, column.TIME] = 1.0
            number[count] = n
            count += 1
    if count and opacity.faces.shape[0] > 0:
        find_opaque(target, opacity, buffers.light_rays, buffers.light_beyond, count, 0.0, 1e6,
                    EVERYTHING, SOLID, True, buffers.numbers, buffers.scratch)
    elif count:
        find_any(target, buffers.light_rays, count, 0.0, 1e6, EVERYTHING, True)
    for k in range(count):
        if found[k, column.INSTANCE] >= 0:
            points[number[k], _LIT] = 0.0


@compiled
def draw_pixels(
        target: Target, shading: Shading, buffers: RenderBuffers, pixel_rays: Array,
        rotation: Array, origin: Array, near: float, far: float, mask: int, pixel: float,
        light: Array, shadows: bool, opacity: Opacity, sky: NDArray[np.uint8], first: int,
        last: int, colour: NDArray[np.uint8], depth: NDArray[np.float32],
        ids: NDArray[np.uint16], marks: NDArray[np.float32]) -> None:
    """
    Render some pixels of an image; empty layers are skipped.

    :param pixel_rays: directions of all pixels in the optical frame, shape (pixels, 3); zero
        outside of the lens.
    :param rotation: from the optical to the world frame, shape (3, 3).
    :param origin: in the target, shape (3,).
    :param near: smallest distance in lengths of the direction, as `far` the largest.
    :param pixel: width of a pixel at a distance of 1 [m].
    :param light: see the columns above, shape (12,).
    :param sky: see `Lighting.sky`; empty where it has one colour.
    :param colour: shape (pixels, 3); `depth` (pixels,), `ids` (pixels, 2).
    :param marks: what pixels see, see `edges`; -1 before.
    """
    coloured, transparent = len(colour) > 0, opacity.faces.shape[0] > 0
    points, hit_pixels, sums = buffers.points, buffers.hit_pixels, buffers.sums
    for begin in range(first, last, BLOCK):
        end = min(begin + BLOCK, last)
        count = _fill_rays(buffers, pixel_rays, rotation, origin, begin,
                           end, depth, ids)
        for attempt in range(LAYERS):
            if count == 0:
                break
            find(target, buffers.block, count, near if attempt == 0 else 0.0, far, mask,
                 True)
            shaded, count = _shade_hits(
                target, shading, buffers, count, begin, pixel, light, coloured, transparent, sky,
                pixel_rays, depth, ids, marks, opacity)
            if not coloured:
                continue
            if shadows:
                _apply_shadows(target, opacity, buffers, shaded, light)
            for n in range(shaded):
                for i in range(3):
                    value = points[n, _RED + i] * math.sqrt(
                        light[AMBIENT + i] + points[n, _LIT] * light[LIGHT + i])
                    sums[hit_pixels[n] - begin, i] += (
                        points[n, _SHARE] * 255.0 * min(max(value, 0.0), 1.0))
        if coloured:
            for p in range(begin, end):
                for i in range(3):
                    colour[p, i] = int(sums[p - begin, i] + 0.5)
