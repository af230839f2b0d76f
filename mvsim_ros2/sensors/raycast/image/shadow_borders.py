# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Antialiasing of borders of shadows of the sun on planes that OpenGL has drawn.

Inverse depths are linear in the image of a plane, so those around a pixel say where its samples
lie and how the plane is turned. Rays towards the sun say which of them are lit. What a pixel looks
like where it is lit and where it is dark differs by the light alone: by the root of its ratio.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.sensors.raycast import ray_block as column
from mvsim_ros2.sensors.raycast.image.edges import (
    ABOVE, BELOW, DARK_BESIDE, HALF_LIT, LEFT, LIT_BESIDE, LOOK, OWN, RAY, RIGHT, SOME_SUN, SUN as
    SUN_RAY, TO_ABOVE, TO_LEFT, TO_RIGHT)
from mvsim_ros2.sensors.raycast.image.light import AMBIENT, AXIS, find_casters, LEAN, SUN, TOWARDS
from mvsim_ros2.sensors.raycast.image.render_kernel import OFF, RenderBuffers
from mvsim_ros2.sensors.raycast.opacity import Opacity
from mvsim_ros2.sensors.raycast.ray_block import BLOCK
from mvsim_ros2.sensors.raycast.target import map_direction, Target

Array = NDArray[np.float64]

BENT = 0.25  # tangent, of the angle between faces that are not taken for one
EXACT = 2e-7  # of depths


@compiled(inner=True, counted=False)
def slope(depth: NDArray[np.float32], v: int, u: int, down: int, right: int,
          share: float) -> float:
    """
    Return how depths change from a pixel to the next in its plane, NaN where there is none.

    :param depth: linear in the image of a plane, shape (height, width).
    :param down: 1 and `right` 0 from row to row, else the other way round.
    :param share: by which they may bend.
    """
    height, width = depth.shape
    here = float(depth[v, u])
    limit = share * here + EXACT
    before = after = math.nan
    if v >= down and u >= right:
        before = here - depth[v - down, u - right]
    if v + down < height and u + right < width:
        after = depth[v + down, u + right] - here
    if abs(after - before) <= limit:
        return 0.5 * (after + before)
    if v + 2 * down < height and u + 2 * right < width and abs(
            depth[v + 2 * down, u + 2 * right] - here - 2.0 * after) <= limit:
        return after
    if v >= 2 * down and u >= 2 * right and abs(
            here - depth[v - 2 * down, u - 2 * right] - 2.0 * before) <= limit:
        return before
    return math.nan


@compiled(counted=False)
def light_borders(
        target: Target, opacity: Opacity, buffers: RenderBuffers, sides: NDArray[np.uint8],
        depth: NDArray[np.float32], scale: float, shift: float, pixels: NDArray[np.int32],
        looks: NDArray[np.uint16], chosen: NDArray[np.int32], lens: Array, rotation: Array,
        origin: Array, light: Array, samples: Array, found: NDArray[np.uint8],
        firsts: NDArray[np.int32], colours: NDArray[np.uint8], image: NDArray[np.uint8]) -> None:
    """
    Put the means of pixels of which some samples are lit or dark into an image.

    :param buffers: scratch.
    :param sides: see `Edges`, as `depth`, `scale`, `shift` and `pixels`.
    :param looks: of the pixels, see `tell_samples`, as `samples`.
    :param chosen: see `in_tiles`.
    :param lens: fx, fy, cx, cy.
    :param rotation: from the optical to the world frame, shape (3, 3).
    :param origin: of the camera in the target, shape (3,).
    :param light: see `light`, shape (25,).
    :param found: colours of samples that rays have found, shape (n, 3), and the `firsts` of
        pixels, see `rays_within`.
    :param colours: see `Edges`.
    :param image: shape (height * width, 3).
    """
    rays, found_casters = buffers.light_rays.rays, buffers.light_rays.found
    owners, numbers, lit = buffers.lit_points, buffers.hit_pixels, buffers.pixels
    slopes = buffers.sums  # cosines between normals and the ways to the sun and of ambient light
    width = depth.shape[1]
    count = cast = 0
    for number in range(len(chosen)):
        n = chosen[number]
        if looks[n] & SOME_SUN != 0:
            v, u = pixels[n] // width, pixels[n] % width
            across = slope(depth, v, u, 0, 1, BENT / lens[0]) / scale
            along = slope(depth, v, u, 1, 0, BENT / lens[1]) / scale
            inverse = (depth[v, u] + shift) / scale
            a, b = lens[0] * across, lens[1] * along
            c = inverse - across * (u - lens[2]) - along * (v - lens[3])
            size = -1.0 / math.sqrt(a * a + b * b + c * c)  # of the normal towards the camera
            nx, ny, nz = map_direction(rotation, a, b, c)
            nx, ny, nz = size * nx, size * ny, size * nz
            cosine = nx * light[TOWARDS] + ny * light[TOWARDS + 1] + nz * light[TOWARDS + 2]
            slopes[count, 0] = cosine
            slopes[count, 1] = nx * light[AXIS] + ny * light[AXIS + 1] + nz * light[AXIS + 2]
            for k in range(4):
                if cosine <= 0.0 or looks[n] >> 4 * k & LOOK != SUN_RAY:
                    continue
                x, y = u + samples[k, 0], v + samples[k, 1]
                far = 1.0 / (inverse + across * (x - u) + along * (y - v))
                x, y, z = map_direction(rotation, far * (x - lens[2]) / lens[0],
                                        far * (y - lens[3]) / lens[1], far)
                off = OFF * (1.0 + far)
                column.set_ray(
                    rays, cast, (origin[0] + off * nx + x, origin[1] + off * ny + y,
                                 origin[2] + off * nz + z),
                    (light[TOWARDS], light[TOWARDS + 1], light[TOWARDS + 2]))
                owners[cast] = 4 * count + k
                cast += 1
            numbers[count] = n
            lit[count] = 0
            count += 1
        if cast + 4 > BLOCK or count == BLOCK or number == len(chosen) - 1:
            if cast > 0:
                find_casters(target, opacity, buffers.light_rays, buffers.light_beyond, cast, 1e6,
                             buffers.numbers, buffers.scratch)
            for k in range(cast):
                lit[owners[k] >> 2] |= int(found_casters[k, column.INSTANCE] < 0) << (
                    owners[k] & 3)
            for m in range(count):
                n = numbers[m]
                _mix(slopes[m, 0], slopes[m, 1], lit[m], light, sides, pixels[n], width, looks[n],
                     found, firsts[n], colours, image)
            count = cast = 0


