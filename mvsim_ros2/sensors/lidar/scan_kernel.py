# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Scans of LiDARs in three dimensions: beams are sent, received and written as points.

Between its pulses a LiDAR measures daylight, as the field `ambient` of Ouster. A surface of the
reflectivity g returns g (A + s max(n.l, 0) S), its luminance for a camera. S is the light of the
sun, of which shadows leave the share s, and A the light of the sky. `SCALE` counts are that of a
white surface in a light of 1.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.scene.scene import Lighting
from mvsim_ros2.sensors.lidar import cloud_fields as entry, returns as echo, scan_pattern as beam
from mvsim_ros2.sensors.lidar.air import Air
from mvsim_ros2.sensors.lidar.beam_sending import Room, send_columns, together, turn_aside
from mvsim_ros2.sensors.lidar.falling_echoes import dim_by_spray, find_times
from mvsim_ros2.sensors.lidar.footprint import (
    keep_sample, merge_samples, strongest_echoes, turn_to_sample, two_rays)
from mvsim_ros2.sensors.lidar.motion_during_scan import keep_turning, SweepPath
from mvsim_ros2.sensors.lidar.returns import finish, Returns, weaken
from mvsim_ros2.sensors.lidar.scan_pattern import Beams
from mvsim_ros2.sensors.raycast import ray_block as ray
from mvsim_ros2.sensors.raycast.embree.packet import LANES
from mvsim_ros2.sensors.raycast.matter import Matter
from mvsim_ros2.sensors.raycast.opacity import Opacity
from mvsim_ros2.sensors.raycast.query import find, find_any
from mvsim_ros2.sensors.raycast.ray_block import Block
from mvsim_ros2.sensors.raycast.target import CASTERS, REFLECTIVITY, Target

SCALE, _MOST = 1000.0, 65535.0
_LUMINANCE = np.array([0.2126, 0.7152, 0.0722])  # of linear red, green, blue (ITU-R BT.709)
NO_SKY = np.zeros(0)
# of the light of a world: direction to the sun, axis of the light of the sky; light of the sun, of
# the sky, how this grows along its axis, of the sky as it is seen; whether there are shadows
_TOWARDS, _AXIS, _SUN, _SKY, _LEAN, _ABOVE, _SHADOWS = 0, 3, 6, 7, 8, 9, 10
_OFF = 1e-4  # offset of rays to the sun, of the distance and of 1 m


def sky_of(lighting: Lighting) -> Array:
    """Return the light of a world, see the places above."""
    towards = np.array(lighting.towards_light, float)
    return np.array([
        *towards / np.linalg.norm(towards), *lighting.ambient_axis,
        _LUMINANCE @ lighting.light_colour, _LUMINANCE @ lighting.ambient_colour,
        _LUMINANCE @ lighting.ambient_lean, _LUMINANCE @ np.square(lighting.sky_colour),
        float(lighting.shadows)])


@compiled(counted=False)
def gather_daylight(target: Target, block: Block, sun: Block, count: int, sky: Array,
                    daylight: Array) -> None:
    """
    Fill in the daylight that comes along rays, from 0 to 65535.

    :param block: rays and what they meet.
    :param sun: scratch, for rays towards the sun.
    :param sky: see `sky_of`.
    """
    rays, hits, found, to_sun = block.rays, block.hits, block.found, sun.rays
    x, y, z = sky[_TOWARDS], sky[_TOWARDS + 1], sky[_TOWARDS + 2]
    for n in range(count):
        off = hits[n, ray.DISTANCE] if found[n, ray.INSTANCE] >= 0 else 0.0
        out = _OFF * (1.0 + off)
        for i in range(3):
            to_sun[n, ray.OX + i] = rays[n, ray.OX + i] + off * rays[n, ray.DX + i] + (
                out * hits[n, ray.NX + i] if found[n, ray.INSTANCE] >= 0 else 0.0)
        to_sun[n, ray.DX], to_sun[n, ray.DY], to_sun[n, ray.DZ] = x, y, z
        to_sun[n, ray.TIME] = rays[n, ray.TIME]
    if sky[_SHADOWS] > 0.0 and sky[_SUN] > 0.0:
        find_any(target, sun, count, 0.0, 1e6, CASTERS, True)
    for n in range(count):
        instance, light = found[n, ray.INSTANCE], sky[_ABOVE]
        if instance >= 0:
            nx, ny, nz = hits[n, ray.NX], hits[n, ray.NY], hits[n, ray.NZ]
            light = sky[_SKY] + sky[_LEAN] * (
                nx * sky[_AXIS] + ny * sky[_AXIS + 1] + nz * sky[_AXIS + 2])
            if sky[_SHADOWS] == 0.0 or sun.found[n, ray.INSTANCE] < 0:
                light += sky[_SUN] * max(nx * x + ny * y + nz * z, 0.0)
            row = target.first_face[instance] + found[n, ray.FACE]
            light *= target.faces[row, REFLECTIVITY]
        daylight[n] = min(max(SCALE * light + 0.5, 0.0), _MOST)


