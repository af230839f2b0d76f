# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Scans of LiDARs in three dimensions: beams are sent, received and written as points."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.raycast import ray_block as ray
from mvsim_ros2.raycast.embree.packet import LANES
from mvsim_ros2.raycast.matter import Matter
from mvsim_ros2.raycast.opacity import Opacity
from mvsim_ros2.raycast.query import find
from mvsim_ros2.raycast.ray_block import BLOCK
from mvsim_ros2.raycast.ray_block import Block
from mvsim_ros2.raycast.ray_block import new_block
from mvsim_ros2.raycast.surface import meet_planes
from mvsim_ros2.raycast.target import Target
from mvsim_ros2.sensors.lidar import cloud_fields as entry
from mvsim_ros2.sensors.lidar import returns as echo
from mvsim_ros2.sensors.lidar import scan_pattern as beam
from mvsim_ros2.sensors.lidar.air import Air
from mvsim_ros2.sensors.lidar.beyond_glass import Beyond
from mvsim_ros2.sensors.lidar.beyond_glass import new_beyond
from mvsim_ros2.sensors.lidar.beyond_glass import strongest_echoes
from mvsim_ros2.sensors.lidar.footprint import keep_sample
from mvsim_ros2.sensors.lidar.footprint import merge_samples
from mvsim_ros2.sensors.lidar.footprint import turn_to_sample
from mvsim_ros2.sensors.lidar.hash_noise import normal
from mvsim_ros2.sensors.lidar.hash_noise import uniform
from mvsim_ros2.sensors.lidar.motion_during_scan import SweepPath
from mvsim_ros2.sensors.lidar.returns import lose
from mvsim_ros2.sensors.lidar.returns import receive
from mvsim_ros2.sensors.lidar.returns import Returns
from mvsim_ros2.sensors.lidar.scan_pattern import Beams

Array = NDArray[np.float64]

NOISIEST = 6.0  # standard deviations of a range that count
_FEW = 32  # rings: with fewer, neighbours in a column are too far apart to go together
# columns of `Room.poses`, after the rotation: origin, time in the scene
_PLACE, _WHEN, _POSE = 9, 12, 13


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
    shares: Array  # (N,): of the echo of a solid surface; empty where all are
    middle: Array  # (N, 3): directions of beams that are sampled; empty where there are none
    kept: Array  # (S, N, 3): what their samples met


def new_room(rings: int, solid: bool, samples: int) -> Room:
    """
    Return scratch for a thread.

    :param rings: beams of a column.
    :param solid: whether all surfaces are.
    :param samples: rays of a beam.
    """
    size = max(BLOCK, LANES * rings)
    of_beyond = 0 if solid else size
    return Room(new_block(size), np.zeros(size, np.int64), np.zeros(size),
                np.zeros(size),
                np.zeros((LANES, 2 * _POSE)), np.zeros((3, size, 3)), new_beyond(of_beyond),
                np.zeros(of_beyond), np.zeros((size if samples > 1 else 0, 3)),
                np.zeros((samples if samples > 1 else 0, size, 3)))


