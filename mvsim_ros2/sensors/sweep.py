# Copyright 2026 The mvsim_ros2 authors
#
# Redistribution and use in source and binary forms, with or without
# modification, are permitted provided that the following conditions are met:
#
#    * Redistributions of source code must retain the above copyright
#      notice, this list of conditions and the following disclaimer.
#
#    * Redistributions in binary form must reproduce the above copyright
#      notice, this list of conditions and the following disclaimer in the
#      documentation and/or other materials provided with the distribution.
#
#    * Neither the name of the copyright holder nor the names of its
#      contributors may be used to endorse or promote products derived from
#      this software without specific prior written permission.
#
# THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
# AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
# IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE
# ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE
# LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR
# CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF
# SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
# INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
# CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE)
# ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE
# POSSIBILITY OF SUCH DAMAGE.
"""Scans of LiDARs in three dimensions: beams are sent, received and written as points."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.compiled import compiled
from mvsim_ros2.sensors import beams as beam
from mvsim_ros2.sensors import cloud_layout as entry
from mvsim_ros2.sensors import echoes as echo
from mvsim_ros2.sensors.beams import Beams
from mvsim_ros2.sensors.echoes import Echoes
from mvsim_ros2.sensors.echoes import receive
from mvsim_ros2.sensors.random_field import normal
from mvsim_ros2.sensors.random_field import uniform
from mvsim_ros2.sensors.raycast import block as ray
from mvsim_ros2.sensors.raycast.block import BLOCK
from mvsim_ros2.sensors.raycast.block import Block
from mvsim_ros2.sensors.raycast.block import new_block
from mvsim_ros2.sensors.raycast.find import find
from mvsim_ros2.sensors.raycast.surface import meet_planes
from mvsim_ros2.sensors.raycast.target import Target
from mvsim_ros2.sensors.sweep_path import SweepPath

Array = NDArray[np.float64]

NOISIEST = 6.0  # standard deviations of a range that count
# columns of `Room.nominal`: direction that the sensor reports, in its frame, and when
_X, _Y, _Z, _TIME = range(4)


class Room(NamedTuple):
    """Scratch of a thread."""

    block: Block
    nominal: Array  # (BLOCK, 4)
    made: Array  # (2, BLOCK, 4): echoes of the first and of the second return


def new_room() -> Room:
    """Return scratch for a thread."""
    return Room(new_block(), np.zeros((BLOCK, 4)), np.zeros((2, BLOCK, 4)))


@compiled
def sweep(
        target: Target, beams: Beams, path: SweepPath, echoes: Echoes, key: np.uint64,
        mask: int, begin: int, end: int, organised: bool, entries: NDArray[np.int64],
        room: Room, reals: NDArray[np.float32], words: NDArray[np.uint32],
        found: NDArray[np.int32], depths: NDArray[np.float32]) -> int:
    """
    Measure some columns of a scan and return how many points were written.

    :param key: of the random numbers of the scan.
    :param mask: what is seen, see `RayScene.mask`.
    :param begin: first column; those before `end` are measured.
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
    last = end * beams.rings
    # the rays of a ring in some columns go together: they are the most alike
    lanes = target.lanes
    size, together = BLOCK, lanes * beams.rings <= BLOCK
    if together:
        size = BLOCK // (lanes * beams.rings) * lanes * beams.rings
    for first in range(begin * beams.rings, last, size):
        count = min(size, last - first)
        _send(beams, path, echoes, key, first, count, lanes if together else 0, room)
        if found.shape[0] > 0:
            _take_over(target, room, count, found, depths)
        else:
            find(target, room.block, count, 0.0, reach, mask, True)
        receive(target, room.block, count, echoes, key, 0, room.made)
        if echoes.spread > 0.0:
            _turn_aside(room.block.rays, echoes.spread, key, count, room.made)
            find(target, room.block, count, 0.0, reach, mask, True)
            receive(target, room.block, count, echoes, key, 1, room.made)
        written += _write(beams, echoes, room, first, count, lanes if together else 0,
                          organised, entries, written, reals, words)
    return written


