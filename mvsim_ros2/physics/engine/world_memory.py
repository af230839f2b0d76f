# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Where the engine's world has its flags."""

import ctypes
from functools import cache

import Box2D
import numpy as np

_WORLD = 0x19000, 0x19380  # bytes of a world in which its flags are: behind 100 KiB of a stack
CLEAR_FORCES = 4  # the flag of a world that forgets the forces at the end of a step


@cache
def world_flags() -> tuple[int, int]:
    """Return where a world has `continuous` and `flags` [bytes from its start], 0 if unknown."""
    world = Box2D.b2World(gravity=(0, 0))
    memory = (ctypes.c_ubyte * (_WORLD[1] - _WORLD[0])).from_address(int(world.this) + _WORLD[0])
    found = []
    for name, bit in (('continuousPhysics', 1), ('autoClearForces', CLEAR_FORCES)):
        seen = []
        for value in (True, False, True):
            setattr(world, name, value)
            seen.append(np.array(memory))
        found.append(np.flatnonzero((seen[0] ^ seen[1] == bit) & (seen[1] ^ seen[2] == bit)))
    if any(len(places) != 1 for places in found):
        return 0, 0
    return _WORLD[0] + int(found[0][0]), _WORLD[0] + int(found[1][0])