@compiled(counted=False)
def sweep(
        target: Target, opacity: Opacity, matter: Matter, air: Air, beams: Beams,
        path: SweepPath, echoes: Returns,
        key: np.uint64, mask: int, begin: int, end: int, organised: bool,
        entries: NDArray[np.int64], room: Room, reals: NDArray[np.float32],
        words: NDArray[np.uint32], found: NDArray[np.int32], depths: NDArray[np.float32]) -> int:
    """
    Measure some columns of a scan and return how many points were written.

    :param opacity: of the surfaces of the target, as `matter`.
    :param key: of the random numbers of the scan.
    :param mask: what is seen, see `RayScene.mask`.
    :param begin: first column, a multiple of the lanes of a packet, so that the same rays are
        in a packet however a scan is divided; those before `end` are measured.
    :param organised: every beam writes the point of its ring and column, else what is seen
        is written one after the other, from the first point on.
    :param entries: see `Layout.words`.
    :param reals: the points, shape (N, words of a point), and the same memory as `words`.
    :param found: instance, face and depth of what each beam met, shape (N, 4), where others
        have cast them; no rows where this is yet to be done.
    :param depths: the same memory.
    """
    written = 0
    reach = echoes.farthest + NOISIEST * echoes.range_noise
    step = room.beam.shape[0] // (LANES * beams.rings) * LANES
    for first in range(begin, end, step):
        last = min(first + step, end)
        count = (last - first) * beams.rings
        _send(beams, path, echoes, key, first, last, room)
        if echoes.samples > 1:
            _spread(target, opacity, matter, air, room, count, echoes, key, reach, mask)
            written += _write(beams, echoes, room, first, last, organised, entries, written,
                              reals, words)
            continue
        if found.shape[0] > 0:
            _take_over(target, room, count, found, depths)
        else:
            find(target, room.block, count, 0.0, reach, mask, True)
        if opacity.faces.shape[0] > 0:
            strongest_echoes(target, opacity, matter, room.block, room.beyond, count, reach,
                             mask, echoes.grazing, echoes.half, room.shares)
        receive(target, matter, air, room.block, count, echoes, key, 0, room.beam, room.noise,
                room.lit, room.shares, room.made)
        if echoes.spread > 0.0:
            _turn_aside(room.block.rays, echoes.spread, key, count, room.beam)
            find(target, room.block, count, 0.0, reach, mask, True)
            if opacity.faces.shape[0] > 0:
                strongest_echoes(target, opacity, matter, room.block, room.beyond, count, reach,
                                 mask, echoes.grazing, echoes.half, room.shares)
            receive(target, matter, air, room.block, count, echoes, key, 1, room.beam, room.noise,
                    room.lit, room.shares, room.made)
        written += _write(beams, echoes, room, first, last, organised, entries, written, reals,
                          words)
    return written


@compiled(inner=True, counted=False)
def _spread(target: Target, opacity: Opacity, matter: Matter, air: Air, room: Room, count: int,
            echoes: Returns, key: np.uint64, reach: float, mask: int) -> None:
    """Fill in the returns of beams that are sampled over their width."""
    rays, middle, samples = room.block.rays, room.middle, echoes.samples
    for n in range(count):
        for i in range(3):
            middle[n, i] = rays[n, ray.DX + i]
    for sample in range(samples):
        turn_to_sample(rays, middle, count, sample, samples, echoes.half)
        find(target, room.block, count, 0.0, reach, mask, True)
        if opacity.faces.shape[0] > 0:
            strongest_echoes(target, opacity, matter, room.block, room.beyond, count, reach,
                             mask, echoes.grazing, echoes.half, room.shares)
        keep_sample(target, matter, room.block, count, echoes.grazing, echoes.half,
                    room.shares, room.lit, room.kept[sample])
    merge_samples(room.kept, samples, count, echoes.turns, echoes.separation, room.made)
    for turn in range(echoes.turns):
        lose(air, echoes, key, turn, room.beam, count, room.noise, room.lit, room.made)


@compiled(counted=False)
def send(beams: Beams, path: SweepPath, echoes: Returns, key: np.uint64, room: Room,
         asked: NDArray[np.float32]) -> None:
    """
    Fill in the rays of all beams for another caster.

    :param asked: origin and time, direction and nothing of each ray, shape (N, 8).
    """
    rays, beam_of, columns = room.block.rays, room.beam, beams.columns.shape[0]
    step = room.beam.shape[0] // (LANES * beams.rings) * LANES
    for first in range(0, columns, step):
        last = min(first + step, columns)
        _send(beams, path, echoes, key, first, last, room)
        for n in range((last - first) * beams.rings):
            row = beam_of[n]
            asked[row, 0], asked[row, 1], asked[row, 2] = (
                rays[n, ray.OX], rays[n, ray.OY], rays[n, ray.OZ])
            asked[row, 3], asked[row, 7] = rays[n, ray.TIME], 0.0
            asked[row, 4], asked[row, 5], asked[row, 6] = (
                rays[n, ray.DX], rays[n, ray.DY], rays[n, ray.DZ])