@compiled(inner=True, counted=False)
def _mix(cosine: float, lean: float, lit: int, light: Array, sides: NDArray[np.uint8], p: int,
         width: int, look: int, found: NDArray[np.uint8], ray: int, colours: NDArray[np.uint8],
         image: NDArray[np.uint8]) -> None:
    """
    Put the mean of a pixel with four samples into an image.

    :param cosine: between the normal and the way to the sun; `lean`: and the axis of the light
        from all around.
    :param lit: bits of the samples that are.
    :param look: what they look like.
    :param ray: the first of those of `found` that are the pixel's.
    """
    row = p // width
    place = p - row * width
    side = sides[row, place]
    dark, half = side & DARK_BESIDE != 0, side & HALF_LIT != 0
    # a neighbour in the same plane that has the colour in the sun, or in the shadow, or the pixel
    mate = p
    wanted = HALF_LIT | LIT_BESIDE if dark else 0 if half else DARK_BESIDE
    if place > 0 and side & LEFT == 0 and sides[row, place - 1] & wanted != 0:
        mate = p - 1
    elif place + 1 < width and side & RIGHT == 0 and sides[row, place + 1] & wanted != 0:
        mate = p + 1
    elif row > 0 and side & ABOVE == 0 and sides[row - 1, place] & wanted != 0:
        mate = p - width
    elif row + 1 < sides.shape[0] and side & BELOW == 0 and (
            sides[row + 1, place] & wanted != 0):
        mate = p + width
    bright = shaded = red = green = blue = 0  # numbers of samples, and sums of the others
    for k in range(4):
        seen = look >> 4 * k & LOOK
        if seen == SUN_RAY:
            bright += lit >> k & 1
            shaded += ~lit >> k & 1
        elif seen == RAY:
            red, green, blue = red + found[ray, 0], green + found[ray, 1], blue + found[ray, 2]
            ray += 1
        else:
            q = p
            if seen != OWN:
                q += -1 if seen == TO_LEFT else 1 if seen == TO_RIGHT else (
                    -width if seen == TO_ABOVE else width)
            red, green, blue = red + colours[q, 0], green + colours[q, 1], blue + colours[q, 2]
    for i in range(3):
        high, low = (
            float(colours[mate if dark else p, i]), float(colours[p if dark else mate, i]))
        if mate == p and not dark:
            around = max(light[AMBIENT + i] + lean * light[LEAN + i], 0.0)
            whole = around + max(cosine, 0.0) * light[SUN + i]
            low = high * math.sqrt(around / whole) if whole > 0.0 else high
        rest = red if i == 0 else green if i == 1 else blue
        image[p, i] = int(0.25 * (bright * high + shaded * low + rest) + 0.5)
