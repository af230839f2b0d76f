# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
What samples of pixels on edges look like: their pixel, a neighbour, or what a ray finds.

Where an edge runs between the pixel and one of the two neighbours beside the quarter of a sample,
it looks like the neighbour beyond the line of the edge, see `edge_lines`, or a ray finds out; else
it lies between the middles of three pixels that see the same, and looks like them.
"""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.sensors.raycast.image.edges import (
    ALL_SUN, DARK_BESIDE, EACH, HALF_LIT, LEFT, LIT_BESIDE, LOOK, NEIGHBOURS, OWN, RAY, RIGHT,
    SOME_RAYS, SOME_SUN, SUN, TO_LEFT)

Array = NDArray[np.float64]

_PARALLEL = 0.9  # cosine between lines that part a pixel into stripes


@compiled(counted=False)
def tell_samples(
        sides: NDArray[np.uint8], pixels: NDArray[np.int32], first: int, above: int,
        crossings: NDArray[np.int32], lines: Array, samples: Array,
        looks: NDArray[np.uint16]) -> int:
    """
    Fill in what the samples of the pixels of a band look like; return how many rays are to find.

    :param sides: see `Edges`, as `pixels`, up to the last of the band.
    :param first: of them that is in the band, and the first in the row `above` it.
    :param crossings: see `cross_lines`; or none. `lines`: those that it found.
    :param samples: their places, shape (4, 2).
    :param looks: of the pixels, four bits a sample, shape (n,).
    """
    width, rays, row, upper = sides.shape[1], 0, 0, above
    every, ways = sides.reshape(-1), crossings.reshape(-1)
    for n in range(first, len(pixels)):
        p = int(pixels[n])
        while p >= (row + 1) * width:  # faster than to divide
            row += 1
        side = every[np.uintp(p)]
        whole, border = side & EACH != 0, side & (HALF_LIT | LIT_BESIDE | DARK_BESIDE) != 0
        if border and side & (NEIGHBOURS | EACH) == 0:
            looks[n - first] = ALL_SUN
            continue
        own = SUN if border else OWN
        look, left, right, column = own * 0x1111, 0, 0, p - row * width
        for j in range(4):
            if whole or side >> j & 1 == 0:
                continue
            # the pixel beside; crossings of the way to it are those of the upper or left one
            back, at = j == 0 or j == 2, n
            step = 1 if j < 2 else width
            q = p - step if back else p + step
            if j == 0:
                at = n - 1
            elif j == 2:
                while pixels[np.uintp(upper)] < q:
                    upper += 1
                at = upper
            line = near = far = 0  # lines on this side and on that of the neighbour
            if len(ways) > 0:
                way = 4 * (at - above) + (2 if j < 2 else 0)
                near, far = int(ways[np.uintp(way)]), int(ways[np.uintp(way + 1)])
                if near > 0 or far > 0:
                    near, far = abs(near), abs(far)
                    if back:
                        near, far = far, near
                    line = near << 32 | far
            if j == 0:
                left = line
            elif j == 1:
                right = line
            k, apart = (j, 2) if j < 2 else (2 * j - 4, 1)  # the first of both samples
            sure = every[np.uintp(q)] & (EACH | HALF_LIT) == 0
            alone = j < 2 or (side & LEFT == 0 or left == line) and (
                side & RIGHT == 0 or right == line) and look & look >> 2 & 0x1111 == 0
            if near == far and line != 0 and sure and alone:
                # without branches, since what lies beyond is as by chance
                a, b, c = (lines[np.uintp(near - 1), 0], lines[np.uintp(near - 1), 1],
                           lines[np.uintp(near - 1), 2])
                here = a * column + b * row + c
                sign = 1.0 - 2.0 * (here + (a if j < 2 else b) * (-1.0 if back else 1.0) < 0.0)
                one = int(sign * (here + a * samples[k, 0] + b * samples[k, 1]) > 0.0)
                two = int(sign * (here + a * samples[k + apart, 0]
                                  + b * samples[k + apart, 1]) > 0.0)
                spread = one << 4 * k | two << 4 * (k + apart)
                look = look & ~(LOOK * spread) | (TO_LEFT + j) * spread
                continue
            a = b = c = d = e = f = 0.0
            if line != 0:
                x, y = column + (q - p if j < 2 else 0), row + (0 if j < 2 else -1 if back else 1)
                a, b, c = _towards(lines, near - 1, x, y)
                d, e, f = _towards(lines, far - 1, x, y)
                if a * d + b * e < _PARALLEL:
                    line = 0
            if line == 0:
                both = LOOK | LOOK << 4 * apart
                look = look & ~(both << 4 * k) | (both & RAY * 0x1111) << 4 * k
                continue
            for m in range(k, k + 2 * apart, apart):
                seen = look >> 4 * m & LOOK
                u, v = column + samples[m, 0], row + samples[m, 1]
                beyond = a * u + b * v + c > 0.0
                stripe = near != far and beyond != (d * u + e * v + f > 0.0)
                beside = left if m % 2 == 0 else right
                if seen == RAY or stripe or beyond and not sure or (
                        j >= 2 and beside > 0 and beside != line and (beyond or seen != own)):
                    seen = RAY
                elif beyond:
                    seen = TO_LEFT + j
                look = look & ~(LOOK << 4 * m) | seen << 4 * m
        if whole:
            look = RAY * 0x1111
        found = look & look >> 2 & 0x1111  # of RAY the lowest bit and the third are set
        rays += (found * 0x1111 >> 12) & LOOK
        sunny = look >> 1 & look >> 2 & 0x1111
        looks[n - first] = (
            look | (SOME_RAYS if found != 0 else 0) | (SOME_SUN if sunny != 0 else 0))
    return rays


@compiled(inner=True, counted=False)
def _towards(lines: Array, number: int, x: int, y: int) -> tuple[float, float, float]:
    """Return a, b, c of a line, such that the distance of a pixel from it is positive."""
    a, b, c = lines[number, 0], lines[number, 1], lines[number, 2]
    return (a, b, c) if a * x + b * y + c >= 0.0 else (-a, -b, -c)
