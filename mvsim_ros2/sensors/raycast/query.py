# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Ray queries of kernels: closest hit and any hit of a block of rays."""

import math

from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.native_function import call4
from mvsim_ros2.sensors.raycast import ray_block as column
from mvsim_ros2.sensors.raycast.bvh.bvh_traversal import traverse
from mvsim_ros2.sensors.raycast.embree import packet
from mvsim_ros2.sensors.raycast.embree.packet import LANES
from mvsim_ros2.sensors.raycast.ray_block import Block
from mvsim_ros2.sensors.raycast.target import meet_planes, Target


@compiled(counted=False)
def find(target: Target, block: Block, count: int, nearest: float, farthest: float,
         mask: int, coherent: bool = False) -> None:
    """
    Fill in the closest hits of the first `count` rays of a block: `block.found`, `block.hits`.

    Distances and normals are exact in double precision. Without a hit the instance is -1 and
    the rest is undefined.

    :param nearest: start of the rays in lengths of their direction, as `farthest` the end.
    :param mask: of the rays, see `RayScene.mask`.
    :param coherent: consecutive rays have similar directions, which is faster.
    """
    if target.top == 0:
        traverse(target, block, count, nearest, farthest, mask, False)
    else:
        packets = _pack(block, count, nearest, farthest, mask)
        _call(target.intersect, target, block, packets, coherent)
        _unpack(block, count)
    meet_planes(target, block, count)


@compiled(counted=False)
def find_any(target: Target, block: Block, count: int, nearest: float, farthest: float,
             mask: int, coherent: bool = False) -> None:
    """
    Fill in whether the first `count` rays of a block have any hit; faster than `find`.

    The instance in `block.found` is 0 or more with a hit, -1 without. See `find`.
    """
    if target.top == 0:
        traverse(target, block, count, nearest, farthest, mask, True)
        return
    packets = _pack(block, count, nearest, farthest, mask)
    _call(target.occluded, target, block, packets, coherent)
    reals, found = block.reals, block.found
    for n in range(count):
        at = packet.FIELDS * LANES * (n // LANES) + n % LANES
        found[n, column.INSTANCE] = 0 if reals[at + LANES * packet.DISTANCE] < 0.0 else -1


@compiled(counted=False)
def _pack(block: Block, count: int, nearest: float, farthest: float, mask: int) -> int:
    """Fill in the packets of a block and return how many there are."""
    rays, reals, words = block.rays, block.reals, block.words
    packets: int = (count + LANES - 1) // LANES
    for n in range(count, packets * LANES):  # unused lanes
        for i in range(7):
            rays[n, i] = rays[count - 1, i]
    for p in range(packets):
        for lane in range(LANES):  # separate from the words: vectorised
            n, at = p * LANES + lane, packet.FIELDS * LANES * p + lane
            reals[at + LANES * packet.ORIGIN_X] = rays[n, column.OX]
            reals[at + LANES * packet.ORIGIN_Y] = rays[n, column.OY]
            reals[at + LANES * packet.ORIGIN_Z] = rays[n, column.OZ]
            reals[at + LANES * packet.NEAREST] = nearest
            reals[at + LANES * packet.DIRECTION_X] = _clear(rays[n, column.DX])
            reals[at + LANES * packet.DIRECTION_Y] = _clear(rays[n, column.DY])
            reals[at + LANES * packet.DIRECTION_Z] = _clear(rays[n, column.DZ])
            reals[at + LANES * packet.TIME] = rays[n, column.TIME]
            reals[at + LANES * packet.DISTANCE] = farthest
        for lane in range(LANES):
            at = packet.FIELDS * LANES * p + lane
            words[at + LANES * packet.MASK] = mask
            words[at + LANES * packet.GEOMETRY] = packet.MISS
            words[at + LANES * packet.INSTANCE] = packet.MISS
            words[at + LANES * packet.VALID] = packet.MISS
    for n in range(count, packets * LANES):  # inactive: the end is before the start
        reals[packet.FIELDS * LANES * (packets - 1) + n % LANES + LANES * packet.DISTANCE] = -1.0
    return packets


@compiled(counted=False)
def _clear(component: float) -> float:
    """
    Return a component of a direction, 0 where it is tiny.

    Embree 4.4 loses coherent rays whose components lie between 1e-20 and 1e-15.
    """
    return component if abs(component) > 1e-12 else 0.0


@compiled(counted=False)
def _call(function: int, target: Target, block: Block, packets: int, coherent: bool) -> None:
    """Cast packets with Embree."""
    address = block.words.ctypes.data
    arguments = target.coherent if coherent else 0
    top, moving = target.top, target.moving
    for _ in range(packets):
        valid = address + 4 * LANES * packet.VALID
        call4(function, valid, top, address, arguments)
        if moving != 0:
            call4(function, valid, moving, address, arguments)
        address += 4 * LANES * packet.FIELDS


@compiled(counted=False)
def _unpack(block: Block, count: int) -> None:
    """Read the hits from the packets."""
    hits, found, reals, words = block.hits, block.found, block.reals, block.words
    for n in range(count):
        at = packet.FIELDS * LANES * (n // LANES) + n % LANES
        instance = words[at + LANES * packet.INSTANCE]
        if instance == packet.MISS:
            found[n, column.INSTANCE] = found[n, column.FACE] = -1
            hits[n, column.DISTANCE] = math.inf
            continue
        found[n, column.INSTANCE] = instance
        found[n, column.FACE] = words[at + LANES * packet.FACE]
        hits[n, column.DISTANCE] = reals[at + LANES * packet.DISTANCE]
        hits[n, column.WEIGHT_1] = reals[at + LANES * packet.WEIGHT_1]
        hits[n, column.WEIGHT_2] = reals[at + LANES * packet.WEIGHT_2]
