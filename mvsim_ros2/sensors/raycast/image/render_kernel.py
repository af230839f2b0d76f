# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The kernel of image rendering by ray casting."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.scene.lighting import RADIUS
from mvsim_ros2.sensors.raycast import ray_block as column
from mvsim_ros2.sensors.raycast.image.light import (
    BACK, DISC, FAR, gather_light, GLOW as GLOW_OF, MATTER as MATTER_OF, NORMAL as NORMAL_OF,
    OPEN, PLACE, POINT, RED, seen_colour, SHARE, SKY, TOWARDS)
from mvsim_ros2.sensors.raycast.image.openness import FLAT, openness_at
from mvsim_ros2.sensors.raycast.image.shading import (
    add_sky, bumped, BUMPS, colour_at, GLOW, MATTER, NORMALS, Shading)
from mvsim_ros2.sensors.raycast.opacity import ANYTHING, FULL, go_on, LAYERS, Opacity, SOLID
from mvsim_ros2.sensors.raycast.query import find
from mvsim_ros2.sensors.raycast.ray_block import Beyond, BLOCK, Block, new_beyond, new_block
from mvsim_ros2.sensors.raycast.target import map_direction, map_normal, Target

OFF = 1e-4  # offset of shadow rays from the surface, of the distance and of 1 m
_STEEPEST = 0.05  # cosine below which the mipmap level is constant


class RenderBuffers(NamedTuple):
    """Buffers of a thread."""

    block: Block
    pixels: NDArray[np.int64]  # (BLOCK,): of the rays in the block
    travelled: Array  # (BLOCK,): distance travelled before the present cast [m]
    clear: Array  # (BLOCK,): share of the colour that nothing has hidden before it
    points: Array  # (BLOCK, POINT): what is hit, see `light`
    hit_pixels: NDArray[np.int64]  # (BLOCK,): pixels of the points
    sums: Array  # (BLOCK, 3): colours of the pixels, 0 to 255
    light_rays: Block  # from the points towards the light
    light_beyond: Beyond
    lit_points: NDArray[np.int64]  # (BLOCK,): points of the rays towards the light


def new_render_buffers() -> RenderBuffers:
    """Return the buffers of one thread."""
    return RenderBuffers(
        new_block(), np.zeros(BLOCK, np.int64), np.zeros(BLOCK), np.zeros(BLOCK),
        np.zeros((BLOCK, POINT)), np.zeros(BLOCK, np.int64), np.zeros((BLOCK, 3)), new_block(),
        new_beyond(), np.zeros(BLOCK, np.int64))


class Looker(NamedTuple):
    """The scene and the settings of a camera."""

    target: Target
    shading: Shading
    opacity: Opacity
    rotation: Array  # (3, 3): from the optical to the world frame
    origin: Array  # (3,): in the target
    light: Array  # (28,): see `light`
    lamps: Array  # (n, WIDTH): see `scene.lamps`
    sky: NDArray[np.uint8]  # see `Lighting.sky`; empty where it has one colour
    openness: NDArray[np.float32]  # see `OpennessCaster.look`; empty without ambient occlusion
    size: NDArray[np.int64]  # (2,): height and width of the image [px]
    near: float  # smallest distance in lengths of the direction
    far: float  # the largest
    pixel: float  # width of a pixel at a distance of 1 [m]
    mask: int
    shadows: bool


@compiled(counted=False)
def _fill_rays(buffers: RenderBuffers, pixel_rays: Array, rotation: Array, origin: Array,
               begin: int, end: int, depth: NDArray[np.float32], ids: NDArray[np.uint16],
               normals: NDArray[np.float32]) -> int:
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
        if len(normals) > 0:
            normals[p, 0] = normals[p, 1] = normals[p, 2] = 0.0
        x, y, z = pixel_rays[p, 0], pixel_rays[p, 1], pixel_rays[p, 2]
        if x == 0.0 and y == 0.0 and z == 0.0:
            continue
        column.set_ray(rays, count, (origin[0], origin[1], origin[2]),
                       map_direction(rotation, x, y, z))
        pixels[count], travelled[count], clear[count] = p, 0.0, 1.0
        count += 1
    return count


