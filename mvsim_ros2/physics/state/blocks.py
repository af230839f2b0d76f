# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""All blocks of a world and where they are."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.base.bulk import appended
from mvsim_ros2.frames import Array, Pose
from mvsim_ros2.jit.kernel import compiled
from mvsim_ros2.jit.prepared_call import PreparedCall
from mvsim_ros2.physics.engine.bodies import addresses, Body, Standing
from mvsim_ros2.physics.engine.bridge import bodies_motion
from mvsim_ros2.physics.state import Named
from mvsim_ros2.physics.state.record_layout import (
    ANGLE, COM_X, COM_Y, COS, MOTION, OMEGA, SIN, VX, VY, X, Y)
from mvsim_ros2.world.spec.block import BlockSpec
from mvsim_ros2.world.spec.common import Footprint

# columns of the footing: slope of the underside, world frame; 1 on the ground, 0 in the air;
# upward velocity of the origin; how far the outline is above it at its highest corner; x and y
# when it was last looked at; slope of its path
SLOPE, STANDS, CLIMB, RAISED, WAS, GRADE = 0, 2, 3, 4, 5, 7
FOOTING = 9


def is_pushed(spec: BlockSpec) -> bool:
    """Return whether forces move a block."""
    return spec.moves and spec.animation is None


class Blocks(Named):
    """
    All blocks, in the order of the world file; arrays are replaced when one comes or goes.

    A block that is intangible has no body (None). Those with keyframes are moved by
    `KinematicBodies`.
    """

    KIND = 'block'

    def clear(self) -> None:
        super().clear()
        # of animated blocks: angular velocity in their own frame
        self.rates: dict[str, tuple[float, float, float]] = {}
        self.specs: list[BlockSpec] = []
        self.footprints: list[Footprint] = []
        self.bodies: list[Any] = []  # `Body`, `Standing` or None
        self.pose: Array = np.zeros((0, 6))  # x y z yaw pitch roll of the origin, world frame
        self.twist_body: Array = np.zeros((0, 3))  # vx vy wz of the origin, block frame
        self.movable: NDArray[np.bool_] = np.zeros(0, bool)
        self.footing: Array = np.zeros((0, FOOTING))  # in mode physical
        self.find_moving()

    def add(self, spec: BlockSpec, body: Body | Standing | None, footprint: Footprint,
            pose: Pose) -> None:
        """Append a block that stands at `pose`; call `find_moving` after the last one."""
        self._append_name(spec.name)
        self.footprints.append(footprint)
        self.specs.append(spec)
        self.bodies.append(body)
        self.pose = appended(
            self.pose, [(pose.x, pose.y, pose.z, pose.yaw, pose.pitch, pose.roll)])
        self.twist_body = appended(self.twist_body, np.zeros((1, 3)))
        self.movable = appended(self.movable, [spec.moves])
        self.footing = appended(
            self.footing, [(0.0, 0.0, 1.0, 0.0, 0.0, pose.x, pose.y, 0.0, 0.0)])

    def remove(self, i: int) -> Any:
        """Take block `i` out and return its body."""
        self.rates.pop(self.names[i], None)
        self._remove_name(i)
        del self.specs[i], self.footprints[i]
        for name in ('pose', 'twist_body', 'movable', 'footing'):
            setattr(self, name, np.delete(getattr(self, name), i, axis=0))
        self._forget_moving(i)
        return self.bodies.pop(i)

    def show(self, name: str, pose: Pose, twist: tuple[float, float, float],
             rate: tuple[float, float, float], climb: float) -> None:
        """Take over where an animated block is, its twist, angular and vertical velocity."""
        i, self.rates[name] = self.index(name), rate
        self.pose[i] = pose.x, pose.y, pose.z, pose.yaw, pose.pitch, pose.roll
        self.twist_body[i], self.footing[i, CLIMB] = twist, climb

    def find_moving(self) -> None:
        """Find the bodies that forces move, after some came or went."""
        self.moving_rows = np.flatnonzero([is_pushed(spec) for spec in self.specs])
        self.moving: list[Any] = [self.bodies[i] for i in self.moving_rows]
        self.addresses = addresses(self.moving)
        self._forget_motion()

    def find_newest(self) -> None:
        """Find whether forces move the block that came last."""
        if is_pushed(self.specs[-1]):
            self.moving_rows = appended(self.moving_rows, [len(self) - 1])
            self.moving.append(self.bodies[-1])
            self.addresses = addresses(self.moving)
            self._forget_motion()

    def _forget_moving(self, i: int) -> None:
        """Forget the body of a block that goes."""
        rows = self.moving_rows
        left = rows[rows != i]
        self.moving_rows = left - (left > i)
        if len(left) < len(rows):
            del self.moving[int(np.flatnonzero(rows == i)[0])]
            self.addresses = addresses(self.moving)
            self._forget_motion()

    def _forget_motion(self) -> None:
        self.sliding = np.zeros((0, 0))  # rows of `Engine.sliding`, of those that forces move
        self.motion = np.zeros((len(self.moving), MOTION))  # as last observed
        self._before = np.full_like(self.motion, np.nan)  # when it was taken over last
        self._lost = np.full(1, -1)  # which of them is not finite

    def observe(self) -> str:
        """Take over the motion of bodies; return the name of one that is not finite, or ''."""
        if len(self.moving_rows):
            take_motion(*self._observed)
        return self.lost

    def observe_ready(self) -> PreparedCall:
        """Return a call that does so while the blocks are the same; then see `lost`."""
        return PreparedCall(take_motion, *self._observed)

    @property
    def _observed(self) -> tuple[Any, ...]:
        return (self.addresses, self.moving_rows, self.motion, self._before, self.pose,
                self.twist_body, self._lost)

    @property
    def lost(self) -> str:
        """Return the name of a block whose motion, as last observed, is not finite, or ''."""
        row = int(self._lost[0])
        return '' if row < 0 else self.names[row]

    def snapshot(self) -> tuple[Array, ...]:
        """Return a copy of where all blocks are."""
        return self.pose.copy(), self.twist_body.copy(), self.footing.copy()

    def restore(self, state: tuple[Array, ...]) -> None:
        """Put back the state of a `snapshot` of the same blocks."""
        self.pose[:], self.twist_body[:], self.footing[:] = state