NOISIEST = 6.0  # standard deviations of a range that count


@compiled(counted=False)
def sweep(
        target: Target, opacity: Opacity, matter: Matter, air: Air, beams: Beams,
        path: SweepPath, echoes: Returns,
        key: np.uint64, mask: int, begin: int, end: int, organised: bool,
        entries: NDArray[np.int64], room: Room, reals: NDArray[np.float32],
        words: NDArray[np.uint32], sky: Array) -> int:
    """
    Measure some columns of a scan and return how many points were written.

    :param opacity: of the surfaces of the target, as `matter`.
    :param key: of the random numbers of the scan.
    :param mask: what is seen, see `RayScene.mask`.
    :param begin: first column to measure; `end` is the one after the last. It is a multiple of the
        lanes of a packet, so any division of a scan gives the same packets.
    :param organised: every beam writes the point of its ring and column, else what is seen
        is written one after the other, from the first point on.
    :param entries: see `Layout.words`.
    :param reals: the points, shape (N, words of a point), and the same memory as `words`.
    :param sky: light of the sun and of the sky, see `daylight`; empty where it is not measured.
    """
    written = 0
    reach = echoes.farthest + NOISIEST * echoes.range_noise
    step = room.beam.shape[0] // (LANES * beams.rings) * LANES
    for first in range(begin, end, step):
        last = min(first + step, end)
        count = (last - first) * beams.rings
        send_columns(beams, path, echoes, key, first, last, room)
        if air.falling.kinds.shape[0] > 0:
            find_times(room.beam, count, beams.rings, beams.columns, beam.TIME, beams.delays,
                       echoes.sweep, room.when)
        _receive(target, opacity, matter, air, room, count, echoes, key, reach, mask, sky)
        written += write_points(beams, echoes, room, first, last, organised, entries, written,
                                reals, words)
    return written


@compiled(counted=False)
def sweep_present(
        row: int, poses: Array, still: Array, arm: Array, mounted: Array, origin: Array,
        path: SweepPath, key: NDArray[np.uint64], reals: NDArray[np.float32],
        words: NDArray[np.uint32], measured: NDArray[np.float32], target: Target, opacity: Opacity,
        matter: Matter, air: Air, beams: Beams, echoes: Returns, mask: int,
        entries: NDArray[np.int64], room: Room) -> None:
    """
    Scan at once from a carrier where it is now.

    :param row: of the carrier in `poses`, shape (V, 6).
    :param still: zeros, shape (3,).
    :param arm: place of the sensor on it, as `mounted` and `origin` of `keep_turning`.
    :param path: scratch.
    :param key: shape (1,), as of `sweep` and the others.
    :param measured: filled in: ranges and intensities, shape (2, R).
    """
    keep_turning(poses[row], still, still, arm, mounted, origin, path.age, path.rotation,
                 path.place, path.rate)
    sweep(target, opacity, matter, air, beams, path, echoes, key[0], mask, 0,
          beams.columns.shape[0], True, entries, room, reals, words, NO_SKY)
    for n in range(words.shape[0]):
        measured[0, n], measured[1, n] = reals[n, 0], reals[n, 1]


