# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Blocks of rays and hits of kernels.

Kernels process rays in blocks, whose arrays stay in the cache of a core and amortise the cost of
calls.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import Array
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.sensors.raycast.embree.packet import new_packets, Reals, Words

BLOCK = 2048  # rays, a multiple of the lanes of a packet

# columns of `Block.rays`
OX, OY, OZ = 0, 1, 2  # origin: in the world minus the datum of the target [m]
DX, DY, DZ = 3, 4, 5  # direction in the world; the unit of distances is its length
TIME = 6  # 0 to 1: of the motion of the target; 1 is the present
# columns of `Block.hits`, and of `Block.found`
DISTANCE, NX, NY, NZ, WEIGHT_1, WEIGHT_2 = range(6)
INSTANCE, FACE = 0, 1


class Block(NamedTuple):
    """Rays and their hits; each thread reuses its own."""

    rays: Array  # (N, 7): set by the caller
    hits: Array  # (N, 6): distance, unit normal towards the origin, corner weights
    found: NDArray[np.int32]  # (N, 2): instance and face, -1 without a hit
    reals: Reals  # packets for Embree
    words: Words


def new_block(size: int = BLOCK) -> Block:
    """
    Return an empty block.

    :param size: number of rays, a multiple of the lanes of a packet.
    """
    return Block(np.zeros((size, 7)), np.zeros((size, 6)), np.full((size, 2), -1, np.int32),
                 *new_packets(size))


class Beyond(NamedTuple):
    """Scratch for rays that go on behind what they have met."""

    block: Block
    number: NDArray[np.int64]  # (N,): of the ray in its own block
    travelled: Array  # (N,): m before the present cast
    passed: Array  # (N,): share of the light that has come there and back


def new_beyond(size: int = BLOCK) -> Beyond:
    """Return scratch for blocks of a size."""
    return Beyond(new_block(size), np.zeros(size, np.int64), np.zeros(size), np.zeros(size))


@compiled(inlined=True)
def set_ray(rays: Array, n: int, origin: tuple[float, float, float],
            direction: tuple[float, float, float], time: float = 1.0) -> None:
    """Fill in row `n` of `Block.rays`."""
    rays[n, OX], rays[n, OY], rays[n, OZ] = origin
    rays[n, DX], rays[n, DY], rays[n, DZ] = direction
    rays[n, TIME] = time
