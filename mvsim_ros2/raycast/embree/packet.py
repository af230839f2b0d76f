# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Rays and what they hit, in packets as Embree reads and writes them.

A packet has as many lanes as the processor likes best, and of each field one word a lane. Word
``(FIELDS * packet + field) * LANES + lane`` of the memory is a field of a ray.
"""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.jit.processor import has_avx512

Reals = NDArray[np.float32]
Words = NDArray[np.uint32]

# asked: origin and direction in the frame of the target, nearest and farthest distance
ORIGIN_X, ORIGIN_Y, ORIGIN_Z, NEAREST, DIRECTION_X, DIRECTION_Y, DIRECTION_Z = range(7)
TIME = 7  # 0 to 1: of the motion of the target
DISTANCE = 8  # farthest; after the cast that of the hit, in lengths of the direction
MASK = 9
# answered, after number and flags of the ray and the normal in the frame of the mesh
WEIGHT_1, WEIGHT_2 = 15, 16  # of the second and third corner of the triangle
FACE, GEOMETRY, INSTANCE = 17, 18, 19
VALID = 21  # all ones, after the number of an inner instance
FIELDS = 22
MISS = 0xFFFFFFFF


# packets of 16 are faster where the processor has registers for them, slower elsewhere
LANES = 16 if has_avx512() else 8


def new_packets(rays: int) -> tuple[Reals, Words]:
    """Return two views of the memory for a number of rays, a multiple of the lanes."""
    room = np.zeros(FIELDS * rays + 16, np.uint32)
    start = -(room.ctypes.data // 4) % 16  # Embree wants its packets aligned
    words = room[start:start + FIELDS * rays]
    return words.view(np.float32), words