@compiled(counted=False)
def take_motion(bodies: NDArray[np.int64], rows: NDArray[np.int64], motion: Array, before: Array,
                pose: Array, twist_body: Array, lost: NDArray[np.int64]) -> None:
    """
    Read the motion of bodies, and take it over where one has moved.

    :param bodies: addresses, shape (n,).
    :param rows: of these blocks, shape (n,).
    :param motion: filled in, shape (n, MOTION).
    :param before: motion that was taken over last, shape (n, MOTION).
    :param pose: of all blocks, shape (B, 6); twist_body: shape (B, 3).
    :param lost: filled in: row of a block whose motion is not finite, -1 for none, shape (1,).
    """
    bodies_motion(bodies.ctypes.data, len(bodies), motion.ctypes.data)
    lost[0], moved = -1, False
    for k in range(len(rows)):
        for i in range(MOTION):
            moved = moved or motion[k, i] != before[k, i]
    if not moved:
        return
    for k in range(len(rows) - 1, -1, -1):
        row = rows[k]
        for i in range(MOTION):
            before[k, i] = motion[k, i]
            if not math.isfinite(motion[k, i]):
                lost[0] = row
        x, y, cosine, sine, rate = (motion[k, X], motion[k, Y], motion[k, COS], motion[k, SIN],
                                    motion[k, OMEGA])
        pose[row, 0], pose[row, 1], pose[row, 3] = x, y, motion[k, ANGLE]
        vx = motion[k, VX] + rate * (motion[k, COM_Y] - y)
        vy = motion[k, VY] - rate * (motion[k, COM_X] - x)
        twist_body[row, 0] = cosine * vx + sine * vy
        twist_body[row, 1] = cosine * vy - sine * vx
        twist_body[row, 2] = rate