@compiled(counted=False)
def _receive(target: Target, opacity: Opacity, matter: Matter, air: Air, room: Room, count: int,
             echoes: Returns, key: np.uint64, reach: float, mask: int, sky: Array) -> None:
    """Fill in the returns of beams: of all that their rays met, and of the air."""
    rays, middle, made = room.block.rays, room.middle, room.made
    samples, turns = echoes.samples, echoes.turns
    number = samples if turns == 1 else max(samples, 2)  # rays of a beam
    layers = turns if opacity.faces.shape[0] > 0 else 1
    kept = room.kept if number > 1 else made
    if samples > 1:
        for n in range(count):
            for i in range(3):
                middle[n, i] = rays[n, ray.DX + i]
        if sky.shape[0] > 0:
            find(target, room.block, count, 0.0, reach, mask, True)
            gather_daylight(target, room.block, room.sun, count, sky, room.daylight)
    for sample in range(number):
        if samples > 1:
            turn_to_sample(rays, middle, count, sample, samples, echoes.half)
        elif sample == 1:
            turn_aside(rays, echoes.spread, key, count, room.beam)
        find(target, room.block, count, 0.0, reach, mask, True)
        if sky.shape[0] > 0 and samples == 1 and sample == 0:
            gather_daylight(target, room.block, room.sun, count, sky, room.daylight)
        met = kept[sample * layers:(sample + 1) * layers]
        if opacity.faces.shape[0] > 0:
            strongest_echoes(target, opacity, matter, room.block, room.beyond, count, reach,
                             mask, echoes.grazing, echoes.half, echoes.separation, met)
        else:
            keep_sample(target, matter, room.block, count, echoes.grazing, echoes.half, room.lit,
                        room.noise, met[0])
    if samples > 1:
        merge_samples(kept, samples * layers, samples, count, turns, echoes.separation, made)
    elif turns > 1:
        two_rays(kept, layers, count, turns, echoes.separation, made)
    for turn in range(turns):
        dim_by_spray(air.falling, rays, room.when, count, made[turn])
        weaken(air, echoes, key, turn, room.beam, count, room.lit, made)
    finish(air, echoes, key, room.beam, count, room.noise, room.lit, room.kept[:1], made, rays,
           room.when)


@compiled(counted=False)
def write_points(
        beams: Beams, echoes: Returns, room: Room, first: int, last: int, organised: bool,
        entries: NDArray[np.int64], written: int, reals: NDArray[np.float32],
        words: NDArray[np.uint32]) -> int:
    """Write points of the columns from `first` to `last`, and return how many."""
    made, rings, abreast, daylight = (
        room.made, beams.rings, together(beams.rings), room.daylight)
    columns, vectors, step, numbers = beams.columns, beams.vectors, beams.step, beams.numbers
    origins, delays = beams.origins, beams.delays
    xyz, intensity = entries[entry.XYZ], entries[entry.INTENSITY]
    seconds, nanoseconds = entries[entry.SECONDS], entries[entry.NANOSECONDS]
    ring_at, mixed = entries[entry.RING], entries[entry.REFLECTIVITY_RING]
    millimetres, labels = entries[entry.MILLIMETRES], entries[entry.LABELS]
    range_at, blank_1, blank_2 = (
        entries[entry.RANGE], entries[entry.BLANK_1], entries[entry.BLANK_2])
    returns = echoes.turns
    row = written
    for begin in range(first, last, abreast):
        width = min(abreast, last - begin)
        # organised in the order of the memory, else in that of the measurement
        for outer in range(rings if organised else width):
            for inner in range(width if organised else rings):
                ring, lane = (outer, inner) if organised else (inner, outer)
                n, column = (begin - first) * rings + ring * width + lane, begin + lane
                for turn in range(returns):
                    value = made[turn, n, echo.RANGE]
                    met = -math.inf < value < math.inf
                    if organised:
                        row = (turn * rings + ring) * columns.shape[0] + column
                    elif not met:
                        continue
                    strength = made[turn, n, echo.STRENGTH]
                    at = column * step + ring
                    if xyz >= 0:
                        length = value if met else math.nan
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
                        words[row, ring_at] = numbers[at]
                    if mixed >= 0:
                        words[row, mixed] = int(
                            min(strength, 1.0) * 255.0 + 0.5) + (numbers[at] << 16)
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
                        words[row, blank_2] = int(daylight[n]) if len(daylight) > 0 else 0
                    row += 1
    if organised:
        return (last - first) * rings
    return row - written
