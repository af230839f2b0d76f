# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Beams of LiDARs in three dimensions: where they begin, where they go, and when."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.sensors.lidar import returns as echo, scan_pattern as beam
from mvsim_ros2.sensors.lidar.footprint import across
from mvsim_ros2.sensors.lidar.hash_noise import normal, uniform
from mvsim_ros2.sensors.lidar.motion_during_scan import SweepPath
from mvsim_ros2.sensors.lidar.returns import Returns
from mvsim_ros2.sensors.lidar.scan_pattern import Beams
from mvsim_ros2.sensors.raycast import ray_block as ray
from mvsim_ros2.sensors.raycast.embree.packet import LANES
from mvsim_ros2.sensors.raycast.ray_block import Beyond, BLOCK, Block, new_beyond, new_block

# columns of `Room.poses`, after the rotation: origin, time in the scene
PLACE, WHEN, POSE = 9, 12, 13


class Room(NamedTuple):
    """Scratch of a thread."""

    block: Block
    beam: NDArray[np.int64]  # (N,): number of the beam of each ray
    noise: Array  # (N,)
    lit: Array  # (N,): strengths of what beams met
    # (LANES, 26): of the sensor, turned to the azimuth of some columns, when the column begins;
    # then how it changes in each second until its last ring
    poses: Array
    made: Array  # (3, N, 3): echoes of the returns
    beyond: Beyond  # for what is not solid; empty where all is
    middle: Array  # (N, 3): directions of beams that are sampled; empty where there are none
    kept: Array  # (S, N, 3): what their rays met, and scratch for what the air echoes
    sun: Block  # rays to the sun; none where daylight is not measured
    daylight: Array  # (N,): see `daylight.gather_daylight`
    when: Array  # (N,): times of beams, see `falling_echoes.see_falling`


def new_room(rings: int, solid: bool, samples: int, turns: int, in_daylight: bool) -> Room:
    """Return scratch for a thread; for `samples` and `turns` see `Returns`."""
    size = max(BLOCK, LANES * rings)
    of_beyond = 0 if solid else size
    kept = samples if turns == 1 else max(samples, 2) * (1 if solid else turns)
    return Room(new_block(size), np.zeros(size, np.int64), np.zeros(size),
                np.zeros(size),
                np.zeros((LANES, 2 * POSE)), np.zeros((3, size, 3)), new_beyond(of_beyond),
                np.zeros((size if samples > 1 else 0, 3)),
                np.zeros((kept, size, 3)), new_block(size if in_daylight else LANES),
                np.zeros(size if in_daylight else 0), np.zeros(size))


_FEW = 32  # rings: with fewer, neighbours in a column are too far apart to go together


@compiled(counted=False)
def together(rings: int) -> int:
    """
    Return how many columns go together, ring by ring.

    Rays in a row, those of a packet above all, should be similar.
    """
    return LANES if rings < _FEW else LANES // 2


@compiled(counted=False)
def _aim(beams: Beams, path: SweepPath, echoes: Returns, begin: int, end: int, later: float,
         poses: Array) -> None:
    """Fill in the poses of some columns, and how they change until the last ring, `later` [s]."""
    _aim_after(beams, path, echoes, begin, end, 0.0, 0, poses)
    if later > 0.0:
        _aim_after(beams, path, echoes, begin, end, later, POSE, poses)
    for lane in range(end - begin):
        for i in range(POSE):
            change = 0.0
            if later > 0.0:
                change = (poses[lane, POSE + i] - poses[lane, i]) / later
            poses[lane, POSE + i] = change


