# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Ray packets in the memory layout of Embree (RTCRayHitN).

A packet has `LANES` rays, chosen for the processor, and one word per field and lane. Word
``(FIELDS * packet + field) * LANES + lane`` of the memory is a field of a ray.
"""

from itertools import takewhile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float32]
Words = NDArray[np.uint32]

# ray: origin and direction in the frame of the target, nearest and farthest distance
ORIGIN_X, ORIGIN_Y, ORIGIN_Z, NEAREST, DIRECTION_X, DIRECTION_Y, DIRECTION_Z = range(7)
TIME = 7  # 0 to 1, within the motion of the target
DISTANCE = 8  # farthest; after the cast of the hit, in lengths of the direction
MASK = 9
# hit, after index and flags of the ray and the normal in the frame of the mesh
WEIGHT_1, WEIGHT_2 = 15, 16  # of the second and third corner of the triangle
FACE, GEOMETRY, INSTANCE = 17, 18, 19
VALID = 21  # all ones, after the number of an inner instance
FIELDS = 22
MISS = 0xFFFFFFFF

_PROCESSORS = Path('/proc/cpuinfo')


def has_avx512() -> bool:
    """Return whether the processor has AVX-512; False where that is not known."""
    try:
        with _PROCESSORS.open(encoding='ascii', errors='replace') as lines:
            first = takewhile(str.strip, lines)  # a block of lines for each core
            return any(line.startswith('flags') and 'avx512vl' in line.split() for line in first)
    except OSError:  # no Linux
        return False


# packets of 16 are faster with AVX-512, slower without
LANES = 16 if has_avx512() else 8


def new_packets(rays: int) -> tuple[Reals, Words]:
    """Return two views of the memory for a number of rays, a multiple of the lanes."""
    memory = np.zeros(FIELDS * rays + 16, np.uint32)
    start = -(memory.ctypes.data // 4) % 16  # Embree requires aligned packets
    words = memory[start:start + FIELDS * rays]
    return words.view(np.float32), words
