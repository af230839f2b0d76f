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
"""
Eight rays and what they hit, in the memory layout that Embree reads and writes.

A packet is one block of memory with two views of the same words: `reals` (float32) and
`words` (uint32). Number `FIELD + lane` is the field of ray `lane`, 0 to 7. After a cast,
``words[INSTANCE + lane] == MISS`` says that the ray met nothing.
"""

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.compiled import compiled

Reals = NDArray[np.float32]
Words = NDArray[np.uint32]

LANES = 8
# asked: origin and direction in the frame of the target, nearest and farthest distance
ORIGIN_X, ORIGIN_Y, ORIGIN_Z, NEAREST = 0, 8, 16, 24
DIRECTION_X, DIRECTION_Y, DIRECTION_Z = 32, 40, 48
TIME = 56  # 0 to 1: of the motion that `RayScene.update` was given
DISTANCE = 64  # farthest; after the cast of the hit, in lengths of the direction
MASK = 72  # which instances are seen, see `RayScene.mask`
NUMBER, FLAGS = 80, 88
# answered: normal in the frame of the mesh, not of unit length; corner weights; numbers
NORMAL_X, NORMAL_Y, NORMAL_Z = 96, 104, 112
WEIGHT_1, WEIGHT_2 = 120, 128  # of the second and third corner of the triangle
FACE, GEOMETRY, INSTANCE, INNER_INSTANCE = 136, 144, 152, 160
VALID = 168  # all ones
WORDS = 176
MISS = 0xFFFFFFFF


def new_packets(count: int) -> tuple[Reals, Words]:
    """Return the two views of `count` packets, shape (count, WORDS), zero but for VALID."""
    room = np.zeros(count * WORDS + 16, np.uint32)
    start = -(room.ctypes.data // 4) % 16  # Embree wants its packets aligned
    words = room[start:start + count * WORDS].reshape(count, WORDS)
    words[:, VALID:] = MISS
    words[:, INSTANCE:INSTANCE + LANES] = MISS
    return words.view(np.float32), words


@compiled(inner=True)
def put_ray(
        reals: Reals, words: Words, lane: int, ox: float, oy: float, oz: float, dx: float,
        dy: float, dz: float, nearest: float, farthest: float, time: float, mask: int) -> None:
    """
    Put a ray into a lane of a packet; one with nearest above farthest meets nothing.

    :param reals: views of one packet, shape (WORDS,), as `words`.
    :param ox: origin, in the world less the datum of the target [m].
    :param dx: direction in the world; distances are in its length.
    :param mask: see `RayScene.mask`.
    """
    reals[ORIGIN_X + lane] = ox
    reals[ORIGIN_Y + lane] = oy
    reals[ORIGIN_Z + lane] = oz
    reals[NEAREST + lane] = nearest
    reals[DIRECTION_X + lane] = dx
    reals[DIRECTION_Y + lane] = dy
    reals[DIRECTION_Z + lane] = dz
    reals[TIME + lane] = time
    reals[DISTANCE + lane] = farthest
    words[MASK + lane] = mask
    words[GEOMETRY + lane] = MISS
    words[INSTANCE + lane] = MISS
