# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
What stands and never moves, on as few bodies of the engine as possible.

A step of the engine visits all bodies several times, and what stands needs none of its own: its
fixtures are on one body for each square of `SQUARE`, in the frame of which single precision is
fine enough for them.
"""

from collections.abc import Callable
from typing import Any

from mvsim_ros2.frames import Pose

SQUARE = 1024.0  # m; the first one lies around the origin of the world


class Squares:
    """The bodies of what stands."""

    def __init__(self, world: Any) -> None:
        """Start without any; `world` is the engine's."""
        self._world = world
        self._bodies: dict[tuple[int, int], Any] = {}

    def at(self, x: float, y: float) -> tuple[Any, float, float]:
        """Return the body for what stands at a place, and where the body stands [m]."""
        square = round(x / SQUARE), round(y / SQUARE)
        middle = square[0] * SQUARE, square[1] * SQUARE
        if square not in self._bodies:
            self._bodies[square] = self._world.CreateStaticBody(position=middle)
        return self._bodies[square], *middle


class Standing:
    """A block that stands: fixtures on a body that it shares with others."""

    def __init__(self, make: Callable[[Pose], tuple[Any, list[Any]]], pose: Pose) -> None:
        """
        Make it.

        :param make: returns body and fixtures of the block where it stands at some pose.
        """
        self._make, self._pose = make, pose
        self._body, self.fixtures = make(pose)

    def place(self, pose: Pose) -> None:
        """Let it stand somewhere else from now on."""
        if pose != self._pose:
            self.remove()
            self._pose = pose
            self._body, self.fixtures = self._make(pose)

    def remove(self) -> None:
        """Take it out."""
        for fixture in self.fixtures:
            self._body.DestroyFixture(fixture)
