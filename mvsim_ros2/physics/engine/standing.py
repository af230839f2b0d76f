# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Static objects, on as few bodies of the engine as possible.

A step of the engine visits all bodies several times, and what stands needs none of its own: its
fixtures are on one body for each square of `SQUARE`, in the frame of which single precision is
fine enough for them.
"""

from collections.abc import Callable

from mvsim_ros2.frames import Pose
from mvsim_ros2.physics.engine.bodies import Body, Fixture, STATIC, World
from mvsim_ros2.world.spec.common import Polygon

SQUARE = 1024.0  # m; the first one lies around the origin of the world


class Squares:
    """The bodies of what stands."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._bodies: dict[tuple[int, int], Body] = {}

    def hold(self, polygon: Polygon, x: float = 0.0, y: float = 0.0) -> tuple[Body, Polygon]:
        """
        Return the body for what stands somewhere, and its outline in the frame of that body.

        :param polygon: its outline in the world [m].
        :param x: where its frame stands [m], so y: the square of the nearest place of its box is
            its own.
        """
        square, (first_x, first_y) = _square_of(x, y), polygon[0]
        if square != _square_of(first_x, first_y):
            xs, ys = zip(*polygon, strict=True)
            square = _square_of(max(min(xs), min(max(xs), x)), max(min(ys), min(max(ys), y)))
        middle_x, middle_y = square[0] * SQUARE, square[1] * SQUARE
        if square not in self._bodies:
            self._bodies[square] = Body(self._world, STATIC, Pose(middle_x, middle_y))
        if square != (0, 0):
            polygon = tuple((px - middle_x, py - middle_y) for px, py in polygon)
        return self._bodies[square], polygon


def _square_of(x: float, y: float) -> tuple[int, int]:
    return round(x / SQUARE), round(y / SQUARE)


class Standing:
    """A block that stands: fixtures on bodies that it shares with others."""

    def __init__(self, make: Callable[[Pose], list[Fixture]],
                 take_out: Callable[[Fixture], None], pose: Pose) -> None:
        """
        Make it.

        :param make: returns the fixtures of the block where it stands at some pose.
        :param take_out: removes one of them.
        """
        self._make, self._take_out, self._pose = make, take_out, pose
        self.fixtures = make(pose)

    def place(self, pose: Pose) -> None:
        """Let it stand somewhere else from now on."""
        if pose != self._pose:
            self.remove()
            self._pose = pose
            self.fixtures = self._make(pose)

    def remove(self) -> None:
        """Take it out."""
        for fixture in self.fixtures:
            self._take_out(fixture)