@compiled
def send(beams: Beams, path: SweepPath, echoes: Echoes, key: np.uint64, begin: int, end: int,
         room: Room, asked: NDArray[np.float32]) -> None:
    """
    Fill in the rays of some beams for somebody else to cast.

    :param asked: origin and time, direction and nothing of each ray, shape (N, 8).
    """
    rays = room.block.rays
    for first in range(begin, end, BLOCK):
        count = min(BLOCK, end - first)
        _send(beams, path, echoes, key, first, count, 0, room)
        for n in range(count):
            row = first + n
            asked[row, 0], asked[row, 1], asked[row, 2] = (
                rays[n, ray.OX], rays[n, ray.OY], rays[n, ray.OZ])
            asked[row, 3], asked[row, 7] = rays[n, ray.TIME], 0.0
            asked[row, 4], asked[row, 5], asked[row, 6] = (
                rays[n, ray.DX], rays[n, ray.DY], rays[n, ray.DZ])


@compiled(inner=True)
def _take_over(target: Target, room: Room, count: int, found: NDArray[np.int32],
               depths: NDArray[np.float32]) -> None:
    """Fill in what others found that the rays of the block meet, see `sweep`."""
    block, made = room.block, room.made
    for n in range(count):
        beam_number = int(made[0, n, echo.BEAM])
        block.found[n, ray.INSTANCE] = found[beam_number, 0]
        block.found[n, ray.FACE] = found[beam_number, 1]
        block.hits[n, ray.DISTANCE] = depths[beam_number, 2]
    meet_planes(target, block, count)


