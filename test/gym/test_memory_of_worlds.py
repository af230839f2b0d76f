# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Worlds that learn together are small."""

from dataclasses import replace
import math
import tracemalloc

import numpy as np
import pytest

from mvsim_ros2 import load_world, Pose
from mvsim_ros2.gym import Navigate, VehicleVectorEnv
from mvsim_ros2.world.spec.block import BlockSpec
from mvsim_ros2.world.spec.walls import WallsSpec

FEW, MANY = 8, 40  # worlds
MOST = 137  # kB of Python and NumPy for a world; the engine takes 16 beside


@pytest.fixture(scope='module', autouse=True)
def numba() -> None:
    """Run compiled code, whose prepared calls take memory too."""
    pytest.importorskip('numba')


def test_a_world_takes_little_memory() -> None:
    """A robot with 360 rays in a square with six boxes."""
    corners = [(-5.0, -5.0), (5.0, -5.0), (5.0, 5.0), (-5.0, 5.0)]
    ends = tuple(point for i in range(4) for point in (corners[i], corners[(i + 1) % 4]))
    world = replace(load_world('empty'), walls=(WallsSpec(shape=ends),), blocks=tuple(
        BlockSpec(name=f'box{i}', static=True,
                  init_pose=Pose(3.0 * math.cos(i), 3.0 * math.sin(i)),
                  shape=((-0.3, -0.3), (0.3, -0.3), (0.3, 0.3), (-0.3, 0.3)))
        for i in range(6)))

    def made(count: int) -> VehicleVectorEnv:
        envs = VehicleVectorEnv(count, Navigate(), world, rays=360, copy=False)
        envs.reset(seed=1)
        envs.step(np.zeros((count, 2)))
        return envs

    made(2)  # all is imported, and kernels are there
    tracemalloc.start()
    known = [tracemalloc.get_traced_memory()[0]]
    kept = []
    for count in FEW, MANY:
        kept.append(made(count))
        known.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    few, many = np.diff(known)
    assert (many - few) / (MANY - FEW) < 1000 * MOST
