# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Bodies that touch as if they had just been made."""

from collections.abc import Iterable
import ctypes
from typing import Any

from mvsim_ros2.physics.engine.world_memory import world_flags

NEW_FIXTURE = 1  # the flag of a world that looks for new contacts before its next step


def can_refresh() -> bool:
    """Return whether `refresh` knows where it has to write."""
    return world_flags()[1] != 0


def refresh(world: Any, bodies: Iterable[Any]) -> None:
    """
    Forget the contacts of bodies, and enter them anew where they are now.

    The engine keeps its boxes in a tree whose nodes it hands out last in, first out, and looks at
    pairs in the order of their nodes. To leave and come back reverses the order of the boxes of a
    body; to do so twice brings back the first one, so that what follows depends on nothing
    that was before.
    """
    for body in bodies:
        for active in (False, True, False, True):
            body.active = active
    flags = ctypes.c_ubyte.from_address(int(world.this) + world_flags()[1])
    flags.value |= NEW_FIXTURE
