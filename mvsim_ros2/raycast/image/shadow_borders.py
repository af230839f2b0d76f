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
from mvsim_ros2.raycast.image.edges import ABOVE
from mvsim_ros2.raycast.image.edges import BELOW
from mvsim_ros2.raycast.image.edges import DARK_BESIDE
from mvsim_ros2.raycast.image.edges import HALF_LIT
from mvsim_ros2.raycast.image.edges import LEFT
from mvsim_ros2.raycast.image.edges import LIT_BESIDE
from mvsim_ros2.raycast.image.edges import LOOK
from mvsim_ros2.raycast.image.edges import OWN
from mvsim_ros2.raycast.image.edges import RAY
from mvsim_ros2.raycast.image.edges import RIGHT
from mvsim_ros2.raycast.image.edges import SOME_SUN
from mvsim_ros2.raycast.image.edges import SUN as SUN_RAY
from mvsim_ros2.raycast.image.edges import TO_ABOVE
from mvsim_ros2.raycast.image.edges import TO_LEFT
from mvsim_ros2.raycast.image.edges import TO_RIGHT
from mvsim_ros2.raycast.image.light import AMBIENT
from mvsim_ros2.raycast.image.light import AXIS
from mvsim_ros2.raycast.image.light import LEAN
from mvsim_ros2.raycast.image.light import LENGTH
from mvsim_ros2.raycast.image.light import NORMAL
from mvsim_ros2.raycast.image.light import PLACE
from mvsim_ros2.raycast.image.light import shade
from mvsim_ros2.raycast.image.light import SHINES
from mvsim_ros2.raycast.image.light import SUN
from mvsim_ros2.raycast.image.light import TOWARDS
from mvsim_ros2.raycast.image.light import WAY
from mvsim_ros2.raycast.image.render_kernel import OFF
from mvsim_ros2.raycast.image.render_kernel import RenderBuffers
from mvsim_ros2.raycast.opacity import Opacity
from mvsim_ros2.raycast.ray_block import BLOCK
from mvsim_ros2.raycast.target import Target

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
    points, numbers = buffers.points, buffers.hit_pixels
    width, count = depth.shape[1], 0
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
            cosine = 0.0
            for i in range(3):
                points[count, NORMAL + i] = size * (
                    rotation[i, 0] * a + rotation[i, 1] * b + rotation[i, 2] * c)
                cosine += points[count, NORMAL + i] * light[TOWARDS + i]
            for k in range(count, count + 4):
                points[k, SHINES] = 0.0
                if cosine <= 0.0 or looks[n] >> 4 * (k - count) & LOOK != SUN_RAY:
                    continue
                x, y = u + samples[k - count, 0], v + samples[k - count, 1]
                far = 1.0 / (inverse + across * (x - u) + along * (y - v))
                x, y = far * (x - lens[2]) / lens[0], far * (y - lens[3]) / lens[1]
                for i in range(3):
                    points[k, PLACE + i] = origin[i] + OFF * (1.0 + far) * (
                        points[count, NORMAL + i]) + (
                        rotation[i, 0] * x + rotation[i, 1] * y + rotation[i, 2] * far)
                    points[k, WAY + i] = light[TOWARDS + i]
                points[k, LENGTH] = points[k, SHINES] = 1.0
            numbers[count // 4] = n
            count += 4
        if count + 4 > BLOCK or number == len(chosen) - 1:
            shade(target, opacity, points, count, 1e6, buffers.light_rays, buffers.light_beyond,
                  buffers.lit_points, buffers.numbers, buffers.scratch)
            for m in range(count // 4):
                n = numbers[m]
                _mix(points, 4 * m, light, sides, pixels[n], width, looks[n], found, firsts[n],
                     colours, image)
            count = 0


@compiled(inner=True, counted=False)
def _mix(points: Array, first: int, light: Array, sides: NDArray[np.uint8], p: int, width: int,
         look: int, found: NDArray[np.uint8], ray: int, colours: NDArray[np.uint8],
         image: NDArray[np.uint8]) -> None:
    """
    Put the mean of a pixel with four samples, points from `first` on, into an image.

    :param look: what they look like.
    :param ray: the first of those of `found` that are the pixel's.
    """
    cosine = lean = 0.0
    for i in range(3):
        cosine += points[first, NORMAL + i] * light[TOWARDS + i]
        lean += points[first, NORMAL + i] * light[AXIS + i]
    row, column = p // width, p % width
    side = sides[row, column]
    dark, half = side & DARK_BESIDE != 0, side & HALF_LIT != 0
    # a neighbour in the same plane that has the colour in the sun, or in the shadow, or the pixel
    mate = p
    wanted = HALF_LIT | LIT_BESIDE if dark else 0 if half else DARK_BESIDE
    if column > 0 and side & LEFT == 0 and sides[row, column - 1] & wanted != 0:
        mate = p - 1
    elif column + 1 < width and side & RIGHT == 0 and sides[row, column + 1] & wanted != 0:
        mate = p + 1
    elif row > 0 and side & ABOVE == 0 and sides[row - 1, column] & wanted != 0:
        mate = p - width
    elif row + 1 < sides.shape[0] and side & BELOW == 0 and (
            sides[row + 1, column] & wanted != 0):
        mate = p + width
    for i in range(3):
        around = max(light[AMBIENT + i] + lean * light[LEAN + i], 0.0)
        whole = around + max(cosine, 0.0) * light[SUN + i]
        high, low = (
            float(colours[mate if dark else p, i]), float(colours[p if dark else mate, i]))
        if mate == p and not dark:
            low = high * math.sqrt(around / whole) if whole > 0.0 else high
        total, at = 0.0, ray
        for k in range(4):
            seen = look >> 4 * k & LOOK
            if seen == SUN_RAY:
                lit = points[first + k, SHINES]
                total += lit * high + (1.0 - lit) * low
            elif seen == RAY:
                total += found[at, i]
                at += 1
            else:
                q = p
                if seen != OWN:
                    q += -1 if seen == TO_LEFT else 1 if seen == TO_RIGHT else (
                        -width if seen == TO_ABOVE else width)
                total += colours[q, i]
        image[p, i] = int(0.25 * total + 0.5)
