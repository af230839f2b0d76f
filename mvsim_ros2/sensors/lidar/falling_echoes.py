# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Echoes of the drops and flakes of `sensors.falling` in the beams of a LiDAR."""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.sensors.falling import (
    cell_of, Falling, is_in_plume, number_in, part_in_plume, particle, WATER)
from mvsim_ros2.sensors.lidar.hash_noise import uniform
from mvsim_ros2.sensors.raycast import ray_block as ray

Vector = tuple[float, float, float]

APERTURE = 0.01  # m, diameter of a beam where it begins
FOCUS = 10.0  # m; nearer than this power grows no more
SEEN_FROM, SEEN_ALL = 0.9, 1.0  # m
CELL = 0.5 * 299_792_458.0 * 5e-9  # m, of a pulse of 5 ns
SPECKLES = 16
_GRAIN = 0.01  # m, apart from which speckles differ


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
    kinds, key, end, datum, extinction, plumes = falling
    for number in range(len(kinds)):
        kind, plume = kinds[number], plumes[number]
        edge = kind['edge']
        # where the largest one is just seen
        wide = 1e-3 * kind['large'] * math.sqrt(
            kind['echo'] / (weakest * FOCUS * FOCUS))
        reach = (wide - APERTURE) / max(2.0 * half, 1e-9)
        if reach > FOCUS:  # beyond power falls by the square of the range
            reach = max(FOCUS, (math.sqrt(APERTURE * APERTURE + 8.0 * half * wide * FOCUS)
                                - APERTURE) / max(4.0 * half, 1e-9))
        for n in range(count):
            least, far = SEEN_FROM, min(sight[n], reach)
            if plume['share'] <= 1.0:
                least, far = part_of_beam(plume, rays[n], datum, when[n], least, far)
            if far <= least:
                continue
            axis = ray.DX
            for i in (ray.DY, ray.DZ):
                if abs(rays[n, i]) > abs(rays[n, axis]):
                    axis = i
            time = end[0] + when[n]
            start = (rays[n, ray.OX] + datum[0] - time * kind['velocity'][0],
                     rays[n, ray.OY] + datum[1] - time * kind['velocity'][1],
                     rays[n, ray.OZ] + datum[2] - time * kind['velocity'][2])
            way = rays[n, ray.DX], rays[n, ray.DY], rays[n, ray.DZ]
            first, second, third = axis - ray.DX, (axis - ray.DX + 1) % 3, (axis - ray.DX + 2) % 3
            begin, ahead = start[first] / edge, way[first] / edge
            low = int(math.floor(min(begin + least * ahead, begin + far * ahead)))
            high = int(math.floor(max(begin + least * ahead, begin + far * ahead)))
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
                        see_cell(kind, plume, key[0], cx, cy, cz, start, way, far, half,
                                 extinction, weakest, rays[n], datum, when[n], made[0, n])
        if plume['extinction'] > 0.0:
            see_plume(falling, number, weakest, rays, when, count, sight, made)


@compiled(inlined=True)
def see_cell(kind: np.void, plume: np.void, key: np.uint64, i: int, j: int, k: int,
             start: Vector, way: Vector, far: float, half: float, extinction: float,
             weakest: float, beam: Array, datum: Array, when: float, echo: Array) -> None:
    """
    Put the strongest echo of a cell in the place of a weaker one.

    :param start: of the beam in the frame of the particles [m]; `way`: its direction.
    :param echo: range, strength and label, updated.
    """
    edge, cell = kind['edge'], cell_of(key, plume['lattice'], i, j, k)
    for number in range(number_in(cell, kind['empty'])):
        x, y, z, size = particle(cell, number, kind)
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
        strength = kind['echo'] * (1e-3 * size / width) ** 2 * (
            seen * math.exp(-2.0 * extinction * along))
        power = strength / max(along, FOCUS) ** 2
        if plume['share'] <= 1.0:
            u, v, w = from_wheel(plume, beam, datum, when)
            if not is_in_plume(plume, cell, number, u + x, v + y, w + z):
                continue
        if power > weakest and (echo[0] == math.inf or power > (
                echo[1] / max(echo[0], FOCUS) ** 2)):
            echo[0], echo[1], echo[2] = along, strength, 0.0