@compiled(counted=False)
def _aim_after(beams: Beams, path: SweepPath, echoes: Returns, begin: int, end: int,
               later: float, to: int, poses: Array) -> None:
    """
    Fill in the poses of some columns; see `SweepPath` for the formulae.

    :param later: time after that of the column [s], in which the sensor does not turn its head.
    :param to: first column of `poses` to fill in.
    """
    rotation, place = path.rotation, path.place
    k = path.age.shape[0] - 1
    for lane in range(end - begin):
        cosine, sine = beams.columns[begin + lane, beam.COSINE], beams.columns[
            begin + lane, beam.SINE]
        after = age = since = turned = rest = 0.0
        if echoes.sweep > 0.0:
            after = beams.columns[begin + lane, beam.TIME] + later
            age = echoes.sweep - after
            while k > 0 and path.age[k] > age:
                k -= 1
            since = age - path.age[k]
            turned, rest = math.sin(path.rate[k] * since), 1.0 - math.cos(path.rate[k] * since)
        for i in range(3):
            x, y, z = (
                rotation[k, 0, i, 0] - turned * rotation[k, 1, i, 0] + rest * rotation[k, 2, i, 0],
                rotation[k, 0, i, 1] - turned * rotation[k, 1, i, 1] + rest * rotation[k, 2, i, 1],
                rotation[k, 0, i, 2] - turned * rotation[k, 1, i, 2] + rest * rotation[k, 2, i, 2])
            poses[lane, to + 3 * i] = cosine * x + sine * y
            poses[lane, to + 3 * i + 1] = cosine * y - sine * x
            poses[lane, to + 3 * i + 2] = z
            poses[lane, to + PLACE + i] = (
                place[k, 0, i] - since * place[k, 1, i] + turned * place[k, 2, i]
                + rest * place[k, 3, i])
        poses[lane, to + WHEN] = 1.0 - age / echoes.span if echoes.span > 0.0 else 1.0


@compiled(counted=False)
def send_columns(beams: Beams, path: SweepPath, echoes: Returns, key: np.uint64, first: int,
                 last: int, room: Room) -> None:
    """Fill in the rays of the columns from `first` to `last`."""
    rays, beam_of, poses = room.block.rays, room.beam, room.poses
    vectors, rings, step = beams.vectors, beams.rings, beams.step
    origins, delays = beams.origins, beams.delays
    noise, abreast = echoes.angle_noise, together(rings)
    later = 0.0
    if echoes.sweep > 0.0:
        for ring in range(rings):
            later = max(later, delays[ring])
    n = 0
    for begin in range(first, last, abreast):
        width = min(abreast, last - begin)
        _aim(beams, path, echoes, begin, begin + width, later, poses)
        for ring in range(rings):
            delay = delays[ring]
            ox, oy, oz = origins[ring, 0], origins[ring, 1], origins[ring, 2]
            for lane in range(width):
                number = (begin + lane) * rings + ring
                row = (begin + lane) * step + ring
                x, y, z = vectors[row, 0], vectors[row, 1], vectors[row, 2]
                if noise > 0.0:
                    turn = noise * normal(key, echo.KINDS * number + echo.OF_ANGLE)
                    c, s = math.cos(turn), math.sin(turn)
                    x, y = c * x - s * y, s * x + c * y
                for i in range(3):
                    a, b, c = poses[lane, 3 * i], poses[lane, 3 * i + 1], poses[lane, 3 * i + 2]
                    place = poses[lane, PLACE + i]
                    if delay > 0.0:
                        a += delay * poses[lane, POSE + 3 * i]
                        b += delay * poses[lane, POSE + 3 * i + 1]
                        c += delay * poses[lane, POSE + 3 * i + 2]
                        place += delay * poses[lane, POSE + PLACE + i]
                    rays[n, ray.OX + i] = place + a * ox + b * oy + c * oz
                    rays[n, ray.DX + i] = a * x + b * y + c * z
                rays[n, ray.TIME] = (
                    poses[lane, WHEN] + delay * poses[lane, POSE + WHEN])
                beam_of[n] = number
                n += 1


@compiled(counted=False)
def turn_aside(rays: Array, spread: float, key: np.uint64, count: int,
               beam_of: NDArray[np.int64]) -> None:
    """Turn rays to some place on the edge of their beams."""
    c, s = math.cos(spread), math.sin(spread)
    for n in range(count):
        dx, dy, dz = rays[n, ray.DX], rays[n, ray.DY], rays[n, ray.DZ]
        (ax, ay, az), (bx, by, bz) = across(dx, dy, dz)
        towards = 2.0 * math.pi * uniform(
            key, echo.KINDS * beam_of[n] + echo.OF_ASIDE)
        p, q = s * math.cos(towards), s * math.sin(towards)
        rays[n, ray.DX] = c * dx + p * ax + q * bx
        rays[n, ray.DY] = c * dy + p * ay + q * by
        rays[n, ray.DZ] = c * dz + p * az + q * bz