@compiled(inner=True)
def _send(beams: Beams, path: SweepPath, echoes: Echoes, key: np.uint64, first: int,
          count: int, lanes: int, room: Room) -> None:
    """Fill in the rays of the beams from `first` on; see `SweepPath` for the formulae."""
    rays, nominal, made = room.block.rays, room.nominal, room.made
    columns, vectors, rings, step = beams.columns, beams.vectors, beams.rings, beams.step
    rotation, place, rate = path.rotation, path.place, path.rate
    pose = np.empty((4, 3))
    cosine = sine = when = after = 0.0
    column, ring = first // rings, first % rings
    for k in range(count):
        n = _row(column - first // rings, ring, rings, count, lanes) if lanes else k
        if k == 0 or ring == 0:
            age = 0.0
            if echoes.sweep > 0.0:
                after = columns[column, beam.TIME]
                age = echoes.sweep - after
            when = 1.0 - age / echoes.span if echoes.span > 0.0 else 1.0
            turned, rest = math.sin(rate * age), 1.0 - math.cos(rate * age)
            for i in range(3):
                for j in range(3):
                    pose[i, j] = (rotation[0, i, j] - turned * rotation[1, i, j]
                                  + rest * rotation[2, i, j])
                pose[3, i] = (place[0, i] - age * place[1, i] + turned * place[2, i]
                              + rest * place[3, i])
            cosine, sine = columns[column, beam.COSINE], columns[column, beam.SINE]
        row = column * step + ring
        x, y, z = vectors[row, 0], vectors[row, 1], vectors[row, 2]
        x, y = cosine * x - sine * y, sine * x + cosine * y
        nominal[n, _X], nominal[n, _Y], nominal[n, _Z] = x, y, z
        nominal[n, _TIME] = after
        made[0, n, echo.BEAM] = made[1, n, echo.BEAM] = first + k
        if echoes.angle_noise > 0.0:
            turn = echoes.angle_noise * normal(key, echo.KINDS * (first + k) + echo.OF_ANGLE)
            c, s = math.cos(turn), math.sin(turn)
            x, y = c * x - s * y, s * x + c * y
        rays[n, ray.OX], rays[n, ray.OY], rays[n, ray.OZ] = pose[3, 0], pose[3, 1], pose[3, 2]
        rays[n, ray.DX] = pose[0, 0] * x + pose[0, 1] * y + pose[0, 2] * z
        rays[n, ray.DY] = pose[1, 0] * x + pose[1, 1] * y + pose[1, 2] * z
        rays[n, ray.DZ] = pose[2, 0] * x + pose[2, 1] * y + pose[2, 2] * z
        rays[n, ray.TIME] = when
        ring += 1
        if ring == rings:
            ring, column = 0, column + 1


@compiled(inner=True)
def _row(column: int, ring: int, rings: int, count: int, lanes: int) -> int:
    """
    Return where a block holds a beam: by some columns, ring by ring, then column by column.

    :param column: of the beam, from the first of the block on.
    :param count: beams in the block.
    :param lanes: columns that go together.
    """
    group = column // lanes
    width: int = min(lanes, count // rings - group * lanes)
    return group * lanes * rings + ring * width + column - group * lanes


@compiled(inner=True)
def _turn_aside(rays: Array, spread: float, key: np.uint64, count: int, made: Array) -> None:
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
            key, echo.KINDS * int(made[0, n, echo.BEAM]) + echo.OF_ASIDE)
        p, q = s * math.cos(towards), s * math.sin(towards)
        rays[n, ray.DX] = c * dx + p * ax + q * bx
        rays[n, ray.DY] = c * dy + p * ay + q * by
        rays[n, ray.DZ] = c * dz + p * az + q * bz


@compiled(inner=True)
def _write(
        beams: Beams, echoes: Echoes, room: Room, first: int, count: int, lanes: int,
        organised: bool, entries: NDArray[np.int64], written: int, reals: NDArray[np.float32],
        words: NDArray[np.uint32]) -> int:
    """Write points, from number `written` on, and return how many."""
    nominal, made = room.nominal, room.made
    rings, columns = beams.rings, beams.columns.shape[0]
    xyz, intensity = entries[entry.XYZ], entries[entry.INTENSITY]
    seconds, nanoseconds = entries[entry.SECONDS], entries[entry.NANOSECONDS]
    ring_at, mixed = entries[entry.RING], entries[entry.REFLECTIVITY_RING]
    millimetres, labels = entries[entry.MILLIMETRES], entries[entry.LABELS]
    range_at, blank_1, blank_2 = (
        entries[entry.RANGE], entries[entry.BLANK_1], entries[entry.BLANK_2])
    returns = 2 if echoes.spread > 0.0 else 1
    row = written
    column, ring = first // rings, first % rings - 1
    for k in range(count):
        ring += 1
        if ring == rings:
            ring, column = 0, column + 1
        n = _row(column - first // rings, ring, rings, count, lanes) if lanes else k
        for turn in range(returns):
            value = made[turn, n, echo.RANGE]
            met = -math.inf < value < math.inf
            if organised:
                row = ring * columns + column
            elif not met or turn == 1 and abs(
                    value - made[0, n, echo.RANGE]) < echoes.separation:
                continue
            strength = made[turn, n, echo.STRENGTH]
            if xyz >= 0:
                length = value if met else math.nan
                reals[row, xyz] = length * nominal[n, _X]
                reals[row, xyz + 1] = length * nominal[n, _Y]
                reals[row, xyz + 2] = length * nominal[n, _Z]
            if intensity >= 0:
                reals[row, intensity] = echoes.scale * strength
            if seconds >= 0:
                reals[row, seconds] = nominal[n, _TIME]
            if nanoseconds >= 0:
                words[row, nanoseconds] = int(1e9 * nominal[n, _TIME] + 0.5)
            if ring_at >= 0:
                words[row, ring_at] = ring
            if mixed >= 0:
                words[row, mixed] = int(min(strength, 1.0) * 255.0 + 0.5) + (ring << 16)
            if millimetres >= 0:
                words[row, millimetres] = int(1000.0 * value + 0.5) if met else 0
            if labels >= 0:
                words[row, labels] = int(made[turn, n, echo.LABEL])
            if range_at >= 0:
                reals[row, range_at] = value
            if blank_1 >= 0:
                words[row, blank_1] = 0
            if blank_2 >= 0:
                words[row, blank_2] = 0
            row += 1
    return count if organised else row - written
