# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Drops and flakes of `sensors.falling` in images: the same ones that LiDARs meet.

One of the width d at the distance r covers a disc, F d / r pixels wide, which moves during the
exposure. A pixel loses the covered share of its light and gets light of the air instead. Flakes
scatter this light, drops gather it from most of the sky (K. Garg and S. Nayar, Vision and rain,
Int. J. Computer Vision 75, 2007). Discs are smooth at their edges. What is smaller than a quarter
of a pixel belongs to the haze of the weather.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array, Records
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.sensors import Mount
from mvsim_ros2.sensors.camera.aperture import colour_of, light_of
from mvsim_ros2.sensors.camera.lens import Lens, rays_of
from mvsim_ros2.sensors.falling import (
    cell_of, Falling, falling_of, is_in_plume, number_in, part_in_plume, particle)
from mvsim_ros2.sensors.spray import with_spray

LEAST, NEAREST, FARTHEST = 0.25, 0.05, 30.0  # px; m
_EVERY = 16  # pixel whose ray tells how far an image reaches


class FallingStreaks:
    """Draws what falls over the images of a camera."""

    def __init__(self, mount: Mount) -> None:
        world = mount.world
        self._falling = falling_of(world.weather, world.air.wind, mount.streams.seed)
        self._mount, self.any = mount, world.weather.shows_particles

    def add(self, colour: NDArray[Any], depth: NDArray[np.float32], lens: Lens, pose: Array,
            velocity: Array, times: tuple[float, float], air: Array) -> None:
        """
        Draw over an image.

        :param colour: shape (height, width, 3); float32: light.
        :param depth: along the axis, shape (height, width) [m].
        :param pose: of the camera (4, 4), optical, at the end of the exposure.
        :param velocity: of the camera in the world [m/s].
        :param times: beginning and end of the exposure [s].
        :param air: light of the air, 1 for white, shape (3,).
        """
        falling = with_spray(self._falling, self._mount, times[1])
        with np.errstate(over='ignore'):
            seen = particles_in_view(falling, lens, pose, times[1])
        exposure = times[1] - times[0]
        drift = seen[:, 4:7] - velocity  # as the camera sees it, in the world
        ends = seen[:, :3]
        begins = ends - exposure * (drift @ pose[:3, :3])
        away = np.linalg.norm(ends, axis=1)
        marks = np.column_stack([lens.project(begins), lens.project(ends),
                                 lens.fx * seen[:, 3] / away, np.abs(ends[:, 2])])
        clear = np.ones(depth.shape)
        dim_by_plumes(falling.plumes, pose, rays_of(lens), depth, clear)
        cover(marks[np.isfinite(marks).all(axis=1)], np.abs(depth), clear)
        pixels = clear < 1.0
        share, hdr = clear[pixels][:, np.newaxis], colour.dtype == np.float32
        white = 1.0 if hdr else 255.0 ** 2
        light = share * light_of(colour[pixels]) + (1.0 - share) * white * air
        colour[pixels] = colour_of(light, hdr)


def particles_in_view(falling: Falling, lens: Lens, pose: Array, time: float,
                      least: float = LEAST) -> Array:
    """
    Return the particles that are at least so wide [px] and may be in an image.

    Columns are x, y, z in the optical frame, the width [m] and the velocity in the world.
    """
    ways = rays_of(lens)[::_EVERY, ::_EVERY].reshape(-1, 3)
    last = rays_of(lens)[[0, 0, -1, -1], [0, -1, 0, -1]]
    ways = np.concatenate([ways, last])
    ways = ways[ways.any(axis=1)] @ pose[:3, :3].T
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    found = [np.zeros((0, 7))]
    for row, plume in zip(falling.kinds, falling.plumes, strict=True):
        edge, wide = row['edge'], 1e-3 * row['wider']
        reach = min(lens.fx * wide * row['large'] / least, FARTHEST)
        start = pose[:3, 3] - time * row['velocity']
        low = np.floor((start + np.minimum(reach * ways.min(axis=0), 0.0)) / edge) - 1
        high = np.floor((start + np.maximum(reach * ways.max(axis=0), 0.0)) / edge) + 2
        from_wheel = pose[:3, 3] - plume['place']
        if plume['share'] <= 1.0:
            low = np.maximum(low, np.floor((start - from_wheel + plume['low']) / edge))
            high = np.minimum(high, 1 + np.floor((start - from_wheel + plume['high']) / edge))
            if (low >= high).any():
                continue
        room = 64 + int(3.0 * np.prod(high - low))
        places = np.empty((min(room, 4_000_000), 4))
        count = gather(row, falling.key[0], plume, from_wheel, low.astype(np.int64),
                       high.astype(np.int64), start, pose[:3, :3], lens.fx * wide / least, reach,
                       places)
        found.append(np.column_stack([
            places[:count, :3], wide * places[:count, 3], np.tile(row['velocity'], (count, 1))]))
    return np.concatenate(found)


