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
"""Casts of blocks of rays; for kernels."""

import math

from mvsim_ros2.compiled import compiled
from mvsim_ros2.sensors.raycast import block as column
from mvsim_ros2.sensors.raycast import packet
from mvsim_ros2.sensors.raycast.block import Block
from mvsim_ros2.sensors.raycast.bvh_walk import walk
from mvsim_ros2.sensors.raycast.call import call4
from mvsim_ros2.sensors.raycast.packet import LANES
from mvsim_ros2.sensors.raycast.surface import meet_planes
from mvsim_ros2.sensors.raycast.target import Target


@compiled(inner=True)
def find(target: Target, block: Block, count: int, nearest: float, farthest: float,
         mask: int) -> None:
    """
    Fill in what the first `count` rays of a block meet first: `block.found` and `block.hits`.

    Distances and normals are exact in double precision. Where nothing is met the instance is
    -1 and the hit is left alone.

    :param nearest: where rays begin, as `farthest` where they end, in lengths of their direction.
    :param mask: what is seen, see `RayScene.mask`.
    """
    if target.top == 0:
        walk(target, block, count, nearest, farthest, mask, False)
    else:
        packets = _pack(block, count, nearest, farthest, mask)
        _call(target.intersect, target.top, block, packets)
        _unpack(block, count)
    meet_planes(target, block, count)


@compiled(inner=True)
def find_any(target: Target, block: Block, count: int, nearest: float, farthest: float,
             mask: int) -> None:
    """
    Fill in whether the first `count` rays of a block meet anything; faster than what.

    The instance in `block.found` is 0 or more where they do, -1 where not. See `find`.
    """
    if target.top == 0:
        walk(target, block, count, nearest, farthest, mask, True)
        return
    packets = _pack(block, count, nearest, farthest, mask)
    _call(target.occluded, target.top, block, packets)
    reals, found = block.reals, block.found
    for n in range(count):
        blocked = reals[n // LANES, packet.DISTANCE + n % LANES] < 0.0
        found[n, column.INSTANCE] = 0 if blocked else -1


@compiled(inner=True)
def _pack(block: Block, count: int, nearest: float, farthest: float, mask: int) -> int:
    """Fill in the packets of a block and return how many there are."""
    rays, reals, words = block.rays, block.reals, block.words
    packets = (count + LANES - 1) // LANES
    for p in range(packets):
        for lane in range(LANES):
            n = min(p * LANES + lane, count - 1)
            reals[p, packet.ORIGIN_X + lane] = rays[n, column.OX]
            reals[p, packet.ORIGIN_Y + lane] = rays[n, column.OY]
            reals[p, packet.ORIGIN_Z + lane] = rays[n, column.OZ]
            reals[p, packet.NEAREST + lane] = nearest
            reals[p, packet.DIRECTION_X + lane] = rays[n, column.DX]
            reals[p, packet.DIRECTION_Y + lane] = rays[n, column.DY]
            reals[p, packet.DIRECTION_Z + lane] = rays[n, column.DZ]
            reals[p, packet.TIME + lane] = rays[n, column.TIME]
            # lanes that are left over end before they begin
            reals[p, packet.DISTANCE + lane] = farthest if p * LANES + lane < count else -1.0
            words[p, packet.MASK + lane] = mask
            words[p, packet.GEOMETRY + lane] = packet.MISS
            words[p, packet.INSTANCE + lane] = packet.MISS
    return packets


@compiled(inner=True)
def _call(function: int, top: int, block: Block, packets: int) -> None:
    """Let Embree cast packets."""
    address = block.words.ctypes.data
    for _ in range(packets):
        call4(function, address + 4 * packet.VALID, top, address, 0)
        address += 4 * packet.WORDS


@compiled(inner=True)
def _unpack(block: Block, count: int) -> None:
    """Take what Embree found out of the packets."""
    hits, found, reals, words = block.hits, block.found, block.reals, block.words
    for n in range(count):
        p, lane = n // LANES, n % LANES
        instance = words[p, packet.INSTANCE + lane]
        if instance == packet.MISS:
            found[n, column.INSTANCE] = found[n, column.FACE] = -1
            hits[n, column.DISTANCE] = math.inf
            continue
        found[n, column.INSTANCE] = instance
        found[n, column.FACE] = words[p, packet.FACE + lane]
        hits[n, column.DISTANCE] = reals[p, packet.DISTANCE + lane]
        hits[n, column.WEIGHT_1] = reals[p, packet.WEIGHT_1 + lane]
        hits[n, column.WEIGHT_2] = reals[p, packet.WEIGHT_2 + lane]
