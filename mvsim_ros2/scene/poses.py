# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Motion of the instances of a scene with bodies and wheels."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.frames import rotation_matrix

if TYPE_CHECKING:
    from mvsim_ros2.scene.scene import MoverStates

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Motion:
    """
    The bodies of N instances.

    M of them are attached to a wheel: they rotate about z with its steering, and some also about
    y with its axle.
    """

    local: Array  # (N, 4, 4): from the mesh to the frame of the body, or of the wheel
    body: NDArray[np.int64]  # (N,): row among vehicles, then blocks, then figures; -1 none
    turning: NDArray[np.int64]  # (M,): indices of those instances
    wheel: NDArray[np.int64]  # (M,): row of the wheel
    place: Array  # (M, 3): of the wheel in the body frame [m]
    spins: NDArray[np.bool_]  # (M,)

    def transforms(self, states: 'MoverStates', rows: NDArray[np.int64]) -> Array:
        """Return the transforms of the instances `rows`, shape (len(rows), 4, 4)."""
        bodies = body_transforms(states)
        local = self.local.copy()
        turns = rotation_matrix(states.wheel_steer[self.wheel],
                                np.where(self.spins, states.wheel_angle[self.wheel], 0.0))
        local[self.turning] = homogeneous(turns, self.place) @ local[self.turning]
        return np.asarray(bodies[self.body[rows]] @ local[rows])


def body_transforms(states: 'MoverStates') -> Array:
    """Return those of vehicles, blocks, figures and the world itself, shape (B + 1, 4, 4)."""
    poses = np.concatenate([states.vehicles, states.blocks, states.figures, np.zeros((1, 6))])
    return homogeneous(rotation_matrix(poses[:, 3], poses[:, 4], poses[:, 5]), poses[:, :3])


def homogeneous(rotation: Array, place: Array) -> Array:
    """Return matrices (..., 4, 4) of rotations (..., 3, 3) and positions (..., 3)."""
    result = np.zeros((*rotation.shape[:-2], 4, 4))
    result[..., :3, :3] = rotation
    result[..., :3, 3] = place
    result[..., 3, 3] = 1.0
    return result
