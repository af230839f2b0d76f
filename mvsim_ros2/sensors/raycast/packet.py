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
"""Eight rays and what they hit, in the memory layout that Embree reads and writes."""

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float32]
Words = NDArray[np.uint32]

LANES = 8
# asked: origin and direction in the frame of the target, nearest and farthest distance
ORIGIN_X, ORIGIN_Y, ORIGIN_Z, NEAREST = 0, 8, 16, 24
DIRECTION_X, DIRECTION_Y, DIRECTION_Z = 32, 40, 48
TIME = 56  # 0 to 1: of the motion of the target
DISTANCE = 64  # farthest; after the cast that of the hit, in lengths of the direction
MASK = 72
# answered, after number and flags of the ray and the normal in the frame of the mesh
WEIGHT_1, WEIGHT_2 = 120, 128  # of the second and third corner of the triangle
FACE, GEOMETRY, INSTANCE = 136, 144, 152
VALID = 168  # all ones, after the number of an inner instance
WORDS = 176
MISS = 0xFFFFFFFF


def new_packets(count: int) -> tuple[Reals, Words]:
    """Return the two views of `count` packets, shape (count, WORDS), zero but for VALID."""
    room = np.zeros(count * WORDS + 16, np.uint32)
    start = -(room.ctypes.data // 4) % 16  # Embree wants its packets aligned
    words = room[start:start + count * WORDS].reshape(count, WORDS)
    words[:, VALID:] = MISS
    return words.view(np.float32), words