@compiled(inner=True, counted=False)
def _take_over(target: Target, room: Room, count: int, found: NDArray[np.int32],
               depths: NDArray[np.float32]) -> None:
    """Fill in what others found that the rays of the block meet, see `sweep`."""
    block, beam_of = room.block, room.beam
    for n in range(count):
        row = beam_of[n]
        block.found[n, ray.INSTANCE] = found[row, 0]
        block.found[n, ray.FACE] = found[row, 1]
        block.hits[n, ray.DISTANCE] = depths[row, 2]
    meet_planes(target, block, count)


@compiled(inner=True, counted=False)
def _together(rings: int) -> int:
    """
    Return how many columns go together, ring by ring.

    Rays that follow each other, a packet of them most of all, are to be alike.
    """
    return LANES if rings < _FEW else LANES // 2


@compiled(inner=True, counted=False)
def _aim(beams: Beams, path: SweepPath, echoes: Returns, begin: int, end: int, later: float,
         poses: Array) -> None:
    """
    Fill in the poses of some columns, and how they change; see `_aim_after`.

    :param later: time of the last ring after its column [s].
    """
    _aim_after(beams, path, echoes, begin, end, 0.0, 0, poses)
    if later > 0.0:
        _aim_after(beams, path, echoes, begin, end, later, _POSE, poses)
    for lane in range(end - begin):
        for i in range(_POSE):
            change = 0.0
            if later > 0.0:
                change = (poses[lane, _POSE + i] - poses[lane, i]) / later
            poses[lane, _POSE + i] = change


@compiled(inner=True, counted=False)
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
            poses[lane, to + _PLACE + i] = (
                place[k, 0, i] - since * place[k, 1, i] + turned * place[k, 2, i]
                + rest * place[k, 3, i])
        poses[lane, to + _WHEN] = 1.0 - age / echoes.span if echoes.span > 0.0 else 1.0


@compiled(inner=True, counted=False)
def _send(beams: Beams, path: SweepPath, echoes: Returns, key: np.uint64, first: int,
          last: int, room: Room) -> None:
    """Fill in the rays of the columns from `first` to `last`."""
    rays, beam_of, poses = room.block.rays, room.beam, room.poses
    vectors, rings, step = beams.vectors, beams.rings, beams.step
    origins, delays = beams.origins, beams.delays
    noise, together = echoes.angle_noise, _together(rings)
    later = 0.0
    if echoes.sweep > 0.0:
        for ring in range(rings):
            later = max(later, delays[ring])
    n = 0
    for begin in range(first, last, together):
        width = min(together, last - begin)
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
                    place = poses[lane, _PLACE + i]
                    if delay > 0.0:
                        a += delay * poses[lane, _POSE + 3 * i]
                        b += delay * poses[lane, _POSE + 3 * i + 1]
                        c += delay * poses[lane, _POSE + 3 * i + 2]
                        place += delay * poses[lane, _POSE + _PLACE + i]
                    rays[n, ray.OX + i] = place + a * ox + b * oy + c * oz
                    rays[n, ray.DX + i] = a * x + b * y + c * z
                rays[n, ray.TIME] = (
                    poses[lane, _WHEN] + delay * poses[lane, _POSE + _WHEN])
                beam_of[n] = number
                n += 1


@compiled(inner=True, counted=False)
def _turn_aside(rays: Array, spread: float, key: np.uint64, count: int,
                beam_of: NDArray[np.int64]) -> None:
    """Turn rays to some place on the edge of their beams."""
    c, s = math.cos(spread), math.sin(spread)
    for n in range(count):
        dx, dy, dz = rays[n, ray.DX], rays[n, ray.DY], rays[n, ray.DZ]
        if abs(dz) < 0.9:  # two unit vectors across the beam
            length = math.sqrt(dx * dx + dy * dy)
            ax, ay, az = -dy / length, dx / length, 0.0
        else:
            length = math.sqrt(dy * dy + dz * dz)
            ax, ay, az = 0.0, -dz / length, dy / length
        bx, by, bz = dy * az - dz * ay, dz * ax - dx * az, dx * ay - dy * ax
        towards = 2.0 * math.pi * uniform(
            key, echo.KINDS * beam_of[n] + echo.OF_ASIDE)
        p, q = s * math.cos(towards), s * math.sin(towards)
        rays[n, ray.DX] = c * dx + p * ax + q * bx
        rays[n, ray.DY] = c * dy + p * ay + q * by
        rays[n, ray.DZ] = c * dz + p * az + q * bz


