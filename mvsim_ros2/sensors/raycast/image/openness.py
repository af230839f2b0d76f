# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Ambient occlusion: how much of the light from all around things nearby leave to surfaces.

The openness of a point is the share of its hemisphere without a surface within a distance,
weighted by the cosine to its normal. This is the ambient obscurance of S. Zhukov, A. Iones and G.
Kronin, An ambient light illumination model, 1998, with a step as the law of distance. Rays find it
on a grid of pixels, and it is smoothed over four by four of them, each with other directions. A
pixel uses the four around it that are in the plane of its surface. So both renderers, which read
the same grid, show the same.
"""

from functools import lru_cache
import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array, Reals
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.scene.camera_view import CameraView
from mvsim_ros2.sensors.raycast import ray_block as column
from mvsim_ros2.sensors.raycast.image.bands import band_count, in_bands
from mvsim_ros2.sensors.raycast.image.light import find_casters
from mvsim_ros2.sensors.raycast.opacity import find_opaque, Opacity, SOLID
from mvsim_ros2.sensors.raycast.ray_block import Beyond, BLOCK, Block, new_beyond, new_block
from mvsim_ros2.sensors.raycast.ray_scene import RayScene
from mvsim_ros2.sensors.raycast.target import map_direction, map_normal, Target

SPACING = 4  # px, of the grid
FLAT = 0.5 * SPACING  # px: what lies farther out of the plane of a point is another surface
LEAST = 1e-3  # weight of such a one, where there is none in the plane
_SIDE = 4  # of the pattern of directions, and strata of the two angles of each
_RAYS = _SIDE * _SIDE
_OFF = 1e-4  # offset of rays from the surface, of the distance and of 1 m
NO_OPENNESS = np.zeros((0, 0, 4), np.float32)


def directions_around() -> Array:
    """
    Return directions about z, spread as the cosine, shape (patterns, rays, 3).

    The grid points of four by four look along one pattern each; together they fill the strata of
    a pattern evenly.
    """
    pattern, ray = np.arange(_RAYS)[:, np.newaxis], np.arange(_RAYS)
    # both numbers of a pattern differ between those that are neighbours
    along = (5 * pattern + 2) % _RAYS / _RAYS
    across = ((pattern % _SIDE) * _SIDE + pattern // _SIDE) / _RAYS + 0.5 / _RAYS
    square = (ray // _SIDE + across) / _SIDE
    angle = 2.0 * math.pi * (ray % _SIDE + along) / _SIDE
    return np.stack([np.sqrt(square) * np.cos(angle), np.sqrt(square) * np.sin(angle),
                     np.sqrt(1.0 - square)], axis=-1)


class OpennessCaster:
    """Finds by rays how open the surfaces in a view are."""

    def __init__(self, rays: RayScene) -> None:
        self._rays = rays
        self._blocks = [(new_block(), new_beyond()) for _ in range(band_count())]
        self._around = directions_around()

    def look(self, view: CameraView, directions: Array | None = None) -> Reals:
        """
        Return the grid of a view: openness, and place in the optical frame, (rows, columns, 4).

        It has every fourth pixel, and the last of a row and column. Where nothing is seen the
        place is at infinity.

        :param directions: of the pixels in the optical frame, shape (height, width, 3); None for
            a pinhole camera.
        """
        directions = pinhole_rays(view) if directions is None else directions
        rows, columns = grid_of(view.height), grid_of(view.width)
        looks = np.ascontiguousarray(directions[rows[:, np.newaxis], columns])
        shape = looks.shape[:2]
        found = np.empty((*shape, 4), np.float32)
        normals, smooth = np.empty((*shape, 3), np.float32), np.empty_like(found)
        scene = self._rays
        mask = scene.mask(view.vehicle, view.sensor, view.hide_vehicle)
        rotation = np.ascontiguousarray(view.pose[:3, :3], float)
        origin, flat = view.pose[:3, 3] - scene.datum, FLAT / view.fx

        def look_from(number: int, first: int, last: int) -> None:
            _look_around(
                scene.target, scene.opacity, *self._blocks[number], looks.reshape(-1, 3),
                shape[1], rotation, origin, view.near, view.far, mask, view.occlusion_reach,
                self._around, first, last, found.reshape(-1, 4), normals.reshape(-1, 3))

        in_bands(shape[0] * shape[1], look_from)
        in_bands(shape[0], lambda _, first, last: _smoothe(
            found, normals, flat, first, last, smooth))
        return smooth


def pinhole_rays(view: CameraView) -> Array:
    """Return the directions of the pixels of a pinhole camera, of depth 1: (height, width, 3)."""
    return _pinhole_rays(view.width, view.height, view.fx, view.fy, view.cx, view.cy)


@lru_cache(maxsize=16)
def _pinhole_rays(width: int, height: int, fx: float, fy: float, cx: float, cy: float) -> Array:
    rays = np.ones((height, width, 3))
    rays[..., 0] = (np.arange(width) - cx) / fx
    rays[..., 1] = ((np.arange(height) - cy) / fy)[:, np.newaxis]
    return rays


def grid_of(pixels: int) -> NDArray[np.intp]:
    """Return the rows, or columns, of the grid in an image of this many."""
    return np.minimum(np.arange(0, pixels - 1 + SPACING, SPACING), pixels - 1)


@compiled(counted=False)
def _look_around(
        target: Target, opacity: Opacity, block: Block, beyond: Beyond, looks: Array, width: int,
        rotation: Array, origin: Array, near: float, far: float, mask: int, reach: float,
        around: Array, first: int, last: int, found: Reals, normals: Reals) -> None:
    """Fill in some points of the grid, before they are smoothed; see `OpennessCaster.look`."""
    rays, hits, met, numbers = block.rays, block.hits, block.found, beyond.number
    count_around = around.shape[1]
    step = BLOCK // count_around
    for begin in range(first, last, step):
        count = min(step, last - begin)
        for n in range(count):
            p = begin + n
            x, y, z = map_direction(rotation, looks[p, 0], looks[p, 1], looks[p, 2])
            if looks[p, 0] == looks[p, 1] == looks[p, 2] == 0.0:
                x = y = z = 1e-3  # outside of the lens: any direction will do
            column.set_ray(rays, n, (origin[0], origin[1], origin[2]), (x, y, z))
        find_opaque(target, opacity, block, beyond, count, near, far, mask, SOLID, True)
        for n in range(count):
            p = begin + n
            found[p, 0] = 1.0
            for i in range(3):
                normals[p, i] = 0.0
                found[p, 1 + i] = 1e9
            numbers[n] = met[n, column.INSTANCE]
            if numbers[n] < 0:
                continue
            distance = hits[n, column.DISTANCE]
            for i in range(3):
                found[p, 1 + i] = distance * looks[p, i]
            normals[p, 0], normals[p, 1], normals[p, 2] = map_normal(
                rotation, hits[n, column.NX], hits[n, column.NY], hits[n, column.NZ])
        _spread(block, count, begin, width, around, reach, numbers)
        find_casters(target, opacity, block, beyond, count * count_around, 1.0, False)
        for n in range(count):
            if normals[begin + n, 0] == normals[begin + n, 1] == normals[begin + n, 2] == 0.0:
                continue
            closed = 0
            for k in range(count_around):
                closed += met[n * count_around + k, column.INSTANCE] >= 0
            found[begin + n, 0] = 1.0 - closed / count_around


@compiled(counted=False)
def _spread(block: Block, count: int, begin: int, width: int, around: Array, reach: float,
            numbers: NDArray[np.int64]) -> None:
    """Replace the rays of a block, from the last on, by those around what they have hit."""
    rays, hits = block.rays, block.hits
    count_around = around.shape[1]
    for n in range(count - 1, -1, -1):
        x, y, z = hits[n, column.NX], hits[n, column.NY], hits[n, column.NZ]
        distance = hits[n, column.DISTANCE]
        if numbers[n] < 0:
            x, y, z, distance = 0.0, 0.0, 1.0, 0.0
        off = _OFF * (1.0 + distance)
        ox = rays[n, column.OX] + distance * rays[n, column.DX] + off * x
        oy = rays[n, column.OY] + distance * rays[n, column.DY] + off * y
        oz = rays[n, column.OZ] + distance * rays[n, column.DZ] + off * z
        # axes across: T. Duff et al., Building an orthonormal basis, revisited, 2017
        sign = 1.0 if z >= 0.0 else -1.0
        a = -1.0 / (sign + z)
        b = x * y * a
        row, place = (begin + n) // width, (begin + n) % width
        pattern = row % _SIDE * _SIDE + place % _SIDE
        for k in range(count_around):
            u = reach * around[pattern, k, 0]
            v = reach * around[pattern, k, 1]
            w = reach * around[pattern, k, 2]
            column.set_ray(rays, n * count_around + k, (ox, oy, oz), (
                u * (1.0 + sign * x * x * a) + v * b + w * x,
                u * sign * b + v * (sign + y * y * a) + w * y, -u * sign * x - v * y + w * z))


@compiled(counted=False)
def _smoothe(found: Reals, normals: Reals, flat: float, first: int, last: int,
             smooth: Reals) -> None:
    """Fill in some rows of the mean over four by four points in the plane of each, see `FLAT`."""
    height, width = found.shape[0], found.shape[1]
    half = _SIDE // 2
    for row in range(first, last):
        for place in range(width):
            x, y, z = found[row, place, 1], found[row, place, 2], found[row, place, 3]
            for i in range(4):
                smooth[row, place, i] = found[row, place, i]
            a, b, c = normals[row, place, 0], normals[row, place, 1], normals[row, place, 2]
            if a == 0.0 and b == 0.0 and c == 0.0:
                continue
            thick = 1.0 / (flat * math.sqrt(x * x + y * y + z * z) + 1e-9)
            total = weights = 0.0
            for i in range(-half, half + 1):
                for j in range(-half, half + 1):
                    other = min(max(row + i, 0), height - 1)
                    next_one = min(max(place + j, 0), width - 1)
                    out = abs(a * (found[other, next_one, 1] - x)
                              + b * (found[other, next_one, 2] - y)
                              + c * (found[other, next_one, 3] - z)) * thick
                    if out < 1.0:
                        # so that each of the sixteen patterns counts as one
                        weight = ((0.5 if abs(i) == half else 1.0)
                                  * (0.5 if abs(j) == half else 1.0) * (1.0 - out))
                        weights += weight
                        total += weight * found[other, next_one, 0]
            smooth[row, place, 0] = total / weights


@compiled(counted=False)
def openness_at(grid: Reals, row: int, place: int, height: int, width: int, flat: float,
                x: float, y: float, z: float, a: float, b: float, c: float) -> float:
    """
    Return how open a surface is in a pixel.

    :param grid: see `OpennessCaster.look`.
    :param row: of the pixel, as `place` its column.
    :param height: of the image [px], as `width`.
    :param flat: `FLAT`, of a pixel at a distance of 1 [m].
    :param x: place in the optical frame [m], as `y` and `z`.
    :param a: normal of the face there, as `b` and `c`.
    """
    top, left = row // SPACING, place // SPACING
    below, right = min(top + 1, grid.shape[0] - 1), min(left + 1, grid.shape[1] - 1)
    high = min(SPACING, height - 1 - SPACING * top)
    wide = min(SPACING, width - 1 - SPACING * left)
    down = (row - SPACING * top) / max(high, 1)
    across = (place - SPACING * left) / max(wide, 1)
    thick = 1.0 / (flat * math.sqrt(x * x + y * y + z * z) + 1e-9)
    total = weights = 0.0
    for k in range(4):
        i = top if k < 2 else below
        j = left if k % 2 == 0 else right
        out = abs(a * (grid[i, j, 1] - x) + b * (grid[i, j, 2] - y)
                  + c * (grid[i, j, 3] - z)) * thick
        weight = (((1.0 - down) if k < 2 else down) * ((1.0 - across) if k % 2 == 0 else across)
                  * (max(0.0, 1.0 - out) + LEAST))
        weights += weight
        total += weight * grid[i, j, 0]
    openness: float = total / weights
    return openness