@compiled(counted=False)
def share_of_sun(ray: Array, light: Array, pixel: float) -> float:
    """Return how much of the disc of the sun is in a pixel; its edge is smooth over a pixel."""
    x, y, z = ray[column.DX], ray[column.DY], ray[column.DZ]
    a, b, c = light[TOWARDS], light[TOWARDS + 1], light[TOWARDS + 2]
    if x * a + y * b + z * c <= 0.0:
        return 0.0
    square = (y * c - z * b) ** 2 + (z * a - x * c) ** 2 + (x * b - y * a) ** 2
    off = math.sqrt(square / (x * x + y * y + z * z)) / pixel
    wide = RADIUS / pixel
    radius = max(wide, 0.5)
    # that of a smooth disc, whose sum is pi (r^2 + 1/12), in its middle
    most = wide * wide / (radius * radius + 1.0 / 12.0)
    return most * min(max(radius + 0.5 - off, 0.0), 1.0)


@compiled(counted=False)
def _shade_hits(
        target: Target, shading: Shading, buffers: RenderBuffers, count: int, begin: int,
        pixel: float, light: Array, coloured: bool, linear: bool, transparent: bool,
        sky: NDArray[np.uint8],
        pixel_rays: Array, numbers: NDArray[np.int64], depth: NDArray[np.float32],
        ids: NDArray[np.uint16], normals: NDArray[np.float32], rotation: Array, opacity: Opacity,
        openness: NDArray[np.float32], size: NDArray[np.int64]) -> tuple[int, int]:
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
    faces, instances, _, bumps, levels, texels = shading
    left = shaded = 0
    with_surface = coloured or transparent
    for n in range(count):
        p = pixels[n]
        instance = found[n, column.INSTANCE]
        if instance < 0:
            if coloured and len(sky) > 0:
                add_sky(sky, rays[n, column.DX], rays[n, column.DY], rays[n, column.DZ],
                        clear[n], sums, p - begin, linear)
                if linear and light[DISC] > 0.0:
                    share = clear[n] * share_of_sun(rays[n], light, pixel)
                    for i in range(3):
                        sums[p - begin, i] += share * 255.0 * light[DISC + i]
            elif coloured:
                for i in range(3):
                    value = light[SKY + i]
                    sums[p - begin, i] += clear[n] * 255.0 * (value * value if linear else value)
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
            reach = (travelled[n] + distance) * square * pixel / slope
            red, green, blue, alpha = colour_at(
                faces, instances, levels, texels, instance, row, second, third, reach)
            alpha = 1.0 if alpha >= FULL else alpha if alpha >= ANYTHING else 0.0
            if coloured and alpha > 0.0:
                points[shaded, RED], points[shaded, RED + 1] = red, green
                points[shaded, RED + 2], points[shaded, SHARE] = blue, alpha * clear[n]
                share, at = 1.0 - second - third, NORMALS
                a = share * faces[row, at] + second * faces[row, at + 3] + (
                    third * faces[row, at + 6])
                b = share * faces[row, at + 1] + second * faces[row, at + 4] + (
                    third * faces[row, at + 7])
                c = share * faces[row, at + 2] + second * faces[row, at + 5] + (
                    third * faces[row, at + 8])
                x, y, z = map_normal(inverse[instance], a, b, c)
                scale = 1.0 / math.sqrt(x * x + y * y + z * z + 1e-30)
                x, y, z = scale * x, scale * y, scale * z
                side = -1.0 if x * dx + y * dy + z * dz > 0.0 else 1.0
                if faces[row, BUMPS] >= 0.0:
                    x, y, z = bumped(
                        faces, instances, bumps, levels, texels, inverse, instance, row, second,
                        third, reach, (nx, ny, nz), (x, y, z))
                length, off = math.sqrt(square), OFF * (1.0 + distance)
                points[shaded, PLACE] = ox + distance * dx + off * nx
                points[shaded, PLACE + 1] = oy + distance * dy + off * ny
                points[shaded, PLACE + 2] = oz + distance * dz + off * nz
                points[shaded, NORMAL_OF], points[shaded, NORMAL_OF + 1] = side * x, side * y
                points[shaded, NORMAL_OF + 2] = side * z
                points[shaded, BACK], points[shaded, BACK + 1] = -dx / length, -dy / length
                points[shaded, BACK + 2] = -dz / length
                points[shaded, FAR] = length * (travelled[n] + distance)
                points[shaded, MATTER_OF] = faces[row, MATTER]
                points[shaded, GLOW_OF] = instances[instance, GLOW]
                points[shaded, OPEN] = 1.0
                if len(openness) > 0:
                    far = travelled[n] + distance
                    a, b, c = map_normal(rotation, nx, ny, nz)
                    points[shaded, OPEN] = openness_at(
                        openness, numbers[p] // size[1], numbers[p] % size[1], size[0], size[1],
                        FLAT * pixel, far * pixel_rays[p, 0], far * pixel_rays[p, 1],
                        far * pixel_rays[p, 2], a, b, c)
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
        if len(normals) > 0 and normals[p, 0] == normals[p, 1] == normals[p, 2] == 0.0:
            normals[p, 0], normals[p, 1], normals[p, 2] = map_normal(
                rotation, hits[n, column.NX], hits[n, column.NY], hits[n, column.NZ])
        if len(ids) > 0 and ids[p, 1] == 0:
            ids[p, 0] = labels[instance] & 0xFFFF
            ids[p, 1] = labels[instance] >> 16
    return shaded, left