@compiled(counted=False)
def see_plume(falling: Falling, kind: int, weakest: float, rays: Array, when: Array, count: int,
              sight: Array, made: Array) -> None:
    """
    Put the strongest echo of the drops of a plume, as of fog, in the place of weaker ones.

    See `see_falling`.
    """
    plume, velocity = falling.plumes[kind], falling.kinds[kind]['velocity']
    loss = plume['extinction']
    for n in range(count):
        near, far = part_of_beam(plume, rays[n], falling.datum, when[n], SEEN_ALL, sight[n])
        begin, time = near, falling.time[0] + when[n]
        while near < far:
            length = min(CELL, far - near)
            along = near + 0.5 * length
            strength = math.pi * loss * length / WATER * math.exp(
                -2.0 * (falling.extinction * along + loss * (along - begin)))
            if 4.0 * strength > weakest * max(along, FOCUS) ** 2:
                x, y, z = place_at(rays[n], falling.datum, along)
                grain = cell_of(
                    falling.key[0], plume['lattice'], int((x - time * velocity[0]) / _GRAIN),
                    int((y - time * velocity[1]) / _GRAIN), int((z - time * velocity[2]) / _GRAIN))
                product = 1.0
                for number in range(SPECKLES):
                    product *= 1.0 - uniform(grain, number)
                strength *= -math.log(product) / SPECKLES
                power = strength / max(along, FOCUS) ** 2
                if power > weakest and (made[0, n, 0] == math.inf or power > (
                        made[0, n, 1] / max(made[0, n, 0], FOCUS) ** 2)):
                    made[0, n, 0], made[0, n, 1], made[0, n, 2] = along, strength, 0.0
            near += CELL


@compiled(inlined=True)
def place_at(beam: Array, datum: Array, along: float) -> Vector:
    """Return the place in the world at a distance along a beam [m]."""
    return (beam[ray.OX] + datum[0] + along * beam[ray.DX],
            beam[ray.OY] + datum[1] + along * beam[ray.DY],
            beam[ray.OZ] + datum[2] + along * beam[ray.DZ])


@compiled(inlined=True)
def from_wheel(plume: np.void, beam: Array, datum: Array, when: float) -> Vector:
    """Return where a beam begins, from the wheel that makes a plume [m]."""
    x, y, z = place_at(beam, datum, 0.0)
    place, speed = plume['place'], plume['speed']
    return (x - place[0] - when * speed[0], y - place[1] - when * speed[1],
            z - place[2] - when * speed[2])


@compiled(inlined=True)
def part_of_beam(plume: np.void, beam: Array, datum: Array, when: float, near: float,
                 far: float) -> tuple[float, float]:
    """Return from where to where a beam is in a plume [m]."""
    x, y, z = from_wheel(plume, beam, datum, when)
    return part_in_plume(plume, x, y, z, beam[ray.DX], beam[ray.DY], beam[ray.DZ], near, far)


@compiled(counted=False)
def dim_by_spray(falling: Falling, rays: Array, when: Array, count: int, made: Array) -> None:
    """
    Take from echoes what spray takes on the way there and back.

    :param made: ranges and strengths of a return, shape (N, 3).
    """
    for kind in range(len(falling.plumes)):
        plume = falling.plumes[kind]
        extinction = plume['extinction']
        if extinction == 0.0:
            continue
        for n in range(count):
            if made[n, 0] < math.inf:
                near, far = part_of_beam(
                    plume, rays[n], falling.datum, when[n], 0.0, made[n, 0])
                if near < far:
                    made[n, 1] *= math.exp(-2.0 * extinction * (far - near))


@compiled(counted=False)
def find_times(beam: NDArray[np.int64], count: int, rings: int, columns: Array, time: int,
               delays: Array, sweep: float, when: Array) -> None:
    """Fill in when beams are sent after the end of a scan [s], see `see_falling`."""
    for n in range(count):
        when[n] = 0.0
        if sweep > 0.0:
            when[n] = columns[beam[n] // rings, time] + delays[beam[n] % rings] - sweep
