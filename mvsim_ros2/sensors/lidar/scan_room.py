# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Scratch of a thread that measures a scan of a LiDAR in three dimensions."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mvsim_ros2.sensors.lidar.beyond_glass import Beyond, new_beyond
from mvsim_ros2.sensors.raycast.embree.packet import LANES
from mvsim_ros2.sensors.raycast.ray_block import BLOCK, Block, new_block

Array = NDArray[np.float64]

# columns of `Room.poses`, after the rotation: origin, time in the scene
PLACE, WHEN, POSE = 9, 12, 13


class Room(NamedTuple):
    """Scratch of a thread."""

    block: Block
    beam: NDArray[np.int64]  # (N,): number of the beam of each ray
    noise: Array  # (N,)
    lit: Array  # (N,): strengths of what beams met
    # (LANES, 26): of the sensor, turned to the azimuth of some columns, when the column begins;
    # then how it changes in each second until its last ring
    poses: Array
    made: Array  # (3, N, 3): echoes of the returns
    beyond: Beyond  # for what is not solid; empty where all is
    shares: Array  # (N,): of the echo of a solid surface; empty where all are
    middle: Array  # (N, 3): directions of beams that are sampled; empty where there are none
    kept: Array  # (S, N, 3): what their rays met; empty where a beam is one ray


def new_room(rings: int, solid: bool, samples: int, turns: int) -> Room:
    """
    Return scratch for a thread.

    :param rings: beams of a column.
    :param solid: whether all surfaces are.
    :param samples: rays of a beam, as of `Returns`.
    :param turns: returns of a beam.
    """
    size = max(BLOCK, LANES * rings)
    of_beyond = 0 if solid else size
    kept = (samples if samples > 1 else 0) if turns == 1 else max(samples, 2) * (
        1 if solid else turns)
    return Room(new_block(size), np.zeros(size, np.int64), np.zeros(size),
                np.zeros(size),
                np.zeros((LANES, 2 * POSE)), np.zeros((3, size, 3)), new_beyond(of_beyond),
                np.zeros(of_beyond), np.zeros((size if samples > 1 else 0, 3)),
                np.zeros((kept, size, 3)))