@compiled(inner=True, counted=False)
def _write(
        beams: Beams, echoes: Returns, room: Room, first: int, last: int, organised: bool,
        entries: NDArray[np.int64], written: int, reals: NDArray[np.float32],
        words: NDArray[np.uint32]) -> int:
    """Write points of the columns from `first` to `last`, and return how many."""
    made, rings, together = room.made, beams.rings, _together(beams.rings)
    columns, vectors, step = beams.columns, beams.vectors, beams.step
    origins, delays = beams.origins, beams.delays
    xyz, intensity = entries[entry.XYZ], entries[entry.INTENSITY]
    seconds, nanoseconds = entries[entry.SECONDS], entries[entry.NANOSECONDS]
    ring_at, mixed = entries[entry.RING], entries[entry.REFLECTIVITY_RING]
    millimetres, labels = entries[entry.MILLIMETRES], entries[entry.LABELS]
    range_at, blank_1, blank_2 = (
        entries[entry.RANGE], entries[entry.BLANK_1], entries[entry.BLANK_2])
    returns, split = echoes.turns, echoes.spread > 0.0
    row = written
    for begin in range(first, last, together):
        width = min(together, last - begin)
        # organised in the order of the memory, else in that of the measurement
        for outer in range(rings if organised else width):
            for inner in range(width if organised else rings):
                ring, lane = (outer, inner) if organised else (inner, outer)
                n, column = (begin - first) * rings + ring * width + lane, begin + lane
                for turn in range(returns):
                    value = made[turn, n, echo.RANGE]
                    met = -math.inf < value < math.inf
                    if split and turn == 1 and abs(
                            value - made[0, n, echo.RANGE]) < echoes.separation:
                        met, value = False, math.inf
                    if organised:
                        row = (turn * rings + ring) * columns.shape[0] + column
                    elif not met:
                        continue
                    strength = made[turn, n, echo.STRENGTH]
                    if xyz >= 0:
                        length = value if met else math.nan
                        at = column * step + ring
                        x = origins[ring, 0] + length * vectors[at, 0]
                        y = origins[ring, 1] + length * vectors[at, 1]
                        c, s = columns[column, beam.COSINE], columns[column, beam.SINE]
                        reals[row, xyz] = c * x - s * y
                        reals[row, xyz + 1] = s * x + c * y
                        reals[row, xyz + 2] = origins[ring, 2] + length * vectors[at, 2]
                    if intensity >= 0:
                        reals[row, intensity] = echoes.scale * strength
                    if seconds >= 0:
                        reals[row, seconds] = columns[column, beam.TIME] + delays[ring]
                    if nanoseconds >= 0:
                        words[row, nanoseconds] = int(
                            1e9 * (columns[column, beam.TIME] + delays[ring]) + 0.5)
                    if ring_at >= 0:
                        words[row, ring_at] = ring
                    if mixed >= 0:
                        words[row, mixed] = int(min(strength, 1.0) * 255.0 + 0.5) + (ring << 16)
                    if millimetres >= 0:
                        # from the axis of rotation, as Ouster counts
                        off = math.sqrt(origins[ring, 0] ** 2 + origins[ring, 1] ** 2)
                        words[row, millimetres] = int(
                            1000.0 * (value + off) + 0.5) if met else 0
                    if labels >= 0:
                        words[row, labels] = int(made[turn, n, echo.LABEL])
                    if range_at >= 0:
                        reals[row, range_at] = value
                    if blank_1 >= 0:
                        words[row, blank_1] = 0
                    if blank_2 >= 0:
                        words[row, blank_2] = 0
                    row += 1
    if organised:
        return (last - first) * rings
    return row - written