@compiled(counted=False)
def draw_pixels(
        looker: Looker, buffers: RenderBuffers, pixel_rays: Array, numbers: NDArray[np.int64],
        first: int, last: int, colour: NDArray[np.uint8], depth: NDArray[np.float32],
        ids: NDArray[np.uint16], normals: NDArray[np.float32],
        bright: NDArray[np.float32]) -> None:
    """
    Render some pixels of an image; empty layers are skipped.

    :param pixel_rays: directions in the optical frame, shape (pixels, 3); zero outside of the
        lens.
    :param numbers: of these pixels in the image, shape (pixels,).
    :param colour: shape (pixels, 3); `depth` (pixels,), `ids` (pixels, 2), `normals` (pixels, 3).
    :param bright: light in place of colours, 1 for white, shape (pixels, 3).
    """
    (target, shading, opacity, rotation, origin, light, lamps, sky, openness, size, near,
     far, pixel, mask, shadows) = looker
    coloured, transparent = len(colour) + len(bright) > 0, opacity.faces.shape[0] > 0
    linear = len(bright) > 0
    most = math.inf if linear else 1.0
    points, hit_pixels, sums = buffers.points, buffers.hit_pixels, buffers.sums
    for begin in range(first, last, BLOCK):
        end = min(begin + BLOCK, last)
        count = _fill_rays(buffers, pixel_rays, rotation, origin, begin,
                           end, depth, ids, normals)
        for attempt in range(LAYERS):
            if count == 0:
                break
            find(target, buffers.block, count, near if attempt == 0 else 0.0, far, mask,
                 True)
            shaded, count = _shade_hits(
                target, shading, buffers, count, begin, pixel, light, coloured, linear,
                transparent, sky, pixel_rays, numbers, depth, ids, normals, rotation, opacity,
                openness, size)
            if not coloured:
                continue
            gather_light(
                target, opacity, points, shaded, light, shadows, lamps, shading.matter,
                buffers.light_rays, buffers.light_beyond, buffers.lit_points)
            for n in range(shaded):
                for i in range(3):
                    seen = seen_colour(points, n, light, i, most)
                    sums[hit_pixels[n] - begin, i] += points[n, SHARE] * 255.0 * (
                        seen * seen if linear else seen)
        if len(colour) > 0:
            for p in range(begin, end):
                for i in range(3):
                    colour[p, i] = int(sums[p - begin, i] + 0.5)
        elif coloured:
            for p in range(begin, end):
                for i in range(3):
                    bright[p, i] = sums[p - begin, i] / 255.0
