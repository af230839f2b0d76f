# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""State of the body that carries a sensor, and of all others."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from mvsim_ros2.frames import Array
from mvsim_ros2.physics.state.spatial_motion import planar_motion, SpatialMotion


def _zeros() -> Array:
    return np.zeros(3)


def _unknown(_: float) -> None:
    return None


class Movers(NamedTuple):
    """Poses of all movers in plan, in the order of their names."""

    poses: Array  # (M, 3): x, y, yaw
    twists: Array | None = None  # (M, 3): in the body frames, None where all are at rest
    heights: Array | None = None  # (M,): of the reference points [m], None where all are 0


def _no_movers() -> Movers:
    return Movers(np.zeros((0, 3)))


@dataclass(frozen=True, eq=False)
class BodyState:
    """
    State of one vehicle, and the poses of all movers in plan, at the instant of a measurement.

    For a sensor without a vehicle: the origin, at rest, mover_index -1.
    """

    pose: Array  # (6,): x, y, z [m], yaw, pitch, roll [rad] of the reference point, world
    # (3,): vx, vy [m/s] along the yaw of the vehicle, wz [rad/s] about the vertical
    twist_body: Array = field(default_factory=_zeros)
    # (3,): acceleration of the reference point against the world along the yaw of the vehicle
    # [m/s^2], and yaw acceleration [rad/s^2]
    acceleration_body: Array = field(default_factory=_zeros)
    gravity: float = 9.81  # m/s^2
    movers: Callable[[], Movers] = _no_movers
    mover_index: int = -1  # which mover and vehicle carries the sensor, -1: none
    in_space: Callable[[], SpatialMotion] | None = None  # how it moves, None: in plan
    # where it was: ages [s] from 0 to at least that of the call, and poses, shape
    # (K, 6); None where that is not known
    path: Callable[[float], tuple[Array, Array] | None] = _unknown
    steps: float = 0.0  # that it has made since it was put there

    @cached_property
    def motion(self) -> SpatialMotion:
        """Motion in all three dimensions."""
        if self.in_space is not None:
            return self.in_space()
        return planar_motion(self.pose, self.twist_body, self.acceleration_body)


STANDING = BodyState(np.zeros(6))