@compiled(counted=False)
def gather(kind: np.void, key: np.uint64, plume: np.void, from_wheel: Array,
           low: NDArray[np.int64], high: NDArray[np.int64], start: Array, rotation: Array,
           scale: float, reach: float, places: Array) -> int:
    """
    Fill in the particles of some cells that are seen wide enough; return how many there are.

    :param from_wheel: place of the camera from the wheel that makes the plume, shape (3,) [m].
    :param low: first cell, shape (3,); `high`: the one after the last.
    :param start: place of the camera in the frame of the particles, shape (3,).
    :param rotation: from the optical frame to the world, shape (3, 3).
    :param scale: width of 1 mm at a distance of 1 m, over the least one.
    :param places: x, y, z in the optical frame [m] and the diameter [mm], shape (N, 4).
    """
    edge, count = kind['edge'], 0
    beyond = (reach + edge) ** 2
    for i in range(low[0], high[0]):
        for j in range(low[1], high[1]):
            for k in range(low[2], high[2]):
                x = edge * (i + 0.5) - start[0]
                y = edge * (j + 0.5) - start[1]
                z = edge * (k + 0.5) - start[2]
                if x * x + y * y + z * z > beyond:
                    continue
                cell = cell_of(key, plume['lattice'], i, j, k)
                for number in range(number_in(cell, kind['empty'])):
                    u, v, w, size = particle(cell, number, kind)
                    x = edge * (i + u) - start[0]
                    y = edge * (j + v) - start[1]
                    z = edge * (k + w) - start[2]
                    away = math.sqrt(x * x + y * y + z * z)
                    if away < NEAREST or scale * size < away or count == len(places):
                        continue
                    if plume['share'] <= 1.0 and not is_in_plume(
                            plume, cell, number, from_wheel[0] + x, from_wheel[1] + y,
                            from_wheel[2] + z):
                        continue
                    for c in range(3):
                        places[count, c] = (x * rotation[0, c] + y * rotation[1, c]
                                            + z * rotation[2, c])
                    places[count, 3] = size
                    count += 1
    return count


@compiled(counted=False)
def dim_by_plumes(plumes: Records, pose: Array, rays: Array, depth: NDArray[np.float32],
                  clear: Array) -> None:
    """Take from pixels the share that spray takes of their light; for the rays see `rays_of`."""
    for kind in range(len(plumes)):
        plume = plumes[kind]
        if plume['extinction'] == 0.0:
            continue
        place = plume['place']
        x, y, z = pose[0, 3] - place[0], pose[1, 3] - place[1], pose[2, 3] - place[2]
        for row in range(clear.shape[0]):
            for column in range(clear.shape[1]):
                u, v, w = rays[row, column]
                length = math.sqrt(u * u + v * v + w * w)
                if length == 0.0 or not depth[row, column] > 0.0:
                    continue
                far = abs(depth[row, column] / w) if w != 0.0 else math.inf
                near, far = part_in_plume(
                    plume, x, y, z, pose[0, 0] * u + pose[0, 1] * v + pose[0, 2] * w,
                    pose[1, 0] * u + pose[1, 1] * v + pose[1, 2] * w,
                    pose[2, 0] * u + pose[2, 1] * v + pose[2, 2] * w, 0.0, far)
                if near < far:
                    clear[row, column] *= math.exp(
                        -plume['extinction'] * length * (far - near))


@compiled(counted=False)
def cover(marks: Array, depth: NDArray[np.float32], clear: Array) -> None:
    """
    Take from pixels the share that moving discs cover.

    :param marks: u and v at the beginning and at the end, width [px] and depth [m], shape (N, 6).
    :param clear: share that nothing covers, shape (height, width), updated.
    """
    height, width = clear.shape
    for n in range(len(marks)):
        wide, far = marks[n, 4], marks[n, 5]
        radius = max(0.5 * wide, 0.5)
        # the share that makes a smooth disc, whose sum is pi (r^2 + 1/12), cover the area
        most = 0.25 * wide * wide / (radius * radius + 1.0 / 12.0)
        du, dv = marks[n, 2] - marks[n, 0], marks[n, 3] - marks[n, 1]
        steps = int(min(2.0 * math.sqrt(du * du + dv * dv), 2000.0)) + 1
        for step in range(steps):
            part = (step + 0.5) / steps
            u, v = marks[n, 0] + part * du, marks[n, 1] + part * dv
            if not (-radius - 1.0 < u < width + radius and -radius - 1.0 < v < height + radius):
                continue
            for row in range(max(int(v - radius), 0), min(int(v + radius) + 2, height)):
                for column in range(max(int(u - radius), 0), min(int(u + radius) + 2, width)):
                    off = math.sqrt((column - u) ** 2 + (row - v) ** 2)
                    share = most * min(max(radius + 0.5 - off, 0.0), 1.0)
                    if share > 0.0 and depth[row, column] > far:
                        clear[row, column] *= 1.0 - share / steps
