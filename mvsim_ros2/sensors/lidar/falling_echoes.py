# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Echoes of the drops and flakes of `sensors.falling` in the beams of a LiDAR."""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.sensors import falling as of
from mvsim_ros2.sensors.falling import cell_of, Falling, number_in, particle
from mvsim_ros2.sensors.raycast import ray_block as ray

Vector = tuple[float, float, float]

APERTURE = 0.01  # m, diameter of a beam where it begins
FOCUS = 10.0  # m; nearer than this power grows no more
SEEN_FROM, SEEN_ALL = 0.9, 1.0  # m


@compiled(counted=False)
def see_falling(falling: Falling, weakest: float, half: float, rays: Array, when: Array,
                count: int, sight: Array, made: Array) -> None:
    """
    Put echoes of what falls in the place of weaker ones; see `lidar.air` for their strength.

    Cells are visited slab by slab along the axis that a beam is closest to.

    :param weakest: power of an echo that is just seen [1/m^2].
    :param half: half divergence of the beams [rad].
    :param when: time of each beam after the end of the scan [s], shape (N,).
    :param sight: how far each beam goes [m], shape (N,).
    :param made: ranges, strengths and labels, shape (1, N, 3).
    """
    kinds, key, end, datum, extinction = falling
    for kind in range(kinds.shape[0]):
        edge = kinds[kind, of.EDGE]
        # where the largest one is just seen
        wide = 1e-3 * kinds[kind, of.LARGE] * math.sqrt(
            kinds[kind, of.ECHO] / (weakest * FOCUS * FOCUS))
        reach = (wide - APERTURE) / max(2.0 * half, 1e-9)
        if reach > FOCUS:  # beyond power falls by the square of the range
            reach = max(FOCUS, (math.sqrt(APERTURE * APERTURE + 8.0 * half * wide * FOCUS)
                                - APERTURE) / max(4.0 * half, 1e-9))
        for n in range(count):
            far = min(sight[n], reach)
            if far <= SEEN_FROM:
                continue
            axis = ray.DX
            for i in (ray.DY, ray.DZ):
                if abs(rays[n, i]) > abs(rays[n, axis]):
                    axis = i
            time = end[0] + when[n]
            start = (rays[n, ray.OX] + datum[0] - time * kinds[kind, of.VELOCITY],
                     rays[n, ray.OY] + datum[1] - time * kinds[kind, of.VELOCITY + 1],
                     rays[n, ray.OZ] + datum[2] - time * kinds[kind, of.VELOCITY + 2])
            way = rays[n, ray.DX], rays[n, ray.DY], rays[n, ray.DZ]
            first, second, third = axis - ray.DX, (axis - ray.DX + 1) % 3, (axis - ray.DX + 2) % 3
            begin, ahead = start[first] / edge, way[first] / edge
            low = int(math.floor(min(begin + SEEN_FROM * ahead, begin + far * ahead)))
            high = int(math.floor(max(begin + SEEN_FROM * ahead, begin + far * ahead)))
            for slab in range(low, high + 1):
                a, b = (slab - begin) / ahead, (slab + 1 - begin) / ahead
                near, beyond = max(min(a, b), 0.0), min(max(a, b), far)
                room = (0.5 * APERTURE + half * max(beyond, near)) / edge
                p, q = (start[second] + near * way[second]) / edge, (
                    start[second] + beyond * way[second]) / edge
                r, s = (start[third] + near * way[third]) / edge, (
                    start[third] + beyond * way[third]) / edge
                for j in range(int(math.floor(min(p, q) - room)),
                               int(math.floor(max(p, q) + room)) + 1):
                    for k in range(int(math.floor(min(r, s) - room)),
                                   int(math.floor(max(r, s) + room)) + 1):
                        cx, cy, cz = slab, j, k
                        if first == 1:
                            cx, cy, cz = k, slab, j
                        elif first == 2:
                            cx, cy, cz = j, k, slab
                        see_cell(kinds, key[0], kind, cx, cy, cz, start, way, far, half,
                                 extinction, weakest, made[0, n])


@compiled(inlined=True)
def see_cell(kinds: Array, key: np.uint64, kind: int, i: int, j: int, k: int, start: Vector,
             way: Vector, far: float, half: float, extinction: float, weakest: float,
             echo: Array) -> None:
    """
    Put the strongest echo of a cell in the place of a weaker one.

    :param start: of the beam in the frame of the particles [m]; `way`: its direction.
    :param echo: range, strength and label, updated.
    """
    edge, cell = kinds[kind, of.EDGE], cell_of(key, kind, i, j, k)
    for number in range(number_in(cell, kinds[kind, of.EMPTY])):
        x, y, z, size = particle(cell, number, kinds, kind)
        x = edge * (i + x) - start[0]
        y = edge * (j + y) - start[1]
        z = edge * (k + z) - start[2]
        along = x * way[0] + y * way[1] + z * way[2]
        if along <= SEEN_FROM or along >= far:
            continue
        width = APERTURE + 2.0 * half * along
        if 4.0 * (x * x + y * y + z * z - along * along) >= width * width:
            continue
        seen = min((along - SEEN_FROM) / (SEEN_ALL - SEEN_FROM), 1.0)
        strength = kinds[kind, of.ECHO] * (1e-3 * size / width) ** 2 * (
            seen * math.exp(-2.0 * extinction * along))
        power = strength / max(along, FOCUS) ** 2
        if power > weakest and (echo[0] == math.inf or power > (
                echo[1] / max(echo[0], FOCUS) ** 2)):
            echo[0], echo[1], echo[2] = along, strength, 0.0


@compiled(counted=False)
def find_times(beam: NDArray[np.int64], count: int, rings: int, columns: Array, time: int,
               delays: Array, sweep: float, when: Array) -> None:
    """Fill in when beams are sent after the end of a scan [s], see `see_falling`."""
    for n in range(count):
        when[n] = 0.0
        if sweep > 0.0:
            when[n] = columns[beam[n] // rings, time] + delays[beam[n] % rings] - sweep
